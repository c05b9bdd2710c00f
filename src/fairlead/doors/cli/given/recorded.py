"""What the journal knows: calls, sessions, tools, projects, and the agents and rules that stand in it.

A Tab key reads the index as it is; before a word is refused, the index is brought up to date.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

from fairlead.doors.cli.given.agents import AGENT
from fairlead.doors.cli.given.name import Name
from fairlead.doors.cli.given.rules import rule_ids
from fairlead.doors.cli.output import Session
from fairlead.doors.cli.presentation.words import shown_decision
from fairlead.errors import UsageError

_NEWEST = 100
SHORT_ID = 8
"""The end of an id: what `log` shows of it."""


def _newest_calls(session: Session) -> Iterator[tuple[str, str]]:
    from fairlead.doors.cli.recorded.journal_index import open_as_it_is
    from fairlead.store.query import Query

    with open_as_it_is(session) as reader:
        for call in reader.calls(Query(limit=_NEWEST)) if reader else ():
            yield call.id[-SHORT_ID:], f"{shown_decision(call.decision)} {call.agent} {call.summary}"


def _sessions(session: Session) -> Iterator[tuple[str, str]]:
    from fairlead.doors.cli.recorded.journal_index import open_as_it_is
    from fairlead.store.query import Query

    with open_as_it_is(session) as reader:
        for line in reader.sessions(Query(limit=_NEWEST, canaries=True)) if reader else ():
            yield line.session, f"{line.agent}, {line.calls} calls, {line.root}"


def _names(column: str) -> Callable[[Session], Iterator[str]]:
    """The words in a column of the newest calls."""

    def known(session: Session) -> Iterator[str]:
        from fairlead.doors.cli.recorded.journal_index import open_as_it_is
        from fairlead.store.query import Query

        with open_as_it_is(session) as reader:
            calls = reader.calls(Query(limit=_NEWEST * 20, canaries=True)) if reader else []
        yield from dict.fromkeys(word for call in calls if (word := getattr(call, column)))

    return known


_Find = Callable[[Session, str], str | None]


def _in_journal(session: Session, column: str, word: str) -> bool:
    from fairlead.doors.cli.recorded.journal_index import index_reader
    from fairlead.store.query import Query

    with index_reader(session) as reader:
        wanted = Query(canaries=True, limit=1).replace(**{column: word})
        return bool(reader.calls(wanted) or (column == "rule" and reader.calls(wanted.replace(would=True))))


def _find(column: str, *, elsewhere: _Find) -> _Find:
    """A word that something else knows, or else one that a recorded call has."""

    def find(session: Session, word: str) -> str | None:
        return elsewhere(session, word) or (word if _in_journal(session, column, word) else None)

    return find


def _agent(session: Session, word: str) -> str | None:
    try:
        return AGENT.convert(word, None, None)
    except UsageError:
        return None


def _agents(session: Session) -> Iterator[str]:
    yield from dict.fromkeys([*(name for name, _ in AGENT.known(session)), *_names("agent")(session)])


def _rule(session: Session, word: str) -> str | None:
    """`git/*` is every rule of a pack."""
    from fnmatch import fnmatchcase

    return word if any(fnmatchcase(rule, word) for rule, _ in rule_ids(session)) else None


def _rules(session: Session) -> Iterator[str | tuple[str, str]]:
    from fairlead.packs.judging.pack_table import PACKS

    yield from (f"{pack}/*" for pack in PACKS)
    yield from rule_ids(session)
    yield from _names("rule")(session)


def _tools(session: Session) -> Iterator[str]:
    from fairlead.dialects.tool_names import known_tools

    yield from dict.fromkeys([*_names("tool")(session), *known_tools()])


def _tool(session: Session, word: str) -> str | None:
    from fairlead.dialects.tool_names import known_tools

    return word if word in known_tools() else None


def _remembered(session: Session, word: str) -> str | None:
    """A session whose calls have left the journal may still be remembered."""
    from fairlead.doors.cli.recorded.session_memory import agents_of

    return word if any(agents_of(session.places, word)) else None


def _folder(session: Session, word: str) -> str | None:
    return word if os.path.isdir(word) else None


def _project(session: Session, word: str) -> str | None:
    root = os.path.abspath(word)
    return _folder(session, word) or (word if _in_journal(session, "root", root) else None)


CALL = Name("call", _newest_calls)
SESSION = Name(
    "session",
    _sessions,
    find=_find("session", elsewhere=_remembered),
    otherwise="`fairlead sessions` lists those that made calls",
)
RECORDED_AGENT = Name("agent", _agents, find=_find("agent", elsewhere=_agent))
RECORDED_RULE = Name(
    "rule",
    _rules,
    find=_find("rule", elsewhere=_rule),
    otherwise="`fairlead stats --by rules` lists those that decided",
)
TOOL = Name(
    "tool",
    _tools,
    find=_find("tool", elsewhere=_tool),
    otherwise="`fairlead stats --by tools` lists those that were used",
)
PROJECT = Name(
    "project",
    _names("root"),
    find=_project,
    otherwise="`fairlead stats --by projects` lists those with calls",
)
