"""Protected places, spelled out: for each kind that the rules know by a pattern, at least one path.

A rule looks at a path and says whether it is protected; a glob asks the other way round, which protected
paths it can match, whether they are on the disk or not. That takes examples, which a test holds against the
rules.
"""

from __future__ import annotations

from fairlead.shell.word_sets import names

STARTUP = names(
    """
    .bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .login .inputrc
    .zshrc .zshenv .zprofile .zlogin .zlogout .oh-my-zsh/custom/x.zsh .kshrc .mkshrc .cshrc .tcshrc
    .config/fish/config.fish .config/fish/conf.d/x.fish .config/fish/functions/x.fish
    .config/nushell/config.nu .xonshrc .config/xonsh/rc.xsh .config/elvish/rc.elv
    .config/powershell/profile.ps1
    .config/direnv/direnvrc .direnvrc .pam_environment
    .xinitrc .xsession .xprofile .xsessionrc .config/autostart/x.desktop .config/systemd/user/x.service
    .config/environment.d/x.conf .config/i3/config .config/sway/config .config/hypr/hyprland.conf
    .config/bspwm/bspwmrc .config/openbox/autostart .config/awesome/rc.lua .config/qtile/config.py
    .config/river/init .config/plasma-workspace/env/x.sh .local/share/systemd/user/x.service
    Library/LaunchAgents/x.plist
    .tmux.conf .config/tmux/tmux.conf .screenrc .vimrc .vim/plugin/x.vim .vim/after/x.vim .vim/autoload/x.vim
    .gvimrc .exrc .config/nvim/init.lua .config/nvim/init.vim .emacs .emacs.d/init.el .config/emacs/init.el
    .doom.d/config.el .pythonrc .pythonstartup .pystartup .ipython/profile_default/startup/x.py
    .ipython/profile_default/ipython_config.py .irbrc .pryrc .psqlrc .sqliterc .mongorc.js .mongoshrc.js
    .gdbinit .lldbinit .Rprofile .octaverc .julia/config/startup.jl .ghci .sbclrc .iex.exs .erlang .curlrc
    .wgetrc .lessfilter .mailcap .local/lib/python3/site-packages/x.pth
    .local/lib/python3/site-packages/usercustomize.py .local/lib/python3/site-packages/sitecustomize.py
    .gitconfig .config/git/config .config/git/hooks/pre-commit .config/git/attributes
    .ssh/config .ssh/rc .ssh/authorized_keys .ssh/environment
    .npmrc .yarnrc .yarnrc.yml .bunfig.toml .pypirc .pip/pip.conf .config/pip/pip.conf .config/uv/uv.toml
    .condarc .cargo/config .cargo/config.toml .gemrc .bundle/config .gradle/init.gradle
    .gradle/init.d/x.gradle .mavenrc .sbtrc
    """
)
"""Below a home: what runs by itself."""

