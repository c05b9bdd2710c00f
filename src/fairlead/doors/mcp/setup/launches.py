"""Where an entry of a client says what it starts, and what of that is the door."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence

from fairlead.doors.mcp.setup.clients import Shape
from fairlead.model.value import Value
from fairlead.settings.formats.text_tree import Child, Node

_KEPT = ("--grace",)
_NAMED_ON_A_LINE = re.compile(r"(?m)^[ \t]*(?:export[ \t]+)?([A-Za-z_]\w*)[ \t]*=")


class Launch(Value):
    """`command` and `args` are members of `container`; where the command is the whole vector, it is both."""

    container: Node
    command: Child
    args: Child | None
    args_name: str
    words: tuple[str, ...]

    @property
    def vector_in_command(self) -> bool:
        return not self.args_name


class Server(Value):
    """One entry of a list of servers. `launch` is None where it names an address, or nothing that starts."""

    name: str
    pointer: tuple[str, ...]
    entry: Node
    launch: Launch | None
    url: str
    environment: tuple[str, ...]


class Head(Value):
    """The words of the door before the server's own: up to `--`, and with it."""

    program: str
    home: str
    name: str
    environment: tuple[str, ...]
    others: tuple[str, ...]
    """What a person may have added; an option that the door does not have would keep it from starting."""
    length: int
    """How many words it has."""


def servers_in(document: Node, lists: Sequence[tuple[str, ...]], shape: Shape) -> Iterator[Server]:
    for way in lists:
        for pointer, found in _lists_at(document, way, ()):
            for child in found.children:
                if isinstance(child.key, str) and isinstance(child.node.value, dict):
                    server = _server(child, (*pointer, child.key), shape)
                    if server.launch is not None or server.url:
                        yield server


def _lists_at(
    node: Node, way: tuple[str, ...], passed: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], Node]]:
    if not isinstance(node.value, dict):
        return
    if not way:
        yield passed, node
        return
    for child in node.children:
        if isinstance(child.key, str) and way[0] in ("*", child.key):
            yield from _lists_at(child.node, way[1:], (*passed, child.key))


def _server(child: Child, pointer: tuple[str, ...], shape: Shape) -> Server:
    entry = child.node
    addresses = [entry.child(key) for key in shape.urls]
    url = next((each.value for each in addresses if each is not None and isinstance(each.value, str)), "")
    return Server(str(child.key), pointer, entry, _launch(entry, shape), url, _environment(entry, shape))


def _launch(entry: Node, shape: Shape) -> Launch | None:
    """None where the words are not all words."""
    command = _member(entry, shape.command)
    if command is None:
        return None
    if isinstance(command.node.value, dict):  # an older form of Zed
        return _launch(command.node, Shape(command="path"))
    if not shape.args:
        words = _words(command.node)
        return Launch(entry, command, None, "", words) if words else None
    args = _member(entry, shape.args)
    rest = () if args is None else _words(args.node)
    if not isinstance(command.node.value, str) or not command.node.value or rest is None:
        return None
    return Launch(entry, command, args, shape.args, (command.node.value, *rest))


def _member(entry: Node, key: str) -> Child | None:
    return next((child for child in reversed(entry.children) if child.key == key), None)


def _words(node: Node) -> tuple[str, ...] | None:
    words = tuple(child.node.value for child in node.children)
    if not isinstance(node.value, list):
        return None
    return tuple(map(str, words)) if all(isinstance(word, str) for word in words) else None


def _environment(entry: Node, shape: Shape) -> tuple[str, ...]:
    """The names that the entry gives the server."""
    command = entry.child(shape.command)
    within = command if command is not None and isinstance(command.value, dict) else entry
    names: list[str] = []
    for key in shape.env:
        found = within.child(key)
        names += _names(found.value if found is not None else None)
    return tuple(dict.fromkeys(names))


def _names(value: object) -> Iterator[str]:
    for each in value if isinstance(value, dict | list) else ():
        name = each.get("name") if isinstance(each, dict) else each
        if isinstance(name, str):
            yield name


def names_in_file(text: str) -> tuple[str, ...]:
    """The names that a file of variables gives."""
    return tuple(dict.fromkeys(_NAMED_ON_A_LINE.findall(text)))


def head_of(words: tuple[str, ...]) -> Head | None:
    """None for a server that has no door before it."""
    if not words or os.path.basename(words[0]) != "fairlead":
        return None
    home = words[2] if words[1:2] == ("--home",) and len(words) > 2 else ""
    group = 3 if home else 1
    if words[group : group + 1] != ("mcp",):
        return None
    name = ""
    environment: list[str] = []
    others: list[str] = []
    rest = iter(enumerate(words[group + 1 :], start=group + 2))
    for length, word in rest:
        if word == "--":
            found = Head(words[0], home, name, tuple(environment), tuple(others), length)
            return found if length < len(words) else None
        if word == "--name":
            _, name = next(rest, (0, ""))
        elif word == "--env":
            environment.append(next(rest, (0, ""))[1])
        elif word in _KEPT:
            others += (word, next(rest, (0, ""))[1])
    return None


def calls_an_address(words: Sequence[str]) -> bool:
    """Whether it is a door already, one before a server at an address."""
    if not words or os.path.basename(words[0]) != "fairlead" or "--" in words:
        return False
    options = words[3:] if words[1:2] in (["--home"], ("--home",)) else words[1:]
    return options[:1] in (["mcp"], ("mcp",)) and any(word.partition("=")[0] == "--url" for word in options)


def words_of_door(
    command: Sequence[str], server: str, environment: Sequence[str], others: Sequence[str]
) -> list[str]:
    """What stands before the server's own words; `command` is the program of the door, and its home."""
    names = [word for name in environment for word in ("--env", name)]
    return [*command, "mcp", "--name", server, *others, *names, "--"]
