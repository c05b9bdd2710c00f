"""What doctor says of settings that are not as `install` wrote them."""

from __future__ import annotations

import pytest

from fairlead.doors.cli.checkup.agents import _difference


@pytest.mark.parametrize(
    ("there", "wanted", "told"),
    [
        (None, "a", "it is gone"),
        ("b", "a", "it has `b`, where `a` belongs"),
        ("", "a", "`a` is not in it"),
        ("a\nb", "a", "`b` is too much in it"),
        ("[[hooks]]\nb", "b\n[[hooks]]", "its lines are all there, and not where they should be"),
        ("[[hooks]]\nold\nb", "b\n[[hooks]]\nnew", "it has `old`, where `new` belongs"),
    ],
)
def test_a_line_that_only_moved_is_not_told_as_its_own_opposite(there: str, wanted: str, told: str) -> None:
    assert _difference(None if there is None else there.encode(), wanted.encode()) == told
