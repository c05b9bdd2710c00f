"""What stands in the input of a foreign tool, however deep: each text, with the key that it stands under."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from fairlead.model.tool_call import ToolCall
from fairlead.model.value import Value
from fairlead.packs.identity_memory import once_for_each
from fairlead.shell.word_sets import names

_DEEPEST, _MOST = 6, 400
_WRITTEN_OUT = names(
    """
    policy policies policydocument assumerolepolicydocument acl acls rules bindings statement body data payload params
    parameters arguments args input config configuration settings json options variables request spec patch changes
    """
)
"""Under these, JSON is as often given as a text. What is written into a file is not among them."""
_LONGEST = 20_000


class Given(Value):
    """`key` is the innermost one, in small letters, without what joins its words: `content_from_file` and
    `contentFromFile` are the same."""

    key: str
    text: str


@once_for_each(2)
def given_texts(call: ToolCall) -> tuple[Given, ...]:
    """In order, and so many: a tool for people is not given more arguments than that."""
    return tuple(given for given, _ in zip(_below("", call.input, _DEEPEST), range(_MOST), strict=False))


def key_of(name: str) -> str:
    return name.lower().replace("_", "").replace("-", "")


def read_out(key: str, value: object) -> object:
    """The mapping or the list that a text spells as JSON, where such are expected; anything else as it is."""
    if not isinstance(value, str) or key not in _WRITTEN_OUT or not value.lstrip().startswith(("{", "[")):
        return value
    try:
        read = json.loads(value[:_LONGEST])
    except (ValueError, RecursionError):
        return value
    return read if isinstance(read, (dict, list)) else value


def _below(key: str, value: object, depth: int) -> Iterator[Given]:
    if isinstance(value, str):
        yield Given(key, value)
        inside = read_out(key, value) if depth else value
        if inside is not value:
            yield from _below(key, inside, depth - 1)
    elif depth and isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _below(key_of(str(name)), inner, depth - 1)
    elif depth and isinstance(value, list):
        for inner in value[:_MOST]:
            yield from _below(key, inner, depth - 1)
