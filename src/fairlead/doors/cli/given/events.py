"""Events, in any agent's spelling, and decisions."""

from __future__ import annotations

from fairlead.doors.cli.given.name import Name, among
from fairlead.doors.cli.output import Session
from fairlead.model.decision import DECISION_WORDS
from fairlead.model.event_name import EventName, event_named, known_event_names


def _events(session: Session) -> list[str]:
    return known_event_names()


def _event(session: Session, word: str) -> str | None:
    known = event_named(word) is not EventName.OTHER or word == str(EventName.OTHER)
    return word if known else None


def _decisions(session: Session) -> list[str]:
    return list(DECISION_WORDS)


EVENT = Name("event", _events, find=_event, otherwise="BeforeTool, AfterTool, SessionStart, ...")
DECISION = Name("decision", _decisions, find=among(_decisions))
