"""Runs the hooks of one profile as their original would: at once or in turn, chained, and read together."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from fairlead.interfaces import Executor
from fairlead.model.event import Event
from fairlead.model.failure import Failure, FailureCode, Stage
from fairlead.model.hook import Capture, Hook, Outcome
from fairlead.model.timeline import Stream
from fairlead.model.value import Value
from fairlead.profiles.chaining import next_input
from fairlead.profiles.form import environment_for, told
from fairlead.profiles.javascript import as_json
from fairlead.profiles.outcome import merged_outcome, speaker
from fairlead.profiles.process import ProcessResult, read_process
from fairlead.profiles.profile import PROFILES, Profile


class Ran(Value):
    """One hook's process: what it came to for us, and for the original."""

    capture: Capture
    result: ProcessResult
    ignored: str = ""
    """What broke and means nothing to the original."""


class ProfileGroup:
    """`hook.run.target` are the hooks; the value of the capture is a capture for each of them.

    What the original shrugs off (a timeout, a program that cannot be started) is noted and shrugged off.
    What only Fairlead knows, a cap on the output or the deadline of the call, is a failure as ever (law 2).
    """

    def __init__(
        self, environment: Mapping[str, str], command: Callable[[Mapping[str, str]], Executor]
    ) -> None:
        self._environment = environment
        self._command = command

    def run(self, hook: Hook, event: Event, previous: Sequence[Outcome]) -> Capture:
        members, profile = hook.run.target, PROFILES.get(hook.run.profile)
        if profile is None or not isinstance(members, tuple):
            message = f"there is no profile {hook.run.profile!r}; known: {', '.join(PROFILES)}"
            return Capture(failure=_failure(hook, message))
        environment = {**self._environment, **environment_for(profile.name, event)}
        course = _Course(profile, event, self._command(environment), time.monotonic() + hook.timeout)
        given = told(profile.name, event, previous)
        at_once = all(member.parallel for member in members)
        ran = course.at_once(members, given) if at_once else course.in_turn(members, given)
        return Capture(value=_captures(profile, event, members, ran))


class _Course:
    """One event's way through the hooks of one profile."""

    def __init__(self, profile: Profile, event: Event, executor: Executor, deadline: float) -> None:
        self._profile, self._executor, self._deadline = profile, executor, deadline
        self._event = event.replace(root=event.cwd or event.root)

    def in_turn(self, members: Sequence[Hook], given: dict[str, Any]) -> list[Ran]:
        """All run, whatever one of them says; the next sees what the one before made of the input."""
        ran: list[Ran] = []
        for member in members:
            ran.append(self._run(member, given))
            said = ran[-1].result
            code = said.exit_code if said.success else said.exit_code or 1
            given = next_input(self._profile, str(self._event.name), given, [(as_json(said.output), code)])
        return ran

    def at_once(self, members: Sequence[Hook], given: dict[str, Any]) -> list[Ran]:
        if len(members) == 1:
            return [self._run(members[0], given)]
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(len(members)) as pool:
            return list(pool.map(lambda member: self._run(member, given), members))

    def _run(self, member: Hook, given: dict[str, Any]) -> Ran:
        left = self._deadline - time.monotonic()
        if left <= 0 or member.run.executor != "command":
            late = "the time for this call was used up before it could run"
            message = late if left <= 0 else "only a program can run under a profile"
            return Ran(Capture(failure=_failure(member, message)), ProcessResult(success=False, exit_code=0))
        bounded = member.replace(
            timeout=min(member.timeout, left), run=member.run.replace(protocol="as-told")
        )
        capture = self._executor.run(bounded, self._event.replace(payload=given), ())
        return _read(self._profile, member, capture, bounded.timeout)


def _read(profile: Profile, member: Hook, capture: Capture, seconds: float) -> Ran:
    failure, code = capture.failure, capture.exit_code
    nothing = ProcessResult(success=False, exit_code=0)
    if failure is not None and (failure.code is FailureCode.TIMEOUT or code is None):
        ours = failure.code is FailureCode.TIMEOUT and seconds < member.timeout
        return Ran(capture, nothing, "" if ours else failure.message)
    if capture.timeline is not None and capture.timeline.truncated:
        cut = _failure(member, "it printed more than is kept, so its answer cannot be read")
        return Ran(capture.replace(failure=cut), nothing)
    stdout, stderr = (
        capture.timeline.text(stream) if capture.timeline else "" for stream in (Stream.STDOUT, Stream.STDERR)
    )
    result = read_process(profile, stdout, stderr, max(code or 0, 0), killed=(code or 0) < 0)
    return Ran(capture, result, failure.message if failure else "")


def _captures(
    profile: Profile, event: Event, members: Sequence[Hook], ran: Sequence[Ran]
) -> tuple[Capture, ...]:
    """For each hook a capture with its outcome. One has the answer; the others say what they were told."""
    outputs = [each.result.output for each in ran]
    said = [output for output in outputs if output is not None]
    answer = merged_outcome(profile, event, said) if said else Outcome()
    place = speaker(profile, event, outputs)
    return tuple(
        _capture(profile, member, each, answer if n == place else Outcome())
        for n, (member, each) in enumerate(zip(members, ran, strict=True))
    )


def _capture(profile: Profile, member: Hook, ran: Ran, answer: Outcome) -> Capture:
    if ran.capture.failure is not None and not ran.ignored:
        return ran.capture
    metrics = {"profile": profile.name, "success": ran.result.success, "output": as_json(ran.result.output)}
    warning = f"{member.id} failed, and under {profile.name} the call goes on: {ran.ignored}"
    outcome = answer.replace(
        metrics={**metrics, **({"ignored": ran.ignored} if ran.ignored else {}), **answer.metrics},
        system_message="\n".join(text for text in (answer.system_message, ran.ignored and warning) if text),
    )
    return ran.capture.replace(value=outcome, failure=None)


def _failure(hook: Hook, message: str) -> Failure:
    return Failure(Stage.EXECUTION, FailureCode.EXECUTION_FAILURE, message, {"hook": hook.id})
