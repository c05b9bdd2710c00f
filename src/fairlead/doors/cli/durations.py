"""Lengths of time as people write them: `90s`, `15m`, `1h`, `2d`."""

from __future__ import annotations

from fairlead.errors import UsageError

_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


def seconds_of(text: str) -> float:
    """Raises UsageError for what is no length of time."""
    number, unit = text[:-1], text[-1:]
    if unit in _UNITS and number.isdecimal() and int(number) > 0:
        return float(int(number) * _UNITS[unit])
    raise UsageError(f"{text!r} is no length of time", hint="write it like 90s, 15m, 1h or 2d")
