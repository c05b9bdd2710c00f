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


async def ensure_streams(jetstream: JetStreamContext) -> list[str]:
    """The names of those that were not there. One that is there stays as its owner made it."""
    from nats.js.errors import NotFoundError

    made = []
    for config in _configs():
        try:
            await jetstream.stream_info(str(config.name))
        except NotFoundError:
            await jetstream.add_stream(config)
            made.append(str(config.name))
    return made


def _configs() -> list[StreamConfig]:
    from nats.js.api import StorageType, StreamConfig

    plain = [
        StreamConfig(name=name, subjects=[f"{PREFIXES[name]}.*"], storage=StorageType.FILE, **settings)
        for name, settings in _STREAMS.items()
    ]
    return plain + [_bucket(bucket, most) for bucket, most in _BUCKETS.items()]


def _bucket(name: str, most: int) -> StreamConfig:
    """As the client's key-value store would make it, so that its own tools know it."""
    from nats.js.api import DiscardPolicy, StorageType, StreamConfig

    return StreamConfig(
        name=stream_of(name),
        subjects=[f"$KV.{name}.>"],
        storage=StorageType.FILE,
        max_msgs_per_subject=1,
        max_msg_size=most,
        allow_rollup_hdrs=True,
        allow_direct=True,
        deny_delete=True,
        discard=DiscardPolicy.NEW,
    )
