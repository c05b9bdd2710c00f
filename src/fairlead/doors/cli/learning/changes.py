"""What a proposal would have changed: the calls of its program judged again, with it and without."""

from __future__ import annotations

import os
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from fairlead.doors.cli.learning.learned_file import text_with
from fairlead.doors.cli.learning.proposals import EXCEPTION, Proposal
from fairlead.doors.hook.replay import Replay
from fairlead.policy.find import FILE_NAME
from fairlead.policy.places import Places
from fairlead.store.query import Query
from fairlead.store.reader import IndexReader

_REPLAYED = 300


def changes_by(one: Proposal, reader: IndexReader, places: Places, since: float) -> dict[str, int]:
    """How many calls would have been decided how; no more than some hundreds are looked at."""
    words = one.pattern.partition("*")[0].strip()[:60]
    alike = Query(text=words, root="" if "*" in one.root else one.root, since=since, limit=_REPLAYED)
    with _replay_with(one, places) as replay:
        counts = Counter(str(replay.judge(record).change) for record in reader.records(alike))
    return dict(counts)


@contextmanager
def _replay_with(one: Proposal, places: Places) -> Iterator[Replay]:
    if one.kind == EXCEPTION:
        yield Replay(places, excused=(one.grant.excuse,))
        return
    with tempfile.TemporaryDirectory(prefix="fairlead-learn-") as folder:
        hooks = os.path.join(folder, "hooks", "learned")
        os.makedirs(hooks)
        with open(os.path.join(hooks, FILE_NAME), "w", encoding="utf-8") as file:
            file.write(text_with("", one))
        yield Replay(places, [folder])
