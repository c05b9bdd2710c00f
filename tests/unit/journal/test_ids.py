"""Ids of journal lines."""

from __future__ import annotations

import os

from fairlead.journal.ids import new_id


def test_a_child_of_fork_does_not_give_the_ids_of_its_parent() -> None:
    new_id(0)
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writing, "".join(new_id(0) for _ in range(40)).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as file:
        said = file.read()
    assert os.waitpid(child, 0)[1] == 0
    theirs = {said[start : start + 26] for start in range(0, len(said), 26)}
    ours = {new_id(0) for _ in range(200)}
    assert (len(theirs), len(ours), theirs & ours) == (40, 200, set())
