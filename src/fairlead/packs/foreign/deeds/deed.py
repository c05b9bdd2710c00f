"""What a row of the tables says: which words of a tool's name tell which deed."""

from __future__ import annotations

from fairlead.model.value import Value
from fairlead.packs.foreign.deeds.told import Told
from fairlead.shell.word_sets import names


class Deed(Value):
    """A tool whose name has one of `verbs`, one of `things` and one of `beside`, at a server of which, or of whose
    tool, one of `at` is said; nothing said of things, neighbours or servers fits all of them. A word of `unless` in
    the tool's name, or one of `elsewhere` in the server's, and it is none."""

    effect: str
    verbs: frozenset[str]
    things: frozenset[str]
    at: frozenset[str]
    unless: frozenset[str]
    beside: frozenset[str]
    elsewhere: frozenset[str]

    def fits(self, told: Told) -> bool:
        tool = told.tool
        return (
            not self.verbs.isdisjoint(tool)
            and (not self.things or not self.things.isdisjoint(tool))
            and (not self.at or not self.at.isdisjoint(told.known))
            and (not self.beside or not self.beside.isdisjoint(tool))
            and self.unless.isdisjoint(tool)
            and self.elsewhere.isdisjoint(told.known)
        )


def deed(
    effect: str,
    verbs: str,
    things: str = "",
    *,
    beside: str = "",
    at: str = "",
    unless: str = "",
    elsewhere: str = "",
) -> Deed:
    return Deed(
        effect, names(verbs), names(things), names(at), names(unless), names(beside), names(elsewhere)
    )
