"""What became of a call that was judged: did the tool run?"""

from __future__ import annotations

from collections.abc import Mapping

from fairlead.journal.line import Record
from fairlead.model.decision import DECISION_WORDS, Decision
from fairlead.model.value import Value
from fairlead.store.entry import AFTER_EVENTS, moment
from fairlead.store.query import Query
from fairlead.store.reader import IndexReader

_LOOKED_AT = 500
_BEFORE = ("BeforeTool", "ToolPermission", "BeforeResource", "BeforeServerPrompt")


class Effect(Value):
    """`ran` is None when the journal cannot tell."""

    ran: bool | None
    text: str
    by: str = ""

    def as_json(self) -> dict[str, object]:
        return {"ran": self.ran, "text": self.text, "by": self.by}


def effect_of(reader: IndexReader, record: Mapping[str, object]) -> Effect | None:
    """For a tool call that was judged before it ran: the later event of the same call, if one was seen."""
    call = _call_id(record)
    if record.get("event") not in _BEFORE or not call:
        return None
    later = Query(
        session=str(record.get("session") or ""),
        after=str(record.get("id")),
        canaries=True,
        limit=_LOOKED_AT,
    )
    for found in reader.records(later):
        if found.get("event") in AFTER_EVENTS and _call_id(found) == call:
            return _told(record, found)
    return Effect(None, "no result of this call was recorded")


def _told(record: Mapping[str, object], later: Record) -> Effect:
    verdict = record.get("verdict")
    word = verdict.get("decision") if isinstance(verdict, dict) else ""
    stopped = DECISION_WORDS.get(str(word), Decision.CONTINUE).stops
    seconds = (moment(later) - moment(record)) / 1000
    by = str(later.get("id"))
    if later.get("event") == "ToolDenied":
        return Effect(False, f"the agent did not run it ({later.get('event')} after {seconds:.1f} s)", by)
    if stopped:
        return Effect(True, f"THE AGENT RAN IT ALL THE SAME ({later.get('event')} after {seconds:.1f} s)", by)
    return Effect(True, f"the tool ran ({later.get('event')} after {seconds:.1f} s)", by)


def _call_id(record: Mapping[str, object]) -> str:
    facts = record.get("facts")
    tool = facts.get("tool") if isinstance(facts, dict) else None
    return str(tool.get("call") or "") if isinstance(tool, dict) else ""
