"""Programs that something is known about, and their families."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.doors.cli.given.name import Name
from fairlead.doors.cli.output import Session

TAUGHT = "taught"
"""The family of those that a policy teaches."""


def _programs(session: Session) -> Iterator[tuple[str, str]]:
    from fairlead.shell.programs.compiled.index import FAMILY_OF

    yield from ((name, family.replace("_", "-")) for name, family in FAMILY_OF.items())


def _families(session: Session) -> Iterator[str]:
    from fairlead.shell.programs.compiler import read_families

    yield from (one.path.stem for one in read_families())
    yield TAUGHT


PROGRAM = Name("program", _programs)
FAMILY = Name("family", _families)
