from __future__ import annotations

import os
import time

from fairlead.store.query import Query
from fairlead.store.retention import Retention, expire, expired
from index_kit import Store, call, write


def segments(store: Store) -> list[str]:
    return sorted(path.name for path in store.journal.glob("journal.*.jsonl"))


def test_old_segments_go_and_take_their_rows_with_them(store: Store) -> None:
    write(store.journal, *(call(number) for number in range(30)), max_bytes=4000)
    store.writer.catch_up()
    names = segments(store)
    old = time.time() - 1000
    for name in names[:2]:
        os.utime(store.journal / name, (old, old))
    assert expire(str(store.path), str(store.journal), Retention(seconds=500), time.time()) == names[:2]
    assert segments(store) == names[2:]
    left = store.reader.count(Query())
    assert 0 < left < 30
    content = store.content()
    store.writer.rebuild()
    assert store.content() == content
    assert store.reader.count(Query()) == left


def test_too_much_goes_oldest_first(store: Store) -> None:
    write(store.journal, *(call(number) for number in range(30)), max_bytes=4000)
    names = segments(store)
    sizes = [(store.journal / name).stat().st_size for name in names]
    keep = Retention(bytes=sizes[-1] + sizes[-2])
    assert expired(str(store.journal), keep, time.time()) == names[:-2]


def test_without_a_limit_everything_stays(store: Store) -> None:
    write(store.journal, *(call(number) for number in range(30)), max_bytes=4000)
    assert expired(str(store.journal), Retention(), time.time()) == []


def test_the_segment_that_is_written_to_stays(store: Store) -> None:
    write(store.journal, call(1))
    assert expire(str(store.path), str(store.journal), Retention(seconds=0, bytes=0), time.time() + 99) == []
