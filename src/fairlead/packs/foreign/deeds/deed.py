"""What a row of the tables says: which words of a tool's name tell which deed."""

from __future__ import annotations

from fairlead.model.value import Value
from fairlead.packs.foreign.deeds.told import Told
from fairlead.shell.word_sets import names


class Deed(Value):
    """A tool whose name has one of `verbs` and one of `things`, at a server of which, or of whose tool, one of `at`
    is said; nothing said of things or servers fits all of them, and a word of `unless` none."""

    effect: str
    verbs: frozenset[str]
    things: frozenset[str]
    at: frozenset[str]
    unless: frozenset[str]

    def fits(self, told: Told) -> bool:
        tool = told.tool
        return (
            not self.verbs.isdisjoint(tool)
            and (not self.things or not self.things.isdisjoint(tool))
            and (not self.at or not self.at.isdisjoint(told.known))
            and self.unless.isdisjoint(tool)
        )


def deed(effect: str, verbs: str, things: str = "", *, at: str = "", unless: str = "") -> Deed:
    return Deed(effect, names(verbs), names(things), names(at), names(unless))
