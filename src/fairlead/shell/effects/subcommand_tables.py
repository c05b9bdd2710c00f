"""Programs that are many programs: a table says which of their subcommands do what."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from fairlead.model.value import Value
from fairlead.shell.arguments import Arguments, read_arguments
from fairlead.shell.effects.effect import Action, Effect, EffectReader
from fairlead.shell.effects.words.plain_names import with_names_hidden, with_selections_hidden
from fairlead.shell.effects.words.word_choice import choice_of
from fairlead.shell.places.targets import Surroundings
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
_FALSE = ("none", "false", "no", "0")
_FURTHEST = 6
"""How many words `**` may stand for, and one."""


class Danger(Value):
    """A subcommand, as a pattern of its operands: `s3 rb`, `* delete-*`, `** delete`.

    `needs`: at least one of these options, or `option=value`, else it is harmless. `unless`: any of these
    makes it harmless, besides the options of a dry run.
    """

    path: str
    name: str
    needs: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
    action: Action | None = None


def subcommand_reader(
    action: Action,
    dangers: Sequence[Danger],
    *,
    valued: Collection[str] = (),
    single_dash: bool = False,
) -> EffectReader:
    """A reader for one program: the first danger in the table that fits is what it does."""
    rules: Sequence[_Rule] = ()

    def read(command: Command, where: Surroundings) -> Sequence[Effect]:
        nonlocal rules
        rules = rules or [_rule(danger) for danger in dangers]
        words = with_selections_hidden(command.argv)[1:]
        given = read_arguments(words, valued=valued, single_dash=single_dash)
        if is_dry_run(given) or ("-h" in given.flags and command.argv[-1].text == "-h"):
            return ()
        told = with_names_hidden([word.text.lower() for word in given.operands])
        first = told[0] if told else ""
        if first == "help" or (first == "search" and len(told) < 3 and not _knows_searching(rules)):
            return ()
        for danger, path, begins, holds in rules:
            if (begins and first not in begins) or (holds and holds.isdisjoint(told)):
                continue
            if fits(path, told) and _applies(danger, given):
                kind, detail = danger.action or action, " ".join(told)[:120]
                return (Effect(kind, danger.name, command, what=shown(command), detail=detail),)
        return ()

    return read


_Rule = tuple[Danger, tuple[str, ...], frozenset[str], frozenset[str]]
"""A danger and the steps of its path; which words the first one has to be of, or any of them, where the path
says so plainly."""
_ANY: frozenset[str] = frozenset()


def _rule(danger: Danger) -> _Rule:
    path = tuple(danger.path.split())
    anywhere = path[:1] == ("**",)
    wanted = next(iter(path[anywhere : anywhere + 1]), "")
    plain = choice_of(wanted).words if wanted and wanted != "**" and choice_of(wanted).is_plain else _ANY
    return danger, path, _ANY if anywhere else plain, plain if anywhere else _ANY


def _knows_searching(rules: Sequence[_Rule]) -> bool:
    return any(path and "search" in path[0].split("|") for _, path, _, _ in rules)


def is_dry_run(given: Arguments) -> bool:
    if given.flags.isdisjoint(DRY_RUN):
        return False
    return any(given.text(flag).lower() not in _FALSE for flag in DRY_RUN & given.flags)


def _applies(danger: Danger, given: Arguments) -> bool:
    if danger.needs and not given.has(*danger.needs) and not any(_is_set(o, given) for o in danger.needs):
        return False
    return not (
        danger.unless and (given.has(*danger.unless) or any(_is_set(o, given) for o in danger.unless))
    )


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


def same_reader(reader: EffectReader, programs: str) -> Mapping[str, EffectReader]:
    return dict.fromkeys(programs.split(), reader)


def grouped_readers(
    action: Action,
    groups: Mapping[str, Sequence[Danger]],
    *,
    valued: Collection[str] = (),
    single_dash: Collection[str] = (),
) -> dict[str, EffectReader]:
    """A reader for each program of each group; programs that do the same share a line of the table."""
    return {
        program: subcommand_reader(action, dangers, valued=valued, single_dash=program in single_dash)
        for programs, dangers in groups.items()
        for program in programs.split()
    }
