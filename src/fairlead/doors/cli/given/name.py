"""A word that stands for something: completed in a shell, and refused with the nearest one if it is wrong."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from itertools import islice

import click
from click.shell_completion import CompletionItem

from fairlead.doors.cli.given.click_types import TextParameter
from fairlead.doors.cli.output import Session
from fairlead.doors.cli.presentation.words import printable
from fairlead.doors.cli.presentation.wrapping import cut
from fairlead.errors import FairleadError, UsageError
from fairlead.policy.reading.schema import suggestion

Known = Callable[[Session], Iterable[str | tuple[str, str]]]
"""The names that there are, those with something said about them as pairs."""
_OFFERED = 200
_COMPARED = 2000
"""Names among which the nearest is looked for: to compare with each of a million takes minutes."""
_SAID = 60
_PLAIN = re.compile(r"[\w@%+:,./-]+")
"""What needs no quotes in any shell: names may be an agent's invention, and are put into a command line."""


class Name(TextParameter):
    """`find` gives back what the command gets for a word, or None where there is no such thing.

    Without `find` nothing is checked here: the command itself looks the word up, and says so.
    """

    def __init__(
        self,
        noun: str,
        known: Known,
        *,
        find: Callable[[Session, str], str | None] | None = None,
        otherwise: str = "",
    ) -> None:
        self.name = noun.rpartition(" ")[2]
        self.noun, self._known, self._find, self._otherwise = noun, known, find, otherwise

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if not value or self._find is None:
            return value
        session = session_of(ctx)
        found = self._find(session, value)
        if found is None:
            near = [name for name, _ in islice(self.known(session), _COMPARED)]
            hint = suggestion(value, near, otherwise=self._otherwise or _one_of(near))
            raise UsageError(f"there is no {self.noun} {value!r}", hint=hint)
        return found

    def known(self, session: Session) -> Iterator[tuple[str, str]]:
        for each in self._known(session):
            yield (each, "") if isinstance(each, str) else each

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Whatever is wrong with the machine, a Tab key prints no error into a command line."""
        try:
            fitting = {
                name: CompletionItem(name, help=cut(printable(said), _SAID) or None)
                for name, said in self.known(session_of(ctx))
                if name.startswith(incomplete) and _PLAIN.fullmatch(name)
            }
            return list(islice(fitting.values(), _OFFERED))
        except (OSError, sqlite3.Error, FairleadError):
            return []


def session_of(ctx: click.Context | None) -> Session:
    """While a shell completes a line, nothing has run that would have made one."""
    if ctx is None:
        return Session("")
    return ctx.find_object(Session) or Session(ctx.find_root().params.get("home") or "")


def among(known: Known) -> Callable[[Session, str], str | None]:
    """Finds a word that is one of the names, and gives it back as it is."""

    def find(session: Session, word: str) -> str | None:
        return word if any(word in (name, name[0]) for name in known(session)) else None

    return find


def _one_of(names: list[str]) -> str:
    return f"one of: {', '.join(names)}" if 0 < len(names) <= 24 else ""
