"""The bus on a real broker: workers that share the load, die and come back; a stream that loses nothing."""

import asyncio
import json
import os
import shutil
import threading
from collections import Counter
from functools import partial

import pytest
from broker import BROKER, BusWorker, NatsServer

from fairlead.doors.bus.connection import Broker
from fairlead.doors.bus.fleet import fleet_outcome
from fairlead.doors.bus.messages import HookExecutionRequest
from fairlead.doors.bus.nats_bus import STREAM, Asker, Worker, ask_once
from fairlead.doors.bus.responder import respond_async
from fairlead.engine.handler import HookEventHandler, Surroundings
from fairlead.errors import FairleadError, UsageError
from fairlead.model.decision import Decision
from fairlead.model.event_name import EventName
from fairlead.model.hook import HookType, Outcome
from fairlead.testing import hook, system_of

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not os.path.exists(BROKER),
        reason="NO nats-server HERE: the bus is not tested on a real broker (make nats-server installs one)",
    ),
]
COMMANDS = {0: ("ls -la", "continue"), 1: ("rm -rf /", "block"), 2: ("git push --force origin main", "block")}


@pytest.fixture
def server(tmp_path):
    server = NatsServer(tmp_path / "stream")
    server.start()
    yield server
    server.stop()


@pytest.fixture
def workers(machine, server):
    started = []

    def start():
        worker = BusWorker(machine.home, machine.project, server.url)
        started.append(worker)
        return worker

    yield start
    for worker in started:
        if worker.process.poll() is None:
            worker.stop()


def request(number: int) -> HookExecutionRequest:
    command, _ = COMMANDS[number % 3]
    given = {"tool_name": "Bash", "tool_input": {"command": f"{command} # {number}"}}
    return HookExecutionRequest(EventName.BEFORE_TOOL, given, f"request-{number}", "test")


async def ask_all(url: str, count: int, *, at: dict[int, object]) -> dict[int, dict]:
    """Every answer by its number; `at` holds what to do when so many have been answered."""
    asker = Asker(Broker(url))
    await asker.open(patience=10)
    answers: dict[int, dict] = {}
    free = asyncio.Semaphore(48)

    async def one(number: int) -> None:
        async with free:
            answers[number] = await asker.ask(request(number), seconds=30)
            action = at.pop(len(answers), None)
            if action is not None:
                await asyncio.to_thread(action)

    await asyncio.gather(*(one(number) for number in range(count)))
    await asker.close()
    return answers


async def messages(url: str) -> list:
    """Everything in the stream, in order."""
    import nats

    client = await nats.connect(url)
    stream = client.jetstream()
    state = (await stream.stream_info(STREAM)).state
    found = []
    subscription = await stream.subscribe("fairlead.hooks.decisions", ordered_consumer=True)
    while len(found) < state.messages:
        found.append(await subscription.next_msg(timeout=10))
    await client.close()
    return found


