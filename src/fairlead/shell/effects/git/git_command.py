"""Git: which subcommand it is, where it runs, and who reads it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from fairlead.shell.arguments import Arguments, read_arguments
from fairlead.shell.effects.effect import Action, Effect, EffectReader
from fairlead.shell.effects.git.add_ons import ADD_ONS
from fairlead.shell.effects.git.configuration import SETTINGS
from fairlead.shell.effects.git.discards import DISCARDS
from fairlead.shell.effects.git.history import HISTORY
from fairlead.shell.effects.git.path_arguments import touched_by_git
from fairlead.shell.effects.git.programs_run import unseen_programs
from fairlead.shell.effects.git.subcommand import Subcommand
from fairlead.shell.effects.git.subcommand_options import GLOBAL_VALUED, LONG_OPTIONS, VALUED
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.script import Command, Word
from fairlead.shell.word_pieces import preceded

_SUBCOMMANDS: dict[str, Subcommand] = {**DISCARDS, **HISTORY, **SETTINGS, **ADD_ONS}


def read_git(command: Command, where: Surroundings, _: EffectReader | None = None) -> Iterator[Effect]:
    words = command.argv[1:]
    if command.name.startswith("git-"):
        words = (command.argv[0].replace(text=command.name[4:]), *words)
    outer = read_arguments(words, valued=GLOBAL_VALUED, until_operand=True)
    if not outer.operands or outer.has("--help", "-h", "--version"):
        return
    name = outer.operands[0].text
    given = read_arguments(outer.operands[1:], valued=VALUED.get(name, ()), long=LONG_OPTIONS.get(name, ()))
    if given.has("--help") or (given.flags == {"-h"} and not given.operands):
        return
    if "-C" in outer.values:
        command = _moved(command, outer.values["-C"])
    shown = " ".join([word.text or "?" for word in command.argv])[:200]
    settings = outer.values.get("-c", ())
    if settings and name == "push" and any(_PUSHES_FORCED.match(word.text) for word in settings):
        yield Effect(Action.REWRITE_HISTORY, "push-force", command, what=shown)
    for detail in unseen_programs(_told(outer, given, name), name, outer.operands[1:], command):
        yield Effect(Action.CHANGE_GIT, "option-executes", command, what=shown, detail=detail)
    reader = _SUBCOMMANDS.get(name)
    if reader is not None:
        forced = given.has("-f", "--force")
        configured = _with_configuration(given, settings, name) if settings else given
        for action, effect, detail in reader(command, configured):
            yield Effect(action, effect, command, what=shown, detail=detail, forced=forced)
    yield from touched_by_git(name, given, command, where)


def _told(outer: Arguments, given: Arguments, name: str) -> Iterator[Word]:
    """The settings that this run of git is given; `--exec-path=DIR` is where it looks for its programs."""
    yield from outer.values.get("-c", ())
    for word in outer.values.get("--exec-path", ()):
        yield preceded(word, "core.execPath=")
    for option in ("-c", "--config") if name == "clone" else ():
        yield from given.values.get(option, ())


_PUSHES_FORCED = lazy(r"remote\..*\.push=\+", re.IGNORECASE)


def _moved(command: Command, folders: Sequence[Word]) -> Command:
    """`git -C DIR` runs there."""
    for word in folders:
        cwd = command.cwd
        path = word.text if word.known else ""
        if path.startswith("/"):
            command = command.replace(cwd=path)
        elif cwd is not None:
            command = command.replace(cwd=f"{cwd}/{path}" if path else None)
    return command


def _with_configuration(given: Arguments, settings: Sequence[Word], name: str) -> Arguments:
    """`-c clean.requireForce=false` stands for `--force`, `-c gc.pruneExpire=now` for `--prune=now`."""
    text = " ".join(word.text.lower() for word in settings)
    if name == "clean" and re.search(r"clean\.requireforce=(?:false|no|off|0)", text):
        return given.replace(flags=given.flags | {"-f"})
    if name == "gc" and re.search(r"gc\.(?:prune|reflog)expire(?:unreachable)?=(?:now|all|0)", text):
        return given.replace(values={**given.values, "--prune": (Word("now"),)})
    return given


def read_gita(command: Command, where: Surroundings, _: EffectReader) -> Iterator[Effect]:
    """`gita super [REPOSITORY...] SUBCOMMAND …` runs git in each of several repositories."""
    words = command.argv[2:]
    if command.argv[1:2] and command.argv[1].text in ("super", *_SUBCOMMANDS):
        words = command.argv[1:] if command.argv[1].text != "super" else words
        first = next((index for index, word in enumerate(words) if word.text in _SUBCOMMANDS), 0)
        yield from read_git(command.replace(argv=(command.argv[0], *words[first:])), where)
