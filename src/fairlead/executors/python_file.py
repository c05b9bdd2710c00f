"""Runs a hook that is a Python file with `process(hook_input, config, previous_results)`, in a worker."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence

from fairlead.executors.signals import signal_name
from fairlead.executors.workers import Worker, WorkerBusyError, WorkerGoneError, Workers, clean
from fairlead.model.event import Event
from fairlead.model.failure import Failure, FailureCode, Stage
from fairlead.model.hook import Capture, Hook, Outcome
from fairlead.model.hook_input import Reading, hook_input, told_outcome
from fairlead.model.timeline import Timeline

__all__ = ["PythonFile", "Workers"]


class PythonFile:
    """`hook.run.target` is the absolute path of the file, `hook.run.directory` the policy's, whose hooks
    share a worker. `hook.run.source`, if set, is what runs; else what the file says now."""

    def __init__(
        self,
        workers: Workers | None = None,
        *,
        environment: Mapping[str, str] | None = None,
        reading: Reading | None = None,
    ) -> None:
        self._workers = workers or Workers()
        self._reading = reading
        self._environment = clean(os.environ if environment is None else environment)

    def run(self, hook: Hook, event: Event, previous: Sequence[Outcome]) -> Capture:
        start = time.perf_counter()
        capture = self._run(hook, event, previous)
        return capture.replace(milliseconds=(time.perf_counter() - start) * 1000)

    def _run(self, hook: Hook, event: Event, previous: Sequence[Outcome]) -> Capture:
        path = str(hook.run.target)
        try:
            source = self._workers.source(path) if hook.run.source is None else hook.run.source
        except OSError as error:
            return Capture(failure=_failure(hook, f"{path} cannot be read: {error.strerror}"))
        directory = hook.run.directory or os.path.dirname(path)
        try:
            worker = self._workers.take(directory, self._environment, time.monotonic() + hook.timeout)
        except WorkerBusyError:
            return Capture(failure=_late(hook, "no worker was free"))
        except (WorkerGoneError, OSError, ValueError) as error:
            return Capture(failure=_failure(hook, f"no worker could be started for {path}: {error}"))
        return self._ask(worker, hook, _request(path, hook, event, previous, self._reading), source)

    def _ask(self, worker: Worker, hook: Hook, request: dict[str, object], source: bytes) -> Capture:
        deadline = time.monotonic() + hook.timeout
        path = str(hook.run.target)
        keep = False
        try:
            reply, timeline = worker.call(
                request,
                source=source,
                modules=hook.run.modules,
                environment=self._environment,
                deadline=deadline,
            )
            keep = not reply.get("fatal")
            return _capture(hook, reply, timeline)
        except WorkerBusyError:
            return Capture(timeline=worker.output, failure=_late(hook, path))
        except WorkerGoneError:
            ended = _ended(worker.exit_code())
            return Capture(timeline=worker.output, failure=_failure(hook, f"{path}: {ended}"))
        except ValueError as error:
            return Capture(failure=_failure(hook, f"{path}: its answer cannot be read: {error}"))
        finally:
            (self._workers.give_back if keep else self._workers.discard)(worker)


def _request(
    path: str, hook: Hook, event: Event, previous: Sequence[Outcome], reading: Reading | None
) -> dict[str, object]:
    given = hook_input(event, hook.run.protocol)
    if reading is not None:
        given["fairlead"] = reading(event)
    return {
        "path": path,
        "hook_input": given,
        "config": dict(hook.config),
        "previous": [told_outcome(outcome) for outcome in previous],
        "directory": event.root or event.cwd,
    }


def _capture(hook: Hook, reply: Mapping[str, object], timeline: Timeline) -> Capture:
    if "error" in reply:
        message = f"{hook.run.target}: {reply['error']}"
        return Capture(timeline=timeline, failure=_failure(hook, message))
    if "rubbish" in reply:
        message = f"{hook.run.target}: process() returned {reply['rubbish']}, which is not a result"
        failure = Failure(
            Stage.INTERPRETATION,
            FailureCode.INTERPRETATION_FAILURE,
            message,
            {"hook": hook.id},
        )
        return Capture(timeline=timeline, failure=failure)
    return Capture(value=reply.get("value"), timeline=timeline)


def _ended(code: int | None) -> str:
    if code is None:
        return "its process closed the channel to us"
    return f"its process was ended by {signal_name(-code)}" if code < 0 else f"its process exited with {code}"


def _failure(hook: Hook, message: str, code: FailureCode = FailureCode.EXECUTION_FAILURE) -> Failure:
    return Failure(Stage.EXECUTION, code, message, {"hook": hook.id})


def _late(hook: Hook, what: str) -> Failure:
    return _failure(hook, f"{what}: no answer within {hook.timeout:g} s", FailureCode.TIMEOUT)
