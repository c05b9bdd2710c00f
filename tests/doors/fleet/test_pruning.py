"""Old bundles where machines look for new ones: what may still be fetched stays, the rest goes."""

import asyncio
import os

import pytest
from fleet_broker import FleetBroker, needs_broker
from fleet_workshop import Member, Publishing

from fairlead.doors.bus.connection import connect
from fairlead.doors.fleet.centre import broker_config
from fairlead.doors.fleet.centre.publishing import GRACE, pointer_to, published, still_named
from fairlead.doors.fleet.publishers import open_publisher
from fairlead.doors.fleet.subjects import BUNDLE_BUCKET, POLICY_BUCKET, stream_of
from fairlead.errors import FairleadError
from fairlead.fleet.bundles.freshness import Rollout
from fairlead.fleet.moments import DAY


@pytest.fixture
def publishing(tmp_path):
    (tmp_path / "shelf").mkdir()
    return Publishing(f"folder:{tmp_path / 'shelf'}")


def pointer(publishing, version, *, before=None, percent=100, published_at=None):
    """As if it had been published at another time."""
    release = publishing.release(publishing.bundle(version))
    previous = before.release if before is not None else None
    made = pointer_to(
        release,
        "web",
        key=publishing.online_key,
        seconds=DAY,
        rollout=Rollout(percent, previous),
        roles_version=1,
        before=None,
    )
    return made if published_at is None else made.replace(published=published_at)


def of(*pointers):
    return {each.release.bundle_sha256 for each in pointers}


def test_what_pointers_and_their_step_back_name_is_kept(publishing):
    first = pointer(publishing, 1)
    long_ago = first.published - GRACE - 5
    second = pointer(publishing, 2, before=first, published_at=long_ago)
    third = pointer(publishing, 3, before=second)
    fourth = pointer(publishing, 4, before=third.replace(published=long_ago))
    assert still_named(third, second) == of(first, second, third)
    assert still_named(fourth, third.replace(published=long_ago)) == of(second, third, fourth)
    assert still_named(first, None) == of(first)


def test_nothing_goes_while_a_machine_may_follow_the_pointer_before_the_last(publishing):
    second = pointer(publishing, 2)
    third = pointer(publishing, 3, before=second)
    assert still_named(third, second) is None
    assert still_named(third, third) is None
    just = second.replace(published=second.published - GRACE + 60)
    assert still_named(third, just) is None


def test_in_a_folder_the_bundles_of_others_and_what_nobody_knows_stay(publishing, tmp_path):
    for version in (1, 2, 3):
        publishing.publish(version)
    publishing.publish(1, "db")
    folder = tmp_path / "shelf" / "bundles"
    (folder / "notes.txt").write_text("mine")
    (folder / f"{'e' * 64}.fairlead").write_text("no bundle")
    keep = of(publishing.pointer())
    with open_publisher(publishing.target) as publisher:
        assert publisher.prune("web", keep) == 1
        assert publisher.prune("web", keep) == 0
    left = set(os.listdir(folder))
    named = {publishing.pointer().rollout.previous.bundle_sha256, *keep, *of(publishing.pointer("db"))}
    assert left == {"notes.txt", f"{'e' * 64}.fairlead", *(f"{sha256}.fairlead" for sha256 in named)}


def test_in_a_folder_nothing_goes_while_a_pointer_cannot_be_read(publishing, tmp_path):
    for version in (1, 2, 3):
        publishing.publish(version)
    (tmp_path / "shelf/groups/db.json").write_text("{")
    with open_publisher(publishing.target) as publisher, pytest.raises(FairleadError):
        publisher.prune("web", set())
    assert len(os.listdir(tmp_path / "shelf/bundles")) == 3


@pytest.fixture
def broker(tmp_path):
    with FleetBroker(tmp_path / "broker", ("m1", "web"), ("d1", "db")) as broker:
        yield broker


async def parts(broker) -> dict[str, int]:
    client = await connect(broker.as_who("admin"), patience=30)
    try:
        name = stream_of(BUNDLE_BUCKET)
        info = await client.jetstream().stream_info(name, subjects_filter=f"$KV.{BUNDLE_BUCKET}.>")
        return info.state.subjects or {}
    finally:
        await client.close()


@pytest.mark.slow
@needs_broker
def test_at_a_broker_all_parts_of_an_old_bundle_go_and_nothing_else(broker, tmp_path):
    publishing = Publishing(broker.url, broker.credentials("publisher"))
    for version in (1, 2, 3):
        publishing.publish(version, content=publishing.bundle(version, padding=600_000))
    publishing.publish(1, "db")
    now = publishing.pointer()
    keep = {now.release.bundle_sha256, now.rollout.previous.bundle_sha256}
    before = asyncio.run(parts(broker))
    with open_publisher(publishing.target) as publisher:
        assert publisher.prune("web", keep) == 1
        assert publisher.prune("web", keep) == 0
        assert published(publisher, "web") == now
    after = asyncio.run(parts(broker))
    assert {subject.split(".")[3] for subject in after} == keep | of(publishing.pointer("db"))
    assert len(before) - len(after) >= 2
    member = Member(tmp_path, "m1", publishing, source=broker.url, credentials=broker.credentials("m1"))
    assert member.fairlead("fleet", "check").returncode == 0
    assert member.version == 3


@pytest.mark.slow
@needs_broker
def test_a_broker_that_does_not_let_the_publisher_remove_says_so(tmp_path, monkeypatch):
    rights = tuple(each for each in broker_config._DUTIES["publisher"] if "PURGE" not in each)
    monkeypatch.setitem(broker_config._DUTIES, "publisher", rights)
    with FleetBroker(tmp_path / "broker", ("m1", "web")) as broker:
        publishing = Publishing(broker.url, broker.credentials("publisher"))
        publishing.publish(1)
        with (
            open_publisher(publishing.target) as publisher,
            pytest.raises(FairleadError, match="does not let") as caught,
        ):
            publisher.prune("web", set())
        assert "broker-config" in caught.value.hint
        assert len(asyncio.run(parts(broker))) == 1


@pytest.mark.slow
@needs_broker
def test_a_publisher_removes_no_pointer_and_no_decision(broker):
    """The right to remove is for the bucket of bundles alone."""
    publishing = Publishing(broker.url, broker.credentials("publisher"))
    publishing.publish(1)

    async def purge(stream: str) -> None:
        client = await connect(broker.as_who("publisher"), patience=30)
        try:
            with pytest.raises(TimeoutError):  # so a request looks that the broker refuses
                await client.request(f"$JS.API.STREAM.PURGE.{stream}", b"", timeout=2)
        finally:
            await client.close()

    for stream in (stream_of(POLICY_BUCKET), "FAIRLEAD_DECISIONS"):
        asyncio.run(purge(stream))
    assert publishing.pointer().release.version == 1
