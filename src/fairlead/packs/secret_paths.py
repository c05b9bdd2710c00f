"""Which paths hold key material."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase

from fairlead.shell.tables import names

_PUBLIC = re.compile(
    r"\.(?:example|sample|template|tmpl|dist|defaults?|schema|md|pub|enc|age|sops|gpg)$"
    r"|^known_hosts.*$",
    re.IGNORECASE,
)
_PUBLIC_CERTIFICATE = re.compile(
    r"(?:^|[._-])(?:cert|certs|ca|cacert|chain|fullchain|bundle|public|pub|crt|root)(?:[._-]|$)", re.I
)
_NAMES = re.compile(
    r"^(?:\.env(?:\..+|rc)?|[\w.-]+\.env|\.netrc|_netrc|\.pgpass|\.my\.cnf|\.git-credentials|\.htpasswd|\.vault-token"
    r"|\.vault[_-]pass(?:word)?(?:\.txt)?|id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?(?:[._-].*)?|\.pypirc|\.s3cfg|\.boto"
    r"|credentials(?:\.(?:json|ya?ml|toml|ini|csv|db|tfrc\.json))?|client_secrets?[\w.-]*\.json|service[_-]?account[\w.-]*\.json"
    r"|\.?secrets?\.(?:ya?ml|json|toml|env|ini|txt|properties|tfvars)|\.secrets|\.credentials\.json|master\.key"
    r"|application_default_credentials\.json|wallet\.dat|login data|logins\.json|key4\.db|cookies\.sqlite"
    r"|.+\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ppk|asc\.key|keytab|p8)|oauth_creds\.json|\.dockercfg|kubeconfig"
    r"|token\.json|gshadow-?|shadow-?|krb5\.keytab|secring\.gpg|api[_-]?keys?\.(?:txt|json|ya?ml))$",
    re.IGNORECASE,
)
_PLACES = re.compile(
    r"/(?:\.ssh/(?!known_hosts|config(?:$|/)|[^/]*\.pub$|environment$)[^/]+|\.gnupg(?:/.+)?|\.aws/(?:credentials|sso/.+|cli/cache/.+)"
    r"|\.config/gcloud/.+|\.azure/(?:.*[Tt]oken.*|.*[Pp]rofile.*|msal.*)|\.kube/config|\.docker/config\.json|\.config/gh/hosts\.yml"
    r"|\.cargo/credentials(?:\.toml)?|\.gem/credentials|\.m2/settings(?:-security)?\.xml|\.npmrc-auth|\.password-store(?:/.+)?"
    r"|\.local/share/keyrings(?:/.+)?|Library/Keychains(?:/.+)?|\.codex/auth\.json|\.config/op(?:/.+)?|\.terraform\.d/credentials.*"
    r"|\.mozilla/firefox/.+/(?:logins|key|cookies).*|\.config/(?:google-chrome|chromium)/.+/(?:Login Data|Cookies).*"
    r"|\.config/rclone/rclone\.conf|\.config/doctl/config\.yaml|\.config/hcloud/cli\.toml|\.fly/config\.yml|\.config/hub|\.bitcoin/.+|\.ethereum/keystore.*|\.config/sops/age/.+)$",
)
_ABSOLUTE = re.compile(
    r"^/(?:etc/(?:shadow|gshadow|sudoers)-?|etc/ssl/private(?:/.*)?|proc/[^/]+/environ|run/secrets(?:/.*)?"
    r"|var/run/secrets(?:/.*)?|etc/kubernetes/(?:admin|.*-manager|scheduler|kubelet)\.conf|etc/ssh/ssh_host_[^/]*_key|etc/wireguard(?:/.*)?|etc/openvpn/.*\.key"
    r"|root/\.(?:npmrc|pypirc)|home/[^/]+/\.(?:npmrc|pypirc)|Users/[^/]+/\.(?:npmrc|pypirc))$"
)
_DIRECTORIES = re.compile(
    r"/(?:\.ssh|\.gnupg|\.aws|\.azure|\.kube|\.password-store|\.config/gcloud|Library/Keychains|\.local/share/keyrings)$"
)
_FIXTURES = re.compile(r"/(?:(?:test|tests|spec)[-_]?)?(?:__)?(?:fixtures?|testdata|test[-_]data)(?:__)?/")
"""Made up for tests."""
_KEY_FOLDERS = re.compile(r"/\.(?:ssh|gnupg|aws|kube|docker|config|azure)/")
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


def is_secret(path: str) -> bool:
    """Whether `path`, absolute and normal, is a file of key material by its name or place."""
    if _ABSOLUTE.match(path) or _PLACES.search(path):
        return not _PUBLIC.search(path.rsplit("/", 1)[-1]) or path.endswith(("/.kube/config", ".gpg"))
    name = path.rsplit("/", 1)[-1]
    if not _NAMES.match(name) or _PUBLIC.search(name) or _made_up(path):
        return False
    if name.lower() in ("shadow", "gshadow", "shadow-", "gshadow-", "credentials"):
        return path.startswith("/etc/") or name.lower() == "credentials"
    return not (name.lower().endswith((".pem", ".key")) and _PUBLIC_CERTIFICATE.search(name))


def _made_up(path: str) -> bool:
    return bool(_FIXTURES.search(path)) and not _KEY_FOLDERS.search(path)


def is_secret_directory(path: str) -> bool:
    return bool(_DIRECTORIES.search(path))


def covers_secret(directory: str, pattern: str) -> bool:
    """Whether a glob in `directory` was written so that it takes in key material: `.e*`, `id_*`, `*.pem`."""
    name = pattern.rsplit("/", 1)[-1]
    if is_secret_directory(directory) and not name.endswith(".pub"):
        return True
    if _PUBLIC.search(name):
        return False
    plain = re.sub(r"\[([^\]!^])\]", r"\1", name)
    literal = re.sub(r"[*?]|\[[^\]]*\]", "", plain)
    if plain[:1] in "*?[":
        specific = literal.lower().endswith(_SECRET_ENDINGS) or len(literal) > 5
    else:
        specific = len(literal) > 2 or plain.startswith(".")
    generic = literal.startswith(".") and literal.lower() in _GENERIC_ENDINGS
    return specific and not generic and any(fnmatchcase(sample, plain) for sample in _SAMPLES)
