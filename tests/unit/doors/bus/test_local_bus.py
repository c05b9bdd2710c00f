"""The bus inside one process: nobody who publishes waits, order is kept, and nothing is left behind."""

import asyncio
import threading
from queue import SimpleQueue

import pytest

from bus_kit import LONG, OnBus
from fairlead.doors.bus.local_bus import LocalBus
from fairlead.doors.bus.messages import REQUEST, RESPONSE, HookExecutionRequest
from fairlead.doors.bus.responder import Responder
from fairlead.engine.handler import HookEventHandler, Surroundings
from fairlead.model.decision import Decision
from fairlead.model.event_name import EventName
from fairlead.model.hook import Outcome
from fairlead.testing import hook, system_of

AROUND = Surroundings("s", "/tmp")
GIVEN = {"tool_name": "x", "tool_input": {}}


def request(name="c"):
    return HookExecutionRequest(EventName.BEFORE_TOOL, GIVEN, name)


def threads():
    return {thread for thread in threading.enumerate() if thread.is_alive()}


def test_who_publishes_waits_for_no_subscriber():
    go, done = threading.Event(), []
    with LocalBus() as bus:
        bus.subscribe("t", lambda message: done.append(go.wait(LONG)))
        bus.publish("t", 1)
        assert done == []  # the subscriber cannot have ended: it waits for what comes next
        go.set()
    assert done == [True]


def test_who_asks_waits_for_no_hook():
    go = threading.Event()
    asked = OnBus(system_of([hook(lambda e, c, p: go.wait(LONG) and None, id="slow")]), AROUND)
    asked.bus.publish(REQUEST, request())
    go.set()
    (answer,) = asked.close()
    assert answer["success"] is True


def test_one_slow_request_does_not_hold_up_another():
    go = threading.Event()

    def slow(event, config, previous):
        if event.tool.name == "slow":
            go.wait(LONG)

    asked = OnBus(system_of([hook(slow)]), AROUND)
    asked.bus.publish(REQUEST, {"eventName": "BeforeTool", "input": {**GIVEN, "tool_name": "slow"}})
    assert asked.ask(request("quick"))["correlationId"] == "quick"
    go.set()
    assert len(asked.close()) == 1


def test_a_bus_that_calls_its_subscribers_itself_is_not_held_up_either():
    class Calling:
        """The simplest bus of all, as somebody else may have one."""

        def __init__(self):
            self.handlers = {}

        def subscribe(self, topic, handler):
            self.handlers.setdefault(topic, []).append(handler)
            return lambda: self.handlers[topic].remove(handler)

        def publish(self, topic, message):
            for handler in self.handlers.get(topic, ()):
                handler(message)

    go, answers, bus = threading.Event(), SimpleQueue(), Calling()
    bus.subscribe(RESPONSE, answers.put)
    slow = hook(lambda e, c, p: go.wait(LONG) and None, id="slow")
    responder = Responder(bus, HookEventHandler(system_of([slow]), AROUND))
    bus.publish(REQUEST, request())
    go.set()
    assert answers.get(timeout=LONG)["correlationId"] == "c"
    responder.dispose()
    assert bus.handlers[REQUEST] == []


def test_asynchronous_hooks_run():
    async def judge(event, config, previous):
        await asyncio.sleep(0)
        return Outcome(Decision.BLOCK, "awaited")

    asked = OnBus(system_of([hook(judge)]), AROUND)
    answer = asked.ask(request())
    assert (answer["success"], answer["output"]["reason"]) == (True, "awaited")
    assert asked.close() == []


def test_a_subscriber_may_be_asynchronous():
    seen = []

    async def listen(message):
        await asyncio.sleep(0)
        seen.append(message)

    with LocalBus() as bus:
        bus.subscribe("t", listen)
        bus.publish("t", 1)
    assert seen == [1]


