"""Which paths hold key material."""

from __future__ import annotations

import fnmatch
import re

from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.word_sets import names

_PUBLIC = lazy(
    r"[._-](?:example|sample|template|tmpl|dist|defaults?|schema)(?:\.(?:json|ya?ml|toml|ini|txt|env|properties))?$"
    r"|^(?:example|sample|template|dummy)[._-]|^(?:keyboard|keymap|key-?bindings?|hotkeys|shortcuts)\.key$|\.(?:md|pub|enc|age|sops|gpg|d\.ts)$"
    r"|^known_hosts.*$",
    re.IGNORECASE,
)
_PUBLIC_CERTIFICATE = lazy(
    r"(?:^|[._-])(?:cert|certs|ca|cacert|chain|fullchain|bundle|public|pub|crt|root)(?:[._-]|$)", re.I
)
_NAMES = lazy(
    "^(?:"
    + "|".join(
        (
            r"\.env(?:[._-].+|rc)?|[\w.-]+\.env|\.dev\.vars(?:\..+)?|\.renviron|local\.settings\.json",
            r"\.netrc|_netrc|\.authinfo|\.pgpass|\.my\.cnf|\.mylogin\.cnf|\.rediscli_auth|\.git-credentials",
            r"\.htpasswd|\.vault-token|\.vault[_-]pass(?:word)?(?:\.txt)?|ansible[_-]vault[_-]pass(?:word)?(?:\.txt)?",
            r"id_(?:rsa|dsa|ecdsa|ed25519|xmss)(?:_sk)?(?:[._-].*)?|[\w-]+_(?:rsa|ed25519|ecdsa)",
            r"(?:deploy|private|signing)[_-]?key(?:\.(?:txt|asc|pem))?|(?:private|secret)\.asc",
            r"\.pypirc|\.s3cfg|\.boto|\.databrickscfg|\.smbcredentials|\.passwd-s3fs|\.msmtprc|\.fetchmailrc|\.dockercfg",
            r"credentials(?:\.(?:json|ya?ml|toml|ini|csv|db|tfrc\.json))?|\.credentials(?:\.json)?|[\w.-]+[_-]credentials\.json",
            r"client_secrets?[\w.-]*\.json|service[_-]?account[\w.-]*\.json|[\w-]*firebase-adminsdk[\w-]*\.json|kaggle\.json",
            r"(?:[\w-]*[_-])?(?:sa|gcp|gcloud|google|firebase)[_-]?key\.json|(?:aws|gcp|azure|git|docker|db)[_.-]credentials",
            r"krb5cc_\w+|\.xauthority|\.erlang\.cookie|credentials\.xml|gitlab-secrets\.json|sasl_passwd|debian\.cnf",
            r"\.?secrets?\.(?:ya?ml|json|toml|env|ini|txt|properties|tfvars)|\.secrets|master\.key|.+\.tfstate(?:\.backup|\.\d+\.backup)?",
            r"application_default_credentials\.json|oauth_creds\.json|token\.(?:json|pickle|txt)|\.token",
            r".+\.keychain(?:-db)?|Cookies\.binarycookies|wallet\.dat|login data|logins\.json|key4\.db|cookies\.sqlite",
            r".+\.(?:pem|key|p12|pfx|jks|keystore|kdbx|kdb|ppk|asc\.key|keytab|p8|ovpn|agekey|jceks|bks|snk|nk|creds)",
            r"key(?:store)?\.properties|kubeconfig(?:\.ya?ml)?|[\w-]+\.kubeconfig|gshadow-?|shadow-?|krb5\.keytab|secring\.gpg",
            r"api[_-]?keys?\.(?:txt|json|ya?ml)|\.api[_-]?key|passwords?\.(?:txt|csv|xlsx|json)|creds\.(?:txt|json|ya?ml|csv)",
        )
    )
    + ")$",
    re.IGNORECASE,
)
_BROWSERS = (
    r"\.mozilla/firefox|snap/firefox/[^/]+/\.mozilla/firefox|\.thunderbird|\.config/(?:google-chrome|chromium|BraveSoftware"
    r"|microsoft-edge|vivaldi|opera)|snap/chromium/[^/]+/chromium|Library/Application Support/(?:Google/Chrome|Firefox"
    r"|BraveSoftware|Microsoft Edge|Thunderbird)|Library/Safari"
)
_PLACES = lazy(
    "/(?:"
    + "|".join(
        (
            r"\.ssh/(?!known_hosts|config(?:$|/)|[^/]*\.pub$|environment$)[^/]+|\.gnupg(?:/.+)?|\.password-store(?:/.+)?",
            r"\.aws/(?:credentials|sso/.+|cli/cache/.+)|\.config/gcloud/.+|\.azure/(?:.*[Tt]oken.*|.*[Pp]rofile.*|msal.*)",
            r"\.kube/config|\.docker/config\.json|\.config/containers/auth\.json|\.config/helm/registry/config\.json",
            r"\.config/(?:gh/hosts|glab-cli/config|tea/config)\.yml|\.config/hub|\.config/github-copilot/(?:hosts|apps)\.json",
            r"\.cargo/credentials(?:\.toml)?|\.gem/credentials|\.m2/settings(?:-security)?\.xml|\.npmrc-auth|\.(?:sbt|ivy2)/\.credentials",
            r"\.gradle/gradle\.properties|\.(?:config/)?composer/auth\.json|\.config/pypoetry/auth\.toml|\.bundle/config",
            r"\.local/share/keyrings(?:/.+)?|Library/Keychains(?:/.+)?|\.config/op(?:/.+)?|\.local/share/kwalletd(?:/.+)?",
            r"\.codex/auth\.json|\.local/share/opencode/auth\.json|\.config/amp/secrets\.json|\.gemini/google_accounts\.json",
            r"\.terraform\.d/credentials.*|\.pulumi/credentials\.json|\.config/rclone/rclone\.conf|\.config/doctl/config\.yaml",
            r"\.config/hcloud/cli\.toml|\.fly/config\.yml|\.config/netlify/config\.json|\.railway/config\.json|\.supabase/access-token",
            r"\.local/share/com\.vercel\.cli/auth\.json|\.wrangler/config/default\.toml|\.config/configstore/.+\.json",
            r"\.(?:cache/)?huggingface/(?:token|stored_tokens)|\.snowflake/(?:config|connections)\.toml|\.snowsql/config",
            r"Library/(?:Cookies|HTTPStorages)(?:/.+)?|Library/Containers/com\.apple\.Safari/Data/Library/Cookies(?:/.*)?",
            rf"(?:{_BROWSERS})/(?:.+/)?(?:logins|key\d|cookies|Login Data|Cookies|Local State|Web Data).*",
            r"\.bitcoin/.+|\.ethereum/keystore.*|\.electrum/wallets(?:/.+)?|\.config/solana/id\.json|\.foundry/keystores(?:/.+)?",
            r"\.terraformrc|\.config/(?:anthropic|openai)/.+|\.config/stripe/config\.toml|\.twilio-cli/config\.json"
            r"|\.ngrok2/ngrok\.yml|\.config/ngrok/ngrok\.yml|\.(?:aider|continue)/(?:oauth-keys|\.?auth)[\w.-]*",
            r"\.nuget/(?:NuGet/)?NuGet\.Config|\.jupyter/jupyter_(?:notebook|server)_config\.json",
            r"\.purple/accounts\.xml|\.subversion/auth/.+|\.config/Code/User/globalStorage/state\.vscdb",
            r"\.config/(?:Slack|discord|Signal|Element|Microsoft/Microsoft Teams)/(?:Cookies|(?:Local Storage|IndexedDB|storage)/.+|config\.json|sql/.+)",
            r"state/(?:fairlead/)?mcp/listeners/.+",
            r"\.config/sops/age/.+|\.config/age/.+|\.config/filezilla/(?:sitemanager|recentservers)\.xml|\.vnc/passwd",
        )
    )
    + ")$",
)
_ABSOLUTE = lazy(
    "^/(?:"
    + "|".join(
        (
            r"etc/(?:shadow|gshadow|sudoers|master\.passwd|kcpassword|ipsec\.secrets|ppp/(?:chap|pap)-secrets|security/opasswd)-?",
            r"etc/ssl/private(?:/.*)?|etc/ssh/ssh_host_[^/]*_key|etc/wireguard(?:/.*)?|etc/openvpn/.*\.key",
            r"var/lib/docker/containers/[^/]+/config(?:\.v2)?\.json|etc/rancher/rke2/rke2\.yaml|etc/docker/key\.json",
            r"etc/NetworkManager/system-connections(?:/.*)?|etc/wpa_supplicant/[^/]+\.conf",
            r"etc/kubernetes/(?:admin|.*-manager|scheduler|kubelet)\.conf|etc/rancher/k3s/k3s\.yaml",
            r"proc/[^/]+/environ|proc/kcore|proc/[^/]+/mem|dev/k?mem|run/secrets(?:/.*)?|var/run/secrets(?:/.*)?|(?:var/)?run/sudo(?:/.*)?|var/(?:lib|db)/sudo(?:/.*)?",
            r"var/backups/(?:.*/)?g?shadow.*|var/db/(?:dslocal/nodes/[^/]+/users(?:/.*)?|shadow(?:/.*)?|SystemKey)|swapfile|swap\.img|var/vm/.+",
            r"(?:opt|srv|root|var/www|var/lib)/(?:.+/)?auth\.json|dev/(?:fmem|crash|input/.+|video\d+)|tmp/ssh-[^/]+/agent(?:\..+)?",
            r"(?:(?:etc|mnt|vault|app|srv|var/lib)/)?secrets(?:-store)?/.+",
            r"(?:root|home/[^/]+|Users/[^/]+)/\.(?:npmrc|pypirc|yarnrc\.yml)",
        )
    )
    + ")$"
)
_DIRECTORIES = lazy(
    r"/(?:\.ssh|\.gnupg|\.aws|\.azure|\.kube|\.password-store|\.config/gcloud|\.config/op|Library/Keychains"
    rf"|\.local/share/keyrings|\.electrum|\.config/gh|\.mozilla|(?:{_BROWSERS})(?:/[^/]+)?)$"
)
_FIXTURES = lazy(
    r"/(?:(?:test|tests|spec)[-_]?)?(?:__)?(?:fixtures?|testdata|test[-_]data)(?:__)?/"
    r"|/(?:tests?|specs?|__tests__|testing|e2e)/(?:[\w.-]+/){0,4}(?:certs?|certificates|keys|ssl|tls|pki)/[^/]+\.(?:pem|key|crt|p12|pfx|jks)$"
    r"|/(?:lang|langs|locales?|i18n|translations|l10n)/(?:[\w.-]+/){0,3}[\w-]+\.(?:json|ya?ml|php|po|ts|js)$"
)
"""Made up for tests, or texts in many languages."""
_KEY_FOLDERS = lazy(r"/\.(?:ssh|gnupg|aws|kube|docker|config|azure)/")
_SAMPLES = names(
    """
    .env .env.local .env.production prod.env .envrc .netrc .pgpass id_rsa id_ed25519 id_ecdsa
    server.pem private.key server.key credentials credentials.json service-account.json secrets.yml
    secrets.json .git-credentials shadow client.p12 app.jks master.key .npmrc .pypirc
    """
)
_SECRET_ENDINGS = (
    ".env",
    ".pem",
    ".key",
    ".p12",
    ".pfx",
    ".jks",
    ".kdbx",
    "_rsa",
    "rsa",
    "_ed25519",
    "env",
    "netrc",
)
_GENERIC_ENDINGS = (".json", ".yml", ".yaml", ".toml", ".csv", ".txt")


