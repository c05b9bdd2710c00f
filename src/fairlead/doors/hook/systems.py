"""The compiled policies of one user: one per project and agent, rebuilt when a file of it changes."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import partial
from threading import Lock

from fairlead.assembly import Execution, build, new_workers, placed_for, policy_for, remembering_for
from fairlead.doors.hook.callers_home import with_callers_home
from fairlead.doors.hook.canaries import Canaries
from fairlead.doors.hook.notices import Notices
from fairlead.doors.hook.recent_calls import RecentCalls
from fairlead.doors.hook.root import Sessions
from fairlead.engine.system import HookSystem
from fairlead.journal.line import observation_of, record_of
from fairlead.journal.writer import JournalWriter
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.failure import NOTHING
from fairlead.model.hook import Hook, HookType
from fairlead.model.verdict import Reply, Verdict
from fairlead.policy.answers.exceptions import judged_with_exceptions
from fairlead.policy.answers.grants import Grants
from fairlead.policy.places import Places
from fairlead.sessions.memory import Memories
from fairlead.sessions.note_files import NoteFiles
from fairlead.undo.keeper import FOLDER as SAVES
from fairlead.undo.keeper import Saver

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from fairlead.policy.policy import Policy
    from fairlead.policy.reading.problem import Problem

_KEPT = 64
"""How many compiled policies stay in memory."""


class Compiled:
    """One policy, ready to judge."""

    def __init__(self, policy: Policy, systems: Systems) -> None:
        self.policy = policy
        placed = placed_for(policy, systems.memories, systems.saver)
        self.system: HookSystem = build(policy, more=systems.more_hooks, placed=placed)
        self.remember = remembering_for(policy, placed)
        """Notes a call with its verdict, for the session's later ones; what went wrong, in words."""
        hooks = self.system.get_all_hooks()
        self._has_observers = any(hook.enabled and hook.type is HookType.OBSERVABILITY for hook in hooks)
        self.only_guards = all(
            hook.run.executor == "builtin" or hook.type is HookType.OBSERVABILITY for hook in hooks
        )
        """Whether nothing but Fairlead's own guards has a say: they take a moment, change nothing, and need
        neither an environment nor workers."""
        self.saves = systems.saver is not None and any(
            hook.config.get("save") or hook.config.get("recoverable") for hook in hooks
        )
        """Whether a call may have to be saved before it runs: then its caller is told to wait."""
        self._systems = systems
        self._workers = lambda: systems.workers

    @property
    def problems(self) -> tuple[Problem, ...]:
        return tuple(self.policy.problems)

    def fire(
        self,
        event: Event,
        *,
        environment: Mapping[str, str] = NOTHING,  # type: ignore[assignment]  # an empty mapping of any kind
        seconds: float = 30.0,
    ) -> Verdict:
        """The verdict, with the exceptions that hold for this call; those for once are used up by it."""
        event = with_callers_home(event, environment)
        grants = self._systems.grants
        if not grants.any():
            execute = None if self.only_guards else Execution(environment, self._workers)
            return self.system.fire(event, seconds=seconds, execute=execute)
        execute_with = partial(Execution, environment, self._workers)
        rounds = judged_with_exceptions(event, grants, execute_with, self.policy.managed)
        execution = next(rounds)
        while True:
            try:
                execution = rounds.send(self.system.fire(event, seconds=seconds, execute=execution))
            except StopIteration as finished:
                verdict: Verdict = finished.value
                return verdict

    def observes(self, event: Event) -> bool:
        return self._has_observers and bool(self.system.plan(event).observe)

    def observe(
        self, event: Event, verdict: Verdict, *, environment: Mapping[str, str], line: str = ""
    ) -> None:
        """Runs the observers and adds what they said to the journal, beside the call's line with this id."""
        outcomes = self.system.run_observers(event, verdict, execute=Execution(environment, self._workers))
        self._systems.journal.write(observation_of(event, verdict, outcomes, observes=line))

    def notes(self, event: Event) -> str:
        """What is wrong with the policy, once per session: at its start, on stderr."""
        if not self.policy.problems or event.name is not EventName.SESSION_START:
            return ""
        return "".join(f"fairlead: {problem}\n" for problem in self.policy.problems)


class Systems:
    """Everything of one user that outlives a call. Safe to use from several threads.

    `lasting` is the process that answers many calls; else others answer beside it. `saving`: its calls will
    really run, so that what they lose is saved where a policy wants it. `passing`: it answers hooks, whose
    verdicts a door of MCP may take up.
    """

    def __init__(
        self,
        places: Places,
        *,
        extra_policies: Sequence[str] = (),
        more_hooks: Sequence[Hook] = (),
        lasting: bool = False,
        saving: bool = False,
        passing: bool = True,
    ) -> None:
        self.places = places
        self.more_hooks = tuple(more_hooks)
        self.journal = JournalWriter(os.path.join(places.state, "journal"))
        self.grants = Grants(places)
        self._extra = tuple(extra_policies)
        self.canaries = Canaries(places)
        self.notices = Notices(places)
        folder = os.path.join(places.state, "sessions")
        self.root_of = Sessions(folder, self.canaries).root_of
        """The project that an event belongs to."""
        self.memories = Memories(NoteFiles(folder))
        self.passing = passing
        self.saver = Saver(os.path.join(places.state, SAVES)) if saving else None
        self.request_of = RecentCalls(
            os.path.join(places.state, "recent-calls.json"), lasting=lasting
        ).request_of
        """The request under which a call was first seen."""
        self._compiled: dict[tuple[str, str], Compiled] = {}
        self._workers: Any = None
        self._lock = Lock()

    def compiled(self, root: str, agent: str) -> Compiled:
        """The policy of a project for an agent, read again if one of its files has changed."""
        key = (root, agent)
        found = self._compiled.get(key)
        if found is not None and not found.policy.changed():
            return found
        fresh = Compiled(policy_for(self.places, root, agent, self._extra), self)
        with self._lock:
            if len(self._compiled) >= _KEPT:
                self._compiled = {}
            self._compiled[key] = fresh
        return fresh

    def known(self, root: str, agent: str) -> Compiled:
        """The same as the last call found it, without a look at its files."""
        return self._compiled.get((root, agent)) or self.compiled(root, agent)

    @property
    def workers(self) -> Any:
        with self._lock:
            if self._workers is None:
                self._workers = new_workers()
            return self._workers

    def record(self, event: Event, verdict: Verdict, reply: Reply, *, spent: dict[str, int] | None) -> str:
        """The id of the line. Raises JournalError when it could not be written."""
        record = record_of(event, verdict, reply, policy=verdict.policy, spent=spent)
        self.journal.write(record)
        return str(record["id"])

    def leave_to_parent(self) -> None:
        """For a child of fork: the workers are the parent's, who may be closing them right now."""
        self._lock = Lock()
        self._workers = None

    def close(self) -> None:
        if self._workers is not None:
            self._workers.close()
        self.journal.close()
