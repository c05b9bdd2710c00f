"""Arguments that a tool wants to see in headers of HTTP as well (`x-mcp-header` in its schema)."""

from __future__ import annotations

import re
from collections.abc import Mapping

_TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_MIRRORED = ("string", "integer", "boolean")


def places_in(schema: object) -> dict[str, tuple[str, ...]]:
    """By the end of a header's name: where its value is. The official libraries take no tool in whose schema
    one of them is wrong, so what is left out here is sent by nobody."""
    found: dict[str, tuple[str, ...]] = {}
    waiting: list[tuple[tuple[str, ...], object]] = [((), schema)]
    while waiting:
        place, node = waiting.pop()
        if not isinstance(node, Mapping):
            continue
        end = node.get("x-mcp-header")
        if place and isinstance(end, str) and _TOKEN.fullmatch(end) and node.get("type") in _MIRRORED:
            found[end] = place
        inner = node.get("properties")
        if isinstance(inner, Mapping):
            waiting += [((*place, str(key)), value) for key, value in inner.items()]
    return found
