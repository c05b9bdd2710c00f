"""The few habits of JavaScript that the originals depend on: trimming, texts, what counts as true."""

from __future__ import annotations

import json


def parsed(text: str) -> object:
    """Raises ValueError for what `JSON.parse` would not take, NaN among it."""

    def refuse(constant: str) -> object:
        raise ValueError(constant)

    return json.loads(text, parse_constant=refuse)


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
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e21:
        return str(int(value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def truthy(value: object) -> bool:
    """An empty list or object counts as something."""
    return isinstance(value, (list, dict)) or bool(value)


def spread(value: object) -> dict[str, object]:
    """What `{...value}` gives."""
    if isinstance(value, dict):
        return value
    if isinstance(value, (list, str)):
        return {str(place): item for place, item in enumerate(value)}
    return {}