def test_ten_thousand_requests_survive_a_dead_worker_and_a_broker_that_restarts(server, workers):
    count = 10_000
    first, *_ = [workers() for _ in range(3)]

    def restart() -> None:
        server.stop()
        server.start()

    answers = asyncio.run(ask_all(server.url, count, at={count // 3: first.kill, count // 2: restart}))
    assert len(answers) == count
    for number, answer in answers.items():
        assert answer["correlationId"] == f"request-{number}"
        assert answer["output"]["decision"] == COMMANDS[number % 3][1]
    recorded = [json.loads(message.data) for message in asyncio.run(messages(server.url))]
    seen = Counter(each["correlationId"] for each in recorded)
    assert set(seen) == {f"request-{number}" for number in range(count)}
    assert set(seen.values()) == {1}


def test_a_hook_call_asks_the_fleet_too(machine, server, workers):
    fleet = machine.project.parent / "fleet"
    folder = fleet / "hooks" / "house"
    folder.mkdir(parents=True)
    (folder / "hook.meta.yaml").write_text(
        "id: house\nkind: hook\nevent: PreToolUse\nmiddleware:\n"
        "  - {id: block-dangerous-commands, type: safety, config: {dangerous_patterns: ['^frobnicate']}}\n"
    )
    worker = BusWorker(fleet.parent / "fleet-home", machine.project, server.url)
    worker.stop()
    os.makedirs(fleet.parent / "fleet-home" / "config", exist_ok=True)
    shutil.copytree(fleet / "hooks", fleet.parent / "fleet-home" / "config" / "hooks")
    worker = BusWorker(fleet.parent / "fleet-home", machine.project, server.url)
    try:
        assert machine.hook(machine.bash("frobnicate now")).returncode == 0
        done = machine.hook(machine.bash("frobnicate now"), "claude", "PreToolUse", "--bus", server.url)
        assert done.returncode == 2 and b"frobnicate" in done.stderr
        assert machine.hook(machine.bash("ls"), "claude", "PreToolUse", "--bus", server.url).returncode == 0
    finally:
        worker.stop()


def test_a_fleet_can_tighten_and_not_approve():
    output = {"decision": "approve", "reason": "fine", "systemMessage": "seen"}
    outcome = fleet_outcome({"output": output})
    assert (outcome.decision, outcome.system_message) == (Decision.ALLOW, "seen")
    assert fleet_outcome({"output": {"decision": "novel"}}).decision is Decision.BLOCK
    with pytest.raises(FairleadError, match="could not judge: broken"):
        fleet_outcome({"error": {"message": "broken"}})


def test_without_an_answer_the_local_policy_stands_and_the_failure_is_recorded(machine, server):
    done = machine.hook(machine.bash("rm -rf /"), "claude", "PreToolUse", "--bus", server.url)
    assert done.returncode == 2
    assert machine.hook(machine.bash("ls"), "claude", "PreToolUse", "--bus", server.url).returncode == 0
    outcome = next(each for each in machine.journal()[-1]["outcomes"] if each["hook"] == "fleet")
    assert "no worker" in outcome["failure"]["message"]


def test_the_stream_says_who_asked(server, workers):
    workers()
    ask_once(Broker(server.url), request(0).replace(sender="alice\r\nNats-Msg-Id: forged"), seconds=10)
    (message,) = asyncio.run(messages(server.url))
    assert message.headers["Fairlead-Sender"] == "aliceNats-Msg-Id: forged"
    assert message.headers["Nats-Msg-Id"] == "request-0"


def in_this_process(url: str, *hooks) -> Worker:
    handler = HookEventHandler(system_of(list(hooks)), Surroundings("s", "/tmp"))
    return Worker(Broker(url), partial(respond_async, handler))


def test_the_stream_holds_no_secrets_and_the_answer_is_whole(server):
    key = "ghp_" + "aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zA1bC2"

    async def rewrite(event, config, previous):
        return Outcome(updated_input={"command": f"login {key}"}, reason=f"with {key}")

    async def run() -> dict:
        worker = in_this_process(server.url, hook(rewrite, type=HookType.TRANSFORMATION))
        await worker.start()
        asker = Asker(Broker(server.url))
        await asker.open()
        answer = await asker.ask(request(0).replace(sender=f"me {key}"), seconds=20)
        await asker.close()
        await worker.stop()
        return answer

    answer = asyncio.run(run())
    assert (answer["success"], answer["output"]["updatedInput"]) == (True, {"command": f"login {key}"})
    (message,) = asyncio.run(messages(server.url))
    assert key.encode() not in message.data and key not in str(message.headers)
    assert json.loads(message.data)["correlationId"] == "request-0"


def test_a_worker_that_stops_answers_what_it_has_begun_and_leaves_nothing_behind(server):
    begun, go = threading.Event(), threading.Event()

    def slow(event, config, previous):
        begun.set()
        go.wait(60)

    async def run() -> dict:
        worker = in_this_process(server.url, hook(slow))
        await worker.start()
        asker = Asker(Broker(server.url))
        await asker.open()
        asking = asyncio.ensure_future(asker.ask(request(0), seconds=60))
        await asyncio.to_thread(begun.wait, 60)
        stopping = asyncio.ensure_future(worker.stop())
        await asyncio.sleep(0)
        go.set()
        await stopping
        await worker.stop()
        answer = await asking
        await asker.close()
        left = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        assert left == []
        return answer

    before = set(threading.enumerate())
    assert asyncio.run(run())["correlationId"] == "request-0"
    assert set(threading.enumerate()) <= before


def test_nobody_there_is_a_clear_failure_within_the_deadline(server):
    with pytest.raises(FairleadError, match="answered within"):
        ask_once(Broker(server.url), request(0), seconds=0.6)


def test_a_broker_that_is_not_there_is_named():
    with pytest.raises(FairleadError, match=r"127\.0\.0\.1:1 d(oes|id) not answer"):
        ask_once(Broker("nats://127.0.0.1:1"), request(0), seconds=0.5)


def test_nothing_crosses_a_network_without_tls():
    with pytest.raises(UsageError, match="without TLS"):
        Broker("nats://hooks.example:4222").checked()
    assert Broker("tls://user:secret@hooks.example:4222").checked().shown == "tls://hooks.example:4222"
