"""TOML as a tree of values with their places: one can be changed, and the rest of the text stays."""

from __future__ import annotations

import re
import tomllib

from fairlead.errors import SettingsError
from fairlead.settings.formats.text_tree import Child, Node, place

_DEPTH = 200
_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_SPACE = re.compile(r"[ \t]*")
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_SCALAR = re.compile(r"[^,\]}#\r\n]*")
_STRINGS = (
    re.compile(r'"""(?:[^\\]|\\.)*?"{3,5}', re.DOTALL),
    re.compile(r"'''.*?'{3,5}", re.DOTALL),
    re.compile(r'"(?:[^"\\\n]|\\.)*"'),
    re.compile(r"'[^'\n]*'"),
)


def parse(text: str) -> Node:
    """Raises SettingsError for what is no TOML, and for what Python's own reader reads differently."""
    try:
        meaning = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise SettingsError(f"not TOML: {error}") from None
    found = _Reader(text).document()
    if found.value != meaning:
        raise SettingsError("1:1: TOML that is written in a way that cannot be followed")
    return found


class _Table:
    """A table while it is put together: its members may stand all over the document."""

    def __init__(self, start: int) -> None:
        self.start = start
        self.members: dict[str, tuple[int, _Part]] = {}

    def node(self) -> Node:
        children = tuple(Child(key, start, part.node()) for key, (start, part) in self.members.items())
        return Node(self.start, self.start, {child.key: child.node.value for child in children}, children)


class _Tables:
    """An array of tables, by its `[[headers]]`."""

    def __init__(self, start: int) -> None:
        self.start = start
        self.tables: list[_Table] = []

    def node(self) -> Node:
        children = tuple(Child(index, table.start, table.node()) for index, table in enumerate(self.tables))
        return Node(self.start, self.start, [child.node.value for child in children], children)


class _Written:
    """A value that stands in one place."""

    def __init__(self, node: Node) -> None:
        self._node = node

    def node(self) -> Node:
        return self._node


_Part = _Table | _Tables | _Written


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text

    def error(self, at: int) -> SettingsError:
        return SettingsError(f"{place(self.text, at)}: TOML that cannot be followed")

    def document(self) -> Node:
        root = table = _Table(0)
        at = self._past(_BLANK, 0)
        while at < len(self.text):
            if self.text.startswith("[", at):
                table, at = self._header(root, at)
            else:
                at = self._member(table, at)
            at = self._past(_BLANK, at)
        return root.node()

    def _past(self, pattern: re.Pattern[str], at: int) -> int:
        found = pattern.match(self.text, at)
        return at if found is None else found.end()

    def _header(self, root: _Table, at: int) -> tuple[_Table, int]:
        brackets = 2 if self.text.startswith("[[", at) else 1
        keys, end = self._keys(at + brackets)
        table = self._way(root, keys[:-1], at)
        if brackets == 1:
            return self._way(table, keys[-1:], at), end + 1
        _, tables = table.members.setdefault(keys[-1], (at, _Tables(at)))
        if not isinstance(tables, _Tables):
            raise self.error(at)
        tables.tables.append(_Table(at))
        return tables.tables[-1], end + 2

    def _way(self, table: _Table, keys: list[str], at: int) -> _Table:
        """The table of that name, made where there is none."""
        for key in keys:
            _, part = table.members.setdefault(key, (at, _Table(at)))
            if isinstance(part, _Tables):
                part = part.tables[-1]
            if not isinstance(part, _Table):
                raise self.error(at)
            table = part
        return table

    def _member(self, table: _Table, at: int) -> int:
        keys, equals = self._keys(at)
        node = self._value(self._past(_SPACE, equals + 1), 0)
        self._way(table, keys[:-1], at).members[keys[-1]] = (at, _Written(node))
        return node.end

    def _keys(self, at: int) -> tuple[list[str], int]:
        """The parts of a dotted key, and what comes behind it."""
        keys: list[str] = []
        while True:
            at = self._past(_SPACE, at)
            end = self._string_end(at) or self._past(_BARE, at)
            if end == at:
                raise self.error(at)
            token = self.text[at:end]
            keys.append(str(_meaning(token)) if token[0] in "\"'" else token)
            at = self._past(_SPACE, end)
            if not self.text.startswith(".", at):
                return keys, at
            at += 1

    def _value(self, at: int, depth: int) -> Node:
        if depth > _DEPTH:
            raise self.error(at)
        if self.text.startswith("[", at):
            return self._array(at, depth)
        if self.text.startswith("{", at):
            return self._inline_table(at, depth)
        end = self._string_end(at)
        if not end:
            end = at + len(self.text[at : self._past(_SCALAR, at)].rstrip())
        return Node(at, end, _meaning(self.text[at:end]))

    def _string_end(self, at: int) -> int:
        """Zero where there is no string."""
        return next((found.end() for each in _STRINGS if (found := each.match(self.text, at))), 0)

    def _array(self, at: int, depth: int) -> Node:
        children: list[Child] = []
        position = self._past(_BLANK, at + 1)
        while not self.text.startswith("]", position):
            node = self._value(position, depth + 1)
            children.append(Child(len(children), position, node))
            position = self._past_comma(node.end, "]")
        return Node(at, position + 1, [child.node.value for child in children], tuple(children))

    def _inline_table(self, at: int, depth: int) -> Node:
        table = _Table(at)
        position = self._past(_BLANK, at + 1)
        while not self.text.startswith("}", position):
            keys, equals = self._keys(position)
            node = self._value(self._past(_SPACE, equals + 1), depth + 1)
            self._way(table, keys[:-1], position).members[keys[-1]] = (position, _Written(node))
            position = self._past_comma(node.end, "}")
        return table.node().replace(end=position + 1)

    def _past_comma(self, at: int, closing: str) -> int:
        at = self._past(_BLANK, at)
        if self.text.startswith(",", at):
            return self._past(_BLANK, at + 1)
        if not self.text.startswith(closing, at):
            raise self.error(at)
        return at


def _meaning(token: str) -> object:
    try:
        return tomllib.loads(f"x = {token}")["x"]
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"not TOML: {error}") from None
