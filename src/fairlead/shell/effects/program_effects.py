"""What a program does by its record: the first deed whose words fit, or the code that the record names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from importlib import import_module
from itertools import combinations, pairwise

from fairlead.shell.arguments import Arguments, read_arguments
from fairlead.shell.effects.effect import Action, Effect, EffectReader
from fairlead.shell.effects.words.plain_names import with_names_hidden, with_selections_hidden
from fairlead.shell.effects.words.word_choice import choice_of
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.programs.lookup import SHIPPED
from fairlead.shell.programs.record import Deed, Program
from fairlead.shell.script import Command

DRY_RUN = frozenset(
    (
        "--dry-run",
        "--dryrun",
        "--dry_run",
        "--help",
        "--simulate",
        "--just-print",
        "--check",
        "-dry-run",
        "-help",
    )
)
_HELP = ("--help", "-help", "-h", "--version", "-V")
_FALSE = ("none", "false", "no", "0")
_MOST_OPEN = 4
"""How many options that no record lists are read with a value and without one."""
_FURTHEST = 6
"""How many words `**` may stand for, and one."""


def is_asked(about: str, name: str) -> bool:
    """Whether the record of the program of that name has this word under `also`."""
    program = SHIPPED.find(name)
    return program is not None and about in program.also


def reader_named(name: str) -> EffectReader | None:
    program = SHIPPED.find(name)
    return reader_of(program) if program is not None else None


def reader_of(program: Program) -> EffectReader | None:
    """How this program is read; None where nothing is known but its name."""
    if not program.known:
        return None
    return _reader(program)


_SQL_CLIENT = "databases.database_clients:read_sql_client"


@lru_cache(maxsize=4096)
def _reader(program: Program) -> EffectReader:
    """One for each record that is listed or taught, so that this memory is bounded."""
    by_deeds = _read_either_way(program) if program.open_options else deeds_reader(program)
    code = program.code or (_SQL_CLIENT if program.sql else "")
    if not code:
        return by_deeds
    module, _, name = code.partition(":")
    found = getattr(import_module(f"fairlead.shell.effects.{module}"), name)
    if isinstance(found, dict):
        reader: EffectReader = found[program.name]
        return reader

    def read(command: Command, where: Surroundings) -> Sequence[Effect]:
        effects: Sequence[Effect] = found(command, where, by_deeds)
        return effects

    return read


def options_of(command: Command, where: Surroundings) -> Arguments:
    """The words of a command, read by what the record of its program says about its options."""
    program = where.programs.find(command.name)
    if program is None:
        return read_arguments(command.argv[1:])
    return read_arguments(command.argv[1:], valued=program.values, single_dash=program.single_dash)


def deeds_reader(program: Program) -> EffectReader:
    """A reader that goes by what the record says it does: the first deed that fits counts."""
    if not program.does:
        return _read_nothing
    rules: Sequence[_Rule] = ()

    def read(command: Command, where: Surroundings) -> Sequence[Effect]:
        nonlocal rules
        rules = rules or [_rule(deed) for deed in program.does]
        words = with_selections_hidden(command.argv)[1:]
        given = read_arguments(words, valued=program.values, single_dash=program.single_dash)
        if _is_harmless(command, given, program):
            return ()
        told = with_names_hidden([word.text.lower() for word in given.operands])
        first = told[0] if told else ""
        if first == "help" or (first == "search" and len(told) < 3 and not _knows_searching(rules)):
            return ()
        for deed, action, path, begins, holds in rules:
            if (begins and first not in begins) or (holds and holds.isdisjoint(told)):
                continue
            if fits(path, told) and _applies(deed, given):
                way = _live_way(deed.way, command, where) if deed.way in _LIVE_WAYS else deed.way
                detail = " ".join(told)[:120]
                return (Effect(action, way, command, what=shown(command), detail=detail),) if way else ()
        return ()

    return read


def _read_either_way(program: Program) -> EffectReader:
    """A reader for a program whose options are not all listed: each of the others may take a value or none.

    Whoever teaches a program names what it must not do, and seldom every option: `--context prod delete`
    would hide `delete` behind a word that is none of the command.
    """

    def read(command: Command, where: Surroundings) -> Sequence[Effect]:
        for valued in _possible_values(command, program):
            found = deeds_reader(program.replace(values=valued))(command, where)
            if found:
                return tuple(found)
        return ()

    return read


def _possible_values(command: Command, program: Program) -> Iterator[frozenset[str]]:
    listed = {option.partition("=")[0] for deed in program.does for option in (*deed.needs, *deed.unless)}
    words = [word.text for word in command.argv]
    open_ = [
        option if program.single_dash or option.startswith("--") else f"-{option[-1]}"
        for option, after in pairwise(words)
        if option[:1] == "-" and option.strip("-") and "=" not in option and after[:1] != "-"
    ]
    unlisted = dict.fromkeys(option for option in open_ if option not in listed | DRY_RUN | program.values)
    for count in range(min(len(unlisted), _MOST_OPEN) + 1):
        for chosen in combinations(list(unlisted)[:_MOST_OPEN], count):
            yield program.values | frozenset(chosen)


def _read_nothing(command: Command, where: Surroundings) -> Sequence[Effect]:
    return ()


_Rule = tuple[Deed, Action, tuple[str, ...], frozenset[str], frozenset[str]]
"""A deed, what it does, and the steps of its pattern; which words the first one has to be of, or any of
them, where the pattern says so plainly."""
_ANY: frozenset[str] = frozenset()


def _rule(deed: Deed) -> _Rule:
    path = tuple(deed.on.split())
    anywhere = path[:1] == ("**",)
    wanted = next(iter(path[anywhere : anywhere + 1]), "")
    plain = choice_of(wanted).words if wanted and wanted != "**" and choice_of(wanted).is_plain else _ANY
    return deed, Action(deed.action), path, _ANY if anywhere else plain, plain if anywhere else _ANY


def _is_harmless(command: Command, given: Arguments, program: Program) -> bool:
    """Whether it is asked for help or for a dry run. A record may know `-h` as more: `shutdown -h` halts."""
    if "heedless" in program.also:
        return any(word.text in _HELP for word in command.argv[1:2])
    if is_dry_run(given) and ("no-dry-run" not in program.also or given.has("--help", "-help")):
        return True
    asks = "-h" in given.flags and command.argv[-1].text == "-h"
    return asks and not any("-h" in deed.needs for deed in program.does)


def _knows_searching(rules: Sequence[_Rule]) -> bool:
    return any(path and "search" in path[0].split("|") for _, _, path, _, _ in rules)


def is_dry_run(given: Arguments) -> bool:
    if given.flags.isdisjoint(DRY_RUN):
        return False
    return any(given.text(flag).lower() not in _FALSE for flag in DRY_RUN & given.flags)


def _applies(deed: Deed, given: Arguments) -> bool:
    if deed.needs and not given.has(*deed.needs) and not any(_is_set(o, given) for o in deed.needs):
        return False
    return not (deed.unless and (given.has(*deed.unless) or any(_is_set(o, given) for o in deed.unless)))


_LIVE_WAYS = ("go-live", "go-live-if-named")


def _live_way(way: str, command: Command, where: Surroundings) -> str:
    """Empty where it is only tried out."""
    from fairlead.shell.effects.services.live_places import GO_LIVE, goes_live  # only for a deployment

    return GO_LIVE if goes_live(command, where, way) else ""


def _is_set(option: str, given: Arguments) -> bool:
    """Whether an option that is named with a value has this value."""
    name, equals, value = option.partition("=")
    return bool(equals) and given.text(name) == value


def fits(path: Sequence[str], words: Sequence[str]) -> bool:
    """Whether the words begin with the path; `**` stands for any number of words."""
    for place, step in enumerate(path):
        if step == "**":
            rest, furthest = path[place + 1 :], min(len(words), place + _FURTHEST)
            return any(fits(rest, words[start:]) for start in range(place, furthest))
        if place == len(words) or words[place] not in choice_of(step):
            return False
    return True


def shown(command: Command) -> str:
    return " ".join([word.text or "?" for word in command.argv])[:200]
