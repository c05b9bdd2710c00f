import asyncio
import threading

import pytest

from fairlead.drivers import asynchronous, sync
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.failure import FailureCode
from fairlead.model.hook import Capture, Hook, HookType, Run
from fairlead.model.plan import Step

EVENT = Event(EventName.BEFORE_TOOL)


def hook(name, **changes):
    made = Hook(name, HookType.SAFETY, EventName.BEFORE_TOOL, Run("python_call", None))
    return made.replace(**changes)


def engine(*batches):
    said = []
    for names in batches:
        captures = yield Step(tuple(hook(name) for name in names), EVENT)
        said.append([capture.value for capture in captures])
    return said


def named(hook, event, previous):
    return Capture(value=hook.id)


def drive_sync(steps, execute):
    return sync.drive(steps, execute)


def drive_async(steps, execute):
    return asyncio.run(asynchronous.drive(steps, execute))


both = pytest.mark.parametrize("drive", [drive_sync, drive_async])


@both
def test_captures_come_back_in_the_order_of_the_hooks(drive):
    assert drive(engine("a", "bcd", ""), named) == [["a"], ["b", "c", "d"], []]


@both
def test_an_engine_without_steps_is_done_at_once(drive):
    assert drive(engine(), named) == []


@both
def test_hooks_of_one_step_run_at_once(drive):
    meeting = threading.Barrier(3, timeout=10)

    def execute(hook, event, previous):
        meeting.wait()
        return Capture(value=hook.id)

    assert drive(engine("abc"), execute) == [["a", "b", "c"]]


@both
def test_a_defect_of_an_executor_reaches_the_caller(drive):
    def execute(hook, event, previous):
        raise RuntimeError(hook.id)

    with pytest.raises(RuntimeError):
        drive(engine("ab"), execute)


def one(hook):
    captures = yield Step((hook,), EVENT)
    return captures[0]


def test_an_awaitable_answer_is_awaited_by_the_asynchronous_driver():
    async def answer():
        return "later"

    assert drive_async(one(hook("a")), lambda *_: Capture(value=answer())).value == "later"


def test_an_awaitable_that_takes_too_long_is_a_timeout():
    capture = drive_async(one(hook("a", timeout=0.01)), lambda *_: Capture(value=asyncio.sleep(60)))
    assert capture.failure.code is FailureCode.TIMEOUT


def test_what_an_awaitable_raises_becomes_a_failure():
    async def answer():
        raise ValueError("no")

    capture = drive_async(one(hook("a")), lambda *_: Capture(value=answer()))
    assert capture.failure.message == "ValueError: no"


@pytest.mark.parametrize("together", [1, 2])
def test_an_awaitable_answer_is_a_failure_where_nothing_awaits(together):
    async def answer():
        return "later"

    def steps():
        captures = yield Step((hook("a"),) * together, EVENT)
        return captures[0]

    capture = drive_sync(steps(), lambda *_: Capture(value=answer()))
    assert capture.value is None
    assert "nothing awaits" in capture.failure.message
