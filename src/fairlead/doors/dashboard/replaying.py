"""Recorded calls, judged again by another policy: one of them, or the newest with a line for every step."""

from __future__ import annotations

import json
import os
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice

from starlette.requests import Request

from fairlead.doors.dashboard.parameters import number
from fairlead.doors.dashboard.revisions import policy_at, revisions
from fairlead.doors.dashboard.sources import Sources
from fairlead.doors.hook.replay import Change, Replay, Replayed
from fairlead.errors import FairleadError, UsageError
from fairlead.policy.places import PROJECT_FOLDER
from fairlead.store.entry import summary_of
from fairlead.store.query import Query
from fairlead.store.reader import IndexReader

NOW, FOLDER, GIT = "now", "folder:", "git:"
_MOST_CALLS = 20_000
_MOST_SHOWN = 500
_MOST_FOLDERS = 50
_STEP = 50
_busy = threading.Lock()
"""One comparison at a time: each takes a whole core."""


def known_policies(sources: Sources, request: Request) -> object:
    """What a call can be judged by: the policy of now, folders that Fairlead knows, and commits."""
    return {
        "root": sources.root,
        "folders": [FOLDER + folder for folder in _folders(sources)],
        "revisions": [GIT + name for name in revisions(sources.root)],
    }


def _folders(sources: Sources) -> list[str]:
    """Policies beside that of this project: of other projects in the journal, and what lies in `policies`."""
    with sources.reader() as reader:
        roots = reader.connection.execute(
            "SELECT DISTINCT n.name FROM days d JOIN names n ON n.id = d.root LIMIT 1000"
        )
        candidates = [os.path.join(root, PROJECT_FOLDER) for (root,) in roots if root != sources.root]
    for shelf in (os.path.join(sources.root, "policies"), os.path.join(sources.places.config, "policies")):
        candidates += [
            os.path.join(shelf, name) for name in (os.listdir(shelf) if os.path.isdir(shelf) else ())
        ]
    known = [folder for folder in candidates if os.path.isabs(folder)]
    return sorted(folder for folder in known if os.path.isdir(os.path.join(folder, "hooks")))[:_MOST_FOLDERS]


def judge_call(sources: Sources, request: Request) -> object:
    """What another policy would say of one call."""
    with sources.reader() as reader:
        record = reader.record(request.path_params["id"])
    if record is None:
        raise UsageError("there is no such call in the journal")
    with _replay(sources, request.query_params.get("policy", NOW)) as (replay, _):
        return _told(replay.judge(record))


def compare(sources: Sources, request: Request) -> Iterator[bytes]:
    """One line of JSON for every step, `done` of `of`; the last has the counts and what changed."""
    if not _busy.acquire(blocking=False):
        yield _line({"error": "another comparison is under way", "hint": "wait until it is done"})
        return
    try:
        with sources.reader() as reader, _replay(sources, request.query_params.get("policy", NOW)) as chosen:
            replay, root = chosen
            most = int(min(max(number(request.query_params.get("calls")) or 5000, 1), _MOST_CALLS))
            yield from _judged(reader, replay, _newest(reader, root, most), most)
    except FairleadError as error:
        yield _line({"error": error.message, "hint": error.hint})
    finally:
        _busy.release()


@contextmanager
def _replay(sources: Sources, policy: str) -> Iterator[tuple[Replay, str]]:
    """And the project whose calls alone it is about, if it is."""
    if policy.startswith(GIT):
        with policy_at(sources.root, policy.removeprefix(GIT)) as folder:
            yield Replay(sources.places, [folder], own_projects=False), sources.root
    elif policy.startswith(FOLDER):
        folder = policy.removeprefix(FOLDER)
        if folder not in _folders(sources):
            raise UsageError("this folder is not among the known policies", hint="choose one from the list")
        yield Replay(sources.places, [folder]), ""
    elif policy in (NOW, ""):
        yield Replay(sources.places), ""
    else:
        raise UsageError(f"{policy!r} is no policy", hint="choose one from the list")


def _newest(reader: IndexReader, root: str, most: int) -> Query:
    newest = reader.calls(Query(root=root, limit=most))
    return Query(root=root, floor=newest[-1].id if newest else "", limit=most)


def _judged(reader: IndexReader, replay: Replay, query: Query, most: int) -> Iterator[bytes]:
    total = min(reader.count(query), most)
    counts: Counter[str] = Counter()
    changed: list[dict[str, object]] = []
    yield _line({"done": 0, "of": total})
    for done, record in enumerate(islice(reader.records(query), most), 1):
        found = replay.judge(record)
        counts[str(found.change)] += 1
        if found.change is not Change.SAME and len(changed) < _MOST_SHOWN:
            facts = record.get("facts")
            changed.append({**_told(found), "summary": summary_of(facts if isinstance(facts, dict) else {})})
        if not done % _STEP:
            yield _line({"done": done, "of": total})
    yield _line({"done": total, "of": total, "counts": counts, "changed": changed})


def _told(found: Replayed) -> dict[str, object]:
    shown: dict[str, object] = {
        field: getattr(found, field) for field in ("id", "was_rule", "now_rule", "would", "why")
    }
    return shown | {"change": str(found.change), "was": found.was.word, "now": found.now.word}


def _line(value: object) -> bytes:
    return json.dumps(value).encode() + b"\n"
