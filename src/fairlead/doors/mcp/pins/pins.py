"""What a door asks before it shows a definition or forwards a call: is this what was pinned?"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial

from fairlead.doors.mcp.pins.canonical import UnpinnableError
from fairlead.doors.mcp.pins.definition import Definition, Kind, define, name_of
from fairlead.doors.mcp.pins.item import Item, Why, objections
from fairlead.doors.mcp.pins.listing import Listing, Seen, look_through
from fairlead.doors.mcp.pins.report import (
    Notice,
    NoticeKind,
    PinReport,
    refusal,
    server_refusal,
    shapes_of,
    shown,
)
from fairlead.doors.mcp.pins.server_identity import ServerIdentity
from fairlead.doors.mcp.pins.server_record import ServerKey, ServerRecord
from fairlead.doors.mcp.pins.server_start import started
from fairlead.doors.mcp.pins.store import PinError, PinStore
from fairlead.model.value import Value
from fairlead.policy.mode import ASK_FIRST, WATCH, Mode

Members = Mapping[str, object]
_TEXT = "instructions"


class PinRules(Value):
    """What the person's policy says: whether somebody has to look first, and whether pins only watch."""

    asks_first: bool = False
    watches: bool = False


def rules_of(mode: Mode) -> PinRules:
    """What `mode.yaml` says of pins is nearer than what it says of everything."""
    return PinRules(mode.pins == ASK_FIRST, mode.pins == WATCH or (mode.audits and not mode.pins))


