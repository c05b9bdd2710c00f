"""Our own programs under other names: links and copies, here or made by the line, globs, modules."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterator, Sequence

from fairlead.shell.arguments import read_arguments
from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.effects.own.own_commands import OUR_OWN, may_loosen, own_command, says_to_loosen
from fairlead.shell.effects.program_effects import shown
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.paths import absolute
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.places.targets import Place, resolve
from fairlead.shell.script import Command, Word, printing_programs
from fairlead.shell.unknown import Kind, Unknown
from fairlead.shell.word_sets import names

_OWN_NAMES = ("fairlead", "fairlead-hook")
_OWN_PROGRAM = lazy(r"/bin/fairlead(?:-hook)?$")
_OWN_PACKAGE = lazy(r"/fairlead(?:/__main__\.py)?/?$")
_SYSTEM_PROGRAMS = ("/bin/", "/usr/bin/", "/sbin/", "/usr/sbin/")
_LOADER = lazy(r"/ld(?:-linux|-musl)?[\w.-]*\.so[\w.]*$")
_NAMING = frozenset(("cp", "gcp", "ln", "mv", "gmv", "install"))


def under_another_name(command: Command, where: Surroundings, *, listed: bool) -> Iterator[Effect]:
    """`./f off` after `ln -s …/fairlead f`, or after a copy. Only what is told to loosen is looked at."""
    program, *words = command.argv
    if not may_loosen(words):
        return
    if not program.known:
        yield from _found_program(command)
    elif program.glob:
        if any(fnmatch.fnmatchcase(name, program.text.rsplit("/", 1)[-1]) for name in _OWN_NAMES):
            yield from own_command(command, 1)
    elif "/" in program.text:
        loaded = 1 if _LOADER.search(program.text) else 0
        system = program.text.startswith(_SYSTEM_PROGRAMS)
        if not system and _is_own_file(command.argv[loaded], command, where):
            yield from own_command(command, 1 + loaded)
    elif not listed and says_to_loosen(words):
        from fairlead.shell.effects.own.own_programs import (
            is_own_command,  # only where an unknown one is so told
        )

        if is_own_command(program.text, command.cwd, where.home, where.root):
            yield from own_command(command, 1)


def _found_program(command: Command) -> Iterator[Effect]:
    """`find / -name fair\\* -exec {} off \\;`: nobody says which program, and few others know the word."""
    if command.argv[1].text in OUR_OWN and _is_searched_for(command.argv[0].opaque):
        yield Effect(Action.CHANGE_GUARD, "hidden-program", command, what=shown(command))


_SEARCHING = names("ls find fd locate whereis echo")


def _is_searched_for(unknown: Unknown | None) -> bool:
    """Whether it is a path that something found, listed or read."""
    if unknown is None:
        return False
    found = unknown.has(Kind.MATCH, Kind.FOUND, Kind.FOUND_BY_FIND, Kind.XARGS_ITEM)
    return found or not _SEARCHING.isdisjoint(printing_programs(unknown))


def _is_own_file(word: Word, command: Command, where: Surroundings) -> bool:
    from fairlead.shell.effects.own.own_programs import (
        is_own_program,  # only where a file has to be looked at
    )

    target = resolve(word, command, where)
    here = target.place not in (Place.REMOTE, Place.REMOTE_ROOT) and word.known and not word.glob
    return here and is_own_program(target.real or target.path)


_MODULE = lazy(r"-[bBdEiIOPqRsSuvx]*m(.*)")
_CODE = lazy(r"-[bBdEiIOPqRsSuvx]*c")


def python_program(command: Command, where: Surroundings) -> Iterator[Effect]:
    """`python -m fairlead off`, `python copy-of-fairlead off`: the same by another door."""
    words = iter(enumerate(command.argv[1:], start=1))
    for index, word in words:
        module = _MODULE.fullmatch(word.text)
        if module is not None:
            apart = not module[1] and index + 1 < len(command.argv)
            name = command.argv[index + 1].text if apart else module[1]
            if name.split(".")[0] == "fairlead":
                yield from own_command(command, index + (2 if apart else 1))
            return
        if word.text in ("-W", "-X", "--check-hash-based-pycs"):
            next(words, None)
        elif _CODE.match(word.text):
            return
        elif word.text == "-" or not word.text.startswith("-"):
            yield from _own_script(command, index, where)
            return


def _own_script(command: Command, index: int, where: Surroundings) -> Iterator[Effect]:
    script = command.argv[index] if command.argv[index].text != "-" else command.stdin.path
    if script is None or not may_loosen(command.argv[index + 1 :]):
        return
    if _OWN_PACKAGE.search(script.text) or _is_own_file(script, command, where):
        yield from own_command(command, index + 1)


def second_name(
    sources: Sequence[Word], destination: Word, command: Command, where: Surroundings
) -> Iterator[Effect]:
    """`ln -s $(which fairlead) f`: a name by which nobody recognises the guard's own program."""
    if destination.text.rsplit("/", 1)[-1] in ("", ".", "..", *_OWN_NAMES):
        return
    for word in sources:
        if word.known and (_OWN_PROGRAM.search(word.text) or _is_own_file(word, command, where)):
            yield Effect(Action.CHANGE_GUARD, "hidden-program", command, what=shown(command))
            return


def through_names_of_the_line(commands: Sequence[Command], where: Surroundings) -> Iterator[Effect]:
    """`cp copy h && ./h off`: the name is not on the disk yet, but what it will stand for is."""
    told = [each for each in commands if each.argv and "/" in each.argv[0].text and may_loosen(each.argv[1:])]
    if not told:
        return
    new = {name for each in commands if each.name in _NAMING for name in _new_names(each, where)}
    for command in told if new else ():
        if absolute(command.argv[0].text, command.cwd) in new:
            yield from own_command(command, 1)


def _new_names(naming: Command, where: Surroundings) -> Iterator[str]:
    """Those that this command gives to a program of ours."""
    *sources, destination = read_arguments(naming.argv[1:]).operands or (Word(""),)
    own = [word for word in sources if _is_own_file(word, naming, where)]
    path = resolve(destination, naming, where).path if own else ""
    if path:
        yield path
        yield from (f"{path}/{word.text.rstrip('/').rsplit('/', 1)[-1]}" for word in own)