_OF_MACOS = ("/private/etc/", "/private/var/")
"""There /etc and /var are links to these."""
_COPY = lazy(r"(?:\.(?:bak|old|orig|save|backup|swp|copy|bkp|~?\d+~?)|~)$", re.IGNORECASE)


def is_secret(path: str) -> bool:
    """Whether `path`, absolute and normal, is a file of key material by its name or place; so is a copy of one
    that an editor or a person left beside it."""
    path = _COPY.sub("", path.removeprefix("/private") if path.startswith(_OF_MACOS) else path)
    if _ABSOLUTE.match(path) or _PLACES.search(path):
        return not _PUBLIC.search(path.rsplit("/", 1)[-1]) or path.endswith(("/.kube/config", ".gpg"))
    name = path.rsplit("/", 1)[-1]
    public = _PUBLIC.search(name) and name.lower() != "secring.gpg"
    if not _NAMES.match(name) or public or _made_up(path):
        return False
    if name.lower() in ("shadow", "gshadow", "shadow-", "gshadow-", "credentials"):
        return path.startswith("/etc/") or name.lower() == "credentials"
    return not (name.lower().endswith((".pem", ".key")) and _PUBLIC_CERTIFICATE.search(name))


_TEMPLATES = lazy(r"/templates?/(?:.{1,200}/)?\.?secrets?\.(?:ya?ml|json)$")
"""The secrets of a chart have their values elsewhere."""


