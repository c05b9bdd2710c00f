"""Payloads, from bytes to fields. What cannot be read is a PayloadError that names the field."""

from __future__ import annotations

import json
from collections.abc import Mapping

from fairlead.errors import PayloadError

_BOM = b"\xef\xbb\xbf"
_BLANKS = " \t\n\r"
_decoder = json.JSONDecoder(strict=False)

Payload = Mapping[str, object]


def read_object(raw: bytes) -> dict[str, object]:
    """The one JSON object of a payload. Byte order marks go; duplicate keys and NaN are read as agents do."""
    body = raw
    while body.startswith(_BOM):
        body = body[len(_BOM) :]
    if not body or body.isspace():
        raise PayloadError("stdin was empty", hint="an agent sends one JSON object on stdin")
    try:
        value = _parsed(body.decode())
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


def _parsed(text: str) -> object:
    """One JSON value: the decoder's own steps are for blanks before it, and for words about what is wrong."""
    try:
        value, end = _decoder.raw_decode(text)
    except json.JSONDecodeError:
        return _decoder.decode(text)
    return value if end == len(text) or not text[end:].strip(_BLANKS) else _decoder.decode(text)


def text(payload: Payload, *keys: str) -> str:
    """The first of these fields that is a string, else nothing."""
    for key in keys:
        value = payload.get(key)
        if isinstance(value, str):
            return value
    return ""


def texts(payload: Payload, wanted: tuple[tuple[str, ...], ...]) -> list[str]:
    """The same for several at once, each with the keys that it may have."""
    found = []
    for keys in wanted:
        for key in keys:
            value = payload.get(key)
            if isinstance(value, str):
                found.append(value)
                break
        else:
            found.append("")
    return found


def mapping(payload: Payload, key: str) -> Payload | None:
    value = payload.get(key)
    return value if isinstance(value, dict) else None


def native_name(payload: Payload, from_command_line: str, *keys: str) -> str:
    """The payload's own event wins over the one that was installed on the command line."""
    for key in keys:
        name = payload.get(key)
        if isinstance(name, str):
            if name:
                return name
            break
    if not from_command_line:
        raise PayloadError(f"the payload has no {keys[0]}", hint="name the event after the agent")
    return from_command_line


def needed_text(payload: Payload, keys: tuple[str, ...], event: str) -> str:
    """The first of these fields that is there, which must be a name."""
    for key in keys:
        if key in payload:
            value = payload[key]
            if isinstance(value, str) and value:
                return value
            raise PayloadError(f"{event}: {key} is {_kind(value)} where a name belongs")
    raise _missing(keys[0], event)


def needed_object(payload: Payload, keys: tuple[str, ...], event: str) -> Payload:
    """The first of these fields that is there: an object, or one as a string of JSON, as some agents do."""
    for key in keys:
        if key in payload:
            value = payload[key]
            parsed = value if isinstance(value, dict) else parsed_object(value)
            if parsed is not None:
                return parsed
            raise PayloadError(f"{event}: {key} is {_kind(value)} where an object belongs")
    raise _missing(keys[0], event)


def need(payload: Payload, keys: tuple[str, ...], event: str) -> None:
    for key in keys:
        if key not in payload:
            raise _missing(key, event)


def parsed_object(value: object) -> Payload | None:
    if isinstance(value, str):
        try:
            value = _parsed(value)
        except (ValueError, RecursionError):
            return None
    return value if isinstance(value, dict) else None


def _missing(key: str, event: str) -> PayloadError:
    return PayloadError(f"{event}: the payload has no {key}")


def _kind(value: object) -> str:
    if isinstance(value, str):
        return "text" if value else "an empty text"
    names = {list: "a list", dict: "an object", bool: "a truth value", type(None): "null"}
    return names.get(type(value), "a number")
