"""A real broker with the configuration that is printed: who may do what, and everything that nobody may."""

import asyncio
import json
from contextlib import asynccontextmanager

import pytest
from fleet_broker import FleetBroker, needs_broker
from fleet_servers import until

from fairlead.doors.bus.connection import connect
from fairlead.doors.fleet.link import Link, LinkError, RefusedError
from fairlead.doors.fleet.subjects import (
    ANSWERS,
    ASKS,
    BUNDLE_BUCKET,
    DECISIONS,
    HEARTBEATS,
    POLICY_BUCKET,
    chunk_subject,
    direct_get,
    policy_subject,
    subject_of,
)

pytestmark = [pytest.mark.slow, needs_broker]
SHA = "a" * 64
POINTER = policy_subject("group.web")


@pytest.fixture(scope="module")
def broker(tmp_path_factory):
    folder = tmp_path_factory.mktemp("broker")
    with FleetBroker(folder, ("m1", "web"), ("m2", "web"), ("d1", "db")) as broker:
        asyncio.run(_published(broker))
        yield broker


async def _published(broker):
    async with client_of(broker, "publisher") as client:
        for subject in (POINTER, policy_subject("group.db"), policy_subject("roles.1")):
            await client.jetstream().publish(subject, b"good")
        for group in ("web", "db"):
            await client.jetstream().publish(chunk_subject(group, SHA, 0), b"good")


@asynccontextmanager
async def client_of(broker, who):
    client = await connect(broker.as_who(who), patience=30)
    try:
        yield client
    finally:
        await client.close()


@asynccontextmanager
async def machine(broker, name):
    link = Link(broker.as_who(name), name)
    keeping = asyncio.ensure_future(link.keep())
    try:
        yield link
    finally:
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)


def as_machine(broker, name, act):
    """What `act` makes of the connection of this machine."""

    async def run():
        async with machine(broker, name) as link:
            return await act(link)

    return asyncio.run(run())


def last_of(broker, stream, subject):
    async def run():
        async with client_of(broker, "admin") as client:
            return (await client.jetstream().get_last_msg(stream, subject)).data

    return asyncio.run(run())


@pytest.mark.parametrize("stream", [DECISIONS, HEARTBEATS, ASKS])
def test_a_machine_writes_under_its_own_name(broker, stream):
    sent = as_machine(broker, "m1", lambda link: link.publish(subject_of(stream, "m1"), b"{}"))
    assert sent["stream"] == stream
    assert last_of(broker, stream, subject_of(stream, "m1")) == b"{}"


MAY_READ = [
    direct_get(POLICY_BUCKET, POINTER),
    direct_get(POLICY_BUCKET, policy_subject("roles.1")),
    direct_get(BUNDLE_BUCKET, chunk_subject("web", SHA, 0)),
]


@pytest.mark.parametrize("subject", MAY_READ)
def test_a_machine_reads_what_is_published_for_its_group(broker, subject):
    assert as_machine(broker, "m1", lambda link: link.request(subject)).data == b"good"


def test_a_machine_reads_the_answers_for_itself(broker):
    async def run():
        async with client_of(broker, "approver") as client:
            await client.jetstream().publish(subject_of(ANSWERS, "m1"), b"yes")
        async with machine(broker, "m1") as link:
            subject = f"$JS.API.DIRECT.GET.{ANSWERS}.{subject_of(ANSWERS, 'm1')}"
            return (await link.request(subject)).data

    assert asyncio.run(run()) == b"yes"


MAY_NOT_WRITE = [
    subject_of(DECISIONS, "m2"),
    subject_of(HEARTBEATS, "m2"),
    subject_of(ASKS, "m2"),
    subject_of(ANSWERS, "m1"),
    subject_of(ANSWERS, "m2"),
    POINTER,
    policy_subject("group.db"),
    policy_subject("roles.1"),
    policy_subject("roles.2"),
    chunk_subject("web", SHA, 0),
    "_INBOX_m2.x",
    "fairlead.hooks.request",
    "fairlead.decisions.*",
    "fairlead.heartbeat.>",
]


@pytest.mark.parametrize("subject", MAY_NOT_WRITE)
def test_a_machine_writes_nowhere_else(broker, subject):
    with pytest.raises(RefusedError, match="does not let this machine publish"):
        as_machine(broker, "m1", lambda link: link.request(subject, b"bad", seconds=30))


