"""Which machines there are, as far as the broker heard of them, held against those that there should be."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import TYPE_CHECKING

from fairlead.doors.fleet.subjects import HEARTBEATS, PREFIXES
from fairlead.errors import FairleadError
from fairlead.fleet.refusal import RefusalCode, RefusedError
from fairlead.fleet.telling.heartbeat import Heartbeat, read_heartbeat
from fairlead.model.value import Value

if TYPE_CHECKING:
    from nats.aio.client import Client
    from nats.aio.msg import Msg

EVERY = 300.0
"""Seconds between two heartbeats."""
LATE = 3 * EVERY
_SECONDS = 20.0


class Heard(Value):
    """The last message of a machine. `at` is the broker's time: that of a machine may be wrong. Without a
    heartbeat, `fault` says why, and `forged` whether it names somebody else."""

    machine: str
    at: float
    heartbeat: Heartbeat | None = None
    fault: str = ""
    forged: bool = False


class Presence(StrEnum):
    HERE = "here"
    LATE = "late"
    MISSING = "missing"
    """It is expected, and was never heard."""
    UNEXPECTED = "unexpected"
    FORGED = "forged"
    UNREADABLE = "unreadable"


class Machine(Value):
    name: str
    presence: Presence
    heard: Heard | None = None
    group: str = ""

    def as_json(self, now: float) -> dict[str, object]:
        heard = self.heard
        body = heard.heartbeat.as_json() if heard is not None and heard.heartbeat is not None else {}
        return {
            **body,
            "machine": self.name,
            "group": self.group,
            "presence": str(self.presence),
            "heard": round(now - heard.at) if heard is not None else None,
            "fault": heard.fault if heard is not None else "",
        }


def heard_from(subject: str, content: bytes, at: float) -> Heard:
    """The subject is the broker's word on who sent it."""
    machine = subject.rpartition(".")[2]
    try:
        return Heard(machine, at, read_heartbeat(content, machine))
    except RefusedError as error:
        return Heard(machine, at, None, error.message, error.refusal.code is RefusalCode.FORGED)


async def read_heartbeats(client: Client) -> list[Heard]:
    """The last of each machine. Raises FairleadError."""
    from nats.errors import Error

    try:
        jetstream = client.jetstream()
        info = await jetstream.stream_info(HEARTBEATS)
        if not info.state.messages:
            return []
        following = await jetstream.subscribe(
            f"{PREFIXES[HEARTBEATS]}.*", stream=HEARTBEATS, ordered_consumer=True
        )
        heard: dict[str, Heard] = {}
        while True:
            message = await following.next_msg(timeout=_SECONDS)
            one = _heard(message)
            heard[one.machine] = one
            if message.metadata.num_pending == 0:
                break
        await following.unsubscribe()
    except (Error, OSError, TimeoutError) as error:
        words = f"the heartbeats cannot be read: {client.last_error or type(error).__name__}"
        raise FairleadError(words, hint="it takes the rights of a watcher or a collector") from error
    return list(heard.values())


def _heard(message: Msg) -> Heard:
    return heard_from(message.subject, message.data, message.metadata.timestamp.timestamp())


def roll_call(heard: Iterable[Heard], expected: Mapping[str, str], now: float) -> list[Machine]:
    """`expected` is the group by machine; empty where nobody wrote them down. Those to look at come first."""
    by_name = {each.machine: each for each in heard}
    named = [_present(each, expected, now) for each in by_name.values()]
    missing = [
        Machine(name, Presence.MISSING, None, group)
        for name, group in expected.items()
        if name not in by_name
    ]
    order = list(_ORDER)
    return sorted([*named, *missing], key=lambda machine: (order.index(machine.presence), machine.name))


_ORDER = (
    Presence.FORGED,
    Presence.UNREADABLE,
    Presence.UNEXPECTED,
    Presence.MISSING,
    Presence.LATE,
    Presence.HERE,
)


def _present(heard: Heard, expected: Mapping[str, str], now: float) -> Machine:
    group = heard.heartbeat.group if heard.heartbeat is not None else expected.get(heard.machine, "")
    return Machine(heard.machine, _presence(heard, expected, group, now), heard, group)


def _presence(heard: Heard, expected: Mapping[str, str], group: str, now: float) -> Presence:
    if heard.heartbeat is None:
        return Presence.FORGED if heard.forged else Presence.UNREADABLE
    if expected and expected.get(heard.machine) != group:
        return Presence.UNEXPECTED
    return Presence.LATE if now - heard.at > LATE else Presence.HERE
