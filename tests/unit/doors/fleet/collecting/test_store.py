from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from fairlead.doors.fleet.collecting.database import DatabaseError, Rows, open_database
from fairlead.doors.fleet.collecting.heartbeats import Beat, take_heartbeat
from fairlead.doors.fleet.collecting.intake import Decision, Incident
from fairlead.doors.fleet.collecting.retention import expire
from fairlead.doors.fleet.collecting.schema import MIGRATIONS
from fairlead.doors.fleet.collecting.store import HOUR, Store
from fairlead.errors import FairleadError, UsageError
from fairlead.fleet.moments import write_moment
from fleet_messages import NOW, heartbeat, line, taken


def rows(store: Store, statement: str) -> Rows:
    with store.database.reading() as statements:
        return statements.run(statement)


def beat(**more: object) -> Beat:
    found = take_heartbeat(str(more.get("machine", "m-1")), heartbeat(**more), mark="h/1")
    assert isinstance(found, Beat)
    return found


def old(store: Store, machine: str = "m-1") -> None:
    """The machine has belonged to the fleet for a long time."""
    store.take([taken(line(1, writer="00" * 8), machine)])
    with store.database.writing() as statements:
        statements.run("UPDATE machines SET since = 1")


def test_a_line_that_comes_twice_is_there_once(store: Store) -> None:
    one, two = taken(line(1)), taken(line(2, "block"))
    assert store.take([one, two]).fresh == 2
    again = store.take([two, one, two])
    assert (again.fresh, again.known) == (0, 3)
    assert rows(store, "SELECT seq FROM decisions ORDER BY seq") == [(1,), (2,)]
    assert rows(store, "SELECT sum(calls) FROM hours")[0][0] == 2


def test_the_same_id_of_two_machines_is_two_lines(store: Store) -> None:
    record = line(1)
    store.take([taken(record, "m-1"), taken(record, "m-2")])
    assert rows(store, "SELECT count(*) FROM decisions") == [(2,)]


def test_a_line_twice_in_one_batch_is_counted_once(store: Store) -> None:
    one = taken(line(1))
    written = store.take([one, one])
    assert (written.fresh, written.known) == (1, 1)


def test_a_gap_shows_and_closes_when_its_lines_come(store: Store) -> None:
    lines = {number: taken(line(number)) for number in range(1, 8)}
    store.take([lines[1], lines[2]])
    store.take([lines[7], lines[5]])
    assert rows(store, "SELECT first, last, why FROM gaps ORDER BY first") == [
        (3, 4, "missing"),
        (6, 6, "missing"),
    ]
    store.take([lines[3], lines[6]])
    assert rows(store, "SELECT first, last FROM gaps") == [(4, 4)]
    store.take([lines[4]])
    assert rows(store, "SELECT first FROM gaps") == []


def test_a_writer_of_a_new_machine_may_begin_anywhere(store: Store) -> None:
    store.take([taken(line(7))])
    store.take([taken(line(5))])
    assert rows(store, "SELECT first, last FROM gaps") == [(6, 6)]


def test_a_later_writer_begins_with_its_first_line(store: Store) -> None:
    old(store)
    store.take([taken(line(4))])
    assert rows(store, "SELECT first, last, why FROM gaps") == [(1, 3, "missing")]


def test_lines_that_a_machine_could_not_write_are_no_missing_ones(store: Store) -> None:
    store.take([taken(line(1))])
    store.take([taken(line(5, lost={"lines": 3, "why": "no space"}))])
    assert rows(store, "SELECT first, last, why FROM gaps") == [(2, 4, "unwritten")]
    store.take([taken(line(6))])
    assert rows(store, "SELECT count(*) FROM gaps") == [(1,)]


def test_two_lines_with_one_number_are_a_fork(store: Store) -> None:
    store.take([taken(line(1)), taken(line(2))])
    one = line(2)
    store.take([taken(one)])
    (found,) = rows(store, "SELECT machine, writer, seq, ids FROM forks")
    assert found[2] == 2
    assert str(one["id"]) in found[3] and len(found[3].split()) == 2


def test_a_line_that_comes_again_with_another_place_is_an_incident(store: Store) -> None:
    record = line(1)
    store.take([taken(record)])
    store.take([taken({**record, "seq": 9})])
    assert rows(store, "SELECT machine, kind, id FROM incidents") == [("m-1", "changed", record["id"])]
    assert rows(store, "SELECT seq FROM decisions") == [(1,)]


def test_a_machine_that_floods_does_not_fill_the_database(store: Store) -> None:
    for start in range(0, 1000, 100):
        numbers = range(start, start + 100)
        store.take([], [Incident("m-1", "forged", f"s/{number}", "flood") for number in numbers])
    store.note([Incident("m-1", "secret", "x", "another kind"), Incident("m-2", "forged", "y", "another")])
    found = rows(store, "SELECT machine, kind, count(*) FROM incidents GROUP BY 1, 2 ORDER BY 1, 2")
    assert [tuple(each[:2]) for each in found] == [("m-1", "forged"), ("m-1", "secret"), ("m-2", "forged")]
    assert 100 < found[0][2] <= 202  # an hour may end meanwhile
    more = rows(store, "SELECT detail FROM incidents WHERE substr(id, 1, 5) = 'more/'")
    assert more and "not kept" in more[0][0]


def test_an_incident_is_noted_once(store: Store) -> None:
    incident = Incident("m-1", "forged", "s/1", "it says that it is from m-2 \0\ud800")
    store.take([], [incident])
    store.note([incident])
    assert len(rows(store, "SELECT detail FROM incidents")) == 1


