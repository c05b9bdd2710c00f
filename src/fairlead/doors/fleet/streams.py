"""The streams and buckets of a fleet, as `fairlead fleet broker-setup` makes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairlead.doors.fleet.subjects import (
    ANSWERS,
    ASKS,
    BUNDLE_BUCKET,
    CHUNK,
    DECISIONS,
    HEARTBEATS,
    POLICY_BUCKET,
    PREFIXES,
    stream_of,
)
from fairlead.model.value import Value

if TYPE_CHECKING:
    from nats.js import JetStreamContext
    from nats.js.api import StreamConfig

_DAY = 86_400.0
_DEDUPE = 120.0
_MOST_LINES = 100_000
"""Decisions of one machine that wait for a collector. One that floods pushes out its own alone."""
_STREAMS: dict[str, dict[str, Any]] = {
    DECISIONS: {
        "max_age": 7 * _DAY,
        "max_msgs_per_subject": _MOST_LINES,
        "max_msg_size": 128 * 1024,
        "duplicate_window": _DEDUPE,
        "deny_delete": True,
    },
    HEARTBEATS: {"max_msgs_per_subject": 1, "max_msg_size": 64 * 1024, "duplicate_window": _DEDUPE},
    ASKS: {"max_age": _DAY, "max_msg_size": 64 * 1024, "max_msgs_per_subject": 1000, "allow_direct": True},
    ANSWERS: {"max_age": _DAY, "max_msg_size": 64 * 1024, "max_msgs_per_subject": 1000, "allow_direct": True},
}
_BUCKETS: dict[str, int] = {POLICY_BUCKET: 128 * 1024, BUNDLE_BUCKET: CHUNK}
"""The most bytes that a value may have."""


ROOM = 10 * 1024**3
"""Bytes that all of them may take on the broker's disk, unless somebody says otherwise."""
_SHARES = {
    DECISIONS: 0.8,
    HEARTBEATS: 0.06,
    ASKS: 0.02,
    ANSWERS: 0.02,
    POLICY_BUCKET: 0.01,
    BUNDLE_BUCKET: 0.09,
}
"""Of the room. A stream that is full loses its oldest messages, and what is lost of the decisions shows as a
gap; a bucket that is full takes nothing more, and who publishes is told."""
_NEARLY = 0.8
_BOUNDS = ("max_bytes", "max_age", "max_msgs_per_subject", "max_msg_size")


class Bound(Value):
    """What was done about a stream: `made`, or its bounds that were not there and are now."""

    name: str
    made: bool = False
    set: tuple[str, ...] = ()


async def ensure_streams(jetstream: JetStreamContext, *, room: int = ROOM) -> list[Bound]:
    """Makes those that are not there. One that is there stays as its owner made it, but for bounds that it
    has not got at all: without them one machine can fill the disk for all."""
    from nats.js.errors import NotFoundError

    done = []
    for config in _configs(room):
        name = str(config.name)
        try:
            found = (await jetstream.stream_info(name)).config
        except NotFoundError:
            await jetstream.add_stream(config)
            done.append(Bound(name, made=True))
            continue
        lacking = {each: getattr(config, each) for each in _BOUNDS if _lacks(found, config, each)}
        if lacking:
            await jetstream.update_stream(found.evolve(**lacking))
            done.append(Bound(name, set=tuple(lacking)))
    return done


async def nearly_full(jetstream: JetStreamContext) -> list[tuple[str, float]]:
    """Streams that are about to lose their oldest messages, and how full they are."""
    found = []
    for config in _configs(ROOM):
        info = await jetstream.stream_info(str(config.name))
        most = info.config.max_bytes or -1
        if most > 0 and info.state.bytes > _NEARLY * most:
            found.append((str(config.name), info.state.bytes / most))
    return found


def _lacks(found: StreamConfig, wanted: StreamConfig, bound: str) -> bool:
    """No bound is written as 0 or -1."""
    return (getattr(found, bound) or -1) <= 0 < (getattr(wanted, bound) or -1)


def _configs(room: int) -> list[StreamConfig]:
    from nats.js.api import StorageType, StreamConfig

    plain = [
        StreamConfig(
            name=name,
            subjects=[f"{PREFIXES[name]}.*"],
            storage=StorageType.FILE,
            max_bytes=int(room * _SHARES[name]),
            **settings,
        )
        for name, settings in _STREAMS.items()
    ]
    return plain + [_bucket(bucket, most, int(room * _SHARES[bucket])) for bucket, most in _BUCKETS.items()]


def _bucket(name: str, most: int, room: int) -> StreamConfig:
    """As the client's key-value store would make it, so that its own tools know it."""
    from nats.js.api import DiscardPolicy, StorageType, StreamConfig

    return StreamConfig(
        name=stream_of(name),
        subjects=[f"$KV.{name}.>"],
        storage=StorageType.FILE,
        max_msgs_per_subject=1,
        max_msg_size=most,
        max_bytes=room,
        allow_rollup_hdrs=True,
        allow_direct=True,
        deny_delete=True,
        discard=DiscardPolicy.NEW,
    )
