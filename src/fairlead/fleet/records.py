"""Journal lines about what a fleet does on this machine, beside those of calls."""

from __future__ import annotations

import os

from fairlead.errors import JournalError
from fairlead.journal.line import record_of
from fairlead.journal.writer import JournalWriter
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.verdict import Reply, Verdict
from fairlead.policy.places import Places

_AGENT = "fairlead"


def write_record(places: Places, *, what: str, rule: str, reason: str) -> str:
    """The id of the line, which is on the disk by then. Raises JournalError."""
    event = Event(
        EventName.OTHER,
        native_name=what,
        agent=_AGENT,
        cwd=_cwd(),
        raw=b"",
        request=os.urandom(16).hex(),
    )
    line = record_of(event, Verdict(reason=reason, hook="fleet", rule=rule), Reply())
    journal = JournalWriter(os.path.join(places.state, "journal"))
    try:
        journal.write(line)
        journal.keep()
    except OSError as error:
        raise JournalError(f"the journal cannot be kept, so nothing was changed: {error}") from error
    finally:
        journal.close()
    return str(line["id"])


def _cwd() -> str:
    try:
        return os.getcwd()
    except OSError:
        return ""