_BROWSERS = (
    ".mozilla/firefox", "snap/firefox/common/.mozilla/firefox", ".thunderbird", ".config/google-chrome",
    ".config/chromium", ".config/BraveSoftware", ".config/microsoft-edge", ".config/vivaldi", ".config/opera",
    "snap/chromium/common/chromium", "Library/Application Support/Google/Chrome",
    "Library/Application Support/Firefox", "Library/Application Support/BraveSoftware",
    "Library/Application Support/Microsoft Edge", "Library/Application Support/Thunderbird", "Library/Safari",
)  # fmt: skip
_IN_BROWSERS = (
    "logins.json",
    "key4.db",
    "cookies.sqlite",
    "Login Data",
    "Cookies",
    "Local State",
    "Web Data",
)
_TALKS = ("Slack", "discord", "Signal", "Element", "Microsoft/Microsoft Teams")
_IN_TALKS = ("Cookies", "Local Storage/leveldb", "config.json", "sql/db.sqlite")
SECRETS = (
    *names(
        """
    .ssh/id_rsa .ssh/id_ed25519 .ssh/id_ecdsa .ssh/id_dsa .ssh/authorized_keys .gnupg/secring.gpg
    .gnupg/private-keys-v1.d/x.key .password-store/x.gpg .local/state/fairlead/mcp/listeners/x.token
    .aws/credentials .aws/sso/cache/x.json .aws/cli/cache/x.json .config/gcloud/credentials.db
    .config/gcloud/application_default_credentials.json .azure/accessTokens.json .azure/azureProfile.json
    .azure/msal_token_cache.json
    .kube/config .docker/config.json .config/containers/auth.json .config/helm/registry/config.json
    .config/gh/hosts.yml .config/glab-cli/config.yml .config/tea/config.yml .config/hub
    .config/github-copilot/hosts.json .config/github-copilot/apps.json
    .cargo/credentials .cargo/credentials.toml .gem/credentials .m2/settings.xml .m2/settings-security.xml
    .npmrc-auth .sbt/.credentials .ivy2/.credentials .gradle/gradle.properties .composer/auth.json
    .config/composer/auth.json .config/pypoetry/auth.toml .bundle/config
    .local/share/keyrings/login.keyring Library/Keychains/login.keychain-db .config/op/config
    .local/share/kwalletd/kdewallet.kwl
    .codex/auth.json .local/share/opencode/auth.json .config/amp/secrets.json .gemini/google_accounts.json
    .terraform.d/credentials.tfrc.json .pulumi/credentials.json .config/rclone/rclone.conf
    .config/doctl/config.yaml .config/hcloud/cli.toml .fly/config.yml .config/netlify/config.json
    .railway/config.json .supabase/access-token .local/share/com.vercel.cli/auth.json
    .wrangler/config/default.toml .config/configstore/x.json
    .huggingface/token .cache/huggingface/token .cache/huggingface/stored_tokens
    .snowflake/config.toml .snowflake/connections.toml .snowsql/config
    .bitcoin/wallet.dat .ethereum/keystore .electrum/wallets/default_wallet .config/solana/id.json
    .foundry/keystores/x .nuget/NuGet/NuGet.Config .jupyter/jupyter_notebook_config.json
    .jupyter/jupyter_server_config.json .purple/accounts.xml .subversion/auth/svn.simple
    .config/Code/User/globalStorage/state.vscdb
    .config/sops/age/keys.txt .config/age/keys.txt .config/filezilla/sitemanager.xml
    .config/filezilla/recentservers.xml .vnc/passwd
    .config/openai/auth.json .config/anthropic/credentials .aider/auth.json .aider/oauth-keys.json
    .continue/auth.json .continue/oauth-keys.json .terraformrc .config/stripe/config.toml
    .ngrok2/ngrok.yml .config/ngrok/ngrok.yml .twilio-cli/config.json
    .netrc .pgpass .my.cnf .git-credentials .vault-token .authinfo .Xauthority .s3cfg .boto .dockercfg
    Library/Cookies/Cookies.binarycookies Library/HTTPStorages/x
    Library/Containers/com.apple.Safari/Data/Library/Cookies/x
    """
    ),
    *(f".config/{talk}/{name}" for talk in _TALKS for name in _IN_TALKS),
    *(f"{browser}/x/{name}" for browser in _BROWSERS for name in _IN_BROWSERS),
)
"""Below a home: key material."""

ANYWHERE = names(
    """
    .env .env.local .envrc prod.env .dev.vars .renviron local.settings.json
    .netrc _netrc .authinfo .pgpass .my.cnf .mylogin.cnf .rediscli_auth .git-credentials
    .htpasswd .vault-token .vault_pass ansible_vault_pass
    id_rsa id_ed25519 id_xmss deploy_rsa deploy_key private_key.pem private_key.txt private_key.asc
    signing_key.pem signing_key.txt signing_key.asc private.asc secret.asc
    .pypirc .s3cfg .boto .databrickscfg .smbcredentials .passwd-s3fs .msmtprc .fetchmailrc .dockercfg
    credentials.json .credentials aws_credentials.json
    client_secret.json service-account.json x-firebase-adminsdk-x.json kaggle.json
    gcp-key.json sa_key.json gcloud-key.json google-key.json firebase-key.json
    aws.credentials gcp.credentials azure.credentials git-credentials docker-credentials db.credentials
    krb5cc_1000 .Xauthority .erlang.cookie credentials.xml gitlab-secrets.json sasl_passwd debian.cnf
    secrets.yml secrets.json secrets.toml secrets.env secrets.ini secrets.txt secrets.properties
    secrets.tfvars .secrets master.key terraform.tfstate
    application_default_credentials.json oauth_creds.json token.json token.pickle token.txt .token
    wallet.dat logins.json key4.db cookies.sqlite login.keychain-db Cookies.binarycookies
    server.key server.pem client.p12 client.pfx app.jks app.keystore vault.kdbx vault.kdb putty.ppk
    key.asc.key app.keytab auth.p8 office.ovpn x.agekey app.jceks app.bks app.snk user.nk machine.creds
    key.properties keystore.properties kubeconfig prod.kubeconfig krb5.keytab
    secring.gpg api_keys.json api_keys.txt api-key.yaml .api_key
    passwords.txt passwords.csv passwords.xlsx passwords.json creds.json creds.txt creds.yaml creds.csv
    """
) | {"Login Data"}  # fmt: skip
"""Key material by its name alone, in whatever folder it lies."""

