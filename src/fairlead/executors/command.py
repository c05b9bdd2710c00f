"""Runs a hook that is a program: the event as JSON on its stdin, its answer as exit code and output."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence

from fairlead.executors.capture import Recording, capture
from fairlead.executors.signals import signal_name
from fairlead.model.event import Event
from fairlead.model.failure import Failure, FailureCode, Stage
from fairlead.model.hook import Capture, Hook, Outcome, Shell
from fairlead.model.hook_input import Reading, program_input
from fairlead.model.timeline import Stream, Timeline

_SHOWN = 300


class Command:
    """`hook.run.target` is the path of an executable, a tuple of words, or a `Shell` line.

    It runs in the project's root with the caller's environment, which nothing records.
    """

    def __init__(
        self,
        environment: Mapping[str, str] | None = None,
        *,
        exact: bool = True,
        reading: Reading | None = None,
    ) -> None:
        self._environment = environment
        self._exact = exact
        self._reading = reading

    def run(self, hook: Hook, event: Event, previous: Sequence[Outcome]) -> Capture:
        argv = _argv(hook)
        if isinstance(argv, str):
            return Capture(failure=_failure(hook, argv))
        recording = capture(
            argv,
            stdin=json.dumps(program_input(event, hook, previous, self._reading), default=str).encode(),
            environment=self._environment,
            directory=event.root or event.cwd or None,
            timeout=hook.timeout,
            exact=self._exact,
        )
        return Capture(
            timeline=recording.timeline,
            exit_code=-recording.signal if recording.signal else recording.exit_code,
            milliseconds=recording.seconds * 1000,
            failure=_what_broke(hook, argv, recording),
        )


def _argv(hook: Hook) -> list[str] | str:
    """The words to run, or why there are none."""
    target = hook.run.target
    if isinstance(target, Shell):
        return ["/bin/sh", "-c", target.text]
    if isinstance(target, str):
        return [os.path.join(hook.run.directory or os.getcwd(), target)]  # never looked up in PATH
    if isinstance(target, tuple | list) and target and all(isinstance(word, str) for word in target):
        return list(target)
    return f"{target!r} is neither a path nor a list of words to run"


def _what_broke(hook: Hook, argv: list[str], recording: Recording) -> Failure | None:
    if recording.error:
        hint = " (is it executable? chmod +x)" if "denied" in recording.error else ""
        return _failure(hook, f"{argv[0]} could not be started: {recording.error}{hint}")
    if recording.timed_out:
        message = f"no answer within {hook.timeout:g} s{_said(recording.timeline)}"
        return _failure(hook, message, FailureCode.TIMEOUT)
    if recording.signal:
        name = signal_name(recording.signal)
        return _failure(hook, f"ended by {name}{_said(recording.timeline)}")
    return None


def _failure(hook: Hook, message: str, code: FailureCode = FailureCode.EXECUTION_FAILURE) -> Failure:
    return Failure(Stage.EXECUTION, code, message, {"hook": hook.id})


def _said(timeline: Timeline) -> str:
    """The end of what was printed, for a reason that a person reads."""
    text = (timeline.text(Stream.STDERR).strip() or timeline.text(Stream.STDOUT).strip())[-_SHOWN:]
    return f"; it had printed: {text}" if text else ""
