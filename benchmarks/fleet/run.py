"""The run: everybody connects, a policy changes, decisions flow while things break, and all is counted."""

from __future__ import annotations

import argparse
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.fleet.centre import GROUP, ODD, REAL, Centre, niceness
from benchmarks.fleet.processes import folder_megabytes
from benchmarks.warm import machine

Json = dict[str, Any]
Say = Callable[[str], None]
_LONGEST_SPLIT = 20.0


def measure(folder: Path, given: argparse.Namespace, say: Say) -> Json:
    centre = Centre(folder, given)
    try:
        centre.start()
        return _measured(centre, given, say)
    finally:
        centre.stop()


def _measured(centre: Centre, given: argparse.Namespace, say: Say) -> Json:
    found: Json = {
        "machine": machine.describe(),
        "niceness": niceness(),
        "machines": given.machines,
        "connections": given.machines + len(centre.carriers) + 1,
        "decisions_by_the_agents_code": given.machines - len(centre.apart) + 1,
        "shared_connections": len(centre.carriers),
        "processes": given.processes + bool(centre.apart),
        "collectors": given.collectors,
        "broker": version_of(centre.broker.server.program),
        "hostile": sum(group == ODD for group in centre.groups.values()),
        "spread_seconds": given.spread,
        "seconds": given.seconds,
        "rate_asked": given.rate,
        "database": "sqlite" if given.sqlite else "postgresql",
    }
    publish(centre, 1)
    centre.start_machines()
    centre.start_agent()
    found["connect"] = connect(centre, given) | {"for_decisions": centre.join_senders(given.patience)}
    say(f"connected: {found['connect']}")
    found["first"] = since(centre, 0.0, 1, given)
    say(f"first bundle: {found['first']}")
    found["change"] = change(centre, 2, given)
    say(f"a change: {found['change']}")
    found |= decisions(centre, given, say)
    found["agent"] = {
        "resident_mb": centre.usage["agent"].megabytes,
        "most_mb": centre.usage["agent"].most,
        "processor_s_all": round(centre.usage["agent"].seconds, 1),
        "version": centre.agent.version,
    }
    return found


