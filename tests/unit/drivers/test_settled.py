"""What the drivers say of an answer that must be awaited, whole; and how the background begins and ends."""

from __future__ import annotations

import asyncio
import atexit
import threading
from collections.abc import Callable, Generator
from typing import Any

import pytest

from fairlead.drivers import asynchronous, sync
from fairlead.drivers.background import LAST_SECONDS, Background
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.failure import Failure, FailureCode, Stage
from fairlead.model.hook import Capture, Hook, HookType, Outcome, Run
from fairlead.model.plan import Step

EVENT = Event(EventName.BEFORE_TOOL)
HOOK = Hook("a", HookType.SAFETY, EventName.BEFORE_TOOL, Run("call", None), timeout=0.01)


def one(hook: Hook = HOOK) -> Generator[Step, list[Capture], Capture]:
    (capture,) = yield Step((hook,), EVENT, (Outcome(hook="before"),))
    return capture


def awaited(value: Any, **fields: Any) -> Capture:
    return asyncio.run(asynchronous.drive(one(), lambda *_: Capture(value=value, **fields)))


async def soon(value: object = "later") -> object:
    return value


async def never() -> None:
    await asyncio.sleep(60)


async def breaks() -> None:
    raise ValueError("no")


def failure(code: FailureCode, message: str) -> Failure:
    return Failure(Stage.EXECUTION, code, message, {"hook": "a"})


def test_an_awaited_answer_keeps_the_rest_of_its_capture() -> None:
    capture = awaited(soon(), exit_code=3, milliseconds=5.0)
    assert (capture.value, capture.failure, capture.exit_code) == ("later", None, 3)


def test_the_time_of_waiting_is_added_in_milliseconds(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = iter([10.0, 10.25])
    monkeypatch.setattr("fairlead.drivers.asynchronous.time.perf_counter", lambda: next(ticks))
    assert awaited(soon(), milliseconds=5.0).milliseconds == 255.0


def test_what_went_wrong_while_waiting_names_the_hook() -> None:
    late = awaited(never())
    assert late.failure == failure(FailureCode.TIMEOUT, "no answer within 0.01 s")
    broken = awaited(breaks())
    assert broken.failure == failure(FailureCode.EXECUTION_FAILURE, "ValueError: no")
    assert (late.value, broken.value) == (None, None)


def test_where_nothing_awaits_the_failure_names_the_hook_and_the_coroutine_is_closed() -> None:
    work = soon()
    capture = sync.drive(one(), lambda *_: Capture(value=work))
    message = "it is asynchronous, and was called where nothing awaits"
    assert capture.failure == failure(FailureCode.EXECUTION_FAILURE, message)
    assert work.cr_frame is None  # type: ignore[attr-defined]


class Bare:
    """Awaitable, and without anything to close."""

    def __await__(self) -> Generator[None, None, None]:
        yield


def test_an_awaitable_without_an_end_is_a_failure_too() -> None:
    assert sync.drive(one(), lambda *_: Capture(value=Bare())).failure is not None


def _sync(steps: Any, execute: Any) -> Any:
    return sync.drive(steps, execute)


def _async(steps: Any, execute: Any) -> Any:
    return asyncio.run(asynchronous.drive(steps, execute))


@pytest.mark.parametrize("drive", [_sync, _async])
@pytest.mark.parametrize("together", [1, 2, 3])
def test_every_hook_is_told_the_event_and_what_was_said_before(
    drive: Callable[..., Any], together: int
) -> None:
    previous = (Outcome(hook="before"),)

    def steps() -> Generator[Step, list[Capture], list[Capture]]:
        return (yield Step((HOOK,) * together, EVENT, previous))

    captures = drive(steps(), lambda *given: Capture(value=given))
    assert [capture.value for capture in captures] == [(HOOK, EVENT, previous)] * together


def test_hooks_of_one_step_do_not_hold_up_the_end_of_the_process() -> None:
    seen: list[bool] = []

    def execute(*_: object) -> Capture:
        seen.append(
            threading.current_thread() is threading.main_thread() or threading.current_thread().daemon
        )
        return Capture()

    def steps() -> Generator[Step, list[Capture], None]:
        yield Step((HOOK,) * 3, EVENT)

    sync.drive(steps(), execute)
    assert seen == [True] * 3


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What is to be done at the end of the process."""
    found: list[object] = []
    monkeypatch.setattr(atexit, "register", found.append)
    monkeypatch.setattr(atexit, "unregister", found.remove)
    return found


def test_one_thread_serves_all_tasks_and_leaves_nothing_behind(registered: list[object]) -> None:
    background, threads = Background(lambda error: None), []
    for _ in range(3):
        background.do(lambda: threads.append(threading.current_thread()))
    assert registered == [background.finish]
    background.finish(None)
    assert registered == []
    assert len(set(threads)) == 1
    assert (threads[0].name, threads[0].daemon, threads[0].is_alive()) == ("fairlead-observers", True, False)


def test_nothing_to_finish_is_no_trouble(registered: list[object]) -> None:
    background = Background(lambda error: None)
    background.finish()
    background.do(lambda: None)
    background.finish(None)
    background.finish()
    assert registered == []


def test_the_end_of_the_process_waits_only_for_a_while(
    monkeypatch: pytest.MonkeyPatch, registered: list[object]
) -> None:
    waited: list[float | None] = []
    monkeypatch.setattr(threading.Thread, "join", lambda self, seconds=None: waited.append(seconds))
    background = Background(lambda error: None)
    background.do(lambda: None)
    background.finish()
    assert waited == [LAST_SECONDS] == [2.0]
