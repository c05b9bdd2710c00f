"""Files that get what a secret holds, under a name that does not tell."""

from __future__ import annotations

import os
from collections.abc import Iterator

from fairlead.packs.judging.call_effects import Call
from fairlead.packs.noting.file_notes import noted_path
from fairlead.packs.noting.leaving import WRITING
from fairlead.packs.rules.secrets import holds_secret
from fairlead.sessions.memory import Memory
from fairlead.sessions.note import Kind, Note
from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.script import Command
from fairlead.shell.word_sets import names

_DUMPING = names("env printenv")
_MOST = 16
_NOT_KEEPING = names("wc sha256sum sha1sum md5sum shasum cksum cut test diff cmp ls stat")
"""What they print of a file is no secret, or the names in it alone."""


def secret_copies(call: Call, memory: Memory) -> Iterator[Note]:
    """By a copy, a move, a redirection, an archive; and where the whole environment is written to a file."""
    found: dict[str, str] = {}
    for effect in call.effects:
        source = _secret_in(effect, memory)
        if source:
            found |= dict.fromkeys(_written_with(effect, call), source)
    for command in call.script.commands:
        if command.name in _DUMPING and len(command.argv) == 1:
            found |= dict.fromkeys(_written_behind(command, call), "the environment")
    for path, source in list(found.items())[:_MOST]:
        if path != source:
            yield Note(Kind.HOLDS_SECRET, path, source)


def _secret_in(effect: Effect, memory: Memory) -> str:
    """The secret that is read or moved, by its path."""
    if effect.action not in (Action.READ, Action.MOVE_AWAY) or effect.command.name in _NOT_KEEPING:
        return ""
    path = noted_path(effect.target)
    if not path:
        return ""
    return path if holds_secret(effect.target) or memory.holds_secret(path) else ""


def _written_with(effect: Effect, call: Call) -> Iterator[str]:
    if effect.detail.startswith("/"):  # a copy says where it goes
        into = os.path.isdir(effect.detail)
        name = os.path.basename(noted_path(effect.target))
        yield os.path.join(effect.detail, name) if into else effect.detail
    elif effect.command.argv:
        yield from _written_behind(effect.command, call)


def _written_behind(command: Command, call: Call) -> Iterator[str]:
    """By the command itself, and at the end of its pipe."""
    for effect in call.effects:
        other = effect.command
        behind = other.pipeline == command.pipeline and other.position >= command.position
        if effect.action in WRITING and behind and other.argv and not holds_secret(effect.target):
            yield from filter(None, (noted_path(effect.target),))
