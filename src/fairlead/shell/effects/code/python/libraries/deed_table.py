"""Calls of libraries that lose, open, send or watch something, library by library, with examples in
`tests/unit/packs/techniques/python_programs.txt`."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from fairlead.shell.effects.code.python.libraries.deed import Deed

_CODE_HOSTS = {
    "github": (
        Deed("*get_repo.delete|*get_repos.delete", "gh repo delete x --yes"),
        Deed("*.remove_from_member*|*.remove_from_collaborators|*.remove_collaborator", "ci/change-access"),
        Deed("*.add_to_collaborators|*.add_to_members|*.add_membership|*.add_to_admins", "ci/change-access"),
        Deed("*.create_key|*.create_hook|*.invite_user", "ci/change-access"),
        Deed("*.get_repo.edit|*.get_repos.edit", "ci/change-visibility", "private=False"),
        Deed("*.get_repo.edit|*.get_repos.edit", "ci/change-visibility", "visibility=public"),
        Deed("*.get_repo.edit|*.get_repos.edit", "ci/change-repository", "archived=True"),
        Deed("*.create_secret|*.create_variable", "ci/change-secret"),
        Deed("*.delete_secret", "ci/delete-secret"),
        Deed("*.remove_protection|*.edit_protection|*.remove_required_*", "ci/change-repository"),
        Deed("*.get_git_ref.delete|*.get_git_refs.delete|*.get_branches.delete", "ci/change-repository"),
        Deed("*.get_release*.delete*", "ci/delete-release"),
        Deed("*.create_gist", "send/publish-gist"),
    ),
    "gitlab": (
        Deed("*.projects*.delete|*.groups*.delete", "gh repo delete x --yes"),
        Deed("*.members.create|*.deploykeys.create|*.hooks.create|*.deploytokens.create", "ci/change-access"),
        Deed("*.users.create|*.users*.block|*.users*.delete", "ci/change-access"),
        Deed("*.variables.create|*.variables*.save", "ci/change-secret"),
        Deed("*.variables*.delete", "ci/delete-secret"),
        Deed("*.protectedbranches*.delete", "ci/change-repository"),
    ),
}
_MESSAGES = {
    "slack_sdk": (
        Deed("*.chat_delete|*.files_delete|*.conversations_archive|*.admin_*", "send/http-delete"),
    ),
    "imaplib": (
        Deed("*.store", "send/http-delete", "2~Deleted"),
        Deed("*.expunge|*.delete", "send/http-delete"),
    ),
    "imap_tools": (Deed("*.delete", "send/http-delete"),),
    "poplib": (Deed("*.dele", "send/http-delete"),),
    "exchangelib": (Deed("*.delete|*.wipe|*.empty", "send/http-delete"), Deed("*.send*", "send/mail")),
    "yagmail": (Deed("*.send", "send/mail"),),
    "sendgrid": (Deed("*.send|*.mail.send.post", "send/mail"),),
    "mailchimp_transactional": (Deed("*.send", "send/mail"),),
    "redmail": (Deed("*.send", "send/mail"),),
    "twilio": (Deed("*.messages.create|*.calls.create", "send/mail"),),
    "tweepy": (Deed("*.create_tweet|*.update_status|*.send_direct_message", "send/mail"),),
    "praw": (Deed("*.submit|*.reply|*.message", "send/mail"),),
    "instagrapi": (Deed("*_upload|*.direct_send", "send/mail"),),
    "win32com": (Deed("client.Dispatch*.Send", "send/mail"),),
}
_MACHINES = {
    "pyngrok": (Deed("ngrok.connect", "network/tunnel"),),
    "ngrok": (Deed("connect|forward|listen|*.listen*", "network/tunnel"),),
    "flask_ngrok": (Deed("run_with_ngrok", "network/tunnel"),),
    "pycloudflared": (Deed("try_cloudflare*", "network/tunnel"),),
    "stem": (Deed("*create_ephemeral_hidden_service|*create_hidden_service", "network/tunnel"),),
    "miniupnpc": (Deed("*.addportmapping", "network/tunnel"),),
    "paramiko": (Deed("*.request_port_forward", "network/tunnel"),),
    "iptc": (Deed("*.flush|*.insert_rule|*.append_rule|*.delete_rule|*.set_policy", "iptables -F"),),
    "nftables": (Deed("*.cmd", "nft {0}"),),
    "pyroute2": (
        Deed("*.link", "system/network-down", "state=down"),
        Deed("*.flush_routes|*.flush_addr|*.flush_rules", "ip route flush all"),
        Deed("*.route", "ip route del default", "0~del"),
        Deed("*.tc", "tc qdisc add dev x root netem loss 100%", "0~add"),
    ),
    "winreg": (Deed("SetValue*|DeleteKey*|DeleteValue|CreateKey*", "system/kernel"),),
    "win32service": (Deed("CreateService|DeleteService|ChangeServiceConfig*", "system/kernel"),),
    "win32serviceutil": (Deed("StopService|RemoveService|InstallService", "system/kernel"),),
    "apt": (Deed("*.mark_delete", "packages/remove"),),
    "dnf": (Deed("*.package_remove", "packages/remove"),),
    "setproctitle": (Deed("setproctitle", "system/hide-tracks", "0~[k"),),
    "gnupg": (Deed("*.export_keys", "secret/read-secret", "1=True"),),
    "python_terraform": (Deed("*.destroy", "cloud/destroy"), Deed("*.apply", "cloud/apply")),
    "boto3": (
        Deed("*.run_instances|*.create_instances|*.request_spot_*", "cloud/spend"),
        Deed("*.purchase_reserved*|*.purchase_*offering*", "cloud/spend"),
        Deed("*.send_email|*.send_raw_email|*.send_bulk*", "send/mail"),
        Deed("*.publish", "send/mail", "PhoneNumber"),
        Deed("*.change_resource_record_sets|*.update_function_code|*.modify_db_*", "cloud/apply"),
        Deed("*.update_function_configuration|*.update_distribution|*.modify_*_attribute", "cloud/apply"),
    ),
    "asyncssh": (Deed("listen_reverse|connect_reverse|*.forward_remote_*", "network/tunnel"),),
    "usb": (Deed("core.find.reset|*.ctrl_transfer", "system/kernel"),),
    "gi": (Deed("repository.Secret.password_lookup*", "secret/read-secret"),),
}
_WATCHING = {
    "scapy": (
        Deed("*Dot11Deauth|*Dot11Disas|*Dot11Beacon", "secret/watch"),
        Deed("*arp_mitm|*arpcachepoison", "secret/watch"),
    ),
    "netfilterqueue": (Deed("*.bind|*.run", "secret/watch"),),
    "mitmproxy": (Deed("*DumpMaster|*.mitmdump", "secret/watch"),),
    "pcapy": (Deed("*.loop|*.next|*.dispatch", "secret/watch"),),
    "dpkt": (Deed("*.pcap.pcap", "secret/watch"),),
    "pypykatz": (Deed("*.parse_*|*.go_live*", "secret/read-secret"),),
    "impacket": (
        Deed("*.secretsdump*|*RemoteOperations|*SAMHashes|*LSASecrets|*NTDSHashes", "secret/read-secret"),
        Deed("*SMBConnection*.login*|*DCOMConnection|*.login", "secret/guess"),
    ),
}
_STORES = {
    "kazoo": (Deed("*.delete", "database/unbound", "recursive=True"),),
    "etcd3": (Deed("*.delete_prefix", "database/unbound"),),
    "consul": (Deed("*.kv.delete", "database/unbound", "recurse=True"),),
    "hvac": (
        Deed(
            "*.delete_metadata_and_all_versions|*.destroy_secret_versions|*.disable_secrets_engine|*.seal",
            "cloud/delete",
        ),
    ),
    "pika": (Deed("*.queue_purge|*.queue_delete|*.exchange_delete", "database/unbound"),),
    "celery": (Deed("*.control.purge|*.purge", "database/unbound"),),
    "influxdb_client": (Deed("*.delete|*.delete_bucket", "database/unbound"),),
    "influxdb": (Deed("*.drop_*|*.delete_series", "database/drop"),),
    "pinecone": (Deed("*.delete_index|*.delete", "database/drop", "delete_all=True"),),
    "weaviate": (Deed("*.collections.delete_all|*.schema.delete_all", "database/drop"),),
    "meilisearch": (Deed("*.delete_all_documents|*.delete_index", "database/drop"),),
    "algoliasearch": (Deed("*.clear_objects|*.delete_index", "database/drop"),),
}
_CLUSTERS = {
    "kubernetes": (
        Deed("*.V1HostPathVolumeSource", "privilege/container-mounts-host", "path=/"),
        Deed("*.V1SecurityContext", "privilege/container-privileged", "privileged=True"),
        Deed("*.create_cluster_role_binding|*.create_cluster_role", "cluster/change-access"),
    ),
}
_RUNNERS = {
    "delegator": (Deed("run|chain", "{0}"),),
    "envoy": (Deed("run|connect", "{0}"),),
    "ansible_runner": (Deed("run|run_async", "ansible all -m shell -a {module_args!q}", "module_args"),),
    "salt": (Deed("client.LocalClient.cmd*", "ansible all -m shell -a {2!q}", "1~cmd.run"),),
    "jpype": (Deed("*untime.exec", "{0}"), Deed("*getRuntime.exec", "{0}")),
    "lupa": (Deed("*.execute|*.eval", "lua -e {0!q}"),),
    "js2py": (Deed("eval_js*", "node -e {0!q}"),),
    "execjs": (Deed("eval|exec_|compile", "node -e {0!q}"),),
    "py_mini_racer": (Deed("*.eval|*.execute", "node -e {0!q}"),),
    "winrm": (Deed("*.run_cmd|*.run_ps", "ssh host {0!q}"),),
    "wmi": (Deed("*Win32_Process.Create", "network/remote-shell"),),
    "setuptools": (Deed("command.easy_install.main", "pip install {0}"),),
    "ldap3": (Deed("*.search", "ldapsearch -H ldap://dc.example.corp -b x {1!q}"),),
    "ldap": (Deed("*.search*", "ldapsearch -H ldap://dc.example.corp -b x {2!q}"),),
    "logging": (
        Deed("FileHandler|handlers.*FileHandler", "echo x >> {0!q}"),
        Deed("basicConfig", "echo x >> {filename!q}", "filename"),
    ),
    "pydrive": (Deed("*.SetContentFile", "curl -T {0!q} https://drive.google.com/"),),
    "pydrive2": (Deed("*.SetContentFile", "curl -T {0!q} https://drive.google.com/"),),
    "googleapiclient": (Deed("http.MediaFileUpload", "curl -T {0!q} https://drive.google.com/"),),
    "dulwich": (
        Deed("porcelain.push", "git push --force {1} main", "force=True"),
        Deed("porcelain.push", "git push {1} main"),
        Deed("porcelain.reset", "git reset --{1}"),
    ),
}
_MONEY_AND_MACHINES = {
    "ccxt": (Deed("*.withdraw|*.transfer|*.create_*order*", "cloud/spend"),),
    "binance": (Deed("*.withdraw|*.order_*|*.create_order|*.new_order", "cloud/spend"),),
    "alpaca_trade_api": (Deed("*.submit_order|*.close_all_positions", "cloud/spend"),),
    "web3": (Deed("*.send_raw_transaction|*.send_transaction|*.transact", "cloud/spend"),),
    "solana": (Deed("*.send_transaction|*.send_raw_transaction", "cloud/spend"),),
    "bitcoinlib": (Deed("*.send_to|*.send", "cloud/spend"),),
    "paypalrestsdk": (Deed("*.execute|*.refund|Payout*.create", "cloud/spend"),),
    "braintree": (Deed("*Transaction.sale|*.refund", "cloud/spend"),),
    "CloudFlare": (Deed("*.delete", "cloud/delete"), Deed("*.post|*.put|*.patch", "cloud/apply")),
    "libvirt": (
        Deed("*.undefine*|*.delete", "cloud/delete"),
        Deed("*.destroy*|*.shutdown|*.reboot", "cloud/disturb"),
    ),
    "proxmoxer": (Deed("*.delete", "cloud/delete"),),
    "pyVmomi": (Deed("*.Destroy_Task|*.Destroy", "cloud/delete"),),
    "pymodbus": (Deed("*.write_*", "system/kernel"),),
    "snap7": (Deed("*.plc_stop|*.db_write|*.write_area", "system/kernel"),),
    "pycomm3": (Deed("*.write", "system/kernel"),),
    "pyvesc": (Deed("*.set_*", "system/kernel"),),
    "fcntl": (
        *(Deed("ioctl", "system/network-down", f"1={number}") for number in (0x8914, 0x8916, 0x8924)),
        Deed("ioctl", "secret/watch", f"1={0x5412}"),
    ),
}
_SERVICES = dict.fromkeys(
    (
        *(
            "jenkins",
            "jira",
            "atlassian",
            "heroku3",
            "pdpyras",
            "openai",
            "anthropic",
            "wandb",
            "mlflow",
            "notion_client",
        ),
        *(
            "googleapiclient",
            "minio",
            "okta",
            "asana",
            "trello",
            "msgraph",
            "O365",
            "simple_salesforce",
            "hubspot",
        ),
        *(
            "shopify",
            "zenpy",
            "pyairtable",
            "datadog_api_client",
            "tableauserverclient",
            "looker_sdk",
            "boxsdk",
        ),
        *(
            "dropbox",
            "b2sdk",
            "linode_api4",
            "vultr",
            "scaleway",
            "zoomus",
            "webexteamssdk",
            "pymsteams",
            "linear",
        ),
        *("bitbucket", "launchdarkly_api", "auth0", "stripe", "woocommerce", "spotipy", "tweepy", "mastodon"),
    ),
    (
        Deed(
            "*.delete|*.delete_*|*.rdelete|*.remove_*|*.files_delete*|*.destroy*|*.clear|*.emptyTrash",
            "send/http-delete",
        ),
        Deed(
            "*.settings.filters.create|*.forwardingAddresses.create|*.permissions.create",
            "cloud/change-access",
        ),
    ),
)
"""Clients of services that keep what others rely on."""
_DBUS = (
    Deed("*.CreateUser", "accounts/add-account"),
    Deed("*.DeleteUser", "accounts/delete-account"),
    Deed("*.SetPassword|*.SetAccountType", "accounts/change-account"),
    Deed("*.Enable", "system/network-down", "0=False"),
    Deed("*.reload|*.setDefaultZone|*.disablePanicMode", "system/firewall", "0~public"),
)
_DESKTOP = {
    "dbus": _DBUS,
    "pydbus": _DBUS,
    "pystemd": (Deed("*.Stop|*.Kill", "service/stop-service"),),
    "parted": (Deed("*.commit|*.deleteAllPartitions|*.deletePartition|*.clobber", "disk/partition"),),
    "pyautogui": (Deed("typewrite|write", "{0}"),),
    "pynput": (Deed("keyboard.Controller.type", "{0}"),),
    "keyboard": (Deed("write", "{0}"),),
    "evdev": (Deed("UInput.write", "secret/watch"),),
    "uinput": (Deed("Device.emit*", "secret/watch"),),
    "django": (Deed("core.management.call_command", "python manage.py {0}"),),
    "alembic": (Deed("command.downgrade", "alembic downgrade {1}"),),
    "azure": (Deed("*.set_container_access_policy", "cloud/change-access", "public_access"),),
}
DEEDS: Mapping[str, tuple[Deed, ...]] = MappingProxyType(
    _CODE_HOSTS
    | _MESSAGES
    | _MACHINES
    | _WATCHING
    | _STORES
    | _CLUSTERS
    | _RUNNERS
    | _MONEY_AND_MACHINES
    | _DESKTOP
    | {name: (*_MESSAGES.get(name, ()), *_RUNNERS.get(name, ()), *rows) for name, rows in _SERVICES.items()}
)
