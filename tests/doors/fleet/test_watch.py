"""Who watches a group beside the online key: what it signs, what it stops, and what it does not believe."""

import time

import pytest
from fleet_workshop import Publishing

from fairlead.doors.fleet.centre.roll_call import EVERY, Heard
from fairlead.doors.fleet.centre.watch_memory import Memory, read_memory, write_memory
from fairlead.doors.fleet.centre.watching import Watch
from fairlead.doors.fleet.publishers import open_publisher
from fairlead.errors import FairleadError
from fairlead.fleet.bundles.freshness import Rollout, goes_back, read_statement
from fairlead.fleet.telling.heartbeat import BundleState, Counts, Heartbeat


class Clock:
    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def publishing(tmp_path):
    publishing = Publishing(f"folder:{tmp_path}")
    publishing.publish(1)
    publishing.publish(2, percent=10)
    return publishing


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def watch(publishing, clock):
    return Watch("web", publishing.online_key, clock=clock)


def look(watch, publishing) -> str:
    with open_publisher(publishing.target) as publisher:
        return watch.look(publisher)


def tell(watch, clock, version, *names, **counts) -> None:
    """Two heartbeats each: what was counted before the version came is not told of it."""
    for name in names:
        beat = Heartbeat(name, "web", 0, bundle=BundleState(version), counts=Counts(100, **counts))
        watch.hear(Heard(name, clock(), beat))
        watch.hear(Heard(name, clock() + 1, beat))


def test_it_signs_at_once_and_then_every_hour(watch, publishing, clock):
    assert look(watch, publishing) == "version 2 is current"
    assert look(watch, publishing) == ""
    clock.now += 3601
    assert look(watch, publishing) == "version 2 is current"


def test_it_changes_nothing_of_the_rollout_by_that(watch, publishing):
    before = publishing.pointer().rollout
    look(watch, publishing)
    assert publishing.pointer().rollout == before


def test_it_stops_a_version_that_makes_things_worse(watch, publishing, clock):
    look(watch, publishing)
    tell(watch, clock, 1, "a", "b", "c", "d")
    tell(watch, clock, 2, "e", "f", "g", failures=40)
    assert look(watch, publishing).startswith("stopped version 2: failures are above")
    rollout = publishing.pointer().rollout
    assert (rollout.halted, rollout.percent, rollout.previous.version) == (True, 10, 1)
    assert rollout.why.startswith("failures are above")
    assert look(watch, publishing) == ""


def test_who_is_not_in_the_group_stops_nothing_whatever_it_says(publishing, clock):
    expected = {"a": "web", "b": "web", "c": "web", "d": "web", "e": "lab", "f": "lab"}
    watch = Watch("web", publishing.online_key, clock=clock, expected=lambda: expected)
    tell(watch, clock, 1, "a", "b", "c", "d")
    tell(watch, clock, 2, "e", "f", "g", failures=40)
    assert look(watch, publishing) == "version 2 is current"


def test_it_sends_back_who_has_it_if_it_was_asked_to(publishing, clock):
    watch = Watch("web", publishing.online_key, back=True, clock=clock)
    tell(watch, clock, 2, "e", "f", "g", blocks=90)
    assert "blocks" in look(watch, publishing)
    assert goes_back(publishing.pointer().rollout)


def test_machines_that_fall_silent_stop_it(watch, publishing, clock):
    tell(watch, clock, 2, "e", "f", "g")
    assert look(watch, publishing) == "version 2 is current"
    clock.now += 3 * EVERY + 2
    tell(watch, clock, 1, "a", "b", "c", "d")
    assert "fell silent" in look(watch, publishing)


def test_calls_from_before_the_version_are_not_counted_to_it(watch, publishing, clock):
    bad = Counts(100, failures=90)
    for name in "efg":
        watch.hear(Heard(name, clock(), Heartbeat(name, "web", 0, bundle=BundleState(1), counts=bad)))
        watch.hear(Heard(name, clock() + 1, Heartbeat(name, "web", 0, bundle=BundleState(2), counts=bad)))
    assert look(watch, publishing) == "version 2 is current"


def test_calls_since_the_version_came_are_counted_to_it(watch, publishing, clock):
    tell(watch, clock, 1, "e", "f", "g")
    clock.now += 10
    tell(watch, clock, 2, "e", "f", "g", failures=90)
    assert "failures" in look(watch, publishing)


def test_another_group_and_what_cannot_be_read_count_nothing(watch, publishing, clock):
    for name in "efg":
        beat = Heartbeat(name, "db", 0, bundle=BundleState(2), counts=Counts(100, failures=90))
        watch.hear(Heard(name, clock(), beat))
        watch.hear(Heard(name, clock() + 1, beat))
        watch.hear(Heard(name, clock() + 2, None, "rubbish"))
    assert look(watch, publishing) == "version 2 is current"


def everybody(publishing) -> None:
    publishing.say(lambda pointer: Rollout(100, pointer.rollout.previous))


def test_what_went_to_everybody_is_watched_for_a_day_more(watch, publishing, clock):
    everybody(publishing)
    assert look(watch, publishing) == "version 2 is current"
    clock.now += 80_000
    tell(watch, clock, 2, "e", "f", "g", failures=90)
    assert "failures" in look(watch, publishing)
    rollout = publishing.pointer().rollout
    assert (rollout.halted, rollout.percent) == (True, 100)


def test_after_that_day_nothing_is_held_against_it(watch, publishing, clock):
    everybody(publishing)
    look(watch, publishing)
    clock.now += 86_401
    tell(watch, clock, 2, "e", "f", "g", failures=90)
    assert look(watch, publishing) == "version 2 is current"


