"""What is published for the groups, as the address of the fleet has it: read now and then, by a thread of its
own, and held against the freshness keys where the dashboard knows them.

What is not signed by such a key is shown as what it is: the words of whoever can write there.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager

from fairlead.doors.bus.connection import Broker
from fairlead.doors.fleet.publishers import PUBLISHERS, Target, open_publisher
from fairlead.doors.fleet.sources.exchange import Web
from fairlead.doors.fleet.sources.http import HttpSource, authorization_in
from fairlead.errors import FairleadError, UsageError
from fairlead.fleet.bundles.freshness import Rollout, Statement, goes_back, read_statement
from fairlead.fleet.bundles.roles import Roles
from fairlead.fleet.bundles.signing import FOR_FRESHNESS, require_signed
from fairlead.fleet.documents import NAME
from fairlead.fleet.publishing.pointer import Pointer, read_pointer
from fairlead.fleet.refusal import RefusedError
from fairlead.model.value import Value

_AGAIN = 15.0
_PATIENCE = 2.0
_WEB = ("http", "https")
Read = Callable[[str], bytes | None]


class Word(Value):
    """What is said of a group. `state` is signed, unchecked (no key is known here), forged, unreadable, or
    nothing; `why` says more of it. Of what is forged or unreadable nothing else is told."""

    state: str
    why: str = ""
    version: int = 0
    manifest_sha256: str = ""
    published: int = 0
    at: int = 0
    expires: int = 0
    rollout: Rollout = Rollout()

    def as_json(self) -> dict[str, object]:
        before = self.rollout.previous
        return {
            "state": self.state,
            "why": self.why,
            "version": self.version,
            "sha256": self.manifest_sha256,
            "published": self.published,
            "at": self.at,
            "expires": self.expires,
            "percent": self.rollout.percent,
            "halted": self.rollout.halted,
            "halt": self.rollout.why,
            "back": goes_back(self.rollout),
            "previous": before.version if before else 0,
        }


def word_of(content: bytes | None, group: str, roles: Roles | None) -> Word:
    """As a machine of the group would take it, but for what that has seen before."""
    if content is None:
        return Word("nothing")
    try:
        pointer = read_pointer(content)
        statement = read_statement(pointer.freshness.content)
    except RefusedError as error:
        return Word("unreadable", error.message)
    try:
        state = _believed(pointer, statement, group, roles)
    except RefusedError as error:
        return Word("forged", error.message)
    if state == "forged":
        return Word(state, f"its statement is about version {statement.version} of {statement.group}")
    return Word(
        state, "", statement.version, statement.manifest_sha256, pointer.published,
        statement.at, statement.expires, statement.rollout,
    )  # fmt: skip


def _believed(pointer: Pointer, statement: Statement, group: str, roles: Roles | None) -> str:
    """Raises RefusedError where too few keys have signed it."""
    release = pointer.release
    about = (group, release.version, release.manifest_sha256)
    if (statement.group, statement.version, statement.manifest_sha256) != about or pointer.group != group:
        return "forged"
    if roles is None:
        return "unchecked"
    require_signed(pointer.freshness, roles.freshness, purpose=FOR_FRESHNESS, what="what is said here")
    return "signed"


class Published:
    """Of as many groups as were asked for. Asking waits for a moment at most: what is not known by then comes
    with the next question."""

    def __init__(self, target: Target, roles: Roles | None = None) -> None:
        self._roles = roles
        self.shown, self._open = _opener(target)
        self._turn = threading.Lock()
        self._words: dict[str, Word] = {}
        self._read_at: dict[str, float] = {}
        self._newest: dict[str, int] = {}
        """By group, when the newest word was said that was signed."""
        self._reading: threading.Thread | None = None
        self.trouble = ""
        """Why nothing new is known; empty when all is well."""

    @property
    def checks(self) -> bool:
        """Whether it knows whose signatures count."""
        return self._roles is not None

    def of(self, groups: Iterable[str]) -> Mapping[str, Word]:
        wanted = [group for group in groups if NAME.fullmatch(group)]
        with self._turn:
            now = time.monotonic()
            old = [group for group in wanted if now - self._read_at.get(group, -_AGAIN) >= _AGAIN]
            if old and (self._reading is None or not self._reading.is_alive()):
                self._reading = threading.Thread(target=self._look, args=(old,), daemon=True)
                self._reading.start()
            reading = self._reading
        if reading is not None:
            reading.join(_PATIENCE)
        return {group: self._words[group] for group in wanted if group in self._words}

    def _look(self, groups: Iterable[str]) -> None:
        try:
            with self._open() as read:
                for group in groups:
                    self._hear(group, word_of(read(group), group, self._roles))
            self.trouble = ""
        except FairleadError as error:
            self.trouble = error.message
            for group in groups:
                self._read_at[group] = time.monotonic()

    def _hear(self, group: str, word: Word) -> None:
        """Who puts back what was said earlier holds machines where they were."""
        if word.state == "signed":
            newest = self._newest.get(group, 0)
            if word.at < newest:
                word = Word("forged", "what lies there now was said before what lay there earlier")
            self._newest[group] = max(newest, word.at)
        self._words[group] = word
        self._read_at[group] = time.monotonic()


def _opener(target: Target) -> tuple[str, Callable[[], AbstractContextManager[Read]]]:
    """And the address without anything secret. Raises UsageError for one that nothing can be read from."""
    if target.scheme in _WEB:
        web = Web(target.address, _authorization(target), target.tls_ca).checked()
        return web.shown, lambda: _web(web)
    if target.scheme not in PUBLISHERS:
        raise UsageError(
            f"{target.address!r} is no address of a fleet",
            hint="folder:DIR, https://..., or nats://host:4222 and tls:// for a broker",
        )
    if target.scheme == "folder":
        return target.address, lambda: _publisher(target)
    broker = Broker(target.address, target.credentials, target.tls_ca).checked()
    return broker.shown, lambda: _publisher(target)


def _authorization(target: Target) -> str:
    return authorization_in(target.credentials) if target.credentials else ""


@contextmanager
def _web(web: Web) -> Iterator[Read]:
    yield lambda group: asyncio.run(HttpSource(web, group).pointer())


@contextmanager
def _publisher(target: Target) -> Iterator[Read]:
    with open_publisher(target) as publisher:
        yield publisher.pointer
