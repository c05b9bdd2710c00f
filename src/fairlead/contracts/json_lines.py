"""A contract line that is a JSON object: flat, of texts, numbers and booleans, read as RFC 8259 says."""

from __future__ import annotations

import json
import re

from fairlead.contracts.grammar import NAME

_SURROGATE = re.compile("[\ud800-\udfff]")
_ESCAPED_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


class _Number(str):
    """A number as it was written: 1.0 stays 1.0, and a long one is not computed."""


def members(text: str) -> list[tuple[str, str | None]] | str:
    """Each name with its value as a text, None for null; or why the line as a whole is refused."""
    try:
        said = json.loads(
            text,
            object_pairs_hook=_Members,
            parse_int=_Number,
            parse_float=_Number,
            parse_constant=_refuse_constant,
        )
    except (ValueError, RecursionError) as error:
        return f"it is not JSON: {error}"
    escaped = _ESCAPED_SURROGATE.search(text) is not None
    wrong = next(filter(None, (_wrong(name, value, escaped) for name, value in said)), "")
    return wrong or [(name, _as_text(value)) for name, value in said]


class _Members(list[tuple[str, object]]):
    """The members of an object in their order, a name that comes twice included."""


def _refuse_constant(word: str) -> None:
    raise ValueError(f"{word} is not a number")


def _wrong(name: str, value: object, escaped: bool) -> str:
    if not re.fullmatch(NAME, name):
        return f"{name!r} is not the name of a variable"
    if name == "mode" and type(value) is not str:
        return "'mode' has to be a text"
    if isinstance(value, list):
        return f"{name!r} has to be a text, a number, true or false: the object is flat"
    if isinstance(value, str) and "\0" in value:
        return f"{name!r} holds a NUL, which no variable can"
    if escaped and isinstance(value, str) and _SURROGATE.search(value):
        return f"{name!r} holds half of a surrogate pair, which is no character"
    return ""


def _as_text(value: object) -> str | None:
    if isinstance(value, bool):
        return str(value).lower()
    return None if value is None else str(value)
