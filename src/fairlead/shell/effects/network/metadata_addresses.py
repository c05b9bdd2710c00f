"""Where a machine in a cloud asks for its own keys, in whatever spelling the address has."""

from __future__ import annotations

import re

from fairlead.shell.lazy_pattern import lazy

_KEYS = lazy(
    r"(?:169\.254\.169\.254|169\.254\.170\.2|metadata\.google\.internal|100\.100\.100\.200|fd00:ec2::254|//instance-data)"
    r".{0,300}(?:credential|token|identity|meta-data/iam|user-?data|ssh-keys|attributes|recursive=true)",
    re.IGNORECASE,
)
_HOST = lazy(
    r"^(?:[a-z][a-z0-9+.-]*://)?(?:[^/@\s]*@)?(\[[0-9a-f:.]+\]|[0-9a-fx.]+)(?=[:/?#]|$)", re.IGNORECASE
)
_LINK_LOCAL = frozenset((0xA9FEA9FE, 0xA9FEAA02, 0x646464C8))
_OTHER_FORMS = (r"\.nip\.io\b", r"\.sslip\.io\b", r"\.xip\.io\b")
_REDIRECTED = lazy(rf"\b169[.-]254[.-]169[.-]254(?:{'|'.join(_OTHER_FORMS)})", re.IGNORECASE)
"""Names of public servers that answer with the address in them."""
_SIGNS = ("169", "metadata.google.internal", "100.100.100.200", "fd00:ec2::254", "//instance-data")
"""What any match of the patterns holds: most texts have none of it, and are long."""


def asks_for_machine_keys(address: str) -> bool:
    """Also where the address is spelled in a way that only who hides it would choose."""
    if any(map(address.casefold().__contains__, _SIGNS)) and (
        _KEYS.search(address) or _REDIRECTED.search(address)
    ):
        return True
    return _is_disguised(address)


def _is_disguised(address: str) -> bool:
    found = _HOST.match(address.strip())
    if found is None:
        return False
    host = found[1]
    if host.startswith("["):
        return _mapped(host[1:-1]) in _LINK_LOCAL
    parts = host.split(".")
    plain = len(parts) == 4 and all(part.isdigit() and str(int(part)) == part for part in parts)
    return not plain and _number(parts) in _LINK_LOCAL


def _mapped(host: str) -> int | None:
    """The older address inside a newer one: `::ffff:a9fe:a9fe`, `64:ff9b::169.254.169.254`."""
    import ipaddress  # rare: an address in brackets

    try:
        address = ipaddress.IPv6Address(host)
    except ValueError:
        return None
    inside = int(address) >> 32
    return int(address) & 0xFFFFFFFF if inside in (0xFFFF, 0, 0x64FF9B << 64) else None


def _number(parts: list[str]) -> int | None:
    """As the system's own reader takes it: one to four numbers, octal and hexadecimal ones too."""
    if len(parts) > 4:
        return None
    numbers = [_part(part) for part in parts]
    if any(number is None for number in numbers):
        return None
    *first, last = (number or 0 for number in numbers)
    if any(number > 255 for number in first) or last >= 256 ** (4 - len(first)):
        return None
    return sum(number << (24 - 8 * index) for index, number in enumerate(first)) + last


def _part(text: str) -> int | None:
    base = 16 if text[:2].lower() == "0x" else 8 if text[:1] == "0" and len(text) > 1 else 10
    digits = text[2:] if base == 16 else text
    return int(digits, base) if re.fullmatch(_DIGITS[base], digits, re.IGNORECASE) else None


_DIGITS = {16: r"[0-9a-f]{1,8}", 8: r"[0-7]{1,12}", 10: r"[0-9]{1,10}"}