def test_calls_are_counted_by_hour_and_what_audit_kept_back(store: Store) -> None:
    would = {"decision": "block", "rule": "git/force-push"}
    verdict = {"decision": "continue", "rule": "", "would": would}
    store.take([taken(line(1)), taken(line(2, verdict=verdict)), taken(line(3, canary=True))])
    observation = line(4)
    store.take([taken({**observation, "observes": line(1)["id"]})])
    found = rows(store, "SELECT hour, fleet_group, would, would_rule, calls FROM hours ORDER BY would")
    hour = int(NOW * 1000) // HOUR * HOUR
    assert found == [(hour, "web", "", "", 1), (hour, "web", "block", "git/force-push", 1)]


def test_a_machine_is_known_from_its_first_line(store: Store) -> None:
    store.take([taken(line(1))])
    assert rows(store, "SELECT machine, fleet_group, beat_at FROM machines") == [("m-1", "web", 0)]
    store.beat([beat()])
    store.take([taken(line(2))])
    assert rows(store, "SELECT host, version, bundle_state FROM machines") == [
        ("m-1.example", "0.1.0", "current")
    ]


def test_an_older_heartbeat_changes_nothing(store: Store) -> None:
    store.beat([beat(at="2026-09-21T14:00:00Z", mode="audit"), beat(at="2026-09-21T13:00:00Z")])
    store.beat([beat(at="2026-09-21T12:00:00Z", off=True)])
    assert rows(store, "SELECT mode, off FROM machines") == [("audit", 0)]


def test_a_heartbeat_of_the_future_is_followed_by_those_of_now(store: Store) -> None:
    store.beat([beat(at="9999-12-31T23:59:59Z", off=False)])
    store.beat([beat(at=write_moment(time.time() + 1), off=True)])
    assert rows(store, "SELECT off FROM machines") == [(1,)]


def test_a_line_of_the_future_is_of_the_time_when_it_came(store: Store) -> None:
    far = taken(line(1)).replace(moment=1 << 48)
    store.take([far])
    store.take([far])
    ((received, moment),) = rows(store, "SELECT received, moment FROM decisions")
    assert moment == received
    assert rows(store, "SELECT sum(calls) FROM hours") == [(1,)]


def test_a_line_with_an_old_time_stays_as_long_as_any_that_came_today(store: Store) -> None:
    store.take([taken(line(1, "block")).replace(moment=1)])
    expire(store.database, {})
    assert rows(store, "SELECT count(*) FROM decisions") == [(1,)]
    expire(store.database, {}, now=time.time() + 500 * 86400)
    assert rows(store, "SELECT count(*) FROM decisions") == [(0,)]


def test_a_heartbeat_counts_what_is_not_well(store: Store) -> None:
    agents = [
        {"agent": "gemini", "seen_without_calls": True},
        {"agent": "claude", "seen_without_calls": False},
    ]
    doctor = [{"name": each, "state": each} for each in ("installed", "not installed", "changed")]
    store.beat([beat(agents=agents, rows=doctor, journal={"behind": 77})])
    assert rows(store, "SELECT agents, unguarded, unwell, behind FROM machines") == [(2, 1, 1, 77)]


def test_what_is_old_goes_by_class(store: Store) -> None:
    store.take([taken(line(1)), taken(line(2, "block"))])
    store.beat([beat()])
    day = 86400
    assert expire(store.database, {"pass": 10, "objection": 20}, now=time.time() + 5 * day) == 0
    assert (
        expire(store.database, {"pass": 10, "objection": 20, "heartbeat": 4000}, now=time.time() + 15 * day)
        == 1
    )
    assert rows(store, "SELECT class FROM decisions") == [("objection",)]


def test_two_at_once_double_nothing(url: str) -> None:
    lines = [
        taken(line(number, "block" if number % 3 else "ask"), f"m-{number % 5}") for number in range(1, 201)
    ]
    troubles: list[BaseException] = []

    def work(step: int) -> None:
        store = Store(open_database(url))
        try:
            for start in range(0, 200, 20):
                store.take(lines[start : start + 20][::step])
        except BaseException as error:
            troubles.append(error)
        store.database.close()

    threads = [threading.Thread(target=work, args=(step,)) for step in (1, -1, 1)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert troubles == []
    store = Store(open_database(url))
    assert rows(store, "SELECT count(*) FROM decisions") == [(200,)]
    assert rows(store, "SELECT sum(calls) FROM hours")[0][0] == 200
    assert rows(store, "SELECT count(*) FROM forks") == [(0,)]
    store.database.close()


def test_a_batch_that_fails_leaves_nothing(store: Store) -> None:
    broken: Decision = taken(line(2)).replace(bundle=1 << 70)
    with pytest.raises((DatabaseError, OverflowError)):
        store.take([taken(line(1)), broken])
    assert rows(store, "SELECT count(*) FROM decisions") == [(0,)]


def test_tables_of_a_later_release_are_left_alone(store: Store, url: str) -> None:
    with store.database.writing() as statements:
        statements.run("INSERT INTO fairlead_schema (version) VALUES (?)", (len(MIGRATIONS) + 1,))
    with pytest.raises(FairleadError, match="later Fairlead"):
        Store(open_database(url))


@pytest.mark.parametrize("url", ["mysql://x", "sqlite:", "x"])
def test_an_address_that_is_no_database_is_refused(url: str) -> None:
    with pytest.raises(UsageError):
        open_database(url)


def opened(url: str, ready: threading.Barrier) -> None:
    ready.wait()
    Store(open_database(url)).database.close()


def test_any_number_may_open_the_same_file_at_once(tmp_path: Path) -> None:
    with ThreadPoolExecutor(4) as pool:
        for number in range(25):
            url, ready = f"sqlite:{tmp_path}/{number}.sqlite3", threading.Barrier(4)
            for done in [pool.submit(opened, url, ready) for _ in range(4)]:
                done.result()
