"""Hooks that are switched, added, removed and reloaded, also while events are in flight."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest

from fairlead.errors import RegistrationError
from fairlead.model.decision import Decision
from fairlead.model.event_name import EventName
from fairlead.model.hook import Outcome
from fairlead.testing import hook, shell_event, system_of


def blocking(name):
    return hook(lambda e, c, p: Outcome(Decision.BLOCK, name), id=name)


def passing(name):
    return hook(lambda e, c, p: None, id=name)


def decision(system):
    return system.fire(shell_event("ls")).decision


def test_what_is_switched_off_stays_off_through_a_reload():
    system = system_of([blocking("a")])
    system.set_hook_enabled("a", False)
    system.reload([blocking("a"), passing("b")])
    assert decision(system) is Decision.CONTINUE
    assert [(each.id, each.enabled) for each in system.get_all_hooks()] == [("a", False), ("b", True)]


def test_a_hook_that_was_added_stays_through_a_reload_and_can_be_removed():
    system = system_of([])
    system.add_hook(blocking("mine"))
    system.reload([passing("other")])
    assert decision(system) is Decision.BLOCK
    system.remove_hook("mine")
    assert decision(system) is Decision.CONTINUE


def test_two_hooks_of_one_event_cannot_share_an_id():
    system = system_of([passing("a")])
    with pytest.raises(RegistrationError, match="already"):
        system.add_hook(blocking("a"))


@pytest.mark.parametrize("change", [lambda s: s.set_hook_enabled("x", True), lambda s: s.remove_hook("a")])
def test_what_is_not_there_cannot_be_changed(change):
    with pytest.raises(RegistrationError):
        change(system_of([passing("a")]))


def test_a_reload_that_makes_no_sense_changes_nothing():
    system = system_of([blocking("a")])
    with pytest.raises(Exception, match="wait for each other"):
        system.reload([passing("b").replace(after=("c",)), passing("c").replace(after=("b",))])
    system.add_hook(passing("d"))
    assert decision(system) is Decision.BLOCK


def toggle(system, times):
    for number in range(times):
        system.set_hook_enabled("extra", number % 2 == 0)
        system.reload([blocking("guard"), passing("extra")])


def test_events_in_threads_are_judged_whole_while_hooks_change():
    system = system_of([blocking("guard"), passing("extra")])
    with ThreadPoolExecutor(4) as pool:
        changes = pool.submit(toggle, system, 200)
        decisions = list(pool.map(lambda _: decision(system), range(400)))
        changes.result()
    assert set(decisions) == {Decision.BLOCK}


def test_events_in_tasks_are_judged_whole_while_hooks_change():
    system = system_of([blocking("guard"), passing("extra")])

    async def run():
        async def change():
            for _ in range(50):
                toggle(system, 2)
                await asyncio.sleep(0)

        events = [system.fire_async(shell_event("ls")) for _ in range(100)]
        *verdicts, _ = await asyncio.gather(*events, change())
        return {verdict.decision for verdict in verdicts}

    assert asyncio.run(run()) == {Decision.BLOCK}


def test_two_who_switch_hooks_at_once_do_not_undo_each_other():
    ids = [f"h{number}" for number in range(60)]
    system = system_of([blocking(each) for each in ids])

    def switch_off(some):
        for each in some:
            system.set_hook_enabled(each, False)

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(switch_off, (ids[place::3] for place in range(3))))
    assert not any(hook.enabled for hook in system.get_all_hooks())


def test_a_reload_keeps_defaults_and_policy_unless_it_brings_others():
    name = shell_event("ls").name
    system = system_of([], defaults={name: Decision.ASK}, policy="p1")
    system.reload([passing("a")])
    assert (decision(system), system.fire(shell_event("ls")).policy) == (Decision.ASK, "p1")
    system.reload([passing("a")], defaults={}, policy="")
    assert (decision(system), system.fire(shell_event("ls")).policy) == (Decision.CONTINUE, "")


def test_a_hook_of_another_event_may_have_the_same_id():
    system = system_of([passing("a")])
    system.add_hook(passing("a").replace(event=EventName.AFTER_TOOL))
    system.set_hook_enabled("a", False)
    assert [each.enabled for each in system.get_all_hooks()] == [False, False]


def test_removing_one_hook_leaves_the_others_that_were_added():
    system = system_of([])
    system.add_hook(passing("a"))
    system.add_hook(blocking("b"))
    system.remove_hook("a")
    assert [each.id for each in system.get_all_hooks()] == ["b"]
