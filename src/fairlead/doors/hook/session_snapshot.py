"""The work of a project, saved when a session starts there, once the answer has left."""

from __future__ import annotations

from collections.abc import Callable

from fairlead.doors.hook.systems import Systems
from fairlead.journal.line import observation_of
from fairlead.model.event import Event
from fairlead.model.hook import HookType, Outcome
from fairlead.model.verdict import Verdict
from fairlead.packs.judging.losses.recovering import told
from fairlead.packs.judging.saving import Kept
from fairlead.undo.keeper import Saver

_NAME = "session-snapshot"


def snapshot_of(event: Event, verdict: Verdict, systems: Systems, *, line: str) -> Callable[[], None] | None:
    """What is left to do; None where no call would really run, or nobody could tell a second start."""
    saver = systems.saver
    if saver is None or event.canary or not event.session:
        return None
    return lambda: _take(saver, event, verdict, systems, line)


def _take(saver: Saver, event: Event, verdict: Verdict, systems: Systems, line: str) -> None:
    """What became of it stands in the journal, with the start of the session."""
    kept = saver.started(event)
    if kept is not None:
        systems.journal.write(observation_of(event, verdict, (_outcome(kept),), observes=line))


def _outcome(kept: Kept) -> Outcome:
    metrics = told(kept) if kept.complete else {"unsaved": kept.why}
    return Outcome(hook=_NAME, type=HookType.OBSERVABILITY, metrics=metrics)
