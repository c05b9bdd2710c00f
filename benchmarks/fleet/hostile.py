"""Machines that were taken over: what one can do to the fleet with its own key and all that it knows."""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections import Counter
from collections.abc import Mapping

from nats.errors import Error

from benchmarks.fleet.simulated import Machine
from fairlead.doors.bus.connection import connect
from fairlead.doors.fleet.link import LinkError, RefusedError
from fairlead.doors.fleet.subjects import (
    ANSWERS,
    DECISIONS,
    HEARTBEATS,
    group_key,
    inbox_of,
    policy_subject,
    subject_of,
)
from fairlead.errors import FairleadError
from fairlead.fleet.telling.heartbeat import Heartbeat

_FLOOD = 25
_FLOOD_BYTES = 16 * 1024


async def misbehave(
    machine: Machine,
    victim: Machine,
    done: Counter[str],
    *,
    between: float,
    knows_until: float,
    until: float,
) -> None:
    """In rounds, with so many seconds `between` two, and never more than `_FLOOD` messages in one: it
    ends however the broker takes it. Ids have 80 random bits, and are told to the hostile until
    `knows_until`, while nothing else is broken."""
    replayed: dict[str, bytes] = {}
    while time.monotonic() < until:
        acts = [_others_subjects, _forged, _flood]
        for act in (*acts, _stolen_id) if time.monotonic() < knows_until else acts:
            try:
                await act(machine, victim, done)
            except LinkError:
                done["no answer"] += 1
        try:
            await _replay(machine, replayed, done)
            await _answers_elsewhere(machine, done)
        except (FairleadError, Error, OSError, TimeoutError):
            done["no answer"] += 1
        await asyncio.sleep(between)


async def _others_subjects(machine: Machine, victim: Machine, done: Counter[str]) -> None:
    for subject in (
        subject_of(DECISIONS, victim.name),
        subject_of(HEARTBEATS, victim.name),
        subject_of(ANSWERS, victim.name),
        policy_subject(group_key(victim.group)),
    ):
        try:
            await machine.link.publish(subject, b"{}")
            done["on others' subjects: TAKEN"] += 1
        except RefusedError:
            done["on others' subjects: refused"] += 1


async def _forged(machine: Machine, victim: Machine, done: Counter[str]) -> None:
    beat = Heartbeat(victim.name, victim.group, int(time.time()), off=True)
    await machine.link.publish(subject_of(HEARTBEATS, machine.name), beat.written())
    done["heartbeats in another's name"] += 1
    line = {"id": victim.next_id, "writer": "0" * 16, "seq": 1, "prev": "", "request": ""}
    body = json.dumps({"v": 1, "machine": victim.name, "group": victim.group, "line": line}).encode()
    await _publish(machine, body, os.urandom(10).hex())
    done["decisions in another's name"] += 1


async def _stolen_id(machine: Machine, victim: Machine, done: Counter[str]) -> None:
    """The id that the victim's next line will have, so that the broker takes that one for known."""
    await _publish(machine, b'{"v": 1}', f"{victim.name}-{victim.next_id}")
    done["another's ids"] += 1


async def _flood(machine: Machine, victim: Machine, done: Counter[str]) -> None:
    body = b'{"v": 1, "more": "' + b"x" * _FLOOD_BYTES + b'"}'
    sent = [_publish(machine, body, os.urandom(10).hex()) for _ in range(_FLOOD)]
    answers = await asyncio.gather(*sent, return_exceptions=True)
    done["flood"] += sum(not isinstance(each, BaseException) for each in answers)


async def _replay(machine: Machine, replayed: dict[str, bytes], done: Counter[str]) -> None:
    """The same line of its own under a fresh id for the broker each time."""
    line, message = next(iter(replayed.items()), None) or machine.make_line()
    replayed[line] = message
    await _publish(machine, message, os.urandom(10).hex())
    done["replayed decisions"] += 1


async def _answers_elsewhere(machine: Machine, done: Counter[str]) -> None:
    """Asks the broker to acknowledge a heartbeat into the place of the group's pointer."""
    client = await connect(machine.broker, more={"inbox_prefix": inbox_of(machine.name)})
    try:
        beat = Heartbeat(machine.name, machine.group, int(time.time())).written()
        reply = policy_subject(group_key(machine.group))
        await client.publish(subject_of(HEARTBEATS, machine.name), beat, reply=reply)
        await client.flush(timeout=10)
        done["answers sent to the pointer"] += 1
    finally:
        await client.close()


async def _publish(machine: Machine, body: bytes, name: str) -> Mapping[str, object]:
    return await machine.link.publish(
        subject_of(DECISIONS, machine.name), body, headers={"Nats-Msg-Id": name}
    )
