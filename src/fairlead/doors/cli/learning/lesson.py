"""Everything that `fairlead learn` found."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from fairlead.assembly import policy_for
from fairlead.doors.cli.learning.changes import changes_by
from fairlead.doors.cli.learning.dangerous_lines import why_not
from fairlead.doors.cli.learning.decided_calls import Decided, DecidedCall, decided_calls
from fairlead.doors.cli.learning.proposals import Proposal, annoying_rules, proposals_from
from fairlead.doors.cli.learning.quiet_hooks import quiet_hooks
from fairlead.doors.hook.replay import Change
from fairlead.model.value import Value
from fairlead.policy.answers.grants import Grants
from fairlead.policy.answers.questions import approved_requests
from fairlead.policy.places import Places
from fairlead.store.query import Query
from fairlead.store.reader import IndexReader
from fairlead.store.statistics import statistics

_DAY = 86400.0
_MOST = 20
"""No more proposals at once: each is shown with what it would have changed, and has to be read."""
_SHOWN = 10


class Lesson(Value):
    """`changes` has for each proposal, by its id, how many past calls would have been decided how."""

    since: float
    proposals: Sequence[Proposal]
    refused: Sequence[Proposal]
    changes: Mapping[str, Mapping[str, int]]
    annoying: Sequence[Mapping[str, object]]
    quiet: Sequence[Mapping[str, object]]
    ran_refused: Sequence[DecidedCall]
    sessions_left: int

    def as_json(self) -> dict[str, object]:
        return {
            "since": self.since,
            "proposals": [
                {**one.as_json(), "would_have_changed": dict(self.changes[one.id])} for one in self.proposals
            ],
            "not_proposed": [{**one.as_json(), "why": one.why_not} for one in self.refused],
            "rules_that_only_annoy": list(self.annoying),
            "hooks_that_never_object": list(self.quiet),
            "ran_although_refused": [
                {"id": call.id, "agent": call.agent, "rule": call.rule, "ts": call.ts}
                for call in self.ran_refused
            ],
            "sessions_left_out": self.sessions_left,
        }


def lesson_of(reader: IndexReader, places: Places, root: str, days: int) -> Lesson:
    """What the last days teach. The first of them counts whole, as it is counted in the index."""
    since = (time.time() - days * _DAY) // _DAY * _DAY
    decided = _decided(reader, places, since)
    offered, refused = proposals_from(decided.calls, why_not)
    changes = {one.id: changes_by(one, reader, places, since) for one in offered[:_MOST]}
    useless = [one for one in offered[:_MOST] if Change.ALLOWED not in changes[one.id]]
    refused = [*refused, *(one.replace(why_not="it would change nothing") for one in useless)]
    return Lesson(
        since,
        [one for one in offered[:_MOST] if one not in useless],
        refused[:_SHOWN],
        changes,
        annoying_rules(decided.calls)[:_SHOWN],
        quiet_hooks(policy_for(places, root, "", ()).entries, statistics(reader, Query(since=since))),
        decided.ran_refused[:_SHOWN],
        decided.sessions_left,
    )


def proposal_named(reader: IndexReader, places: Places, days: int, id_: str) -> Proposal | None:
    since = (time.time() - days * _DAY) // _DAY * _DAY
    offered, _ = proposals_from(_decided(reader, places, since).calls, why_not)
    return next((one for one in offered if one.id == id_), None)


def _decided(reader: IndexReader, places: Places, since: float) -> Decided:
    grants = Grants(places).all()
    return decided_calls(reader, since=since, grants=grants, approved=approved_requests(places))
