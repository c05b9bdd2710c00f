"""JSON with comments, as text with places: what to change is found by meaning, and changed by position."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from fairlead.errors import SettingsError
from fairlead.settings.formats.text_tree import Child, Node, place

_SPACE = re.compile("[ \t\r\n\ufeff]*")
_DECODER = json.JSONDecoder()
_LITERALS = {"true": True, "false": False, "null": None}
_DEPTH = 200


def parse(text: str) -> Node:
    reader = _Reader(text)
    at = reader.skip(0)
    node = reader.value(at, 0)
    rest = reader.skip(node.end)
    if rest != len(text):
        raise reader.error("more text after the end", rest)
    return node


def skip_blank(text: str, at: int) -> int:
    """The next position that is neither space nor comment."""
    return _Reader(text).skip(at)


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text

    def error(self, what: str, at: int) -> SettingsError:
        return SettingsError(f"{place(self.text, at)}: {what}")

    def skip(self, at: int) -> int:
        text = self.text
        while True:
            blank = _SPACE.match(text, at)
            at = blank.end() if blank is not None else at
            if not text.startswith("/", at):
                return at
            if text.startswith("//", at):
                end = text.find("\n", at)
                at = len(text) if end < 0 else end
            elif text.startswith("/*", at):
                end = text.find("*/", at + 2)
                if end < 0:
                    raise self.error("a comment that does not end", at)
                at = end + 2
            else:
                return at

    def value(self, at: int, depth: int) -> Node:
        if depth > _DEPTH:
            raise self.error(f"nested deeper than {_DEPTH} levels", at)
        head = self.text[at : at + 1]
        if head == "{":
            return self._object(at, depth)
        if head == "[":
            return self._array(at, depth)
        if head == '"':
            value, end = self._string(at)
            return Node(at, end, value)
        return self._scalar(at)

    def _string(self, at: int) -> tuple[str, int]:
        try:
            value, end = _DECODER.raw_decode(self.text, at)
        except ValueError:
            raise self.error("a string that does not end, or holds what JSON does not allow", at) from None
        return str(value), end

    def _scalar(self, at: int) -> Node:
        end = at
        while end < len(self.text) and (self.text[end].isalnum() or self.text[end] in "+-."):
            end += 1
        word = self.text[at:end]
        if word in _LITERALS:
            return Node(at, end, _LITERALS[word])
        try:
            return Node(at, end, json.loads(word))
        except ValueError:
            raise self.error(f"a value belongs here, not {self.text[at : at + 12]!r}", at) from None

    def _object(self, at: int, depth: int) -> Node:
        children: list[Child] = []
        position = self.skip(at + 1)
        while self.text[position : position + 1] != "}":
            if self.text[position : position + 1] != '"':
                raise self.error('a name in "quotes" or a closing } belongs here', position)
            key, end = self._string(position)
            colon = self.skip(end)
            if self.text[colon : colon + 1] != ":":
                raise self.error("a : belongs here", colon)
            node = self.value(self.skip(colon + 1), depth + 1)
            children.append(Child(key, position, node))
            position = self._after(node.end, "}")
        return Node(at, position + 1, {child.key: child.node.value for child in children}, tuple(children))

    def _array(self, at: int, depth: int) -> Node:
        children: list[Child] = []
        position = self.skip(at + 1)
        while self.text[position : position + 1] != "]":
            node = self.value(position, depth + 1)
            children.append(Child(len(children), position, node))
            position = self._after(node.end, "]")
        return Node(at, position + 1, [child.node.value for child in children], tuple(children))

    def _after(self, end: int, closing: str) -> int:
        """Past one comma, which may also be the last thing before the end."""
        position = self.skip(end)
        found = self.text[position : position + 1]
        if found == ",":
            return self.skip(position + 1)
        if found != closing:
            raise self.error(f"a , or {closing} belongs here", position)
        return position


def strings_in(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from strings_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from strings_in(inner)
