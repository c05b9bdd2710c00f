"""Keys in, another state out."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fairlead.doors.cli.top.frame import frame
from fairlead.doors.cli.top.keys import Key, keys_in
from fairlead.doors.cli.top.pressing import Wish
from fairlead.doors.cli.top.state import KEPT, State, View, hour_of
from overview_kit import NOW, blocked, call, question, state_of, typed

THREE = state_of(call(30), blocked(20), call(10))


def test_enter_asks_for_the_record_of_the_chosen_call() -> None:
    state, wish = typed(THREE, "down", "enter")
    assert (wish, state.view, state.chosen) == (Wish.EXPLAIN, View.CALL, blocked(20).id)
    assert typed(State(), "enter") == (State(), Wish.NOTHING)


def test_a_call_that_comes_in_does_not_move_the_choice() -> None:
    state, _ = typed(THREE, "j")
    later = state.with_calls([call(1), call(0)], NOW)
    assert later.chosen == state.chosen and later.place == 3


def test_at_the_top_the_newest_call_is_followed() -> None:
    state, _ = typed(THREE, "down", "up")
    assert state.chosen == "" and state.with_calls([call(1)], NOW).place == 0


def test_keys_never_leave_the_list() -> None:
    for keys, place in ((["up"] * 3, 0), (["down"] * 9, 2), (["G"], 2), (["G", "g"], 0), (["page down"], 2)):
        assert typed(THREE, *keys)[0].place == place


def test_a_filter_is_typed_kept_and_cleared() -> None:
    state, _ = typed(THREE, "/", *"PUSHX", "rubout")
    assert [each.id for each in state.shown] == [blocked(20).id] and state.view is View.FILTER
    kept, wish = typed(state, "enter")
    assert (kept.view, kept.filter, wish) == (View.CALLS, "PUSH", Wish.NOTHING)
    assert typed(kept, "back")[0].shown == THREE.shown
    assert typed(state, "back")[0].filter == ""


def test_a_letter_of_a_filter_is_no_command() -> None:
    state, wish = typed(THREE, "/", "q")
    assert (state.filter, wish) == ("q", Wish.NOTHING)


def test_detail_is_scrolled_to_its_end_and_left() -> None:
    state, _ = typed(THREE.replace(page=4), "enter")
    state = state.replace(detail=tuple("0123456789"))
    assert typed(state, "G")[0].scroll == 6 and typed(state, "page down", "page up")[0].scroll == 0
    assert typed(state, "back")[0].view is View.CALLS


def test_a_question_is_answered_only_where_one_is_chosen() -> None:
    waiting = THREE.with_questions([question("aaaaaaaa"), question("bbbbbbbb")])
    state, wish = typed(waiting, "a", "down", "enter")
    assert wish is Wish.APPROVE and state.questions[state.question].code == "bbbbbbbb"
    assert typed(THREE, "a", "enter")[1] is Wish.NOTHING
    assert state.with_questions([question("cccccccc")]).question == 0


def test_q_ends_it_from_every_view_but_a_filter() -> None:
    for keys in ((), ("enter",), ("a",)):
        assert typed(THREE, *keys, "q")[1] is Wish.QUIT


def test_the_last_hour_is_counted_and_older_calls_count_no_more() -> None:
    hour = hour_of(state_of(call(3700), call(3000), blocked(61), call(1)), NOW)
    assert (hour.calls, hour.stopped, len(hour.minutes), sum(hour.minutes)) == (4, 1, 60, 3)
    later = state_of(call(3700), call(1)).with_calls([], NOW)
    assert hour_of(later, NOW).calls == 1


def test_no_more_calls_are_kept_than_anybody_walks_through() -> None:
    state = state_of(*(call(number) for number in reversed(range(KEPT + 50))))
    assert len(state.calls) == KEPT and state.calls[0].id == call(0).id


def test_bytes_of_a_terminal_are_keys() -> None:
    assert keys_in(b"\x1b[A\x1bOBx\x1b[5~\r") == [Key.UP, Key.DOWN, "x", Key.PAGE_UP, Key.ENTER]
    assert keys_in(b"\x1b") == [Key.BACK] and keys_in(b"\x7f") == [Key.RUBOUT]
    assert keys_in("ü\x01\x1b[200~".encode()) == ["ü"]
    assert keys_in(b"\xff\xfe") == []


def test_a_busy_hour_is_kept_as_counts_and_not_as_calls() -> None:
    state = state_of(*(call(number % 50) for number in range(500)))
    assert sum(each.calls for each in state.activity) == 500 and len(state.activity) <= 2


@given(
    keys=st.lists(st.sampled_from([*map(str, Key), *"jkgGhl/aqx", "ü"]), max_size=30),
    width=st.integers(1, 130),
    height=st.integers(1, 40),
    calls=st.integers(0, 5),
)
def test_no_order_of_keys_leads_to_a_screen_that_is_none(
    keys: list[str], width: int, height: int, calls: int
) -> None:
    state = state_of(*(call(number) for number in range(calls))).with_questions([question("aaaaaaaa")])
    for key in keys:
        state, wish = typed(state, key)
        if wish is Wish.EXPLAIN:
            state = state.replace(detail=("one", "two", "three"))
        assert len(frame(state, width, height, NOW)) == height
        assert not state.chosen or state.chosen in {each.id for each in state.calls}
