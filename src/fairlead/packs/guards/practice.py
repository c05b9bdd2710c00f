"""What a process that will judge many calls does before the first."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pkgutil import walk_packages

from fairlead.model.installation import NOWHERE
from fairlead.packs.judging.call_effects import home_of_user, surroundings
from fairlead.packs.judging.judge import find_matches
from fairlead.packs.judging.pack_table import PACKS, all_packs
from fairlead.packs.repository.states import LOST, OUTSIDE
from fairlead.packs.rule import Scene
from fairlead.shell.effects.program_effects import reader_of
from fairlead.shell.effects.script_effects import effects_of
from fairlead.shell.programs.compiled.index import FAMILY_OF
from fairlead.shell.reader import read_script

_ROOMS = (
    "fairlead.packs.earlier",
    "fairlead.packs.foreign",
    "fairlead.packs.judging.losses.committed_work",
    "fairlead.packs.names",
    "fairlead.packs.noting",
    "fairlead.packs.project_files",
    "fairlead.packs.repository",
    "fairlead.packs.results",
    "fairlead.sessions",
    "fairlead.shell.expansion",
    "fairlead.shell.following",
    "fairlead.shell.protected",
)
"""What a process that answers one call opens only where it is needed."""


def load_rooms() -> None:
    """All of them: no call of a process that answers many waits for a module."""
    for name in _ROOMS:
        room = import_module(name)
        for module in walk_packages(getattr(room, "__path__", ()), f"{name}."):
            import_module(module.name)


def practise() -> None:
    """Looks every program up, reads the examples of all rules, as texts, and judges them: then no first command
    of its kind waits for a table or a pattern that is made when it is first needed."""
    where = surroundings("/", home_of_user(), NOWHERE)
    examples = [
        text for pack in all_packs() for rule in pack.rules for text in (*rule.dangerous, *rule.harmless)
    ]
    for name in FAMILY_OF:
        program = where.programs.find(name)
        if program is not None:
            reader_of(program)
    for text in examples:
        script = read_script(text, cwd="/", home=where.home)
        effects = tuple(effects_of(script, where))
        for _ in find_matches(effects, tuple(PACKS), Scene(script, where, _NoRepository())):
            pass


class _NoRepository:
    """Practice asks git nothing."""

    def __call__(self, root: str, paths: Sequence[str], lost: frozenset[str] = LOST, /) -> str:
        return OUTSIDE

    def tracks(self, root: str, paths: Sequence[str], /) -> bool:
        return False

    def set_to(self, root: str, revisions: Sequence[str], /) -> str:
        return OUTSIDE
