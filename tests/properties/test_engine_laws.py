"""The laws that hold for every list of hooks, not only for those that someone thought of."""

import asyncio

from hypothesis import given
from hypothesis import strategies as st

from fairlead.engine.aggregator import aggregate
from fairlead.engine.order import ordered
from fairlead.model.decision import Decision
from fairlead.model.event_name import EventName
from fairlead.model.hook import Hook, HookType, Outcome, Run
from fairlead.testing import hook, judge, shell_event, system_of

outcomes = st.builds(
    Outcome,
    decision=st.sampled_from(Decision),
    reason=st.text(max_size=10),
    type=st.sampled_from(HookType),
    stop=st.booleans(),
)
guard_types = st.sampled_from([HookType.AUTHORIZATION, HookType.SAFETY])
answers = st.sampled_from([*Decision, None, "crash"])


def saying(answer, *, name, type):
    def say(event, config, previous):
        if answer == "crash":
            raise RuntimeError("crash")
        return None if answer is None else Outcome(answer)

    return hook(say, id=name, type=type)


@given(st.lists(outcomes), outcomes)
def test_law_4_one_more_outcome_never_weakens_the_decision(some, extra):
    assert aggregate([*some, extra]).decision >= aggregate(some).decision


@given(st.lists(outcomes), outcomes, st.randoms())
def test_law_4_a_stop_is_never_cancelled(some, extra, random):
    if aggregate(some).stop:
        mixed = [*some, extra]
        random.shuffle(mixed)
        assert aggregate(mixed).stop


@given(st.lists(st.tuples(answers, guard_types), max_size=6), answers, guard_types, st.integers(0, 6))
def test_law_4_one_more_hook_never_weakens_the_verdict(some, answer, kind, place):
    hooks = [saying(each, name=f"h{n}", type=type) for n, (each, type) in enumerate(some)]
    extra = saying(answer, name="extra", type=kind)
    with_extra = [*hooks[:place], extra, *hooks[place:]]
    # A block stops the pipeline, so that a halt behind it is never heard: both refuse the call.
    before = min(judge(hooks, shell_event("ls")).decision, Decision.BLOCK)
    assert judge(with_extra, shell_event("ls")).decision >= before


@given(st.lists(st.tuples(answers, st.sampled_from(HookType)), max_size=6))
def test_both_drivers_come_to_the_same_verdict(some):
    hooks = [saying(each, name=f"h{n}", type=type) for n, (each, type) in enumerate(some)]
    system = system_of(hooks)
    event = shell_event("ls")

    def untimed(verdict):
        return verdict.replace(outcomes=tuple(o.replace(milliseconds=0.0) for o in verdict.outcomes))

    assert untimed(system.fire(event)) == untimed(asyncio.run(system.fire_async(event)))


@given(st.lists(st.tuples(st.integers(-3, 3), st.sets(st.integers(0, 7), max_size=2)), max_size=8))
def test_order_respects_every_name_and_is_deterministic(rows):
    # A hook may only wait for one that was declared before it, so there is no cycle.
    hooks = [
        Hook(
            f"h{number}",
            HookType.SAFETY,
            EventName.BEFORE_TOOL,
            Run("call", None),
            priority=priority,
            after=tuple(f"h{other}" for other in waits if other < number),
        )
        for number, (priority, waits) in enumerate(rows)
    ]
    result = ordered(hooks)
    places = {each.id: place for place, each in enumerate(result)}
    assert sorted(places) == sorted(each.id for each in hooks)
    assert all(places[name] < places[each.id] for each in hooks for name in each.after)
    assert result == ordered(hooks)
