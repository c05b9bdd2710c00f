"""Text to text: every server of a file gets the door before it, or loses it. Nothing else is touched.

What is put in is put in as one piece, and the server's own words stay where they were, as they were written:
so a file that is wrapped and unwrapped is the same, byte for byte, whatever became of the rest of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from typing import Any

from fairlead.doors.mcp.setup.clients import McpClient
from fairlead.doors.mcp.setup.launches import (
    Head,
    Launch,
    Server,
    calls_an_address,
    head_of,
    servers_in,
    words_of_door,
)
from fairlead.errors import SettingsError
from fairlead.model.value import Value
from fairlead.settings.formats.notation import Notation, moved, notation_of, quoted
from fairlead.settings.formats.text_tree import Node, Splice, place, spliced
from fairlead.settings.formats.word_lists import with_beginning, with_member, without_member

Names = Callable[[Server], Sequence[str]]
"""The variables that a server is to get beside the usual ones."""


class Config(Value):
    """The text of a client's file, understood."""

    path: str
    text: str
    client: McpClient
    notation: Notation
    document: Node
    servers: tuple[Server, ...]


def read_config(path: str, text: str, client: McpClient) -> Config:
    """Raises SettingsError for a file that cannot be understood, or that says one thing twice."""
    notation = notation_of(path)
    bare = text.removeprefix("\ufeff").strip()
    document = notation.parse(text) if bare else Node(0, 0, {})
    servers = tuple(servers_in(document, client.servers, client.shape))
    for server in servers:
        _refuse_twins(text, document, server.pointer)
    return Config(path, text, client, notation, document, servers)


def _refuse_twins(text: str, document: Node, pointer: Sequence[str]) -> None:
    """A name that stands twice means one thing to one reader, and another to the next."""
    node: Node | None = document
    for key in (*pointer, None):
        assert node is not None
        names = [child.key for child in node.children]
        for child in node.children:
            if names.count(child.key) > 1:
                where = place(text, child.start)
                raise SettingsError(f"{where}: {child.key!r} stands twice", hint="take one of them out")
        node = node.child(key) if key is not None else None


def wrapped(config: Config, command: Sequence[str], names: Names) -> str:
    """The file with the door before every server that is started here; `command` is the door's program."""
    edits = []
    for server in config.servers:
        if server.launch is not None and not calls_an_address(server.launch.words):
            head = head_of(server.launch.words)
            wanted = wanted_head(server, head, command, names(server))
            if head is None or list(server.launch.words[: head.length]) != wanted:
                edits.append(_edit(config, server, server.launch, head, wanted))
    return _made(config, edits)


def wanted_head(server: Server, head: Head | None, command: Sequence[str], names: Sequence[str]) -> list[str]:
    """The words of the door. What a person has added to it stays."""
    _refuse_unsayable(server)
    added = head.environment if head is not None else ()
    others = head.others if head is not None else ()
    environment = dict.fromkeys([*names, *added])
    return words_of_door(command, server.name, tuple(environment), others)


def _refuse_unsayable(server: Server) -> None:
    try:
        sayable = server.name != "--" and b"\0" not in server.name.encode()
    except UnicodeEncodeError:
        sayable = False
    if not sayable:
        raise SettingsError(f"{server.name!r} cannot be the name of a server", hint="give it another name")


class _Edit(Value):
    """The splices, and what the members have to mean afterwards."""

    pointer: tuple[str, ...]
    splices: tuple[Splice, ...]
    meaning: Mapping[str, object]
    removed: str = ""


def _edit(config: Config, server: Server, launch: Launch, head: Head | None, wanted: list[str]) -> _Edit:
    drop = head.length if head is not None else 0
    vector = [*wanted, *launch.words[drop:]]
    text, notation = config.text, config.notation
    pointer = _pointer(server, launch)
    if launch.vector_in_command:
        words = [quoted(word) for word in wanted]
        splice = with_beginning(text, launch.command.node, drop, words)
        return _Edit(pointer, (splice,), {str(launch.command.key): vector})
    own = launch.command.node
    program = Splice(own.start, own.end, quoted(wanted[0]))
    meaning = {str(launch.command.key): vector[0], launch.args_name: vector[1:]}
    words = [quoted(word) for word in wanted[1:]]
    if head is None:
        words.append(moved(notation, text[own.start : own.end], launch.words[0]))
    if launch.args is None:
        rest = with_member(
            text, launch.container, launch.command, key=launch.args_name, words=words, notation=notation
        )
    else:
        rest = with_beginning(text, launch.args.node, max(0, drop - 1), words)
    return _Edit(pointer, (program, rest), meaning)


def unwrapped(config: Config, had_args: Callable[[Server], bool]) -> str:
    """The file without the door; `had_args` tells whether an entry had arguments before."""
    edits = []
    for server in config.servers:
        head = head_of(server.launch.words) if server.launch is not None else None
        if server.launch is not None and head is not None:
            edits.append(_undoing(config, server, server.launch, head, had_args=had_args(server)))
    return _made(config, edits)


def _undoing(config: Config, server: Server, launch: Launch, head: Head, *, had_args: bool) -> _Edit:
    vector = list(launch.words[head.length :])
    text, pointer = config.text, _pointer(server, launch)
    if launch.vector_in_command:
        splice = with_beginning(text, launch.command.node, head.length, [])
        return _Edit(pointer, (splice,), {str(launch.command.key): vector})
    assert launch.args is not None
    words = launch.args.node.children
    program = words[head.length - 1].node
    own = launch.command.node
    literal = moved(config.notation, text[program.start : program.end], vector[0])
    back = Splice(own.start, own.end, literal)
    meaning = {str(launch.command.key): vector[0], launch.args_name: vector[1:]}
    if len(vector) == 1 and not had_args:
        cut = without_member(text, launch.container, launch.args_name)
        if cut is not None:
            alone = {str(launch.command.key): vector[0]}
            return _Edit(pointer, (back, cut), alone, removed=launch.args_name)
    cut = with_beginning(text, launch.args.node, head.length, [])
    return _Edit(pointer, (back, cut), meaning)


def _pointer(server: Server, launch: Launch) -> tuple[str, ...]:
    """Of the members that are changed: some entries have them in an object of their own."""
    if launch.container is server.entry:
        return server.pointer
    inner = next(child.key for child in server.entry.children if child.node is launch.container)
    return (*server.pointer, str(inner))


def _made(config: Config, edits: Sequence[_Edit]) -> str:
    """The new text, if it means what it has to mean; a file that would say anything else is left alone."""
    if not edits:
        return config.text
    text = spliced(config.text, [splice for edit in edits for splice in edit.splices])
    wanted = deepcopy(config.document.value)
    for edit in edits:
        _put(wanted, edit)
    try:
        found = config.notation.parse(text).value
    except SettingsError:
        found = None
    if found != wanted:
        raise SettingsError(
            "the servers are written in a way that cannot be changed in place",
            hint="write each entry with a command and a list of args, or wrap them by hand",
        )
    return text


def _put(document: Any, edit: _Edit) -> None:
    entry = document
    for key in edit.pointer:
        entry = entry[key]
    entry.pop(edit.removed, None)
    entry.update(edit.meaning)
