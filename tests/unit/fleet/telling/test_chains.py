from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fairlead.fleet.telling.chains import Chain, extend

batches = st.lists(st.lists(st.integers(1, 40), min_size=1, max_size=8, unique=True), min_size=1, max_size=8)


@given(batches)
def test_the_gaps_are_what_is_missing_whatever_the_order(given_: list[list[int]]) -> None:
    chain, seen = Chain(), set[int]()
    for numbers in given_:
        taken = extend(chain, numbers)
        assert set(taken.taken) == seen & set(numbers)
        chain, seen = taken.chain, seen | set(numbers)
        missing = {number for first, last in chain.gaps for number in range(first, last + 1)}
        assert missing == set(range(min(seen), max(seen) + 1)) - seen
        assert (chain.first, chain.last) == (min(seen), max(seen))


@given(batches)
def test_what_opens_and_closes_leads_from_one_to_the_other(given_: list[list[int]]) -> None:
    chain = Chain()
    for numbers in given_:
        taken = extend(chain, numbers)
        assert set(taken.chain.gaps) == (set(chain.gaps) - set(taken.closed)) | set(taken.opened)
        chain = taken.chain


def test_a_chain_that_has_to_begin_with_one_misses_what_is_before() -> None:
    taken = extend(Chain(1), [4, 6])
    assert taken.chain == Chain(1, 6, ((1, 3), (5, 5)))
    assert extend(Chain(1), [1, 2]).chain.gaps == ()


def test_a_number_twice_at_once_is_taken() -> None:
    assert extend(Chain(), [1, 2, 2]).taken == (2,)
