"""The policy of one place for a program that runs for hours: what `fairlead hook` is for one call.

A changed file counts from the next event on, exceptions of a person hold, every verdict is in the journal
before anyone acts on it, and observers run once it is known. Each of these can be left out by its name.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, Any, Self

from fairlead.assembly import (
    Execution,
    hooks_of_policy,
    new_workers,
    placed_for,
    policy_for,
    remembering_for,
    shipped_parts,
)
from fairlead.drivers.background import Background
from fairlead.engine.finisher import unrecorded
from fairlead.engine.system import FOREVER, Execute, HookSystem
from fairlead.errors import JournalError
from fairlead.journal.line import observation_of, record_of
from fairlead.journal.writer import JournalWriter
from fairlead.model.event import Event
from fairlead.model.failure import Failure
from fairlead.model.hook import Hook
from fairlead.model.verdict import Reply, Verdict
from fairlead.policy.answers.exceptions import judged_with_exceptions
from fairlead.policy.answers.grants import Grants
from fairlead.policy.places import Places
from fairlead.sessions.memory import NO_MEMORIES, Memories
from fairlead.sessions.note_files import NoteFiles
from fairlead.undo.keeper import FOLDER as SAVES
from fairlead.undo.keeper import Saver

if TYPE_CHECKING:
    from fairlead.policy.answers.exceptions import Rounds
    from fairlead.policy.policy import Policy
    from fairlead.policy.reading.problem import Problem


class PolicySystem(HookSystem):
    """A hook system that is made of policy files. Close it, or use it as a context, when done."""

    attends = True

    def __init__(
        self,
        places: Places,
        root: str,
        *,
        agent: str = "generic",
        policies: Sequence[str] = (),
        journal: bool = True,
        observers: bool = True,
        live: bool = True,
    ) -> None:
        self._load: Callable[[], Policy] = partial(policy_for, places, root, agent, policies)
        self._policy_files = self._load()
        policy = self._policy_files
        notes = NoteFiles(os.path.join(places.state, "sessions"))
        self._memories = Memories(notes) if journal else NO_MEMORIES
        self._saver = Saver(os.path.join(places.state, SAVES)) if journal else None
        super().__init__(
            self._hooks_of(policy),
            shipped_parts(),
            defaults=policy.default_decisions,
            policy=policy.hash,
            audit=policy.audits,
        )
        self._live, self._observers = live, observers
        self._journal = JournalWriter(os.path.join(places.state, "journal")) if journal else None
        self._grants = Grants(places)
        self._background = Background(_complain)
        self._workers: Any = None
        self._one_at_a_time = Lock()

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What is wrong with the files, as `fairlead policy check` says it."""
        return tuple(self._policy_files.problems)

    def fire(self, event: Event, *, seconds: float = FOREVER, execute: Execute | None = None) -> Verdict:
        event = self._prepared(event)
        rounds = self._rounds(event, execute)
        way = next(rounds)
        while True:
            verdict = super().fire(event, seconds=seconds, execute=way)
            try:
                way = rounds.send(verdict)
            except StopIteration as finished:
                return self._attended(event, finished.value)

    async def fire_async(
        self, event: Event, *, seconds: float = FOREVER, execute: Execute | None = None
    ) -> Verdict:
        event = self._prepared(event)
        rounds = self._rounds(event, execute)
        way = next(rounds)
        while True:
            verdict = await super().fire_async(event, seconds=seconds, execute=way)
            try:
                way = rounds.send(verdict)
            except StopIteration as finished:
                return self._attended(event, finished.value)

    def refuse(self, event: Event, failure: Failure) -> Verdict:
        event = self._prepared(event)
        return self._recorded(event, super().refuse(event, failure))[0]

    def close(self) -> None:
        """Waits for the observers, and ends the processes that hooks ran in. Twice is no harm."""
        self._background.finish(None)
        with self._one_at_a_time:
            workers, self._workers = self._workers, None
        if workers is not None:
            workers.close()
        if self._journal is not None:
            self._journal.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _prepared(self, event: Event) -> Event:
        if self._live and self._policy_files.changed():
            with self._one_at_a_time:
                self._catch_up()
        if event.request or self._journal is None:
            return event
        return event.replace(request=os.urandom(16).hex())

    def _catch_up(self) -> None:
        """Of several calls that see a change at once, the first reads the files."""
        if self._policy_files.changed():
            policy = self._load()
            self.reload(
                self._hooks_of(policy),
                defaults=policy.default_decisions,
                policy=policy.hash,
                audit=policy.audits,
            )
            self._policy_files = policy

    def _hooks_of(self, policy: Policy) -> list[Hook]:
        placed = placed_for(policy, self._memories, self._saver)
        self._remember = remembering_for(policy, placed)
        return hooks_of_policy(policy, placed)

    def _rounds(self, event: Event, execute: Execute | None) -> Rounds:
        if execute is not None:
            return _once(execute)
        return judged_with_exceptions(event, self._grants, self._execution)

    def _execution(self, *, excused: Sequence[str] = ()) -> Execution:
        return Execution(os.environ, self._made_workers, excused=excused)

    def _made_workers(self) -> Any:
        with self._one_at_a_time:
            if self._workers is None:
                self._workers = new_workers()
            return self._workers

    def _attended(self, event: Event, verdict: Verdict) -> Verdict:
        """With its line in the journal, and its observers on their way."""
        trouble = self._remember(event, verdict)
        if trouble:
            sys.stderr.write(f"fairlead: {trouble}\n")
        verdict, line = self._recorded(event, verdict)
        if self._observers and self.plan(event).observe:
            self._background.do(lambda: self._observe(event, verdict, line))
        return verdict

    def _recorded(self, event: Event, verdict: Verdict) -> tuple[Verdict, str]:
        """What may be answered, and the id of its line."""
        line = ""
        if self._journal is not None:
            record = record_of(event, verdict, Reply(), policy=verdict.policy)
            try:
                self._journal.write(record)
                line = str(record["id"])
            except JournalError as error:
                sys.stderr.write(f"fairlead: {error}\n")
                verdict = unrecorded(verdict)
        return verdict, line

    def _observe(self, event: Event, verdict: Verdict, line: str) -> None:
        outcomes = self.run_observers(event, verdict, execute=self._execution())
        if self._journal is not None:
            self._journal.write(observation_of(event, verdict, outcomes, observes=line))


def _once(execute: Execute) -> Rounds:
    return (yield execute)


def _complain(error: Exception) -> None:
    sys.stderr.write(f"fairlead: an observer failed: {type(error).__name__}: {error}\n")
