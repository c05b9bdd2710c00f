"""Variables that are secret by their name, and searches that look for keys where keys are."""

from __future__ import annotations

import re

from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.targets import Place

_TELLING = (
    "SECRET|TOKEN|PASSWORD|PASSWD|API_?KEY|(?:PRIVATE|ACCESS|ENCRYPTION|SIGNING)_KEY"
    "|CREDENTIALS?|DATABASE_URL"
)
SECRET_NAME = rf"[A-Z0-9_]*(?:{_TELLING})[A-Z0-9_]*"
SECRET_VARIABLE = lazy(r"\$\{?" + SECRET_NAME + r"(?:\}|(?![A-Za-z0-9_:#%+-]))")
_LOOKED_FOR = lazy(
    r"\btoken\b|\bsecret\b|private.key|\bAKIA|aws_secret|secret.?(?:access|key)|api.?key|access.?token|passw|credential|\bgh[po]_"
    r"|\bsk-|BEGIN (?:RSA|OPENSSH|EC|PGP)",
    re.IGNORECASE,
)
_EVERYWHERE = (Place.HOME_ROOT, Place.ROOT)


_HISTORY = lazy(r"/\.\w+_history$|/\.history$")


def looks_for_keys(pattern: str, place: Place, path: str = "") -> bool:
    """Whether a search through a whole home, a machine or what was typed is one for key material."""
    return (place in _EVERYWHERE or bool(_HISTORY.search(path))) and bool(_LOOKED_FOR.search(pattern))
