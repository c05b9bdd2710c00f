"""Deeds that give rights away, take a protection down, or hide what goes on: knowledge alone."""

from __future__ import annotations

from fairlead.packs.foreign.deeds.deed import deed

_OFF = "disable remove delete deactivate suspend bypass stop lower pause turn uninstall"

_DEVICES = "android ios mobile simulator adb xcode xcodebuild appium browser playwright puppeteer chrome"
ACCESS = (
    deed("change-access", "unprotect unrestrict impersonate"),
    deed(
        "change-access",
        _OFF,
        """
        protection protections restriction restrictions ruleset rulesets scanning rls mfa 2fa sso factor factors
        encryption versioning waf firewall authentication captcha acl acls approval approvals security lock locks
        conditional dnssec signing reviewers checks defender scrubbing passcode hsts https ssl
        """,
        unless="status",
    ),
    deed(
        "change-access",
        _OFF,
        "policy policies",
        at="okta auth0 entra branch password security access mfa sso",
    ),
    deed(
        "change-access", "make set promote assign grant add give", "admin administrator owner superuser root"
    ),
    deed("change-access", "reset change set force", "password passwords passwd"),
    deed(
        "change-access",
        "forward delegate forwarding",
        "mailbox mail email address auto forwarding",
        unless="list",
    ),
    deed("change-access", "create", "token", at="kubernetes k8s vault iam"),
    deed("change-access", "create add", "grant grants", unless="list"),
    deed("change-access", "unlock", "account accounts user", unless="level"),
    deed("change-access", "create", "invite", at="discord", unless="list"),
    deed("change-access", "share", "public publicly", unless="list"),
    deed(
        "change-access",
        "share",
        "file folder spreadsheet document doc item drive sheet calendar vault database album inbox",
        unless="list link screen",
    ),
    deed("change-access", "change transfer set", "owner ownership"),
    deed("change-access", "put set update", "secret secrets", unless="list"),
    deed(
        "change-access",
        "create generate issue",
        "token tokens pat",
        at="okta auth0 github gitlab npm cloudflare admin entra",
    ),
    deed("change-access", "create", "key keys", at="account iam sa gcp okta"),
    deed("change-access", "add install upload", "key keys", at="ssh sshd", unless="list"),
    deed("change-access", "set update deploy", "rules", at="firebase firestore storage realtime"),
    deed("change-access", "set update", "permission permissions", at="storage container bucket blob"),
    deed("change-access", "public", "bucket blob container iam", unless="block list"),
    deed("change-access", "disable", "privacy protection"),
    deed(
        "change-access", "create add update", "binding bindings rolebinding", at="kubernetes k8s cluster iam"
    ),
    deed("change-access", "set make convert turn change", "public", unless="key url ip address dns"),
    deed(
        "change-access",
        "set update add create grant assign change modify",
        "permission permissions collaborator collaborators collaboration delegate delegates",
        unless="list check request",
        elsewhere=f"{_DEVICES} filesystem fs files",
    ),
    deed("change-access", "create add assign", "assignment", beside="role policy permission access group"),
    deed("change-access", "create add generate issue set", "code pin", beside="access entry door guest lock"),
    deed("change-access", "create add generate issue", "password", beside="app application recovery one time"),
    deed(
        "change-access",
        "create add generate issue mint",
        "key keys token tokens credential credentials secret",
        beside="auth root api access preauth personal admin service account bot client recovery deploy",
        unless="list design object file",
    ),
    deed("change-access", "add create set", "send", beside="as"),
    deed("change-access", "login sign act become log", "as", unless="save"),
    deed("change-access", "assume", "role identity"),
    deed(
        "change-access",
        "share",
        "page pages note notebook board dashboard report location folder photos contact contacts site form base",
        unless="list link screen get",
    ),
    deed("change-access", "forward open expose map", "port ports", at="unifi router pfsense opnsense mikrotik upnp fritz firewall gateway nat"),
    deed("change-access", "enable start allow", "sharing tethering", beside="remote screen file public", unless="get"),
    deed("change-access", "enable allow", "root guest anonymous", unless="list"),
    deed("change-access", "approve grant give accept", "consent access request requests device devices", beside="admin access consent device devices pairing join permission"),
    deed("change-access", "pair enroll register trust", "device devices key fingerprint", at="phone mdm jamf intune okta duo tailscale bluetooth vpn"),
    deed("change-access", "revoke", "certificate certificates cert access grant grants token tokens key keys license licenses"),
    deed("change-access", "roll regenerate", "key keys token secret"),
)  # fmt: skip
WATCHERS = (
    deed(
        "disturb",
        "uninstall stop disable",
        "sensor agent agents edr antivirus",
        at="crowdstrike wazuh sentinelone defender sophos osquery falcon edr antivirus",
    ),
    deed(
        "disturb",
        "add create set",
        "exclusion exclusions exception exceptions",
        at="crowdstrike wazuh sentinelone defender sophos antivirus edr falcon",
    ),
    deed("disturb", "resolve close dismiss ignore suppress acknowledge archive", "all", unless="tab tabs"),
    deed(
        "disturb",
        "disable pause suspend",
        "service services schedule integration",
        at="pagerduty opsgenie victorops betterstack uptime statuspage",
    ),
    deed(
        "disturb",
        "disable delete pause",
        "job jobs schedule policy",
        at="veeam restic borg backup backups velero duplicati",
    ),
    deed(
        "disturb",
        "disable mute delete pause",
        "condition conditions alert alerts alarm alarms collector detector",
        unless="list",
    ),
    deed("disturb", "override", "schedule rotation oncall"),
    deed("disturb", "rotate", "key keys secret secrets signing credentials", unless="image schedule"),
    deed("disturb", "seal", at="vault"),
    deed(
        "disturb",
        "rebuild reinstall format reimage",
        "server servers instance vm volume disk drive machine host node droplet",
    ),
    deed("disturb", "unenroll retire wipe erase", "device devices all phone computer"),
    deed(
        "disturb",
        "reset restore",
        "configuration factory defaults",
        at="mikrotik cisco router switch firewall device unifi ubiquiti juniper fortigate",
    ),
    deed("disturb", "write", "erase register registers coil coils", at="cisco plc modbus scada opcua s7"),
    deed("disturb", "stop export", "array pool raid"),
    deed("disturb", "arm takeoff launch", at="drone mavlink px4 ardupilot"),
    deed(
        "disturb",
        "trash reject cancel revoke unenroll deactivate logout approve expire",
        "all everything everyone",
    ),
    deed("disturb", "reset delete", "offsets"),
    deed("disturb", "kick", unless="off"),
    deed("disturb", "update set change", "option options", at="wordpress"),
    deed("disturb", "disable unmount delete", "engine mount auth", at="vault"),
    deed("disturb", "disable stop", "defender antivirus gatekeeper sip blocking firewall adblock"),
    deed("disturb", "block ban", "user client device member person", unless="list"),
    deed("disturb", "leave", "organization organizations org", unless="list"),
    deed("disturb", "clear revoke terminate", "sessions", at="okta auth0 entra keycloak admin clerk"),
    deed(
        "disturb", "pause stop disable follow unfollow", "all", unless="container containers playback tests"
    ),
    deed(
        "disturb",
        "archive",
        "database base channel channels workspace project projects organization team",
        unless="list",
    ),
    deed("disturb", "ban kick remove", "all everyone members"),
    deed("disturb", "close", "board boards workspace account accounts"),
    deed("disturb", "merge", "users user accounts account contacts customers customer organizations"),
    deed("disturb", "bulk mass", "update", at="salesforce hubspot crm zendesk shopify dynamics"),
    deed("change-access", "write put create update", "policy", at="vault"),
    deed("change-access", "invite share connect", "shared external guest guests", unless="list"),
    deed("disturb", "bulk", "transition close archive reassign"),
    deed("disturb", "suspend deactivate disable offboard", "user users account accounts person employee workspace tenant", unless="list"),
    deed("disturb", "disable stop turn", "detection motion recording monitoring tracking surveillance", unless="face object"),
    deed("disturb", "disable cancel schedule", "key keys", at="kms keyvault hsm cloudkms"),
    deed("disturb", "close freeze", "index indices", at="elasticsearch opensearch elastic"),
    deed("disturb", "seek", "subscription subscriptions"),
    deed("disturb", "close lock reopen", "books period ledger"),
    deed("disturb", "detach disassociate dissociate deregister unregister", "volume policy role target targets instance instances waf gateway address certificate device subnet disk", unless="list"),
    deed("disturb", "flash update upgrade downgrade", "firmware bios bootloader", unless="check get list"),
    deed("disturb", "reset", "environment workspace project branch cluster factory device tenant organization", unless="password filter view zoom layout"),
    deed("disturb", "restore rollback revert failover", "backup backups snapshot database db cluster instance volume", unless="list get test"),
    deed("disturb", "factory", "reset"),
    deed("disturb", "forget remove", "device network", at="unifi hue zigbee zwave homekit nest ring router find"),
    deed("change-access", "install sideload", "profile certificate root ca", at="mdm ios macos windows browser system keychain device"),
)  # fmt: skip
