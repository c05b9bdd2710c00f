import pytest

from fairlead.engine.order import find_cycle, ordered
from fairlead.errors import PolicyError
from fairlead.model.event_name import EventName
from fairlead.model.hook import Hook, HookType, Run


def named(name: str, **fields: object) -> Hook:
    return Hook(name, HookType.SAFETY, EventName.BEFORE_TOOL, Run("call", None), **fields)


def names(*hooks: Hook) -> list[str]:
    return [hook.id for hook in ordered(hooks)]


def test_hooks_without_wishes_keep_the_order_of_declaration():
    assert names(named("c"), named("a"), named("b")) == ["c", "a", "b"]


def test_a_higher_priority_goes_first_and_ties_keep_their_order():
    hooks = [named("a"), named("b", priority=5), named("c"), named("d", priority=5)]
    assert names(*hooks) == ["b", "d", "a", "c"]


def test_a_name_beats_a_priority():
    assert names(named("late", priority=100, after=("early",)), named("early")) == ["early", "late"]


def test_before_and_after_say_the_same_thing():
    assert names(named("b"), named("a", before=("b",))) == names(named("b", after=("a",)), named("a"))


def test_priority_decides_among_those_that_are_free_to_go():
    hooks = [named("z", priority=1), named("x", after=("z",), priority=9), named("y", priority=5)]
    assert names(*hooks) == ["y", "z", "x"]


def test_a_name_that_is_not_there_is_no_obstacle():
    assert names(named("a", after=("missing",)), named("b")) == ["a", "b"]


def test_a_cycle_is_named():
    hooks = [named("a", before=("b",)), named("b", before=("c",)), named("c", before=("a",)), named("d")]
    with pytest.raises(PolicyError, match="a -> b -> c -> a"):
        ordered(hooks)


def test_a_hook_that_waits_for_itself_is_a_cycle():
    assert find_cycle([named("a", after=("a",))]) == ["a", "a"]


def test_a_long_row_of_hooks_is_no_deep_recursion():
    row = [named(f"h{index}", after=(f"h{index - 1}",)) for index in range(3000)]
    assert names(*reversed(row)) == [f"h{index}" for index in range(3000)]
    assert find_cycle(row) == []
