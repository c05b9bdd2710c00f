"""Agents that run here, held against the calls that they made: one without calls may run without a guard."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping

from fairlead.doors.fleet.telling.counting import Calls
from fairlead.platforms import here
from fairlead.policy.person.chain import agent_among

_LONG = 900.0
"""Seconds for which an agent runs before its silence is told: it may wait for its person."""
Row = Mapping[str, object]


def running_agents() -> Iterator[tuple[int, str]]:
    """Process and agent, as far as this user can see them."""
    for process in here.all_processes():
        facts = here.facts_of(process)
        agent = agent_among(facts.words) if facts is not None else ""
        if agent:
            yield process, agent


class AgentsSeen:
    def __init__(
        self,
        running: Callable[[], Iterable[tuple[int, str]]] = running_agents,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._running = running
        self._clock = clock
        self._since: dict[tuple[int, str], float] = {}
        self._calls: dict[str, tuple[int, float]] = {}

    def look(self, installed: Iterable[Row], calls: Calls) -> list[Row]:
        """A row for each agent that is installed, runs, or called; `calls` are those since the last look."""
        self._add(calls)
        now, running = self._clock(), set(self._running())
        self._since = {each: self._since.get(each, now) for each in running}
        rows = {str(row["agent"]): dict(row) for row in installed}
        for agent in {*self._calls, *(agent for _, agent in running)}:
            rows.setdefault(agent, {"agent": agent, "installed": False, "proved": False})
        return [{**row, **self._seen(agent, calls, now)} for agent, row in sorted(rows.items())]

    def _add(self, calls: Calls) -> None:
        for agent, (number, last) in calls.items():
            known, before = self._calls.get(agent, (0, 0.0))
            self._calls[agent] = (known + number, max(last, before))

    def _seen(self, agent: str, calls: Calls, now: float) -> Row:
        last = self._calls.get(agent, (0, 0.0))[1]
        since = [began for (_, name), began in self._since.items() if name == agent]
        silent = any(now - began > _LONG and last < began - _LONG for began in since)
        return {
            "calls": calls.get(agent, (0, 0.0))[0],
            "last_call": int(last) or None,
            "seen_without_calls": silent,
        }
