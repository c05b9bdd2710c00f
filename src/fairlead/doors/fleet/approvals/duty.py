"""The duty of a fleet's agent that carries questions out and answers in.

It looks at the local questions now and then; no hook call knows of it. Without a broker nothing is carried,
and no answer is a no.
"""

from __future__ import annotations

import asyncio
import os

from fairlead.doors.fleet.approvals.askers import askers_here
from fairlead.doors.fleet.approvals.carrier import Believed, Carrier
from fairlead.doors.fleet.approvals.pending import OPEN
from fairlead.doors.fleet.duties import Context
from fairlead.doors.fleet.link import Link, LinkError
from fairlead.doors.fleet.subjects import ANSWERS, ASKS, subject_of
from fairlead.errors import FairleadError
from fairlead.fleet.bundles.store import Store
from fairlead.fleet.enrolment import read_enrolment
from fairlead.fleet.glass.break_glass import note_as_root
from fairlead.fleet.glass.off_grants import is_off_grant
from fairlead.fleet.glass.taking_off import take_grant
from fairlead.fleet.questions.approvals import read_approvals
from fairlead.fleet.questions.asks import Closed
from fairlead.policy.layering.fleet_layer import CURRENT
from fairlead.policy.places import Places

NAME = "approvals"
ROLES_FILE = "roles.json"
_LOOK = 0.5
_WAITING = 64
"""Answers that may wait to be looked at; who floods this loses their own."""


async def run(context: Context) -> None:
    if context.link is None:
        context.tell(NAME, state="this fleet has no broker, so questions are answered here alone")
        return
    await _Duty(context, context.link).run()


def believed_here(places: Places) -> Believed:
    """As the bundle in force and the newest roles say; nobody where there is none. Raises FairleadError."""
    enrolment = read_enrolment(places)
    store = Store(places.fleet)
    in_force = store.in_force()
    if enrolment is None or in_force is None:
        return Believed()
    return Believed(read_approvals(in_force.manifest.approvals), store.roles(enrolment.roles).approval)


class _Belief:
    """The same, read again when one of its files is another one: it is asked for all the time."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._marks: object = None
        self._believed = Believed()

    def now(self) -> Believed:
        places = self._places
        paths = (places.system_enrolment, places.user_enrolment)
        kept = (os.path.join(places.fleet, name) for name in (CURRENT, ROLES_FILE))
        marks = [_mark(path) for path in (*paths, *kept)]
        if marks != self._marks:
            self._believed, self._marks = believed_here(places), marks
        return self._believed


def _mark(path: str) -> tuple[int, ...]:
    try:
        found = os.lstat(path)
    except OSError:
        return ()
    return (found.st_ino, found.st_ctime_ns, found.st_size)


class _Duty:
    def __init__(self, context: Context, link: Link) -> None:
        self._context, self._link = context, link
        self._belief = _Belief(context.places)
        self._carriers: dict[int, Carrier] = {}
        self._answers: asyncio.Queue[bytes] = asyncio.Queue(_WAITING)
        self._came, self._missed = asyncio.Event(), asyncio.Event()
        self._refused = 0

    async def run(self) -> None:
        await self._link.follow(subject_of(ANSWERS, self._context.machine), self._took)
        self._link.came_up.append(self._missed.set)
        self._missed.set()
        try:
            while not self._context.stopping.is_set():
                await self._turn()
                await self._next()
        finally:
            self._link.came_up.remove(self._missed.set)

    async def _turn(self) -> None:
        try:
            believed = await asyncio.to_thread(self._belief.now)
            await asyncio.to_thread(self._find_askers)
            await self._take_all(believed)
            for carrier in list(self._carriers.values()):
                await self._send_all(carrier, believed)
        except LinkError as error:
            self._context.tell(NAME, error=error.message)
            return
        self._context.tell(NAME, error="")

    def _find_askers(self) -> None:
        context = self._context
        for asker in askers_here(context.places):
            if asker.user not in self._carriers:
                made = Carrier(context.places, asker, machine=context.machine, group=context.group)
                self._carriers[asker.user] = made
            if asker.by_root:
                for public in note_as_root(context.places, asker.places.state):
                    context.tell(NAME, glass=public[:12], user=asker.user)

    def _carrier_of(self, content: bytes) -> Carrier:
        """Of the user whose agent has asked; what answers nothing is anybody's to refuse."""
        carriers = list(self._carriers.values())
        return next((each for each in carriers if each.asked_for(content)), carriers[0])

    async def _take_all(self, believed: Believed) -> None:
        if self._missed.is_set() and self._link.connected:
            self._missed.clear()
            await self._fetch_missed()
        while not self._answers.empty():
            answer = self._answers.get_nowait()
            if is_off_grant(answer):
                await asyncio.to_thread(self._take_off, answer)
                continue
            carrier = await asyncio.to_thread(self._carrier_of, answer)
            await self._tell(await asyncio.to_thread(carrier.take_answer, answer, believed))

    def _take_off(self, grant: bytes) -> None:
        """A person at the machine switches off with it; one that does nothing is told here alone."""
        try:
            taken = take_grant(self._context.places, grant)
        except (FairleadError, OSError) as error:
            self._context.tell(NAME, off_refused=str(error).splitlines()[0])
            return
        self._context.tell(NAME, off_granted=taken.id, by=taken.by, uid=taken.uid)

    async def _fetch_missed(self) -> None:
        """The last answer that came while there was no connection; whoever gave one before that sees that it
        was not taken, and can give it again."""
        subject = subject_of(ANSWERS, self._context.machine)
        try:
            last = await self._link.request(f"$JS.API.DIRECT.GET.{ANSWERS}.{subject}")
        except LinkError:
            self._missed.set()
            raise
        found = bool(last.data) and not (last.headers or {}).get("Status")
        if found and is_off_grant(last.data):
            await self._took(last.data, {})
            return
        asked = self._carrier_of(last.data).asked_for(last.data) if found else None
        if asked is not None and asked.state == OPEN:
            await self._took(last.data, {})

    async def _send_all(self, carrier: Carrier, believed: Believed) -> None:
        for closed in await asyncio.to_thread(lambda: list(carrier.over())):
            await self._tell(closed)
        for pending in await asyncio.to_thread(lambda: list(carrier.unsent(believed))):
            headers = {"Nats-Msg-Id": f"{self._context.machine}-ask-{pending.request}"}
            await self._link.publish(self._asks, pending.ask, headers=headers)
            await asyncio.to_thread(carrier.sent, pending)
            self._context.tell(NAME, asked=pending.request)

    async def _tell(self, closed: Closed | None) -> None:
        """So that people see what became of it. To lose this harms nobody."""
        if closed is None:
            return
        self._refused += closed.state == "refused"
        self._context.tell(
            NAME, closed=closed.request, state=closed.state, by=closed.by, refused=self._refused
        )
        try:
            await self._link.publish(self._asks, closed.written())
        except FairleadError as error:
            self._context.tell(NAME, error=error.message)

    @property
    def _asks(self) -> str:
        return subject_of(ASKS, self._context.machine)

    async def _took(self, content: bytes, headers: object) -> None:
        if not self._answers.full():
            self._answers.put_nowait(content)
            self._came.set()

    async def _next(self) -> None:
        """Waits a moment, and not that long when an answer comes."""
        waits = [asyncio.ensure_future(each.wait()) for each in (self._context.stopping, self._came)]
        await asyncio.wait(waits, timeout=_LOOK, return_when=asyncio.FIRST_COMPLETED)
        for each in waits:
            each.cancel()
        await asyncio.gather(*waits, return_exceptions=True)
        self._came.clear()
