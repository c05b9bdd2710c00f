"""Payloads, from bytes to fields. What cannot be read is a PayloadError that names the field."""

from __future__ import annotations

import json
from collections.abc import Mapping

from fairlead.errors import PayloadError

_BOM = b"\xef\xbb\xbf"
_decode = json.JSONDecoder(strict=False).decode

Payload = Mapping[str, object]


def read_object(raw: bytes) -> dict[str, object]:
    """The one JSON object of a payload. Byte order marks go; duplicate keys and NaN are read as agents do."""
    body = raw
    while body.startswith(_BOM):
        body = body[len(_BOM) :]
    if not body.strip():
        raise PayloadError("stdin was empty", hint="an agent sends one JSON object on stdin")
    try:
        value = _decode(body.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise PayloadError(f"stdin is not UTF-8: byte {error.start} is 0x{body[error.start]:02x}") from None
    except json.JSONDecodeError as error:
        message = f"stdin is not JSON: {error.msg} at line {error.lineno}, column {error.colno}"
        raise PayloadError(message) from None
    except (ValueError, RecursionError) as error:
        raise PayloadError(f"stdin is JSON that nobody can mean: {error}") from None
    if not isinstance(value, dict):
        raise PayloadError(f"stdin holds {_kind(value)} where an object belongs")
    return value


def text(payload: Payload, *keys: str) -> str:
    """The first of these fields that is a string, else nothing."""
    for key in keys:
        value = payload.get(key)
        if isinstance(value, str):
            return value
    return ""


def mapping(payload: Payload, key: str) -> Payload | None:
    value = payload.get(key)
    return value if isinstance(value, dict) else None


def native_name(payload: Payload, from_command_line: str, *keys: str) -> str:
    """The payload's own event wins over the one that was installed on the command line."""
    name = text(payload, *(keys or ("hook_event_name",))) or from_command_line
    if not name:
        where = keys[0] if keys else "hook_event_name"
        raise PayloadError(f"the payload has no {where}", hint="name the event after the agent")
    return name


def needed_text(payload: Payload, key: str, event: str) -> str:
    value = _needed(payload, key, event)
    if not isinstance(value, str) or not value:
        raise PayloadError(f"{event}: {key} is {_kind(value)} where a name belongs")
    return value


def needed_object(payload: Payload, key: str, event: str) -> Payload:
    """An object, or the same written as a string of JSON, as some agents do."""
    value = _needed(payload, key, event)
    parsed = parsed_object(value)
    if parsed is None:
        raise PayloadError(f"{event}: {key} is {_kind(value)} where an object belongs")
    return parsed


def need(payload: Payload, keys: tuple[str, ...], event: str) -> None:
    for key in keys:
        _needed(payload, key, event)


def parsed_object(value: object) -> Payload | None:
    if isinstance(value, str):
        try:
            value = _decode(value)
        except (ValueError, RecursionError):
            return None
    return value if isinstance(value, dict) else None


def _needed(payload: Payload, key: str, event: str) -> object:
    if key not in payload:
        raise PayloadError(f"{event}: the payload has no {key}")
    return payload[key]


def _kind(value: object) -> str:
    if isinstance(value, str):
        return "text" if value else "an empty text"
    names = {list: "a list", dict: "an object", bool: "a truth value", type(None): "null"}
    return names.get(type(value), "a number")