MAY_NOT_ASK = [
    direct_get(POLICY_BUCKET, policy_subject("group.db")),
    direct_get(POLICY_BUCKET, policy_subject("group.*")),
    direct_get(POLICY_BUCKET, policy_subject(">")),
    f"$JS.API.DIRECT.GET.KV_{POLICY_BUCKET}",
    f"$JS.API.DIRECT.GET.KV_{BUNDLE_BUCKET}",
    direct_get(BUNDLE_BUCKET, chunk_subject("db", SHA, 0)),
    direct_get(BUNDLE_BUCKET, f"$KV.{BUNDLE_BUCKET}.>"),
    f"$JS.API.DIRECT.GET.{ANSWERS}.{subject_of(ANSWERS, 'm2')}",
    f"$JS.API.DIRECT.GET.{DECISIONS}.{subject_of(DECISIONS, 'm1')}",
    "$JS.API.INFO",
    "$JS.API.STREAM.NAMES",
    f"$JS.API.STREAM.INFO.KV_{POLICY_BUCKET}",
    f"$JS.API.STREAM.PURGE.{DECISIONS}",
    f"$JS.API.STREAM.DELETE.{DECISIONS}",
    "$JS.API.STREAM.CREATE.mine",
    f"$JS.API.STREAM.MSG.GET.{DECISIONS}",
    f"$JS.API.CONSUMER.CREATE.{DECISIONS}",
    f"$JS.API.CONSUMER.CREATE.KV_{POLICY_BUCKET}",
    "$SYS.REQ.SERVER.PING",
]


@pytest.mark.parametrize("subject", MAY_NOT_ASK)
def test_a_machine_asks_for_nothing_else(broker, subject):
    with pytest.raises(RefusedError, match="does not let this machine publish"):
        as_machine(broker, "m1", lambda link: link.request(subject, seconds=30))


@pytest.mark.parametrize("body", [{"last_by_subj": policy_subject("group.db")}, {"seq": 2}])
def test_the_body_of_a_request_asks_for_nothing_else_either(broker, body):
    subject = direct_get(POLICY_BUCKET, POINTER)
    answer = as_machine(broker, "m1", lambda link: link.request(subject, json.dumps(body).encode()))
    assert answer.data == b""


MAY_NOT_HEAR = [
    "fairlead.>",
    "fairlead.decisions.m1",
    subject_of(DECISIONS, "m2"),
    subject_of(HEARTBEATS, "m2"),
    subject_of(ANSWERS, "m2"),
    "fairlead.answers.*",
    policy_subject("group.db"),
    policy_subject("group.*"),
    "_INBOX_m2.>",
    "_INBOX.>",
    "$KV.>",
    "$JS.>",
    ">",
]


@pytest.mark.parametrize("subject", MAY_NOT_HEAR)
def test_a_machine_hears_nothing_else(broker, subject):
    async def deaf(*_):
        raise AssertionError("it was heard")

    async def act(link):
        await link.request(direct_get(POLICY_BUCKET, POINTER), seconds=30)  # it is connected
        await link.follow(subject, deaf)
        await until(lambda: link.trouble)
        return link.trouble

    assert "does not let this machine listen" in as_machine(broker, "m1", act)


TARGETS = [
    (f"KV_{POLICY_BUCKET}", POINTER),
    (f"KV_{BUNDLE_BUCKET}", chunk_subject("web", SHA, 0)),
    (HEARTBEATS, subject_of(HEARTBEATS, "m2")),
    (DECISIONS, subject_of(DECISIONS, "m2")),
    (ASKS, subject_of(ASKS, "m2")),
    (ANSWERS, subject_of(ANSWERS, "m2")),
]


@pytest.mark.parametrize(("stream", "subject"), TARGETS, ids=[subject[:24] for _, subject in TARGETS])
@pytest.mark.parametrize("through", [subject_of(HEARTBEATS, "m1"), direct_get(POLICY_BUCKET, POINTER)])
def test_an_answer_cannot_be_turned_into_a_message_of_somebody_else(broker, stream, subject, through):
    """The broker answers to any subject that a message names, without asking for a right to it."""

    async def run():
        async with client_of(broker, "admin") as client:
            before = await _count(client, stream, subject)
        async with client_of(broker, "m1") as client:
            await client.publish(through, b"{}", reply=subject)
            await client.flush()
        async with machine(broker, "m1") as link:  # answered after it, so that one is done with
            await link.publish(subject_of(HEARTBEATS, "m1"), b"{}")
        async with client_of(broker, "admin") as client:
            return before, await _count(client, stream, subject)

    before, after = asyncio.run(run())
    assert after == before