def test_a_subscriber_gets_its_messages_in_order():
    seen = []
    with LocalBus() as bus:
        bus.subscribe("t", seen.append)
        for number in range(500):
            bus.publish("t", number)
    assert seen == list(range(500))


def test_messages_of_many_threads_all_arrive():
    seen = []
    with LocalBus() as bus:
        bus.subscribe("t", seen.append)
        publishers = [
            threading.Thread(target=lambda: [bus.publish("t", 1) for _ in range(200)]) for _ in range(8)
        ]
        for publisher in publishers:
            publisher.start()
        for publisher in publishers:
            publisher.join()
    assert len(seen) == 1_600


@pytest.mark.parametrize("asynchronous", [False, True])
def test_one_that_raises_keeps_no_message_from_another(asynchronous):
    def broken(message):
        raise OSError("no")

    async def broken_later(message):
        raise OSError("no")

    seen = []
    with LocalBus() as bus:
        bus.subscribe("t", broken_later if asynchronous else broken)
        bus.subscribe("t", seen.append)
        bus.publish("t", 1)
        bus.publish("t", 2)
    assert seen == [1, 2]
    assert [str(error) for error in bus.errors] == ["no", "no"]


def test_the_end_of_a_subscription_hands_over_what_came_before_and_nothing_after():
    seen = []
    with LocalBus() as bus:
        unsubscribe = bus.subscribe("t", seen.append)
        bus.publish("t", 1)
        unsubscribe()
        assert seen == [1]
        bus.publish("t", 2)
        unsubscribe()
    assert seen == [1]


def test_the_end_of_a_subscription_does_not_wait_for_others_who_go_on_publishing():
    over, seen = threading.Event(), []
    with LocalBus() as bus:

        def go_on(message):
            if not over.is_set():
                bus.publish("busy", message + 1)

        bus.subscribe("busy", go_on)
        unsubscribe = bus.subscribe("t", seen.append)
        bus.publish("busy", 0)
        bus.publish("t", 1)
        unsubscribe()
        assert seen == [1] and not over.is_set()
        over.set()


def test_a_subscriber_may_end_its_own_subscription():
    seen = []
    with LocalBus() as bus:

        def once(message):
            seen.append(message)
            unsubscribe()

        unsubscribe = bus.subscribe("t", once)
        bus.publish("t", 1)
        bus.subscribe("u", seen.append)
        bus.publish("u", "done")
    assert seen == [1, "done"]


def test_a_closed_bus_carries_nothing():
    bus, seen = LocalBus(), []
    bus.subscribe("t", seen.append)
    bus.close()
    bus.close()
    bus.publish("t", 1)
    assert seen == []


def test_disposing_leaves_no_thread_no_subscription_and_no_sink():
    before = threads()
    system = system_of([hook(lambda e, c, p: None, id="h")])
    sinks = system._parts.sinks
    for _ in range(3):
        asked = OnBus(system, AROUND)
        for number in range(20):
            asked.bus.publish(REQUEST, request(str(number)))
        asked.service.dispose()
        assert REQUEST not in asked.bus._handlers
        assert len(asked.close()) == 20
        assert asked.bus._handlers == {}
    assert threads() <= before
    assert system._parts.sinks == sinks


def test_a_service_is_a_context():
    bus = LocalBus()
    with OnBus(system_of([]), AROUND).service as service:
        assert service.handler.fire_before_tool("x", {}).aggregated.success
    assert service.handler.fire_before_tool("x", {}).aggregated.success
    bus.close()


def test_a_bus_that_nobody_closes_has_no_thread_once_all_is_handed_over():
    before, seen = threads(), SimpleQueue()
    bus = LocalBus()
    bus.subscribe("t", seen.put)
    for number in range(3):
        bus.publish("t", number)
        assert seen.get(timeout=LONG) == number
    for thread in threads() - before:
        thread.join(LONG)
    assert threads() <= before
    bus.publish("t", 3)
    assert seen.get(timeout=LONG) == 3
    bus.close()
