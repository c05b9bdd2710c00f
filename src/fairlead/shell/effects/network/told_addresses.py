"""Addresses that tell their host a secret: what stands behind the question mark is sent too."""

from __future__ import annotations

import re
from urllib.parse import parse_qsl, urlsplit

from fairlead.shell.effects.network.server_requests import LOCAL
from fairlead.shell.lazy_pattern import lazy

_NEAR = lazy(
    r"(?:10|192\.168|172\.(?:1[6-9]|2\d|3[01])|169\.254)\.[\d.]+|[^.]+|.+\.(?:local|internal|lan|localhost)"
)
_BARE = lazy(r"\d{1,3}(?:\.\d{1,3}){3}|\[?[0-9a-f:]{4,}\]?", re.I)
_CATCHERS = lazy(
    r".*(?:webhook\.site|requestbin\.\w+|pipedream\.net|burpcollaborator\.net|oast\.\w+|interact\.sh|ngrok(?:-free)?\.\w+"
    r"|trycloudflare\.com|beeceptor\.com|hookbin\.com|mockbin\.\w+|serveo\.net|dnslog\.\w+|canarytokens\.\w+)"
)
"""Where whoever set one up reads what others asked for."""
_SECRET = lazy(
    r"(?:client_?)?secret|passw(?:or)?d|cookies?|private_?key|aws_?\w*key|env|credentials?|ssh_?key|shadow|dump"
)
_HOLDING = lazy(
    r"[dckpqsx]|data|key|token|session|sid|payload|exfil|content|body|info|out|output|result|leak|b64|text|log|msg"
)
_KEY = lazy(
    r"A[KS]IA[A-Z0-9]{16}|(?:sk|rk)_live_\w{12,}|sk-[\w-]{20,}|gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{15,}"
    r"|xox[abprs]-[\w-]{10,}|AIza[\w-]{30,}|npm_\w{30,}|-----BEGIN|eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{10,}"
)  # fmt: skip
_TELLING = lazy(r"\w=[^=]|\w:\w+:|-----|[A-Za-z0-9+/_-]{16,}")
_SHORTEST, _LONGEST = 6, 4000


def tells_secret(url: str) -> bool:
    """Whether an address carries key material, or what somebody without a name would collect."""
    if "?" not in url or len(url) > _LONGEST or not url.startswith(("http:", "https:")) or LOCAL.match(url):
        return False
    try:
        parts = urlsplit(url)
        host, given = parts.hostname or "", parse_qsl(parts.query)
    except ValueError:
        return False
    if not host or _NEAR.fullmatch(host):
        return False
    nameless = bool(_BARE.fullmatch(host) or _CATCHERS.fullmatch(host))
    return any(_tells(name.lower(), value, nameless=nameless) for name, value in given)


def is_nameless(url: str) -> bool:
    """Whether an address is that of a machine elsewhere without a name, or a place that catches requests."""
    if len(url) > _LONGEST or not url.startswith(("http:", "https:")) or LOCAL.match(url):
        return False
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return False
    return bool(not _NEAR.fullmatch(host) and (_BARE.fullmatch(host) or _CATCHERS.fullmatch(host)))


def _tells(name: str, value: str, *, nameless: bool) -> bool:
    if value.startswith(("$", "{", "<", "%")) or len(value) < _SHORTEST:
        return False
    if _KEY.search(value) or _SECRET.fullmatch(name):
        return True
    return nameless and bool(_HOLDING.fullmatch(name) and _TELLING.search(value))