def _made_up(path: str) -> bool:
    if _KEY_FOLDERS.search(path):
        return False
    return bool(_FIXTURES.search(path) or _TEMPLATES.search(path))


def is_secret_directory(path: str) -> bool:
    return bool(_DIRECTORIES.search(path))


_ONE_LETTER = lazy(r"\[([^\]!^])\]")
_ANY_LETTERS = lazy(r"[*?]|\[[^\]]*\]")


def covers_secret(directory: str, pattern: str) -> bool:
    """Whether a glob in `directory` was written so that it takes in key material: `.e*`, `id_*`, `*.pem`."""
    name = pattern.rsplit("/", 1)[-1]
    if is_secret_directory(directory) and not name.endswith(".pub"):
        return True
    if _PUBLIC.search(name):
        return False
    if _PLACES.search(f"{directory}/{pattern}"):
        return True
    plain = _ONE_LETTER.sub(r"\1", name)
    literal = _ANY_LETTERS.sub("", plain)
    if plain[:1] in "*?[":
        specific = literal.lower().endswith(_SECRET_ENDINGS) or len(literal) > 5
    else:
        specific = len(literal) > 2 or plain.startswith(".")
    if plain[:1] == "*" and literal and is_secret(f"{directory}/x{literal}"):
        return True
    generic = literal.startswith(".") and literal.lower() in _GENERIC_ENDINGS
    if specific and not generic and fnmatch.filter(_SAMPLES, plain):
        return True
    return _spells_a_secret(name)


def _spells_a_secret(pattern: str) -> bool:
    """Whether a glob says most of a name that is secret anywhere: `.dockerc?g`, `@(wallet.dat|x)`."""
    from fairlead.shell.protected.name_patterns import letters_in, name_pattern  # only where there is a glob
    from fairlead.shell.protected.spelled_names import ANYWHERE

    letters = letters_in(pattern)
    if letters < _FEWEST_LETTERS:
        return False
    fitting = name_pattern(pattern)
    return any(letters * 5 >= len(name) * 3 and fitting.fits(name) for name in ANYWHERE)


_FEWEST_LETTERS = 3
