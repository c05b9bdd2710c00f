"""A settings file as a tree of values with their places: found by meaning, changed by position."""

from __future__ import annotations

from collections.abc import Iterable

from fairlead.model.value import Value


class Node(Value):
    """One value of the document: where it stands, what it is, and what stands in it."""

    start: int
    end: int
    value: object
    children: tuple[Child, ...] = ()

    def child(self, key: object) -> Node | None:
        """The last of that name, as a reader of the file would have it."""
        return next((child.node for child in reversed(self.children) if child.key == key), None)


class Child(Value):
    """A member of an object, or an item of an array with its place as the key. `start` is where it begins."""

    key: object
    start: int
    node: Node


class Splice(Value):
    """`text` instead of what stands between two places."""

    start: int
    end: int
    text: str


def place(text: str, at: int) -> str:
    """`line:column` of a position."""
    line_start = text.rfind("\n", 0, at) + 1
    return f"{text.count(chr(10), 0, at) + 1}:{at - line_start + 1}"


def spliced(text: str, splices: Iterable[Splice]) -> str:
    """All of them at once: their places are those of the text as it was."""
    for splice in sorted(splices, key=lambda one: one.start, reverse=True):
        text = text[: splice.start] + splice.text + text[splice.end :]
    return text


def indent_at(text: str, at: int) -> str:
    """What the line of a position begins with."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def newline_of(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"
