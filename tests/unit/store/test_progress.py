from __future__ import annotations

import pytest

from fairlead.store.progress import share_read
from index_kit import Store, call, write


def test_what_comes_in_while_one_looks_is_not_waited_for(store: Store) -> None:
    assert share_read(store.reader) == 1.0
    write(store.journal, call(1))
    assert share_read(store.reader) == 1.0


def test_a_long_journal_is_read_little_by_little(store: Store) -> None:
    write(store.journal, *(call(number, more="x" * 300_000) for number in range(8)))
    assert share_read(store.reader) == 0.0
    store.writer.catch_up()
    assert share_read(store.reader) == 1.0
    write(store.journal, *(call(number, more="x" * 300_000) for number in range(8, 16)))
    assert share_read(store.reader) == pytest.approx(0.5, rel=0.01)
