"""Which family reads which program. A family is imported when one of its programs first appears."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from fairlead.shell.effects.effect import EffectReader
from fairlead.shell.word_sets import names

FAMILIES: dict[str, str] = {
    "files": (
        "truncate gtruncate mv gmv cp gcp install gzip bzip2 xz zstd compress lzma cpio rename prename "
        "perl-rename file-rename mmv augtool ln tee sponge "
        "fallocate touch mkdir dd dcfldd dc3dd sg_dd sed gsed chmod chown chgrp chattr "
    ),
    "deleting": (
        "rm grm gvfs-rm safe-rm saferm rmdir unlink shred gshred wipe srm rimraf del-cli premove shx trash "
        "trash-cli trash-put gomi rip rmtrash gvfs-trash gio kioclient kioclient5 trash-empty trash-rm "
        "tmpwatch tmpreaper fdupes jdupes rdfind cmake bleachbit systemd-tmpfiles virtualenv "
    ),
    "editing": ("vim vi nvim view gvim rvim ex ed red emacs emacsclient "),
    "git": ("git yadm gita "),
    "versions": ("bfg patch hg svn jj fossil sl bzr brz p4 darcs pijul cvs etckeeper repo dvc "),
    "trees": ("find gfind tar gtar bsdtar zip 7z 7za 7zz 7zr p7zip rar unrar unzip "),
    "containers": (
        "docker podman nerdctl docker-compose podman-compose finch lxc incus limactl orb lxc-destroy "
        "vagrant virsh multipass colima minikube kind k3d vboxmanage crictl buildah ctr qm pct VBoxManage "
        "vim-cmd vmrun govc prlctl machinectl skopeo regctl virt-install tart apptainer xe esxcli "
    ),
    "kubernetes": (
        "kubectl oc k microk8s.kubectl kubecolor k3s microk8s helm3 helm eksctl kubeadm talosctl etcdctl "
        "flux argocd istioctl velero helmfile k3s-uninstall.sh kops rancher linkerd kustomize "
        "k3s-agent-uninstall.sh k3s-killall.sh rke2-uninstall.sh rke2-killall.sh rke k0s k0sctl clusterctl "
        "clusteradm vcluster kubefirst kurtosis cilium cmctl kn tkn kapp odo garden osdctl rosa "
        "openshift-install skaffold devspace tilt virtctl "
    ),
    "vaults": (
        "pass gopass passage prs op bw rbw lpass dcli keepassxc-cli kpcli keyring secret-tool security "
        "keyctl kwallet-query chamber doppler infisical vlt akeyless conjur teller berglas envchain "
        "aws-vault saml2aws gimme-aws-creds granted ejson eyaml git-crypt transcrypt blackbox_cat "
        "ansible-vault sops age rage vault bao kubeseal my_print_defaults systemd-creds tpm2_unseal step "
        "keytool pk12util certutil credstash summon phase hcp "
        "docker-credential gcore gdb lldb ps john hashcat mimikatz mimikatz.exe lazagne laZagne.py "
        "secretsdump.py impacket-secretsdump pypykatz hydra medusa ncrack crackmapexec nxc netexec "
        "responder chntpw fcrackzip aircrack-ng patator kerbrute rubeus unshadow "
    ),
    "cloud": (
        "aws gcloud az terraform tofu terragrunt pulumi gsutil s3cmd b2 s5cmd nomad rclone cdk cdktf "
        "serverless sls sam amplify eb heroku fly flyctl vercel netlify wrangler firebase supabase railway "
        "doctl hcloud linode-cli openstack oci ibmcloud aliyun scw cf drone restic borg duplicity kopia sst "
        "vultr-cli algolia stripe clever twilio linode mongocli scalingo ovhcloud turso pscale zeabur civo "
        "exo render koyeb upctl neonctl atlascli northflank planetscale cloudfoundry neon okta auth0 consul "
        "mc bq vultr databricks confluent dokku platform upsun cinder nova swift glance neutron yc tccli "
        "gridscale caprover scalr firebase-tools zappa bosh chalice arc claudia maas cf7 cf8 mcli "
        "terraspace cloud-nuke aws-nuke gcp-nuke azure-nuke kamatera metal equinix porter qovery aptible "
        "gigalixir nanobox okteto coolify azcopy netlify-cli convex dnscontrol octodns-sync "
    ),
    "databases": (
        "psql pgcli mysql mariadb mycli cqlsh usql cockroach litecli sqlcmd osql snowsql clickhouse-client "
        "clickhouse isql vsql bteq trino presto influx cypher-shell sqlplus db2 arangosh sqlite3 sqlite "
        "duckdb mongosh mongo redis-cli valkey-cli keydb-cli dropdb dropuser kafka-topics pg_restore "
        "mysqladmin rails rake artisan manage.py prisma sequelize sequelize-cli typeorm knex drizzle-kit "
        "alembic flyway liquibase flask migrate atlas dbmate console mikro-orm typeorm-ts-node-commonjs "
        "typeorm-ts-node-esm nats zkcli.sh zkCli.sh zookeepercli pg_resetwal mariadb-admin influxd-ctl mix "
        "dotnet diesel sqlx hasura influxd mongorestore wp drush strapi rabbitmqctl rabbitmqadmin curator "
        "pg_dropcluster sqitch sea-orm-cli dotnet-ef magento bench pg_ctl nodetool neo4j-admin iredis "
        "dragonfly-cli kvrocks-cli sql sqlcl hive beeline spark-sql impala-shell snow exaplus mysqlsh "
        "ysqlsh ycqlsh hdfs hadoop symfony skeema memcflush phinx node-pg-migrate db-migrate "
        "graphile-migrate migrate-mongo tern soda buffalo aerich piccolo yoyo dbt ace adonis yii cake "
        "doctrine hanami couchbase-cli rethinkdb arangorestore pgbackrest barman wal-g patronictl "
        "xtrabackup pt-archiver rpk pulsar-admin sqlite-utils migratus django django-admin mongoimport rq "
        "celery hbase surreal dolt airflow createuser tsql sqlline sqlline.py pgloader mysqlimport "
        "pg_archivecleanup pg_rewind vacuumlo mapred "
    ),
    "disks": (
        "mkfs mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat mkfs.fat mkfs.ntfs "
        "mkfs.f2fs mkfs.exfat mke2fs "
        "mkswap mkdosfs mkntfs mkexfatfs mkudffs mkreiserfs newfs newfs_apfs fdisk sfdisk cfdisk gdisk "
        "sgdisk parted wipefs badblocks hdparm mdadm tune2fs blkdiscard lvremove vgremove pvremove "
        "pvcreate vgreduce sg_format scrub nwipe lvreduce resize2fs xfs_growfs e2fsck fsck xfs_repair "
        "debugfs e2label mount "
        "umount swapoff flashrom cryptsetup zpool zfs btrfs nvme diskutil hdiutil dmsetup "
    ),
    "processes": (
        "kill pkill killall killall5 skill xkill shutdown reboot poweroff halt init telinit systemctl "
        "service rc-service launchctl loginctl fuser auditctl pm2 supervisorctl tmux sv timedatectl "
        "hostnamectl date atrm rtcwake rfkill tc hwclock dmesg forever monit initctl s6-svc stress "
        "stress-ng dbus-send busctl gdbus iptables-restore ip6tables-restore spctl netplan slay "
        "crontab iptables ip6tables nft ufw firewall-cmd pfctl netsh ip ifconfig route nmcli ifdown "
        "networksetup sysctl setenforce aa-disable aa-teardown update-grub grub-install efibootmgr "
        "rmmod insmod kexec modprobe journalctl csrutil renice kextload kextunload kmutil "
    ),
    "privileges": (
        "userdel deluser groupdel delgroup useradd adduser groupadd addgroup newusers usermod gpasswd "
        "groupmod passwd chpasswd vipw vigr chage visudo chsh su sudo doas sudoedit pkexec setcap "
        "nsenter setfacl xhost dscl "
    ),
    "packages": (
        "npm yarn pnpm cnpm pip pip3 pipx pipenv apt apt-get aptitude yum dnf zypper apk dpkg rpm snap "
        "flatpak port pacman yay paru microdnf tdnf apt-key add-apt-repository update-alternatives "
        "cargo twine poetry uv flit hatch pdm gem mvn gradle gradlew nuget vsce ovsx lerna changeset "
        "np semantic-release goreleaser jsr dart flutter pod conda brew rush nx maturin anaconda "
        "snapcraft emerge rustup go auto cpan-upload bundle release-it deno wasm-pack opam stack "
        "ansible-galaxy fastlane eas expo eas-cli oras crane clasp do-release-upgrade yum-config-manager "
        "cpanm easy_install mamba micromamba sbt lein cabal luarocks nix-collect-garbage choco winget "
        "setup.py composer "
    ),
    "ci": (
        "gh glab hub jenkins-cli circleci gitlab-runner pre-commit lefthook husky travis cap kamal svc.sh "
        "jenkins-jobs "
    ),
    "copies": ("scp rsync "),
    "network": (
        "ztcp curl wget wget2 nc ncat netcat nc.openbsd nc.traditional socat mail mailx mutt sendmail "
        "ansible-pull msmtp swaks dig nslookup host ping drill kdig logger http https xh xhs pastebinit "
        "wgetpaste gist sprunge termbin transfer ftp sftp lftp tftp ncftpput bunx npx pnpx uvx curlie "
        "smbclient cryptcat sbd powercat "
    ),
    "tunnels": (
        "ngrok cloudflared bore chisel frpc localtunnel lt zrok pinggy ttyd gotty wetty tmate sshx "
        "teleconsole gs-netcat gsocket frps rathole playit ligolo-ng sshd dropbear tinyssh telnetd "
        "in.telnetd rshd x11vnc vncserver rustdesk anydesk webssh2 shellinabox shellinaboxd serveo "
        "localxpose loclx pagekite pagekite.py ssh-j beame-insta-ssl tuns pwncat evil-winrm msfconsole "
        "msfvenom sliver-client ssh autossh code-server jupyter jupyter-lab jupyter-notebook "
        "openvscode-server marimo theia devtunnel wstunnel upterm inlets inlets-pro tailscale untun telebit "
        "expose xterm uxterm dockerd redis-server serve http-server miniserve darkhttpd caddy live-server "
    ),
    "guard": ("fairlead fairlead-hook alias hash enable export declare setx "),
    "agents": (
        "claude claude-code codex gemini gemini-cli qwen qwen-code cursor-agent droid opencode opencode-ai "
        "kimi kimi-cli auggie amp kiro-cli aider crush cline openhands interpreter plandex gptme kilo "
        "kilocode codebuff iflow rovodev acli vibe q copilot goose aider-chat "
    ),
    "ansible": ("ansible ansible-playbook "),
    "interpreters": (
        "bun java powershell pwsh python python2 python3 python3.11 "
        "python3.12 python3.13 pypy3 py php ruby node perl "
    ),
    "keys": ("gpg gpg2 ssh-keygen openssl echo printf printenv getent funzip zcat bzcat xzcat zipinfo "),
    "machine": (
        "pm-suspend pm-hibernate pm-suspend-hybrid openrc-shutdown zzz ipmitool racadm dinitctl pmset "
        "gnome-session-quit xfce4-session-logout mate-session-save lxqt-leave swaymsg i3-msg hyprctl bspc "
        "qdbus qdbus6 circusctl god eye zellij s6-rc chkconfig update-rc.d insserv rc-update invoke-rc.d "
        "rcctl svcadm stop sysrc sc net taskkill schtasks at pcs crm crm_resource crm_node corosync-cfgtool "
        "nginx apachectl apache2ctl httpd apache2 lighttpd squid pg_ctlcluster mongod rndc postfix "
        "postsuper exim exim4 asterisk varnishadm ctdb smbcontrol gitlab-ctl qdel scancel bkill condor_rm "
        "scontrol iptables-legacy iptables-nft ip6tables-legacy ip6tables-nft ebtables arptables ipset "
        "firewall-offline-cmd shorewall shorewall6 npfctl csf apf ipfw socketfilterfw networkctl wg-quick "
        "wg wpa_cli iwctl iw dhclient dhcpcd ovs-vsctl brctl bridge ethtool zerotier-cli setsebool semanage "
        "semodule aa-complain apparmor_parser kpatch depmod wevtutil log logrotate hostname domainname "
        "nisdomainname ypdomainname grub-mkconfig grub2-mkconfig grub-set-default grub2-set-default "
        "grub-reboot grub2-reboot grub2-install fw_setenv mkinitcpio grubby kernel-install bootctl "
        "update-initramfs dracut bcdedit vssadmin wmic wbadmin mokutil nvram bless fwupdmgr prlimit "
        "ldconfig splunk doveadm zmprov fs_cli grafana-cli elasticsearch-reset-password kibana-keystore "
        "elasticsearch-keystore gam mosquitto_passwd softwareupdate postqueue nsupdate acme.sh tarsnap "
        "checkmk cmk mdatp birdc birdcl dsrm dsmod mlflow snmpset upscmd ipmi-power ipmipower salt-key "
        "salt-cloud pihole flink memcached-tool resolvectl fdesetup xattr profiles gsettings "
    ),
    "storage": (
        "lvm lvresize lvconvert lvchange vgchange vgcfgrestore vgexport pvmove vgmerge vgsplit storcli "
        "storcli64 perccli perccli64 tw_cli ssacli hpssacli hpacucli arcconf megacli MegaCli MegaCli64 "
        "bcachefs gpart gpt geli growpart partx delpart kpartx snapper timeshift tmutil qemu-img qemu-nbd "
        "losetup rbd ceph ceph-volume ceph-deploy cephadm rados gluster drbdadm iscsiadm targetcli "
        "multipath stratis vdo veracrypt sedutil-cli fdformat flashcp flash_erase flash_eraseall nandwrite "
        "ubiformat ubirmvol ubiupdatevol dvd+rw-format mtd mmc fastboot adb heimdall odin4 mt mtx cdrecord "
        "wodim xorriso growisofs asr ocs-sr fsarchiver partimage extlinux syslinux format format.com "
        "diskpart cipher manage-bde fusermount fusermount3 pivot_root switch_root efivar esptool.py esptool "
        "nvflash openocd avrdude dfu-util bossac stm32loader edl mtk rkdeveloptool uuu pio platformio "
        "tpm2_evictcontrol tpm2_clear tpm2_changeauth mmdelfs mmdelnode mmdeldisk mmdelnsd mmdelsnapshot "
        "mmdelfileset irm irmtrash "
    ),
    "registries": (
        "elm gleam nimble alr wasmer wapm spago ko guix mint rye rebar3 paket gemfury fury package_cloud "
        "cloudsmith buf mvnw mill clojure clj bb conan cosign fez tfx web-ext chrome-webstore-upload copr "
        "copr-cli dput dupload fedpkg rhpkg centpkg bodhi koji jf jfrog aptly reprepro huggingface-cli hf "
        "kaggle modal charmcraft rockcraft puppet pdk knife berks pixi rattler-build quetz-client cachix "
        "attic luarocks-admin dub juju xbps-remove urpme removepkg pkg_delete pkg_deinstall eopkg slackpkg "
        "tazpkg opkg fink pkgin pkg swupd nala apt-fast dnf5 pkcon sbopkg cave cards tasksel scoop asdf "
        "mise rtx pyenv rbenv nodenv goenv jenv fnm volta nvm sdk ghcup proto nix nix-env nix-store "
        "nix-channel nixos-rebuild home-manager darwin-rebuild rpm-ostree bootc ostree pacman-key "
        "apt-add-repository alternatives dpkg-divert dpkg-statoverride pecl pear krew code codium cursor "
        "windsurf butler xcrun itms-transporter altool chrome-webstore-upload-cli devpi mas tlmgr vcpkg "
        "earthly code-push appcenter dune-release cr electron-builder buildctl depot makepkg "
    ),
    "accounts": (
        "groupmems pw dseditgroup sysadminctl dsenableroot homectl chgpasswd chfn pwunconv grpunconv pwconv "
        "grpconv pam-auth-update authselect authconfig faillock pam_tally2 realm kadmin kadmin.local "
        "samba-tool smbpasswd pdbedit ldapdelete ldapmodify ldapadd ldapmodrdn ldappasswd ipa dsconf dsidm "
        "tccutil lpasswd luserdel luseradd lusermod lgroupdel restorecon fixfiles chcon icacls cacls "
        "takeown chflags run0 newgrp setpriv capsh gksu gksudo kdesu kdesudo sux dzdo runas chroot unshare "
        "systemd-run systemd-nspawn ssh-copy-id update-ca-certificates update-ca-trust trust systemsetup "
        "defaults "
    ),
    "pipelines": (
        "fj forgejo-cli forgejo gitea tea gitlab-rails gitlab-rake gitlab-backup bk buildkite-agent "
        "woodpecker-cli argo spin hal sem codefresh octopus octo config.sh sentry-cli ldcli dep "
        "shipit capistrano mina waypoint werf vela "
        ""
    ),
    "elsewhere": ("salt pssh parallel-ssh pdsh clush dsh fab wsl salt-call salt-ssh mco bolt "),
    "windows": (
        "cmd mshta regsvr32 rundll32 msiexec cscript wscript installutil regasm regsvcs msbuild odbcconf "
        "cmstp presentationhost forfiles pcalua bitsadmin desktopimgdownldr esentutl certreq reg fsutil "
        "wusa dism setspn nltest auditpol sdelete wsreset del rd erase deltree secedit "
        "mountvol chkdsk "
    ),
}
TOUCHING = frozenset(
    (
        *("containers", "kubernetes", "cloud", "databases", "packages", "registries", "ci", "pipelines"),
        *("guard", "agents"),
    )
)
"""Families that say nothing of the files which their programs are given."""
BY_VERB = frozenset(
    (
        *("containers", "kubernetes", "cloud", "vaults", "machine", "storage", "registries", "accounts"),
        *("pipelines", "ci", "elsewhere", "windows"),
    )
)
"""Families whose programs grow subcommands faster than a table: a losing verb that it lacks still asks."""
GROWING = names("wp acli eas expo fastlane anaconda clasp snapcraft pod vsce ovsx nuget choco")
"""Programs of other families of which the same is true."""
COVERED = names(
    "aws gcloud az terraform tofu terragrunt pulumi wrangler docker podman nerdctl docker-compose kubectl "
    "oc kops helm helm3"
)
"""Their tables know every such verb, and where it is harmless."""


MODULES = {
    "files": "files.file_programs",
    "deleting": "files.deleting_programs",
    "editing": "files.editor_scripts",
    "git": "git.git_command",
    "versions": "git.other_version_control",
    "trees": "files.tree_programs",
    "containers": "services.docker_commands",
    "kubernetes": "services.cluster_commands",
    "vaults": "secret_material.secret_stores",
    "cloud": "services.cloud_commands",
    "databases": "services.database_clients",
    "disks": "machine.disk_programs",
    "processes": "machine.process_programs",
    "privileges": "machine.privilege_programs",
    "packages": "services.package_managers",
    "ci": "services.code_hosts",
    "copies": "files.remote_copies",
    "network": "network.network_programs",
    "tunnels": "network.tunnels",
    "guard": "own.loosening_commands",
    "agents": "own.unguarded_agents",
    "ansible": "services.ansible_modules",
    "interpreters": "code.script_arguments",
    "keys": "secret_material.key_programs",
    "machine": "tables.machine",
    "storage": "tables.storage",
    "registries": "tables.registries",
    "accounts": "tables.accounts",
    "pipelines": "tables.pipelines",
    "elsewhere": "network.remote_commands",
    "windows": "machine.windows_programs",
}


@cache
def family_by_program() -> dict[str, str]:
    return {program: family for family, programs in FAMILIES.items() for program in programs.split()}


@cache
def _family(name: str) -> dict[str, EffectReader]:
    table: dict[str, EffectReader] = import_module(f"fairlead.shell.effects.{MODULES[name]}").TABLE
    return table


_KINDS = (
    ("docker-credential-", "docker-credential"),
    ("mkfs.", "mkfs"),
    ("python3.", "python3"),
    ("pip3.", "pip3"),
    ("newfs_", "newfs"),
    ("kafka-", "kafka-topics"),
    ("fsck.", "fsck"),
    ("fsck_", "fsck"),
)
"""Programs that are one kind with many names: `mkfs.btrfs`, `fsck.xfs`."""
_KIND_BEGINNINGS = tuple(prefix for prefix, _ in _KINDS)


def reader_of(program: str) -> EffectReader | None:
    family = "git" if program.startswith("git-") else family_by_program().get(program)
    if family is None:
        if not program.startswith(_KIND_BEGINNINGS):
            return None
        program = next((kind for prefix, kind in _KINDS if program.startswith(prefix)), "")
        family = family_by_program().get(program)
    return _family(family).get(program) if family is not None else None
