"""The few habits of JavaScript that the originals depend on: numbers, texts, what counts as true."""

from __future__ import annotations

import json
from math import isfinite

_PLAIN_BELOW = 1e21
"""Numbers from here on are printed with an exponent."""


def parsed(text: str) -> object:
    """Raises ValueError for what `JSON.parse` would not take, NaN among it."""

    def refuse(constant: str) -> object:
        raise ValueError(constant)

    return json.loads(text, parse_constant=refuse, parse_int=_number, parse_float=_number)


def _number(text: str) -> int | float:
    """Every number is a double there: `1e400` is infinite, and beyond 2^53 not every integer exists."""
    value = float(text)
    return int(_number_text(value)) if value.is_integer() and abs(value) < _PLAIN_BELOW else value


def as_json(value: object) -> object:
    """What is left of a value in what `JSON.stringify` writes: an infinite number is null."""
    if isinstance(value, dict):
        return {key: as_json(item) for key, item in value.items()}
    if isinstance(value, list):
        return [as_json(item) for item in value]
    return None if isinstance(value, float) and not isfinite(value) else value


def text_of(value: object) -> str:
    """What `String(value)` gives."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return ",".join("" if item is None else text_of(item) for item in value)
    if isinstance(value, dict):
        return "[object Object]"
    if value is None:
        return "null"
    return _number_text(value) if _is_number(value) else str(value).lower()


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _number_text(value: object) -> str:
    """The shortest digits that mean this double, which Python finds too, in JavaScript's notation."""
    double = float(str(value))
    if not isfinite(double) or double == 0:
        return "0" if double == 0 else "Infinity" if double > 0 else "-Infinity"
    mantissa, _, exponent = repr(abs(double)).partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    point = len(whole) + int(exponent or 0) - (len(whole + fraction) - len(digits))
    return ("-" if double < 0 else "") + _placed(digits.rstrip("0"), point)


def _placed(digits: str, point: int) -> str:
    """The digits with their decimal point before the one at `point`."""
    if -6 < point <= 0:
        return f"0.{'0' * -point}{digits}"
    if 0 < point <= 21:
        whole, fraction = digits[:point].ljust(point, "0"), digits[point:]
        return f"{whole}.{fraction}" if fraction else whole
    mantissa = f"{digits[0]}.{digits[1:]}" if digits[1:] else digits
    return f"{mantissa}e{point - 1:+d}"


def truthy(value: object) -> bool:
    """An empty list or object counts as something."""
    return isinstance(value, (list, dict)) or bool(value)


def identity(value: object) -> object:
    """Two values are one to a `Set` where these are equal: a list or object is like no other."""
    if isinstance(value, (list, dict)):
        return id(value)
    return (float(str(value)) if _is_number(value) else value, type(value) is bool)


def spread(value: object) -> dict[str, object]:
    """What `{...value}` gives; a text falls into its UTF-16 units."""
    if isinstance(value, dict):
        return value
    if isinstance(value, str):
        units = value.encode("utf-16-le", "surrogatepass")
        letters = (units[n : n + 2].decode("utf-16-le", "surrogatepass") for n in range(0, len(units), 2))
        return {str(place): letter for place, letter in enumerate(letters)}
    return {str(place): item for place, item in enumerate(value)} if isinstance(value, list) else {}
