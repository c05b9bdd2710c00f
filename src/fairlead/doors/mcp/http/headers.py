"""What the headers of a request say, made from the message as it is sent: a server compares the two."""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping

Members = Mapping[str, object]
Places = Mapping[str, tuple[str, ...]]
"""By the end of a header's name: where its value is in the arguments."""

META_VERSION = "io.modelcontextprotocol/protocolVersion"
VERSION, METHOD, NAME, PARAMETER = "MCP-Protocol-Version", "Mcp-Method", "Mcp-Name", "Mcp-Param-"
SESSION, LAST_EVENT = "Mcp-Session-Id", "Last-Event-ID"
NAMED_BY = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}

_PLAIN = re.compile(r"[\x20-\x7e]*")
_WRAPPED = re.compile(r"=\?base64\?.*\?=")


def version_of(message: Members) -> str:
    """Of a request of the later era, which says its version itself; "" for all others."""
    params = message.get("params")
    meta = params.get("_meta") if isinstance(params, Mapping) else None
    version = meta.get(META_VERSION) if isinstance(meta, Mapping) else None
    return version if isinstance(version, str) else ""


def modern_headers(message: Members, version: str, places: Places) -> dict[str, str]:
    """`places` are those of the tool that is called."""
    method = str(message.get("method", ""))
    headers = {VERSION: header_value(version), METHOD: header_value(method)}
    params = message.get("params")
    if not isinstance(params, Mapping):
        return headers
    name = params.get(NAMED_BY.get(method, ""))
    if isinstance(name, str):
        headers[NAME] = header_value(name)
    if method == "tools/call":
        for end, place in places.items():
            value = _mirrored(_value_at(params.get("arguments"), place))
            if value is not None:
                headers[PARAMETER + end] = header_value(value)
    return headers


def header_value(text: str) -> str:
    """Wrapped, where it would not arrive as it is."""
    if _PLAIN.fullmatch(text) and text == text.strip() and not _WRAPPED.fullmatch(text):
        return text
    encoded = base64.b64encode(text.encode("utf-8", "replace")).decode()
    return f"=?base64?{encoded}?="


def read_value(value: str) -> str | None:
    """The text in it; None for one that was wrapped wrongly."""
    if not _WRAPPED.fullmatch(value):
        return value
    try:
        return base64.b64decode(value[9:-2], validate=True).decode()
    except ValueError:
        return None


def _value_at(arguments: object, place: tuple[str, ...]) -> object:
    for key in place:
        if not isinstance(arguments, Mapping):
            return None
        arguments = arguments.get(key)
    return arguments


def _mirrored(value: object) -> str | None:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, str | int | float) else None