async def _count(client, stream, subject):
    """The number of the last message there; every change gives another."""
    info = await client.jetstream().stream_info(stream, subjects_filter=subject)
    if not (info.state.subjects or {}).get(subject):
        return 0
    return (await client.jetstream().get_last_msg(stream, subject)).seq


def test_a_header_of_a_machine_purges_nothing(broker):
    async def run():
        async with machine(broker, "m1") as link:
            first = await link.publish(subject_of(DECISIONS, "m1"), b"{}")
            headers = {"Nats-Rollup": "all"}
            with pytest.raises(LinkError, match="did not take"):
                await link.publish(subject_of(DECISIONS, "m1"), b"{}", headers=headers)
            return await link.publish(subject_of(DECISIONS, "m1"), b"{}"), first

    after, first = asyncio.run(run())
    assert after["seq"] == first["seq"] + 1


def test_too_large_a_heartbeat_is_refused(broker):
    with pytest.raises(LinkError, match="did not take"):
        as_machine(broker, "m1", lambda link: link.publish(subject_of(HEARTBEATS, "m1"), b"x" * 70_000))


CENTRE_MAY_NOT = [
    ("collector", POINTER),
    ("collector", subject_of(ANSWERS, "m1")),
    ("collector", f"$JS.API.STREAM.DELETE.{DECISIONS}"),
    ("collector", f"$JS.API.STREAM.PURGE.{DECISIONS}"),
    ("watcher", chunk_subject("web", SHA, 0)),
    ("watcher", policy_subject("roles.2")),
    ("watcher", subject_of(HEARTBEATS, "m1")),
    ("watcher", subject_of(ANSWERS, "m1")),
    ("publisher", subject_of(ANSWERS, "m1")),
    ("publisher", subject_of(HEARTBEATS, "m1")),
    ("publisher", f"$JS.API.STREAM.DELETE.KV_{POLICY_BUCKET}"),
    ("approver", POINTER),
    ("approver", subject_of(ASKS, "m1")),
    ("approver", f"$JS.API.STREAM.PURGE.{ANSWERS}"),
]


@pytest.mark.parametrize(("who", "subject"), CENTRE_MAY_NOT)
def test_at_the_centre_everybody_has_one_duty(broker, who, subject):
    async def run():
        heard = []
        client = await connect(broker.as_who(who), patience=30, heard=lambda error: heard.append(str(error)))
        try:
            await client.publish(subject, json.dumps({}).encode())
            await until(lambda: heard)
        finally:
            await client.close()
        return heard

    assert "permissions violation for publish" in asyncio.run(run())[0]


@pytest.mark.parametrize(
    ("kept", "target"), [(f"KV_{POLICY_BUCKET}", POINTER), (ANSWERS, subject_of(ANSWERS, "m1"))]
)
@pytest.mark.parametrize(
    ("who", "stream"), [("collector", DECISIONS), ("watcher", HEARTBEATS), ("approver", ASKS)]
)
def test_a_consumer_that_delivers_elsewhere_puts_nothing_there(broker, who, stream, kept, target):
    """Who reads a stream may say where it goes: those who listen there hear it, and no stream keeps it."""
    deliver = {"name": "astray", "deliver_subject": target, "deliver_policy": "all", "ack_policy": "none"}
    asked = json.dumps({"stream_name": stream, "config": deliver}).encode()
    heard = []

    async def listen(data, _):
        heard.append(data)

    async def run():
        async with client_of(broker, who) as client, client_of(broker, "admin") as admin:
            before = await _count(admin, kept, target)
            async with machine(broker, "m1") as link:
                await link.follow(target, listen)
                await link.publish(subject_of(stream, "m1"), b"astray")
                await client.request(f"$JS.API.CONSUMER.CREATE.{stream}.astray", asked, timeout=30)
                await until(lambda: b"astray" in heard)
            await client.request(f"$JS.API.CONSUMER.DELETE.{stream}.astray", timeout=30)
            return before, await _count(admin, kept, target)

    before, after = asyncio.run(run())
    assert after == before
