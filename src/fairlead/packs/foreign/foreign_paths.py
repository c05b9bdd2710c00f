"""Paths in the input of a foreign tool under whatever name: `destination`, `bodyFile`, `attachments`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fairlead.model.facts import quoted
from fairlead.model.tool_call import ToolCall
from fairlead.packs.foreign.foreign_names import words_of
from fairlead.packs.foreign.given_texts import Given, given_texts
from fairlead.shell.effects.effect import Action
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.word_sets import names

_LONGEST = 1024
_ON_THIS_MACHINE = lazy(
    r"(?:file://)?(?:~(?=/|$)|/(?:home|Users|root|etc|var|usr|opt|proc|sys|dev|boot|private|Library|System|srv|mnt"
    r"|media|run|bin|sbin|lib|tmp)(?=/|$))[^\n\0]*"
)
"""A whole text that can be nothing else; `/api/users` is a place at a server."""
_KEYS_OF_FILES = lazy(
    r"file|path|attach|upload|folder|director|(?:^|target|source|dest|out|work|root)dir$|local"
)
_NO_PATH = lazy(r"[\n\0<>{}\"'|]|^\s|://|^$")
SAYING = names(
    "text body message comment markdown html description title query q prompt search summary note thought"
)
"""What people read, or what is looked for: a path in it is a word."""
_SOURCES = lazy(r"^(?:src|source|from|old|local|input|in|attach|upload|body|contentfrom|data)")
_VERBS = {
    Action.DELETE: names("delete remove rm unlink rmdir trash erase wipe shred purge"),
    Action.MOVE_AWAY: names("move rename mv"),
    Action.TRUNCATE: names("truncate"),
    Action.OVERWRITE: names(
        "write edit create append save update replace insert touch put overwrite apply download export dump extract"
    ),
}
_STANDING = lazy(r"(?:project|workspace|repo(?:sitory)?)(?:root|path|dir)|cwd|work(?:ing)?dir(?:ectory)?")
_PLACES = names("project projects workspace repo repository directory folder dir tree")
"""Beside these words of a tool, such a key says what it is done to, and not where."""
_LOOKING = names("info stat stats exists metadata size list tree watch")


def paths_anywhere(call: ToolCall, known: frozenset[str]) -> Iterator[tuple[Action, str]]:
    """Each path that is not among the `known` texts, and what the tool does with it."""
    for given in given_texts(call):
        if given.text not in known and _is_path(given):
            yield _action(call, given), given.text


def _is_path(given: Given) -> bool:
    if len(given.text) > _LONGEST or given.key in SAYING:
        return False
    if _ON_THIS_MACHINE.fullmatch(given.text):
        return True
    return bool(_KEYS_OF_FILES.search(given.key)) and not _NO_PATH.search(given.text)


def _action(call: ToolCall, given: Given) -> Action:
    tool = set(words_of(call)[1]) | {text.lower() for text in _stated(call)}
    if _STANDING.fullmatch(given.key) and tool.isdisjoint(_PLACES):
        return Action.LIST
    found = next((action for action, verbs in _VERBS.items() if verbs & tool), None)
    if found is None:
        return Action.LIST if _LOOKING & tool else Action.READ
    if found is Action.MOVE_AWAY and not _SOURCES.search(given.key):
        return Action.OVERWRITE
    return Action.READ if found is Action.OVERWRITE and _SOURCES.search(given.key) else found


def _stated(call: ToolCall) -> Iterator[str]:
    """What a tool for everything is told to do: `{"op": "delete", "target": …}`."""
    return (
        value
        for key in ("op", "operation", "action", "verb")
        if isinstance(value := call.input.get(key), str)
    )


_MODES = ("mode", "permissions", "perms", "owner", "group")


def changed_rights(call: ToolCall, path: str) -> str:
    """The line that does the same, for a tool that changes who may use a file; empty for any other."""
    program = next((word for word in words_of(call)[1] if word in ("chmod", "chown", "chgrp")), "")
    asked = next((given.text for given in given_texts(call) if given.key in _MODES), "")
    if not program or not re.fullmatch(r"[\w+=,:-]+", asked):
        return ""
    options = "-R " if call.input.get("recursive") is True else ""
    return f"{program} {options}{quoted(asked)} {quoted(path)}"