class Pins:
    """Those of one server, while a door stands before it. `opening` is what its start has to tell."""

    def __init__(
        self,
        store: PinStore,
        key: ServerKey,
        identity: ServerIdentity,
        *,
        rules: PinRules = PinRules(),  # noqa: B008 - a frozen value
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._store, self.key, self._identity, self._rules = store, key, identity, rules
        self._clock = clock
        self._record = ServerRecord(key)
        self._stamp = (0, 0)
        self._unreadable = ""
        self._seen: dict[tuple[Kind, str], Definition] = {}
        self._faulty: dict[tuple[Kind, str], Why] = {}
        self._told: set[tuple[Kind, str]] = set()
        self.opening = self._open()

    def _open(self) -> PinReport:
        notices: list[Notice] = []

        def step(record: ServerRecord) -> ServerRecord:
            asks_first = self._rules.asks_first
            record, told = started(
                record, self._identity, asks_first=asks_first, at=self._now(), kin=self._kin
            )
            notices[:] = told
            return record

        return self._changed(step, notices)

    # --- what the door has seen ---

    def seen(self, tools: Sequence[Members], *, complete: bool) -> PinReport:
        """The pages of the server's list up to now; all of them, if it is complete."""
        return self._listed(Kind.TOOL, tools, complete=complete)

    def prompts(self, prompts: Sequence[Members], *, complete: bool) -> PinReport:
        return self._listed(Kind.PROMPT, prompts, complete=complete)

    def resources(self, resources: Sequence[Members], *, complete: bool) -> PinReport:
        """Their names are data, and come and go: they are only looked through for what no name needs."""
        return self._listed(Kind.RESOURCE, resources, complete=complete)

    def templates(self, templates: Sequence[Members], *, complete: bool) -> PinReport:
        return self._listed(Kind.TEMPLATE, templates, complete=complete)

    def text_to_models(self, text: str) -> PinReport:
        """The server's `instructions`; blocked under that name."""
        members = [{"name": _TEXT, "text": text}] if text.strip() else []
        return self._listed(Kind.INSTRUCTIONS, members, complete=True)

    def instructions(self, text: str) -> str | None:
        """What the model is to read instead; None where it is fine as it is."""
        self.text_to_models(text)
        why = self.objection(Kind.INSTRUCTIONS, _TEXT) if text.strip() else ""
        return f"Fairlead: {why}" if why else None

    def _listed(self, kind: Kind, definitions: Sequence[Members], *, complete: bool) -> PinReport:
        listing = Listing(
            kind,
            _read(kind, definitions),
            complete=complete,
            asks_first=self._rules.asks_first,
            absorbs=not self._server_objection(),
            at=self._now(),
        )
        notices: list[Notice] = []

        def step(record: ServerRecord) -> ServerRecord:
            others = partial(self._store.others, self.key)
            record, told = look_through(record, listing, others, cache(self._kin))
            notices[:] = told
            return record

        for name, one in listing.seen.items():
            self._remember(kind, name, one)
        report = self._changed(step, notices)
        notices = [*report.notices, *self._faults(kind, listing.seen)]
        whys = {name: self.objection(kind, name) for name in listing.seen}
        return PinReport(tuple(notices), {name: why for name, why in whys.items() if why})

    def _kin(self) -> tuple[ServerRecord, ...]:
        return self._store.kin(self.key, self._identity)

    def _remember(self, kind: Kind, name: str, one: Seen) -> None:
        self._faulty.pop((kind, name), None)
        if one.fault is not None:
            self._faulty[kind, name] = one.fault
        elif one.definition is not None:
            self._seen[kind, name] = one.definition

    def _faults(self, kind: Kind, seen: Mapping[str, Seen]) -> list[Notice]:
        found: list[Notice] = []
        for name, one in seen.items():
            if one.fault is not None and (kind, name) not in self._told:
                self._told.add((kind, name))
                text = refusal(self.key, kind, name, (one.fault,))
                found.append(Notice(NoticeKind.WAITS, self.key.name, text, (name,), blocks=True))
        return found

    # --- what the door asks ---

    def blocked(self, tool: str) -> str:
        """Why calls of this tool are refused, with the command that shows it; "" if it fits its pin."""
        return _refused(self.objection(Kind.TOOL, tool))

    def blocked_prompt(self, prompt: str) -> str:
        """The same for a prompt. One that nobody listed is a person's own choice, and goes on."""
        return _refused(self.objection(Kind.PROMPT, prompt))

    def objection(self, kind: Kind, name: str) -> str:
        """The same for whatever else the server offers. Once something is refused, each question looks
        whether a person has let it through meanwhile."""
        if self._rules.watches:
            return ""
        said = self._objection(kind, name)
        if said and self.moved():
            self._reread()
            said = self._objection(kind, name)
        return said

    def moved(self) -> bool:
        """Whether pins were changed elsewhere: then a client may be told that the lists are others now."""
        return self._store.stamp(self.key) != self._stamp

    def _objection(self, kind: Kind, name: str) -> str:
        server = self._server_objection()
        if server:
            return server
        item, seen = self._record.item(kind, name), self._seen.get((kind, name))
        why = self._why(kind, name, item, seen)
        if not why:
            return ""
        findings = item.waiting.findings if item and item.waiting and Why.POISONED in why else ()
        return refusal(self.key, kind, name, why, shapes_of(findings))

    def _why(self, kind: Kind, name: str, item: Item | None, seen: Definition | None) -> tuple[Why, ...]:
        fault = self._faulty.get((kind, name))
        if fault is not None:
            return (fault,)
        if kind in (Kind.RESOURCE, Kind.TEMPLATE):
            return item.waiting.why if item and item.waiting and item.pinned is None else ()
        if seen is None:
            fits_pin = item is not None and item.waiting is None
            return () if fits_pin or (item is None and kind is Kind.PROMPT) else (Why.NEVER_LISTED,)
        return objections(item, seen)

    def _server_objection(self) -> str:
        if self._unreadable:
            return self._unreadable
        if self._record.known(self._identity) is None:
            return server_refusal(self.key, known=bool(self._record.servers))
        return ""

    # --- the store ---

    def _changed(self, step: Callable[[ServerRecord], ServerRecord], notices: list[Notice]) -> PinReport:
        """Pins that cannot be read or written hold everything back, and say so once."""
        try:
            self._record = self._store.change(self.key, step)
            self._stamp, self._unreadable = self._store.stamp(self.key), ""
        except (PinError, OSError) as error:
            said = f"{error.message}; {error.hint}" if isinstance(error, PinError) else str(error)
            told = bool(self._unreadable)
            self._unreadable = f"the MCP server {shown(self.key.name)} is held back: {said}"
            notices[:] = [] if told else [Notice(NoticeKind.UNREADABLE, self.key.name, said, blocks=True)]
        return PinReport(tuple(notices))

    def _reread(self) -> None:
        self._stamp = self._store.stamp(self.key)
        try:
            self._record, self._unreadable = self._store.read(self.key), ""
        except (PinError, OSError):
            return  # what was said of it stands

    def _now(self) -> str:
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(self._clock()))


def _refused(why: str) -> str:
    return f"Blocked by Fairlead: {why}" if why else ""


def _read(kind: Kind, definitions: Sequence[Members]) -> dict[str, Seen]:
    """By name; a name that stands for two different things stands for neither."""
    found: dict[str, Seen] = {}
    for members in definitions:
        try:
            name, seen = name_of(kind, members), Seen(members, define(members))
        except UnpinnableError:
            name, seen = str(members.get("name")), Seen(members, None, Why.UNPINNABLE)
        known = found.get(name)
        if known is not None and known.definition != seen.definition:
            seen = seen.replace(fault=Why.DUPLICATE)
        found[name] = known if known is not None and known.fault else seen
    return found
