"""What several commands of git do together: each alone would say less."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.effects.program_effects import shown
from fairlead.shell.effects.together.feeding_commands import Sources
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.places.targets import resolve
from fairlead.shell.script import Command

_RANGE = lazy(r"~|\^|\.\.|@\{|^[0-9a-f]{7,40}$")
_ADDRESS = lazy(r"^(?:https?|git|ssh|ftp)://|^[\w.-]+@[\w.-]+:")


def git_together(commands: tuple[Command, ...], sources: Sources, where: Surroundings) -> Iterator[Effect]:
    """Changes that are undone, and a push to an address that the same line sets."""
    yield from _reversed_own_changes(commands, sources, where)
    yield from _pushed_to_new_remote(commands)


def _words(command: Command) -> list[str]:
    return [word.text for word in command.argv[1:]]


def _is(command: Command, *subcommands: str) -> bool:
    return command.name == "git" and any(word in subcommands for word in _words(command)[:4])


def _reversed_own_changes(
    commands: tuple[Command, ...], sources: Sources, where: Surroundings
) -> Iterator[Effect]:
    """`git diff | git apply -R` is `git checkout -- .` in other words."""
    diffs = [command for command in commands if _is(command, "diff") and not _between_commits(command)]
    if not diffs:
        return
    saved = {
        resolve(redirect.target, command, where).path
        for command in diffs
        for redirect in command.redirects
        if ">" in redirect.operator
    } - {""}
    known, inside = {id(diff) for diff in diffs}, [diff for diff in diffs if "<()" in diff.via]
    for command in commands:
        words = _words(command)
        reverses = command.name == "patch" or _is(command, "apply")
        if not reverses or not any(re.match(r"^-\w*R|^--reverse$", word) for word in words):
            continue
        if any(word in ("--check", "--dry-run", "--stat", "--cached") for word in words):
            continue
        fed = any(id(before) in known for before in sources.before(command)) or any(
            command.start <= diff.start < command.end and command.origin == diff.origin for diff in inside
        )
        named = {resolve(word, command, where).path for word in command.argv[1:]} if saved else set()
        named |= {resolve(r.target, command, where).path for r in command.redirects if r.operator == "<"}
        if fed or saved & named:
            yield Effect(Action.DISCARD_GIT_WORK, "checkout-paths", command, what=shown(command))


def _between_commits(command: Command) -> bool:
    """What two commits differ in is kept in them."""
    return any(_RANGE.search(word) for word in _words(command))


def _pushed_to_new_remote(commands: tuple[Command, ...]) -> Iterator[Effect]:
    """An address that the same line sets, and a push: nobody has seen where it goes."""
    address = ""
    for command in commands:
        if _is(command, "remote", "config") and any(
            word in ("add", "set-url") or "remote." in word for word in _words(command)
        ):
            address = next((word for word in _words(command) if _ADDRESS.match(word)), address)
        elif address and _is(command, "push") and "--dry-run" not in _words(command):
            yield Effect(Action.SEND_DATA, "push-address", command, what=shown(command), detail=address)
