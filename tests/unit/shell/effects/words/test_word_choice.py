"""The tables' own way to write words finds what `fnmatch` finds."""

from __future__ import annotations

from fnmatch import fnmatchcase

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairlead.shell.effects.words.word_choice import WordChoice

_PIECES = st.sampled_from(["*", "a", "ab", "b", "-", "?", "[ab]", "|", "delete", "aba"])
_PATTERNS = st.lists(_PIECES, max_size=6).map("".join)
_WORDS = st.text(alphabet="ab-", max_size=8)


@given(_PATTERNS, _WORDS)
def test_a_choice_is_any_of_its_globs(pattern, word):
    assert (word in WordChoice(pattern)) == any(fnmatchcase(word, glob) for glob in pattern.split("|"))


@pytest.mark.parametrize(
    ("pattern", "word", "found"),
    [
        ("stop|disable", "disable", True),
        ("delete-*", "delete-bucket", True),
        ("put-*-policy", "put-policy", False),  # the pieces may not overlap
        ("*aba*ba", "ababa", True),
        ("*aba*bab", "abab", False),
        ("*", "", True),
    ],
)
def test_stars_stand_for_anything_between(pattern, word, found):
    assert (word in WordChoice(pattern)) is found
