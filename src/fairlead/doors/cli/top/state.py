"""What the overview knows: calls, counts of the last hour, questions, and where the person is in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from enum import StrEnum

from fairlead.model.decision import Decision
from fairlead.model.value import Value
from fairlead.policy.answers.questions import Question
from fairlead.store.activity import MINUTE, Activity, activity_of, together
from fairlead.store.reader import Call

KEPT = 1000
"""The newest calls, which can be walked through and filtered."""
WINDOW = 60
"""Minutes that are counted."""


class View(StrEnum):
    CALLS = "calls"
    FILTER = "filter"
    """The same, while a filter is typed."""
    CALL = "call"
    QUESTIONS = "questions"


class State(Value):
    calls: tuple[Call, ...] = ()
    """The newest first."""
    activity: tuple[Activity, ...] = ()
    questions: tuple[Question, ...] = ()
    view: View = View.CALLS
    filter: str = ""
    chosen: str = ""
    """The id of the call that is chosen; empty follows the newest."""
    question: int = 0
    detail: tuple[str, ...] = ()
    scroll: int = 0
    message: str = ""
    page: int = 10
    """Rows that the screen had for the list."""

    @property
    def shown(self) -> tuple[Call, ...]:
        """The calls that the filter lets through: each of its words stands somewhere in them."""
        words = self.filter.lower().split()
        return tuple(call for call in self.calls if _has(call, words)) if words else self.calls

    @property
    def place(self) -> int:
        """Where the chosen call is in the list; the first, if it is not there any more."""
        return next((n for n, call in enumerate(self.shown) if call.id == self.chosen), 0)

    def with_calls(self, new: Iterable[Call], now: float) -> State:
        """Calls came in, the oldest of them first; what is older than the window counts no more."""
        fresh = list(new)
        first = int(now // MINUTE) - WINDOW
        kept = [each for each in self.activity if each.minute > first]
        if not fresh and len(kept) == len(self.activity):
            return self
        calls = (*reversed(fresh), *self.calls)[:KEPT]
        return self.replace(calls=calls, activity=together([*kept, *map(activity_of, fresh)]))

    def with_questions(self, waiting: Iterable[Question]) -> State:
        found = tuple(waiting)
        return self.replace(questions=found, question=max(min(self.question, len(found) - 1), 0))


class Hour(Value):
    """The last hour in numbers."""

    calls: int
    stopped: int
    asked: int
    minutes: tuple[int, ...]
    """Calls per minute, the newest last."""
    agents: tuple[tuple[str, int], ...]
    rules: tuple[tuple[str, int], ...]


def hour_of(state: State, now: float) -> Hour:
    decisions: Counter[Decision] = Counter()
    minutes: Counter[int] = Counter()
    agents: Counter[str] = Counter()
    rules: Counter[str] = Counter()
    for each in state.activity:
        decisions[each.decision] += each.calls
        minutes[each.minute] += each.calls
        agents[each.agent] += each.calls
        if each.rule:
            rules[each.rule] += each.calls
    last = int(now // MINUTE)
    return Hour(
        sum(decisions.values()),
        decisions[Decision.BLOCK] + decisions[Decision.HALT],
        decisions[Decision.ASK],
        tuple(minutes[minute] for minute in range(last - WINDOW + 1, last + 1)),
        tuple(agents.most_common()),
        tuple(rules.most_common()),
    )


def _has(call: Call, words: list[str]) -> bool:
    fields = (call.agent, call.event, call.tool, call.rule, call.summary, call.session, call.decision.word)
    text = " ".join(fields).lower()
    return all(word in text for word in words)
