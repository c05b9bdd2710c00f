"""The journal to the fleet: each line at least once, in the journal's order, never in the path of a call.

What was sent is known by a cursor, which moves on only when the broker has taken everything before it. The
ids of the lines under way are kept on the disk, too: after a kill they are sent again, and the broker's word
that it knows one is then no surprise. Of any other line it is an alarm: somebody used its id.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import stat
import time
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import suppress
from random import uniform
from typing import Any

from fairlead.doors.fleet.duties import Context
from fairlead.doors.fleet.in_force import InForce, what_is_in_force
from fairlead.doors.fleet.journals import UserJournal, journals_of
from fairlead.doors.fleet.subjects import DECISIONS, subject_of
from fairlead.errors import FairleadError
from fairlead.fleet.enrolment import read_enrolment
from fairlead.fleet.telling.leaving import Json, Origin, message_of
from fairlead.journal.cursor import Cursor
from fairlead.policy.places import make_private, read_own, write_private

_BATCH = 200
"""Lines that are under way at the same time."""
_BATCH_BYTES = 4 * 1024 * 1024
_IDLE = 1.0
_LOOK_AGAIN = 60.0
"""Seconds until somebody's first journal is noticed."""
_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 60.0
_MOST_STATE = 64 * 1024
_BEGUN = "begun"

Publish = Callable[..., Awaitable[Mapping[str, Any]]]
Rules = Callable[[], InForce]


async def run(context: Context) -> None:
    """The duty. Without a broker, or where the enrolment keeps decisions here, there is nothing to do."""
    enrolment = read_enrolment(context.places)
    if context.link is None or enrolment is None or not enrolment.decisions:
        context.tell("forwarding", state="decisions stay on this machine")
        return
    feeds: dict[str, Forwarder] = {}
    spool = os.path.join(context.places.fleet, "spool")
    begun = os.path.join(spool, _BEGUN)
    pause, looked = _FIRST_PAUSE, -_LOOK_AGAIN
    while not context.stopping.is_set():
        if time.monotonic() - looked >= _LOOK_AGAIN:
            looked = time.monotonic()
            for journal in journals_of(context.places):
                if journal.folder not in feeds:
                    feeds[journal.folder] = _feed(context, journal, from_start=os.path.exists(begun))
            write_private(begun, b"")
        try:
            sent = sum([await feed.step() for feed in list(feeds.values())])
            pause = _FIRST_PAUSE
            problems = "; ".join(feed.problem for feed in feeds.values() if feed.problem)
            context.tell("forwarding", state="sending", error=problems, **_told(feeds.values()))
        except FairleadError as error:
            context.tell("forwarding", state="waiting", error=error.message, **_told(feeds.values()))
            await context.pause(uniform(pause / 2, pause))  # noqa: S311 - spreads machines, hides nothing
            pause = min(pause * 2, _LONGEST_PAUSE)
            continue
        if not sent:
            await context.pause(_IDLE)


def _feed(context: Context, journal: UserJournal, *, from_start: bool) -> Forwarder:
    """What was there before the machine belonged to the fleet stays on it."""
    assert context.link is not None
    feed = Forwarder(
        journal,
        os.path.join(context.places.fleet, "spool"),
        context.link.publish,
        machine=context.machine,
        group=context.group,
        rules=lambda: what_is_in_force(context.places),
    )
    if not from_start:
        feed.begin_here()
    return feed


def _told(feeds: Collection[Forwarder]) -> dict[str, object]:
    kept = [feed.kept for feed in feeds]
    sums = {name: sum(each[name] for each in kept) for name in ("sent", "foreign", "alarms")}
    return {**sums, "behind": sum(feed.behind for feed in feeds)}


