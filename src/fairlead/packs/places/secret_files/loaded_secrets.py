"""Whether a file of secrets is loaded for programs that need it, and whether what was loaded is shown."""

from __future__ import annotations

import re

from fairlead.packs.places.secret_files.unshown_secrets import traces
from fairlead.packs.rule import Scene
from fairlead.shell.effects.effect import Effect
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.script import Command, Word
from fairlead.shell.unknown import Kind

_DUMPS = frozenset(("env", "printenv", "set", "export", "declare", "compgen"))
_IN_CODE = lazy(r"process\.env\s*\)?$|print\(\s*(?:dict\()?os\.environ|(?:puts|p|pp)\s*\(?ENV\b|\$ENV\b")


def _takes_variables(command: Command) -> bool:
    """`export …`, `env … program`."""
    return command.name == "export" or any(wrapper.name == "env" for wrapper in command.wrappers)


def is_loaded(effect: Effect, scene: Scene) -> bool:
    """`export $(cat .env | xargs)` loads the file and shows nothing, unless all is shown afterwards."""
    inner = effect.command
    if "$()" not in inner.via:
        return False
    outer = [
        c
        for c in scene.script.commands
        if c.start <= inner.start
        and inner.end <= c.end
        and len(c.via) < len(inner.via)
        and _takes_variables(c)
    ]
    dumped = any(command.name in ("env", "printenv") for command in scene.script.commands)
    return bool(outer) and not dumped


def shows_loaded(effect: Effect, scene: Scene) -> bool:
    """`source .env; env`: what comes after the file prints its variables."""
    if traces(scene):
        return True
    printed = any(
        (command.name in ("echo", "printf") and any(_shows_variable(w, command) for w in command.argv[1:]))
        or any(_IN_CODE.search(word.text) for word in command.argv[1:])
        for command in scene.script.commands
        if command.start >= effect.start
    )
    return printed or any(
        command.name in _DUMPS and _dumps(command) and command.start >= effect.start
        for command in scene.script.commands
        if all(word.text.startswith("-") for word in command.argv[1:])
    )


def _shows_variable(word: Word, command: Command) -> bool:
    """`${#KEY}` says how long it is. Files say a lot about themselves: only what nothing in them sets may be a
    value of the secret file."""
    if word.opaque is None or "$" not in re.sub(r"\$\{#\w+\}", "", word.text):
        return False
    return command.origin is None or word.opaque.has(Kind.SOURCED, Kind.UNSET, Kind.ENVIRONMENT)


def _dumps(command: Command) -> bool:
    """`set -a` prints nothing, `set` does."""
    return len(command.argv) <= (1 if command.name == "set" else 2)
