"""What stands in the input of a foreign tool, however deep: each text, with the key that it stands under."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fairlead.model.tool_call import ToolCall
from fairlead.model.value import Value
from fairlead.packs.identity_memory import once_for_each

_DEEPEST, _MOST = 6, 400


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


def _below(key: str, value: object, depth: int) -> Iterator[Given]:
    if isinstance(value, str):
        yield Given(key, value)
    elif depth and isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _below(key_of(str(name)), inner, depth - 1)
    elif depth and isinstance(value, list):
        for inner in value[:_MOST]:
            yield from _below(key, inner, depth - 1)
