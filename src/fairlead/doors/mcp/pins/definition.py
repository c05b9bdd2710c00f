"""A tool, a prompt, a resource or a server's instructions at one moment."""

from __future__ import annotations

import json
from collections.abc import Mapping
from enum import StrEnum

from fairlead.doors.mcp.pins.canonical import (
    FORMULA,
    FORMULAS,
    UnpinnableError,
    canonical,
    rest_of,
    words_of,
)
from fairlead.model.value import Value

KEPT = 1 << 17
"""Characters of a definition that are kept to show what changed; of a longer one there are digests alone."""


class Kind(StrEnum):
    TOOL = "tool"
    PROMPT = "prompt"
    RESOURCE = "resource"
    TEMPLATE = "template"
    INSTRUCTIONS = "instructions"


NAMED_BY: Mapping[Kind, str] = {
    Kind.TOOL: "name",
    Kind.PROMPT: "name",
    Kind.RESOURCE: "uri",
    Kind.TEMPLATE: "uriTemplate",
    Kind.INSTRUCTIONS: "name",
}


class Hints(Value):
    """What a tool says of its own harm, with what the specification takes where it says nothing."""

    read_only: bool = False
    destructive: bool = True
    open_world: bool = True

    def milder_than(self, other: Hints) -> tuple[str, ...]:
        """The hints that promise less harm than they did. `idempotentHint` is not among them: it says what a
        second call does, and spares nobody a question."""
        found = (
            ("readOnlyHint", self.read_only and not other.read_only),
            ("destructiveHint", other.destructive and not self.destructive),
            ("openWorldHint", other.open_world and not self.open_world),
        )
        return tuple(name for name, milder in found if milder)


class Definition(Value):
    """`words` and `rest` are digests by the formula of that number."""

    words: str
    rest: str
    formula: int = FORMULA
    hints: Hints = Hints()
    content: str = ""
    """The whole in its canonical form; empty where it is too long to be kept."""

    @property
    def members(self) -> dict[str, object]:
        """Empty where the content was not kept."""
        try:
            members = json.loads(self.content) if self.content else {}
        except ValueError:
            return {}
        return members if isinstance(members, dict) else {}


def define(members: Mapping[str, object], *, formula: int = FORMULA) -> Definition:
    """Raises UnpinnableError."""
    digest = FORMULAS.get(formula)
    if digest is None:
        raise UnpinnableError(f"it was pinned by formula {formula}, which is not known here")
    content = canonical({**rest_of(members), **words_of(members)})
    kept = content if len(content) <= KEPT else ""
    return Definition(digest(words_of(members)), digest(rest_of(members)), formula, hints_of(members), kept)


def hints_of(members: Mapping[str, object]) -> Hints:
    """A value that is no flag is taken for the mildest that a client could take it for."""
    said = members.get("annotations")
    notes = said if isinstance(said, Mapping) else {}
    read_only, destructive, open_world = (
        notes.get(name) for name in ("readOnlyHint", "destructiveHint", "openWorldHint")
    )
    return Hints(
        read_only=read_only not in (None, False),
        destructive=destructive in (None, True),
        open_world=open_world in (None, True),
    )


def name_of(kind: Kind, members: Mapping[str, object]) -> str:
    """Raises UnpinnableError where it has none that could be called."""
    name = members.get(NAMED_BY[kind])
    if not isinstance(name, str) or not name:
        raise UnpinnableError("it has no name")
    return name
