"""What scripts of the macOS desktop do besides commands for a shell: ask for passwords, or start later."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.effects.program_effects import shown
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.places.targets import resolve
from fairlead.shell.script import Command, Word

_ASKS_FOR_PASSWORD = lazy(
    r"with hidden answer|hidden ?answer:\s*true"
    r"|display ?dialog.{0,400}\b(?:password|passphrase|passcode|credentials)\b",
    re.I | re.S,
)
_STARTS_LATER = lazy(
    r"\battach action to\b|\bfolder action\b.{0,80}\b(?:make|enable)"
    r"|\blogin ?items?\b.{0,80}\bmake\b|\bmake\b.{0,80}\blogin ?item",
    re.I,
)
_DELETES_MANY = lazy(
    r"\bdelete\s+(?:every|all|(?:the )?(?:entire )?contents?|items?)\b"
    r".{0,60}\b(?:home|desktop|documents folder|disk|folder)",
    re.I,
)
_EVALUATES_FETCHED = lazy(
    r"\beval\s*\(.{0,120}(?:ContentsOfURL|dataWithContentsOfURL|NSURL|curl)"
    r"|\brun script\b.{0,80}(?:curl|https?:)",
    re.I | re.S,
)
_EMPTIES_TRASH = lazy(r"\bempty (?:the )?trash\b", re.I)
_READS_PRIVATE = lazy(
    r"\b(?:body|content|contents|plaintext|text) of (?:every |each )?(?:note|message|event)\b"
    r"|\bURL of (?:every|each|tabs?)\b.{0,40}\bof (?:every|each|windows?)\b",
    re.I,
)


def read_osascript(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    text = "\n".join([*(word.text for word in command.argv[1:]), command.stdin.text or ""])[:65536]
    if _ASKS_FOR_PASSWORD.search(text) or _READS_PRIVATE.search(text):
        yield Effect(Action.READ_SECRET, "watch", command, what=shown(command))
    if _EVALUATES_FETCHED.search(text):
        yield Effect(Action.RUN_NETWORK_CODE, "download", command, what=shown(command))
    if _EMPTIES_TRASH.search(text):
        trash = resolve(Word(f"{where.home}/.Trash"), command, where)
        yield Effect(Action.DELETE, "trash", command, trash, recursive=True, what=shown(command))
    if _DELETES_MANY.search(text):
        home = resolve(Word(where.home), command, where)
        yield Effect(Action.DELETE, "finder", command, home, recursive=True, what=shown(command))
    if _STARTS_LATER.search(text):
        yield Effect(Action.CHANGE_SERVICE, "start-later", command, what=shown(command))
