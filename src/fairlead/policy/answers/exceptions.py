"""A call judged with the exceptions that a person gave for it."""

from __future__ import annotations

from collections.abc import Callable, Generator
from time import time

from fairlead.model.event import Event
from fairlead.model.verdict import Verdict
from fairlead.policy.answers.grants import Grants
from fairlead.policy.managed.holding import UNMANAGED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from fairlead.policy.managed.rules import Managed

    Rounds = Generator[Any, Verdict, Verdict]
    """Ways to execute an event's hooks, one after the other, each sent the verdict that it came to."""


def judged_with_exceptions(
    event: Event, grants: Grants, execution: Callable[..., Any], managed: Managed = UNMANAGED
) -> Rounds:
    """The verdict, with the exceptions that hold for this call; those for once are used up by it."""
    holding = [] if managed.forbids("allow") else grants.covering(event, now=time())
    holding = [grant for grant in holding if not managed.covers_exception(grant.rule)]
    if event.canary:
        holding = [grant for grant in holding if not grant.once]  # those wait for a call of an agent
    while holding:
        excuses = sorted({grant.excuse for grant in holding})
        verdict = yield execution(excused=excuses)
        needed = [grant for grant in holding if grant.excuse in _excused(verdict)]
        # A call without a request id only asks what would be, and uses nothing up.
        taken = grants.use(needed, event.request) if event.request else needed
        if len(taken) == len(needed):
            return verdict
        # Another call used one up in between: judge again without it.
        holding = [grant for grant in holding if grant in taken or grant not in needed]
    return (yield execution())


def _excused(verdict: Verdict) -> set[object]:
    """The exceptions that made a difference."""
    named = (outcome.metrics.get("excused") for outcome in verdict.outcomes)
    return {rule for rules in named if isinstance(rules, list) for rule in rules}
