"""Writes what machines sent: each line once, its place in its writer's chain, and what it counts for.

One batch is one transaction. Whoever takes in the same message a second time, and another collector that
takes it in at the same moment, finds it there and counts nothing.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from fairlead.doors.fleet.collecting.database import Database, Statements, in_portions, places_for
from fairlead.doors.fleet.collecting.heartbeats import Beat
from fairlead.doors.fleet.collecting.intake import Decision, Incident, storable
from fairlead.doors.fleet.collecting.schema import prepare
from fairlead.errors import FairleadError
from fairlead.fleet.telling.chains import Chain, Extended, extend
from fairlead.model.value import Value

HOUR = 3_600_000
_COLUMNS = (
    *("machine", "id", "fleet_group", "moment", "received", "writer", "seq", "prev", "request", "observes"),
    *("agent", "event", "kind", "decision", "rule", "would", "would_rule", "failure", "canary", "person"),
    *("session", "bundle", "class", "message"),
)
_WRITERS = ("machine", "writer", "first", "last", "seen")
_SETTLING = 24 * HOUR
"""How long a machine is new: what runs there may be older than its enrolment."""
_MOST_INCIDENTS = 100
"""Of one machine and kind within an hour: a machine that floods does not fill the database."""
UNWRITTEN, MISSING = "unwritten", "missing"
"""Why there is a gap: the machine said that it could not write the lines, or nobody has said anything."""

Key = tuple[str, str]


class Written(Value):
    """How many lines were new, and how many were there already."""

    fresh: int = 0
    known: int = 0
    incidents: int = 0


class Store:
    def __init__(self, database: Database) -> None:
        self.database = database
        try:
            prepare(database)
        except FairleadError:
            database.close()
            raise

    def take(self, decisions: Sequence[Decision], incidents: Sequence[Incident] = ()) -> Written:
        """All of it, or nothing with a DatabaseError. Afterwards the messages need not be kept elsewhere. No
        line is of a later time than now, whatever its machine says: it would never be old enough to go."""
        now = int(time.time() * 1000)
        decisions = [each if each.moment <= now else each.replace(moment=now) for each in decisions]
        ours = {(each.machine, each.id): each for each in sorted(decisions, key=_place)}
        with self.database.writing() as statements:
            fresh = _insert(statements, list(ours.values()), now)
            new = [each for key, each in ours.items() if key in fresh]
            known = [each for each in decisions if _key(each) not in fresh or ours[_key(each)] is not each]
            _follow(statements, new, now)
            _count(statements, new)
            _meet(statements, new, now)
            found = [*incidents, *_changed(statements, known)]
            _note(statements, found, now)
        return Written(len(new), len(decisions) - len(new), len(found))

    def beat(self, heartbeats: Sequence[Beat], incidents: Sequence[Incident] = ()) -> None:
        """The last of each machine; an older one changes nothing."""
        now = int(time.time() * 1000)
        newest: dict[str, Beat] = {}
        for each in heartbeats:
            each = each.replace(at=min(each.at, now))  # one clock that is ahead would be the newest for ever
            if each.machine not in newest or newest[each.machine].at <= each.at:
                newest[each.machine] = each
        with self.database.writing() as statements:
            rows = [_told(newest[name], now) for name in sorted(newest)]
            _put_machines(statements, rows, newer=("beat_at", *(n for n in _BEATS if n != "beat_at")))
            _note(statements, incidents, now)

    def note(self, incidents: Sequence[Incident]) -> None:
        with self.database.writing() as statements:
            _note(statements, incidents, int(time.time() * 1000))


def _key(decision: Decision) -> Key:
    return decision.machine, decision.id


def _place(decision: Decision) -> tuple[str, str, int, str]:
    """The same order for everybody, so that two collectors never wait for each other in a circle."""
    return decision.machine, decision.writer, decision.seq, decision.id


def _insert(statements: Statements, decisions: Sequence[Decision], now: int) -> set[Key]:
    """Those that were not there."""
    rows = [_row(each, now) for each in decisions]
    then = "ON CONFLICT (machine, id) DO NOTHING RETURNING machine, id"
    return {(machine, line) for machine, line in statements.put("decisions", _COLUMNS, rows, then)}


def _row(each: Decision, now: int) -> tuple[object, ...]:
    return (
        *(each.machine, each.id, each.group, each.moment, now, each.writer, each.seq, each.prev),
        *(each.request, each.observes, each.agent, each.event, each.kind, each.decision, each.rule),
        *(each.would, each.would_rule, each.failure, int(each.canary), each.person, each.session),
        *(each.bundle, each.retained_as, each.message),
    )


def _changed(statements: Statements, known: Sequence[Decision]) -> Iterable[Incident]:
    """Of lines that were there already: those that had another place then."""
    for portion in in_portions(known, 2):
        keys = [value for each in portion for value in _key(each)]
        rows = statements.run(
            "SELECT machine, id, writer, seq, prev FROM decisions"
            f" WHERE (machine, id) IN (VALUES {places_for(len(portion), 2)})", keys)  # fmt: skip
        places = {(machine, line): tuple(place) for machine, line, *place in rows}
        for each in portion:
            if places.get(_key(each)) not in (None, (each.writer, each.seq, each.prev)):
                yield Incident(each.machine, "changed", each.id, "it was sent again with another place")


def _follow(statements: Statements, new: Sequence[Decision], now: int) -> None:
    """Keeps the chain of each writer, whose row nobody else can change until we are done."""
    lines: dict[Key, list[Decision]] = {}
    for each in new:
        lines.setdefault((each.machine, each.writer), []).append(each)
    chains = _held(statements, sorted(lines), now)
    extended = {key: _extended(statements, key, chains[key], lines[key], now) for key in sorted(lines)}
    rows = [(*key, made.chain.first, made.chain.last, now) for key, made in extended.items()]
    then = "ON CONFLICT (machine, writer) DO UPDATE SET first = excluded.first, last = excluded.last"
    statements.put("writers", _WRITERS, rows, then)


def _held(statements: Statements, keys: Sequence[Key], now: int) -> dict[Key, Chain]:
    """The chains as they are, without their gaps."""
    then = (
        "ON CONFLICT (machine, writer) DO UPDATE SET seen = excluded.seen"
        " RETURNING machine, writer, first, last"
    )
    rows = statements.put("writers", _WRITERS, [(*key, 0, 0, now) for key in keys], then)
    return {(machine, writer): Chain(first, last) for machine, writer, first, last in rows}


def _extended(
    statements: Statements, key: Key, chain: Chain, lines: Sequence[Decision], now: int
) -> Extended:
    numbers = sorted(number for each in lines for number in range(each.seq - each.unwritten, each.seq + 1))
    if chain.last and numbers == list(range(chain.last + 1, chain.last + 1 + len(numbers))):
        made = Extended(chain.replace(last=numbers[-1]))  # nearly always: it just goes on
    else:
        made = extend(_whole(statements, key, chain, now), numbers)
    _put_gaps(statements, key, made, now)
    _note_unwritten(statements, [each for each in lines if each.unwritten], now)
    _note_forks(statements, key, made.taken, now)
    return made


def _whole(statements: Statements, key: Key, chain: Chain, now: int) -> Chain:
    """With its gaps. What began before its machine belonged to the fleet need not begin with 1."""
    if not chain.first:
        since = statements.run("SELECT since FROM machines WHERE machine = ?", key[:1])
        return Chain(1) if since and since[0][0] < now - _SETTLING else Chain()
    where = "machine = ? AND writer = ? AND why = ?"
    gaps = statements.run(f"SELECT first, last FROM gaps WHERE {where} ORDER BY first", (*key, MISSING))
    return chain.replace(gaps=tuple((first, last) for first, last in gaps))


def _put_gaps(statements: Statements, key: Key, made: Extended, now: int) -> None:
    for first, _ in made.closed:
        statements.run("DELETE FROM gaps WHERE machine = ? AND writer = ? AND first = ?", (*key, first))
    for first, last in made.opened:
        _note_gap(statements, (*key, first, last, now, MISSING))


def _note_unwritten(statements: Statements, lines: Sequence[Decision], now: int) -> None:
    for each in lines:
        place = (each.machine, each.writer, each.seq - each.unwritten, each.seq - 1)
        _note_gap(statements, (*place, now, UNWRITTEN))


def _note_gap(statements: Statements, row: Sequence[object]) -> None:
    statements.run(
        f"INSERT INTO gaps (machine, writer, first, last, found, why) VALUES {places_for(1, 6)}"
        " ON CONFLICT (machine, writer, first) DO UPDATE SET last = excluded.last, why = excluded.why",
        row,
    )


def _note_forks(statements: Statements, key: Key, numbers: Sequence[int], now: int) -> None:
    """A number of a writer that stands on two lines: its machine was copied, or somebody wrote for it."""
    for number in numbers:
        place = (*key, number)
        where = "machine = ? AND writer = ? AND seq = ?"
        rows = statements.run(f"SELECT id FROM decisions WHERE {where} ORDER BY id", place)
        statements.run(
            f"INSERT INTO forks (machine, writer, seq, ids, found) VALUES {places_for(1, 5)}"
            " ON CONFLICT (machine, writer, seq) DO UPDATE SET ids = excluded.ids",
            (*place, " ".join(line for (line,) in rows), now),
        )


def _count(statements: Statements, new: Sequence[Decision]) -> None:
    """Calls by the hour; what observers said later is no call of its own."""
    counted = Counter(_counted_as(each) for each in new if not each.observes and not each.canary)
    rows = [(*key, calls) for key, calls in sorted(counted.items())]
    names = ("hour", "fleet_group", "bundle", "decision", "rule", "would", "would_rule", "failed")
    then = f"ON CONFLICT ({', '.join(names)}) DO UPDATE SET calls = hours.calls + excluded.calls"
    statements.put("hours", (*names, "calls"), rows, then)


def _counted_as(each: Decision) -> tuple[object, ...]:
    hour = each.moment // HOUR * HOUR
    names = (each.decision, each.rule, each.would, each.would_rule)
    return (hour, each.group, each.bundle, *names, int(bool(each.failure)))


def _meet(statements: Statements, new: Sequence[Decision], now: int) -> None:
    """A machine is known from its first message on."""
    last: dict[str, Decision] = {}
    for each in new:
        if each.machine not in last or last[each.machine].moment <= each.moment:
            last[each.machine] = each
    rows = [_met(last[name], now) for name in sorted(last)]
    _put_machines(statements, rows, newer=("decided",))


def _met(each: Decision, now: int) -> dict[str, object]:
    return {**_STRANGER, "machine": each.machine, "fleet_group": each.group, "since": now, "contact": now,
            "decided": each.moment, "bundle": each.bundle}  # fmt: skip


def _told(each: Beat, now: int) -> dict[str, object]:
    shared = ("machine", "host", "version", "bundle", "bundle_state", "mode", "behind", "agents", "unguarded")
    return {
        **_STRANGER,
        **{name: getattr(each, name) for name in shared},
        **{"fleet_group": each.group, "since": now, "contact": now, "beat_at": each.at, "off": int(each.off)},
        **{"unwell": each.unwell, "heartbeat": each.message},
    }


_STRANGER: Mapping[str, object] = {
    **{"machine": "", "fleet_group": "", "since": 0, "contact": 0, "decided": 0, "beat_at": 0, "host": ""},
    **{"version": "", "bundle": 0, "bundle_state": "none", "mode": "", "off": 0, "behind": 0, "agents": 0},
    **{"unguarded": 0, "unwell": 0, "heartbeat": ""},
}
"""A machine that has not told anything of itself."""
_BEATS = tuple(name for name in _STRANGER if name not in ("machine", "since", "contact", "decided"))


def _put_machines(
    statements: Statements, machines: Sequence[Mapping[str, object]], *, newer: Sequence[str]
) -> None:
    """`newer` are the columns that take the new value, the first of them only if it is greater."""
    measure = newer[0]
    changes = ", ".join(
        f"{name} = CASE WHEN excluded.{measure} >= machines.{measure} THEN excluded.{name}"
        f" ELSE machines.{name} END" for name in newer
    )  # fmt: skip
    names = tuple(_STRANGER)
    rows = [tuple(machine[name] for name in names) for machine in machines]
    then = f"ON CONFLICT (machine) DO UPDATE SET contact = excluded.contact, {changes}"
    statements.put("machines", names, rows, then)


def _note(statements: Statements, incidents: Iterable[Incident], now: int) -> None:
    found: dict[Key, dict[str, str]] = {}
    for each in incidents:
        machine, kind, line = map(storable, (each.machine, each.kind, each.id))
        found.setdefault((machine, kind), {})[line] = each.detail
    rows = [
        ((*key, line), detail)
        for key in sorted(found)
        for line, detail in _within_bounds(statements, key, found[key], now)
    ]
    statements.put(
        "incidents",
        ("machine", "kind", "id", "found", "detail"),
        [(*key, now, storable(detail)) for key, detail in rows],
        "ON CONFLICT (machine, kind, id) DO NOTHING",
    )


def _within_bounds(
    statements: Statements, key: Key, details: Mapping[str, str], now: int
) -> list[tuple[str, str]]:
    """Those of one machine and kind that there is room for, and one that says that there were more."""
    hour = now // HOUR
    where = "machine = ? AND kind = ? AND found >= ?"
    there = statements.run(f"SELECT count(*) FROM incidents WHERE {where}", (*key, hour * HOUR))[0][0]
    room = max(_MOST_INCIDENTS - there, 0)
    kept = sorted(details.items())
    if len(kept) <= room:
        return kept
    return [*kept[:room], (f"more/{hour}", f"more than {_MOST_INCIDENTS} within an hour; these are not kept")]