def version_of(program: str) -> str:
    """As it says itself: `nats-server: v2.9.10`."""
    done = subprocess.run([program, "--version"], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def publish(centre: Centre, version: int) -> float:
    """When the pointer was there."""
    padding = centre.given.kilobytes * 1024
    for group in (GROUP, ODD):
        content = centre.publishing.bundle(version, group, padding=padding)
        centre.publishing.publish(version, group, content=content)
    return time.time()


def connect(centre: Centre, given: argparse.Namespace) -> Json:
    told = centre.ask("connect", seconds=given.patience)
    usage = centre.usage
    for each in usage.values():
        each.look()
    return {
        "connected": sum(each["connected"] for each in told),
        "seconds": max(each["seconds"] for each in told),
        "broker_mb": usage["broker"].megabytes,
        "machines_mb": usage["machines"].megabytes,
    }


def change(centre: Centre, version: int, given: argparse.Namespace) -> Json:
    for each in centre.usage.values():
        each.mark()
    started = time.time()
    publish(centre, version)
    found = since(centre, started, version, given)
    return found | {
        "broker_processor_s": centre.usage["broker"].since_mark(),
        "machines_processor_s": centre.usage["machines"].since_mark(),
        "broker_most_mb": centre.usage["broker"].most,
    }


def since(centre: Centre, started: float, version: int, given: argparse.Namespace) -> Json:
    """Seconds since then until the first, the median and the last machine had it."""
    told = centre.ask("taken", version=version, seconds=given.patience)
    times = sorted(each for answer in told for each in answer["times"])
    begin = started or (times[0] if times else 0.0)
    marks = {"first": times[0], "median": median(times), "last": times[-1]} if times else {}
    shown = {name: round(each - begin, 1) for name, each in marks.items()}
    return {**shown, "missing": sum(answer["missing"] for answer in told)}


def decisions(centre: Centre, given: argparse.Namespace, say: Say) -> Json:
    pointer = {group: centre.publishing.pointer(group) for group in (GROUP, ODD)}
    for each in centre.usage.values():
        each.mark()
    started = time.monotonic()
    writing = [*centre.crowds, *centre.senders]
    how = {"seconds": given.seconds, "rate": given.rate, "patience": given.patience}
    for crowd in writing:
        crowd.order("decide", **how, between=given.between)
    lines = threading.Thread(target=centre.write_real_lines)
    lines.start()
    published = disturb(centre, given, say)
    told = [crowd.answer() for crowd in writing]
    centre.stop_real_lines()
    lines.join(60)
    sent = time.monotonic() - started
    written = sum(sum(each["written"].values()) for each in told) + centre.real_lines
    before = calls_counted(centre)
    stored = wait_for_rows(centre, written, given.patience)
    took = time.monotonic() - started
    say(f"decisions: {written} written, {stored} stored after {took:.0f} s")
    disturbed = since(centre, published, 3, given)
    kept = centre.publishing.pointer(ODD)
    usage = {
        name: {
            "processor_s": centre.usage[name].since_mark(),
            "of_a_core": round(centre.usage[name].since_mark() / took, 3),
            "resident_mb": centre.usage[name].megabytes,
            "most_mb": centre.usage[name].most,
        }
        for name in centre.usage
    }
    intact = kept is not None and kept.release.version == 3 and pointer[ODD] is not None
    return {
        "change_while_broken": disturbed,
        "decisions": counted(centre, told, written) | {
            "seconds_writing": max(each.get("seconds_writing", given.seconds) for each in told),
            "seconds_until_sent": round(sent, 1),
            "stored_when_all_was_sent": before,
            "seconds_until_stored": round(took, 1),
            "per_second_written": round(written / given.seconds),
            "per_second_stored": round(written / took),
            "broker_disk_mb": folder_megabytes(centre.broker.folder / "streams"),
            "database_mb": database_megabytes(centre),
        },
        "hostile_acts": hostile_acts(centre, told) | {"pointer_intact": intact},
        "usage": usage,
    }  # fmt: skip


def disturb(centre: Centre, given: argparse.Namespace, say: Say) -> float:
    """When the change was published that comes while some are cut off."""
    quarter = given.seconds / 4
    time.sleep(quarter)
    say("the broker is killed")
    centre.kill_broker()
    time.sleep(min(quarter / 2, 3))
    centre.start_broker()
    time.sleep(quarter / 2)
    say("some machines are cut off, and the policy changes")
    centre.wire.split()
    published = time.time()
    publish(centre, 3)
    time.sleep(min(quarter, _LONGEST_SPLIT))
    centre.wire.cut()
    centre.wire.join()
    time.sleep(quarter / 2)
    say("the collector is killed")
    centre.kill_collector()
    centre.start_collector()
    return published


def wait_for_rows(centre: Centre, written: int, seconds: float) -> int:
    """By what is counted, as to count millions of rows every second would take as long as to write them."""
    end = time.monotonic() + seconds
    while True:
        stored = calls_counted(centre)
        if stored >= written or time.monotonic() > end:
            return stored
        time.sleep(1)


def calls_counted(centre: Centre) -> int:
    return int(centre.rows("SELECT sum(calls) FROM hours WHERE fleet_group = ?", (GROUP,))[0][0] or 0)


def counted(centre: Centre, told: list[Json], written: int) -> Json:
    """Lost and doubled, by machine: one that is there twice does not make up for one that is lost."""
    rows = centre.rows("SELECT machine, count(*), count(DISTINCT id) FROM decisions GROUP BY machine")
    stored = {name: (int(lines), int(ids)) for name, lines, ids in rows}
    wanted = {name: lines for each in told for name, lines in each["written"].items()}
    wanted[REAL] = centre.real_lines
    unsent = {name: lines for each in told for name, lines in each["unsent"].items()}
    missing = {
        name: lines - stored.get(name, (0, 0))[1] - unsent.get(name, 0) for name, lines in wanted.items()
    }
    calls = calls_counted(centre)
    of_honest = sum(stored.get(name, (0, 0))[0] for name in wanted)
    waits = sorted(wait for each in told for wait in each["waits"])
    return {
        "written": written,
        "lost": sum(max(lines, 0) for lines in missing.values()),
        "doubled": sum(max(stored.get(name, (0, 0))[0] - lines, 0) for name, lines in wanted.items()),
        "counted_twice": calls - of_honest,
        "lost_of": [name for name, lines in missing.items() if lines > 0][:10],
        "unsent": sum(unsent.values()),
        "batches_sent_again": sum(each["failed_batches"] for each in told),
        "gaps": _number(centre, "gaps"),
        "forks": _number(centre, "forks"),
        "ack_ms_median": round(median(waits) * 1000, 1) if waits else None,
        "ack_ms_p99": round(waits[int(len(waits) * 0.99)] * 1000, 1) if waits else None,
    }


def hostile_acts(centre: Centre, told: list[Json]) -> Json:
    done: Counter[str] = Counter()
    for each in told:
        done.update(each["hostile"])
    honest = [name for name, group in centre.groups.items() if group == GROUP]
    off = centre.rows("SELECT count(*) FROM machines WHERE off = 1 AND fleet_group = ?", (GROUP,))[0][0]
    kinds = dict(centre.rows("SELECT kind, count(*) FROM incidents GROUP BY kind ORDER BY kind"))
    by_honest = centre.rows(
        "SELECT count(*) FROM incidents WHERE machine NOT IN"
        f" (SELECT machine FROM machines WHERE fleet_group = '{ODD}')"
    )[0][0]
    return {
        "done": dict(done),
        "taken_on_others_subjects": done["on others' subjects: TAKEN"],
        "victims_told_off": int(off),
        "alarms_of_victims": sum(each["alarms"] for each in told),
        "incidents": {kind: int(number) for kind, number in kinds.items()},
        "incidents_of_honest": int(by_honest),
        "honest": len(honest) + 1,
        "rows_of_hostile": _number(centre, f"decisions WHERE fleet_group = '{ODD}'"),
    }


def _number(centre: Centre, what: str) -> int:
    return int(centre.rows(f"SELECT count(*) FROM {what}")[0][0])


def database_megabytes(centre: Centre) -> float:
    if centre.given.sqlite:
        return folder_megabytes(centre.folder, "fleet.sqlite3*")
    return round(int(centre.rows("SELECT pg_database_size(current_database())")[0][0]) / 1e6, 1)