SYSTEM = names(
    """
    etc/shadow etc/gshadow etc/sudoers etc/master.passwd etc/kcpassword etc/ipsec.secrets etc/ppp/chap-secrets
    etc/ppp/pap-secrets etc/security/opasswd etc/ssl/private/server.key etc/ssh/ssh_host_rsa_key
    etc/ssh/ssh_host_ed25519_key etc/wireguard/wg0.conf etc/openvpn/server.key
    etc/NetworkManager/system-connections/x.nmconnection etc/wpa_supplicant/wpa_supplicant.conf
    etc/kubernetes/admin.conf etc/kubernetes/controller-manager.conf etc/kubernetes/scheduler.conf
    etc/kubernetes/kubelet.conf etc/rancher/k3s/k3s.yaml etc/rancher/rke2/rke2.yaml
    etc/docker/key.json var/lib/docker/containers/x/config.v2.json
    proc/1/environ proc/kcore proc/1/mem dev/mem dev/kmem run/secrets/x var/run/secrets/x
    run/sudo/ts var/run/sudo/ts var/lib/sudo/ts var/db/sudo/ts
    secrets/x etc/secrets/x mnt/secrets-store/x vault/secrets/x app/secrets/x srv/secrets/x var/lib/secrets/x
    var/backups/shadow var/db/dslocal/nodes/Default/users/root.plist swapfile swap.img var/vm/sleepimage
    opt/app/auth.json srv/app/auth.json root/app/auth.json var/www/app/auth.json var/lib/app/auth.json
    dev/fmem dev/crash dev/input/event0 dev/video0 tmp/ssh-x/agent.1
    root/.npmrc root/.pypirc root/.yarnrc.yml root/.ssh/id_rsa
    etc/claude-code/managed-settings.json etc/codex/config.toml etc/gemini-cli/settings.json
    etc/qwen-code/settings.json etc/github-copilot/policy.d/fairlead.json etc/cursor/hooks.json
    etc/windsurf/hooks.json etc/gemini-cli/policies/fairlead.toml
    etc/llxprt-code/settings.json etc/opencode/opencode.json etc/kilo/kilo.json etc/augment/settings.json
    """
) | {"Library/Application Support/ClaudeCode/managed-settings.json"}
"""From the root of the disk: key material, and agents' settings for the whole machine."""

AGENT_FOLDERS = names(
    """
    .claude .codex .gemini .gemini/config .gemini/antigravity .gemini/antigravity-cli .qwen .llxprt .copilot
    .cursor .codeium/windsurf .windsurf .factory .kiro .augment .kimi .kimi-code .amp .opencode opencode
    .crush .goose .cline .clinerules .roo .kilo .kilocode .amazonq .aws/amazonq .continue .junie .trae .iflow
    .antigravity .agent .agents .config/opencode .config/amp .config/goose .config/crush
    .config/github-copilot .config/kilo .config/llxprt-code Library/Preferences/llxprt-code
    """
)
AGENT_NAMES = names(
    """
    settings.json settings.local.json settings.yaml settings.toml managed-settings.json settings/x.json
    config.toml config.json config.yaml config.ts hooks.json hooks.yaml hooks/x.sh hook/x.sh
    plugins/x plugin/x extensions/x extension/x policies/x.toml mcp.json mcp-config.json mcp_settings.json
    mcp_servers.json mcp/x.json permissions.json permission.yaml cli.json cli-config.json
    trustedFolders.json trusted_hooks.json opencode.json kilo.json crush.json skills/x/hooks/x.sh .env
    """
)
"""What decides in the folder of any agent."""
AGENTS_ELSEWHERE = names(
    """
    .codex/rules/x.rules .kiro/agents/x.json .github/copilot/settings.json .github/hooks/x.json
    Documents/Cline/Hooks/x .claude.json .mcp.json opencode.json .opencode.json kilo.json crush.json
    .crush.json hook.meta.yaml claude_desktop_config.json cline_mcp_settings.json mcp_settings.json
    mcp_config.json .vscode/settings.json .vscode/tasks.json .vscode/mcp.json .github/mcp.json .air/mcp.json
    .config/github-copilot/intellij/mcp.json .config/Code/User/mcp.json .config/Cursor/User/mcp.json
    .config/VSCodium/User/mcp.json .config/Windsurf/User/mcp.json
    """
)
VERSION_CONTROL = names(
    """
    .git/HEAD .git/config .git/index .git/packed-refs .git/hooks/pre-commit .git/hooks/post-checkout
    .git/refs/heads/main .git/objects/pack .git/info/attributes .git/logs/HEAD
    .hg/hgrc .hg/store .svn/wc.db .jj/repo .fairlead/hooks/x/hook.meta.yaml
    """
)
GUARD = names(
    """
    .config/fairlead/hooks/x/hook.meta.yaml .config/fairlead/programs/x.toml .local/state/fairlead/off
    .local/state/fairlead/journal/x .local/state/fairlead/index/x .local/state/fairlead/trust/x
    .local/state/fairlead/grants/x .local/state/fairlead/undo/x .local/state/fairlead/sessions/x
    .local/share/fairlead/bin/fairlead-hook .local/bin/fairlead .local/bin/fairlead-hook
    """
)
"""Below a home: what keeps the guard in force, and its programs."""
SHARED_FOLDERS = names(
    """
    .config .local share state .cache Library Documents bin etc usr var lib run snap home Users root proc dev
    """
) | {"", "Application Support"}
"""Folders that many programs share: to name one of them says nothing about what in it is meant."""
