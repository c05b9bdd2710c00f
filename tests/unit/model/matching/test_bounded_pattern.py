import re
import threading
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairlead.model.matching.bounded_pattern import (
    LONGEST,
    Deadline,
    SlowPatternError,
    checked,
    finds,
    is_quick,
)

EXPLOSIVE = (
    ("(a+)+$", "a" * 5_000 + "!"),
    ("(a|aa)+$", "a" * 60 + "!"),
    ("a?" * 30 + "a{30}$", "a" * 29),
    ("((a{1,100}){1,100}){1,100}b", "a" * 1_000),
    ("(a|a)" * 40 + "b", "a" * 40),
    (r"(.*)\1\1x", "ab" * 20_000),
    ("a+$", "a" * 256_000 + "!"),
)


@pytest.mark.parametrize(("pattern", "text"), EXPLOSIVE)
def test_no_pattern_outlives_its_deadline(pattern, text):
    try:
        assert not finds(pattern, text, deadline=Deadline(0.05))
    except SlowPatternError as error:
        assert pattern[:100] in error.message


def test_a_pattern_that_explodes_is_given_up_with_a_reason():
    with pytest.raises(SlowPatternError, match="takes too long"):
        finds("(a|aa)+$", "a" * 60 + "!", deadline=Deadline(0.05))


def test_patterns_that_share_a_deadline_share_its_time():
    deadline = Deadline(0.05)
    for _ in range(100):
        with pytest.raises(SlowPatternError):
            finds("(a|aa)+$", "a" * 60 + "!", deadline=deadline)
    assert deadline.left() < 0


def test_other_threads_run_while_a_pattern_is_searched_for():
    """Law 13: an untrusted project's pattern does not hold up another project's call."""
    steps, done = count(), threading.Event()

    def work() -> None:
        while not done.is_set():
            next(steps)

    worker = threading.Thread(target=work)
    worker.start()
    with pytest.raises(SlowPatternError):
        finds("(a|aa)+$", "a" * 60 + "!", deadline=Deadline(0.3))
    done.set()
    worker.join()
    assert next(steps) > 1_000


@pytest.mark.parametrize("pattern", ["rm -rf", "^Bash$", "^(Read|Write)$", "[a-z]!", r"\bmain\b"])
def test_what_cannot_explode_is_searched_in_place(pattern):
    assert is_quick(pattern)


@pytest.mark.parametrize("pattern", [pattern for pattern, _ in EXPLOSIVE])
def test_what_may_explode_is_not(pattern):
    assert not is_quick(pattern)


PIECES = st.sampled_from(
    [
        "a",
        "b",
        ".",
        r"\w",
        r"\d",
        r"\s",
        r"\b",
        "[ab]",
        "[^a]",
        "(?:a|b)",
        "(?!b)",
        "(?<=a)",
        "^",
        "$",
        "x{2}",
    ]
)
REPEATED = st.builds(
    lambda piece, sign: piece + sign, st.sampled_from(["a", "b", ".", "[ab]"]), st.sampled_from("*+?")
)


@given(
    st.lists(st.one_of(PIECES, REPEATED), max_size=6).map("".join),
    st.text("abAB1 x\n", max_size=12),
    st.booleans(),
)
def test_both_engines_find_the_same(pattern, text, ignore_case):
    expected = re.search(pattern, text, re.IGNORECASE if ignore_case else 0) is not None
    assert finds(pattern, text, ignore_case=ignore_case) is expected


@pytest.mark.parametrize("pattern", ["(", "*a", "a" * (LONGEST + 1)])
def test_what_is_no_regular_expression_is_refused(pattern):
    with pytest.raises(re.error):
        checked(pattern)
