"""Finds what is known about a program. The modules of its family are imported when it first appears."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType

from fairlead.shell.programs.compiled.index import FAMILY_OF, KINDS
from fairlead.shell.programs.record import Program, program_from

_KIND_BEGINNINGS = tuple(KINDS)
_NO_PROGRAMS: Mapping[str, Program] = MappingProxyType({})
_NO_ADDITIONS: Mapping[str, tuple[Program, ...]] = MappingProxyType({})


class Programs:
    """What is known, and what a person taught besides. Only programs that are listed are remembered, so
    that the names in a hostile line fill no memory.

    `taught` are programs that nobody else lists; `added` is what somebody says besides of any program.
    """

    __slots__ = ("_found", "_taught", "added")

    def __init__(
        self,
        taught: Mapping[str, Program] = _NO_PROGRAMS,
        added: Mapping[str, tuple[Program, ...]] = _NO_ADDITIONS,
    ) -> None:
        self._taught = taught
        self.added = added
        self._found: dict[str, Program] = {}

    def find(self, name: str) -> Program | None:
        found = self._found.get(name)
        if found is not None:
            return found
        if name in self._taught:
            return self._taught[name]
        family = FAMILY_OF.get(name)
        if family is None:
            if not name.startswith(_KIND_BEGINNINGS):
                return None
            kind = next(kind for beginning, kind in KINDS.items() if name.startswith(beginning))
            return self.find(kind)
        module = import_module(f"fairlead.shell.programs.compiled.{family}")
        found = program_from(name, family, module.PROGRAMS[module.SAME.get(name, name)])
        self._found[name] = found
        return found


SHIPPED = Programs()
"""What Fairlead itself knows."""