class Forwarder:
    """One journal. `step` sends what is there next and gives back how many lines that were."""

    def __init__(
        self,
        journal: UserJournal,
        spool: str,
        publish: Publish,
        *,
        machine: str,
        group: str,
        rules: Rules = InForce,
    ) -> None:
        name = hashlib.sha256(journal.folder.encode("utf-8", "surrogateescape")).hexdigest()[:16]
        self._journal = journal
        self._publish = publish
        self._machine, self._group = machine, group
        self._rules = rules
        make_private(spool)
        self._state = os.path.join(spool, f"forward-{name}.json")
        self._cursor = Cursor(os.path.join(spool, f"cursor-{name}.json"), journal.folder, owner=journal.owner)
        self.kept, self._tried = self._load()
        self._seen: object = ()
        self.problem = ""

    def begin_here(self) -> None:
        """Unless it has begun already: with the next line that is written."""
        if self._cursor.is_new:
            self._cursor.skip_all()

    @property
    def behind(self) -> int:
        """Bytes of the journal that have not been sent."""
        return self._cursor.behind

    async def step(self) -> int:
        """Raises FairleadError when the broker did not take everything; the same lines are next then."""
        look = self._looked()
        if look == self._seen:
            return 0
        records = await asyncio.to_thread(self._cursor.read, _BATCH, most_bytes=_BATCH_BYTES)
        if not records:
            self._seen = look
            if self._cursor.moved:  # over what is no line
                await asyncio.to_thread(self._cursor.commit)
                self._seen = None
            return 0
        messages = self._made(records)
        ids = frozenset(messages)
        self._keep(ids | self._tried)
        taken = await asyncio.gather(
            *(self._send(line, message) for line, message in messages.items()), return_exceptions=True
        )
        self._tried |= ids
        for each in taken:
            if isinstance(each, BaseException):
                raise each
        await asyncio.to_thread(self._cursor.commit)
        self.kept["sent"] += len(messages)
        self._tried = frozenset()
        self._keep(self._tried)
        return len(records)

    def _looked(self) -> object:
        """As `_look`. What is wrong with one journal is told, and keeps nobody else's from being sent."""
        try:
            self.problem, look = "", self._look()
        except (FairleadError, OSError) as error:
            self.problem = error.message if isinstance(error, FairleadError) else str(error)
            return self._seen
        return look

    def _look(self) -> object:
        """Changes when the journal does. A place where something else than a file stands is not read."""
        found = []
        try:
            with os.scandir(self._journal.folder) as entries:
                for entry in entries:
                    if entry.name.endswith(".jsonl"):
                        seen = entry.stat(follow_symlinks=False)
                        if not stat.S_ISREG(seen.st_mode):
                            raise FairleadError(f"{entry.path} is no file", hint="remove it")
                        found.append((entry.name, seen.st_ino, seen.st_size))
        except FileNotFoundError:
            return ()
        return tuple(sorted(found))

    def _made(self, records: Sequence[Mapping[str, object]]) -> dict[str, bytes]:
        """By id. What is no line of ours is counted; nobody could tell it from another of its kind."""
        rules = self._rules()
        origin = Origin(
            self._machine,
            self._group,
            user=self._journal.user,
            homes=(self._journal.home,),
            bundle_version=rules.version,
            bundle_sha256=rules.sha256,
        )
        made: dict[str, bytes] = {}
        for record in records:
            try:
                message = message_of(record, rules.privacy, origin)
            except ValueError:
                self.kept["foreign"] += 1
                continue
            made[str(record["id"])] = encoded(message)
        return made

    async def _send(self, line: str, message: bytes) -> None:
        alarm = await send_line(
            self._publish, self._machine, line, message=message, first=line not in self._tried
        )
        self.kept["alarms"] += alarm

    def _keep(self, tried: frozenset[str]) -> None:
        write_private(self._state, json.dumps({**self.kept, "tried": sorted(tried)}).encode("ascii"))

    def _load(self) -> tuple[dict[str, int], frozenset[str]]:
        found: object = None
        with suppress(ValueError):
            found = json.loads(read_own(self._state, _MOST_STATE) or b"")
        state = found if isinstance(found, dict) else {}
        tried = state.get("tried")
        kept = {name: _number(state.get(name)) for name in ("sent", "foreign", "alarms")}
        return kept, frozenset(map(str, tried if isinstance(tried, list) else ()))


async def send_line(publish: Publish, machine: str, line: str, *, message: bytes, first: bool) -> bool:
    """Whether somebody else has used the line's id: the broker knows it, and this is the first try.

    On a later try it may have been ours, or theirs. So a line whose id is known always goes under another
    one, too: the centre keeps it once, and nobody can have it taken for one that is there already. Raises
    FairleadError.
    """
    subject, name = subject_of(DECISIONS, machine), f"{machine}-{line}"
    taken = await publish(subject, message, headers={"Nats-Msg-Id": name})
    if not taken.get("duplicate"):
        return False
    await publish(subject, message, headers={"Nats-Msg-Id": f"{name}-{os.urandom(10).hex()}"})
    return first


def encoded(message: Json) -> bytes:
    return json.dumps(message, separators=(",", ":"), allow_nan=False).encode("ascii")


def _number(value: object) -> int:
    return value if isinstance(value, int) and value >= 0 else 0
