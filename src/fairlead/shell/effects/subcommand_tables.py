"""Tables of subcommands inside code that reads a program; most programs have theirs in the data."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from fairlead.model.value import Value
from fairlead.shell.effects.effect import Action, EffectReader
from fairlead.shell.effects.program_effects import DRY_RUN as DRY_RUN
from fairlead.shell.effects.program_effects import deeds_reader
from fairlead.shell.effects.program_effects import fits as fits
from fairlead.shell.effects.program_effects import is_dry_run as is_dry_run
from fairlead.shell.effects.program_effects import shown as shown
from fairlead.shell.programs.record import Deed, Program


class Danger(Value):
    """As a deed of the data, with the action of its table where it names none."""

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
    deeds = tuple(
        Deed(each.path, str(each.action or action), each.name, each.needs, each.unless) for each in dangers
    )
    return deeds_reader(Program("", "", deeds, frozenset(valued), single_dash))


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
