"""One compact record for each line: a digest of every part, the decision and the rules."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.pool import Pool
from unittest.mock import patch

from benchmarks.guard.golden.world import become_still, prepared_disk
from benchmarks.guard.lines import Line

Record = dict[str, object]
PARTS = ("commands", "code", "opaque", "pipelines", "prose", "effects", "verdict")
HASH_SEED = 1
"""Sets have the same order in every dump. Another seed shows what depends on that order."""
_CHUNK = 200
_DIGITS = 10


def dumped(lines: Iterable[Line], jobs: int = 1, *, hash_seed: int = HASH_SEED) -> Iterator[Record]:
    """The records of the lines, in their order, whatever the number of processes."""
    with _readers(jobs, hash_seed) as pool:
        yield from pool.imap(record_of, lines, chunksize=_CHUNK)


def all_parts(lines: Iterable[Line]) -> list[dict[str, object]]:
    """Everything that the guard makes of each line, at full length."""
    with _readers(1, HASH_SEED) as pool:
        return pool.map(parts_of, lines)


@contextmanager
def _readers(jobs: int, hash_seed: int) -> Iterator[Pool]:
    """Processes that do nothing but read lines, on a still machine each."""
    with prepared_disk() as top:
        with patch.dict(os.environ, PYTHONHASHSEED=str(hash_seed)):  # a new interpreter takes it from there
            pool = get_context("spawn").Pool(jobs, become_still, (top,))
        with pool:
            yield pool


def record_of(line: Line) -> Record:
    from benchmarks.guard.golden.adapter import decision_of, rules_of  # only once the machine is still

    parts = parts_of(line)
    digests = {name: digest(parts[name]) for name in PARTS}
    return {"id": line.id, "d": decision_of(parts), "r": rules_of(parts), **digests}


def parts_of(line: Line) -> dict[str, object]:
    """In a process that is still."""
    from benchmarks.guard.golden.adapter import parts_of as read_parts  # only once the machine is still

    try:
        return read_parts(line)
    except Exception as error:  # noqa: BLE001 - a line that breaks the guard is a finding like any other
        broken = f"{type(error).__name__}: {error}"
        return {**dict.fromkeys(PARTS), "verdict": {"decision": "broken", "rules": [], "reason": broken}}


def digest(part: object) -> str:
    """Short; empty for an empty part."""
    if not part:
        return ""
    text = json.dumps(part, ensure_ascii=True, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:_DIGITS]