def test_what_went_to_everybody_is_taken_back_if_that_was_asked_for(publishing, clock):
    everybody(publishing)
    watch = Watch("web", publishing.online_key, back=True, clock=clock)
    tell(watch, clock, 2, "e", "f", "g", failures=90)
    assert "failures" in look(watch, publishing)
    rollout = publishing.pointer().rollout
    assert goes_back(rollout) and rollout.previous.version == 1


def test_once_all_have_it_each_machine_is_compared_with_itself(watch, publishing, clock):
    everybody(publishing)
    tell(watch, clock, 1, "e", "f", "g", blocks=60)
    clock.now += 10
    tell(watch, clock, 2, "e", "f", "g", blocks=60)
    assert look(watch, publishing) == "version 2 is current"
    clock.now += 10
    tell(watch, clock, 2, "e", "f", "g", blocks=100)
    assert "blocks" in look(watch, publishing)


def test_an_evening_stops_nothing_once_all_have_it(watch, publishing, clock):
    everybody(publishing)
    tell(watch, clock, 2, "e", "f", "g")
    look(watch, publishing)
    clock.now += 40_000
    assert look(watch, publishing) == "version 2 is current"


def test_nobody_fell_silent_while_the_watch_itself_heard_nothing(watch, publishing, clock):
    tell(watch, clock, 2, "e", "f", "g")
    look(watch, publishing)
    clock.now += 40_000
    tell(watch, clock, 1, "a", "b", "c", "d")
    watch.listens()
    assert look(watch, publishing) == "version 2 is current"


def again(watch, publishing, clock, tmp_path, **options) -> Watch:
    """Another one that was started when this one had ended."""
    path = str(tmp_path / "watch" / "web.json")
    write_memory(path, watch.memory)
    memory, lost = read_memory(path)
    assert lost == ""
    return Watch("web", publishing.online_key, memory=memory, clock=clock, **options)


def test_what_was_counted_outlives_the_watch(watch, publishing, clock, tmp_path):
    look(watch, publishing)
    tell(watch, clock, 1, "a", "b", "c", "d")
    tell(watch, clock, 2, "e", "f", "g", failures=40)
    watch = again(watch, publishing, clock, tmp_path)
    assert look(watch, publishing).startswith("stopped version 2: failures are above")


def test_what_was_seen_outlives_the_watch(watch, publishing, clock, tmp_path):
    old = publishing.pointer()
    publishing.publish(3)
    look(watch, publishing)
    publishing.put(old)
    with pytest.raises(FairleadError, match="older than what was there before"):
        look(again(watch, publishing, clock, tmp_path), publishing)


def test_the_day_after_the_last_machine_is_not_begun_anew_by_a_restart(watch, publishing, clock, tmp_path):
    everybody(publishing)
    look(watch, publishing)
    clock.now += 50_000
    watch = again(watch, publishing, clock, tmp_path)
    look(watch, publishing)
    clock.now += 50_000
    tell(watch, clock, 2, "e", "f", "g", failures=90)
    assert look(watch, publishing) == "version 2 is current"


@pytest.mark.parametrize(
    "content",
    [b"", b"{}", b"[" * 100_000, b'{"format": 2}', b'{"format": 1, "machines": {"a": [1]}}', b"\xff"],
)
def test_a_memory_that_cannot_be_read_is_told_and_begun_anew(tmp_path, content):
    path = tmp_path / "web.json"
    path.write_bytes(content)
    path.chmod(0o600)
    memory, lost = read_memory(str(path))
    assert memory == Memory()
    assert "counting begins anew" in lost


def test_what_was_stopped_is_not_called_current_when_it_is_signed_again(watch, publishing, clock):
    publishing.say(lambda pointer: pointer.rollout.replace(halted=True))
    assert look(watch, publishing) == "version 2 is still stopped"


def test_a_person_who_lets_it_go_on_is_not_stopped_by_the_same_figures(watch, publishing, clock):
    look(watch, publishing)
    tell(watch, clock, 2, "e", "f", "g", failures=40)
    assert "failures" in look(watch, publishing)
    publishing.say(lambda pointer: pointer.rollout.replace(halted=False))
    assert look(watch, publishing) == ""
    clock.now += 10
    tell(watch, clock, 2, "e", "f", "g", failures=40)
    assert "failures" in look(watch, publishing)


def test_it_signs_nothing_that_was_not_signed_with_its_key(watch, publishing):
    stranger = Publishing(publishing.target.address)
    stranger.publish(3)
    with pytest.raises(FairleadError, match="not signed with this key"):
        look(watch, publishing)
    assert publishing.pointer().release.version == 3


def test_it_brings_no_old_version_back(watch, publishing):
    """Whoever can write there puts the pointer of another day there, to be signed anew."""
    old = publishing.pointer()
    publishing.publish(3)
    look(watch, publishing)
    publishing.put(old)
    with pytest.raises(FairleadError, match="older than what was there before"):
        look(watch, publishing)


def test_it_takes_no_halt_back(watch, publishing):
    look(watch, publishing)
    before = publishing.pointer()
    said = read_statement(before.freshness.content).at
    _until_after(said)
    publishing.say(lambda pointer: pointer.rollout.replace(halted=True))
    look(watch, publishing)
    publishing.put(before)
    with pytest.raises(FairleadError, match="older"):
        look(watch, publishing)


def _until_after(moment: int) -> None:
    """Statements are told apart by the second."""
    while int(time.time()) <= moment:
        time.sleep(0.05)
