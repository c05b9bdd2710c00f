"""The layer between the system's policy and the user's: a link to a folder, and how old it may be."""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from fairlead.model.decision import Decision
from fairlead.model.event_name import GATING
from fairlead.policy import reload
from fairlead.policy.layering.fleet_layer import STALE_ID, folder_in_force
from fairlead.policy.layering.trust import trust
from fairlead.policy.places import Places
from fairlead.policy.policy import Policy
from fairlead.policy.reading.problem import ERROR, WARNING
from fairlead.policy.reload import Signature

RULE = "event: PreToolUse\nmiddleware:\n  - {{id: block-dangerous-commands, priority: {priority}{more}}}\n"
SHA = "a" * 64


@pytest.fixture
def places(tmp_path: Path) -> Places:
    names = ("config", "state", "run", "share", "system", "system-fleet")
    return Places(*(str(tmp_path / name) for name in names))


@pytest.fixture
def put(places: Places, write: Callable[..., str]) -> Callable[..., str]:
    def put_in_force(text: str, sha: str = SHA, fleet: str = "") -> str:
        fleet = fleet or places.fleet
        folder = f"{fleet}/bundles/{sha}"
        os.makedirs(folder, exist_ok=True)
        write(folder, text)
        draft = f"{fleet}/.new"
        os.symlink(f"bundles/{sha}", draft)
        os.rename(draft, f"{fleet}/current")
        return folder

    return put_in_force


def rule(priority: int, more: str = "") -> str:
    return RULE.format(priority=priority, more=more)


def guard(policy: Policy) -> tuple[int, str]:
    found = next(entry for entry in policy.entries if entry.id == "block-dangerous-commands")
    return found.priority, found.layer


def fresh(places: Places, **moments: float) -> None:
    told = {"at": 0, "until": 0, "expires": 4e9, "asks": 0, "group": "web", "version": 7, **moments}
    path = Path(places.fleet, "freshness.json")
    path.write_text(json.dumps({SHA: told}))
    path.chmod(0o600)


def test_it_is_stronger_than_the_system_and_weaker_than_the_user(
    places: Places, put: Callable[..., str], write: Callable[..., str], load: Callable[..., Policy]
) -> None:
    write(places.system, rule(1))
    put(rule(2))
    assert guard(load()) == (2, "fleet")
    write(places.config, rule(3))
    assert guard(load()) == (3, "user")


def test_a_locked_entry_is_changed_by_nobody_below(
    places: Places, put: Callable[..., str], write: Callable[..., str], load: Callable[..., Policy], root: str
) -> None:
    put(rule(2, ", locked: true"))
    write(places.config, rule(3, ", enabled: false"))
    write(f"{root}/.fairlead", rule(4, ", mode: audit"))
    trust(places, root)
    policy = load()
    assert guard(policy) == (2, "fleet")
    locked = [problem for problem in policy.problems if "is locked by fleet:hooks/one/" in problem.message]
    assert [problem.severity for problem in locked] == [WARNING, WARNING]


def test_what_the_system_locks_the_fleet_does_not_change(
    places: Places, put: Callable[..., str], write: Callable[..., str], load: Callable[..., Policy]
) -> None:
    write(places.system, rule(1, ", locked: true"))
    put(rule(2))
    assert guard(load()) == (1, "system")


def test_the_root_of_this_machine_decides_whose_fleet_counts(
    places: Places, put: Callable[..., str], load: Callable[..., Policy]
) -> None:
    put(rule(2))
    Path(places.system).mkdir()
    Path(places.system_enrolment).write_text("")
    assert guard(load())[1] == "built-in"
    put(rule(5), fleet=places.system_fleet)
    assert guard(load()) == (5, "fleet")


@pytest.mark.usefixtures("settled")
def test_a_switch_is_seen_at_the_next_look(put: Callable[..., str], load: Callable[..., Policy]) -> None:
    put(rule(2))
    policy = load()
    assert not policy.changed()
    put(rule(3), "b" * 64)
    assert policy.changed()
    assert guard(load()) == (3, "fleet")
    assert load().hash != policy.hash


@pytest.mark.usefixtures("settled")
def test_a_machine_that_joins_is_seen_at_the_next_look(
    places: Places, put: Callable[..., str], load: Callable[..., Policy]
) -> None:
    policy = load()
    assert not policy.changed()
    put(rule(2))
    assert policy.changed()
    policy = load()
    Path(places.system).mkdir()
    Path(places.system_enrolment).write_text("")
    assert policy.changed()


@pytest.mark.usefixtures("settled")
def test_law_11_without_a_fleet_a_call_asks_for_one_name_more_and_reads_nothing(
    load: Callable[..., Policy], places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The fleet's own folder; the enrolment would lie in the system's, which is not there either."""
    Path(places.state).mkdir(exist_ok=True)
    policy = load()
    asked: list[str] = []
    real = os.access
    monkeypatch.setattr(
        os, "access", lambda path, *more, **rest: asked.append(path) or real(path, *more, **rest)
    )
    monkeypatch.setattr(reload, "mark_of", lambda path: pytest.fail(f"{path} was looked at"))
    assert not policy.changed()
    assert places.fleet in asked
    assert places.system in asked
    assert len(asked) == 4 + len((places.fleet,))


@pytest.mark.parametrize(
    "target", ["bundles/" + "b" * 64, "/etc", "bundles/../../config", f"other/{SHA}", f"bundles/{SHA}/hooks"]
)
def test_a_link_that_leads_to_no_bundle_blocks_and_says_so(
    places: Places, put: Callable[..., str], load: Callable[..., Policy], target: str
) -> None:
    put(rule(2))
    os.unlink(f"{places.fleet}/current")
    os.symlink(target, f"{places.fleet}/current")
    policy = load()
    assert [problem.message for problem in policy.errors] == ["it leads to no bundle"]
    broken = {entry.event for entry in policy.entries if entry.broken and entry.layer == "fleet"}
    assert broken == GATING
    assert folder_in_force(places.fleet) == ""


def test_a_broken_file_in_it_blocks_as_in_any_layer(
    put: Callable[..., str], load: Callable[..., Policy]
) -> None:
    put("event: PreToolUse\nmiddleware: [")
    policy = load()
    assert policy.errors
    assert any(entry.broken for entry in policy.entries)


def test_while_it_is_fresh_nothing_is_said(
    places: Places, put: Callable[..., str], load: Callable[..., Policy]
) -> None:
    put(rule(2))
    now = time.time()
    fresh(places, at=now, until=now + 100, asks=now + 1000)
    policy = load()
    assert policy.problems == ()
    assert policy.signature.until == pytest.approx(now + 100)


@pytest.mark.parametrize(
    ("moments", "words"),
    [({"until": 5}, "stale since"), ({"until": 5, "expires": 6}, "expired on")],
)
def test_it_stays_in_force_and_says_that_it_is_old(
    places: Places,
    put: Callable[..., str],
    load: Callable[..., Policy],
    moments: dict[str, float],
    words: str,
) -> None:
    put(rule(2))
    fresh(places, **moments)
    policy = load()
    assert guard(policy) == (2, "fleet")
    assert [words in problem.message for problem in policy.problems] == [True]
    assert policy.problems[0].severity == WARNING
    assert policy.errors == ()


def test_when_it_is_too_old_gating_calls_ask_and_nobody_can_turn_that_off(
    places: Places, put: Callable[..., str], load: Callable[..., Policy], write: Callable[..., str]
) -> None:
    put(rule(2))
    fresh(places, until=5, asks=6)
    write(
        places.config,
        f"event: PreToolUse\nmiddleware:\n  - {{id: {STALE_ID}, enabled: false, type: safety}}\n",
    )
    asking = [entry for entry in load().entries if entry.id == STALE_ID]
    assert {entry.event for entry in asking} == GATING
    assert all(entry.broken and entry.enabled and entry.on_error is Decision.ASK for entry in asking)


def test_nobody_is_asked_where_the_manifest_does_not_say_so(
    places: Places, put: Callable[..., str], load: Callable[..., Policy]
) -> None:
    put(rule(2))
    fresh(places, until=5, asks=0)
    assert not [entry for entry in load().entries if entry.id == STALE_ID]


def test_the_moment_it_grows_old_is_a_change_of_policy(
    monkeypatch: pytest.MonkeyPatch, places: Places, put: Callable[..., str], load: Callable[..., Policy]
) -> None:
    """A warm daemon reads nothing again until then."""
    monkeypatch.setattr(reload, "SETTLING_NS", -(10**18))
    put(rule(2))
    now = time.time()
    fresh(places, at=now, until=now + 1000, asks=now + 2000)
    policy = load()
    assert not policy.changed()
    for later, until in ((now + 1001, now + 2000), (now + 2001, 4e9)):
        monkeypatch.setattr(time, "time", lambda later=later: later)
        assert policy.changed()
        policy = load()
        assert policy.signature.until == pytest.approx(until)
        assert not policy.changed()
    assert [entry.id for entry in policy.entries if entry.id == STALE_ID]


def test_a_clock_that_was_set_back_does_not_make_it_young(
    monkeypatch: pytest.MonkeyPatch, places: Places, put: Callable[..., str], load: Callable[..., Policy]
) -> None:
    put(rule(2))
    fresh(places, at=1000, until=900, asks=950)
    monkeypatch.setattr(time, "time", lambda: 10.0)
    policy = load()
    assert [problem.severity for problem in policy.problems] == [WARNING]
    assert [entry.id for entry in policy.entries if entry.id == STALE_ID]


_TOLD = (
    f'{{{{"{SHA}": {{{{"group": "g", "version": {{0}}, "at": {{1}}, "until": {{1}}, '
    '"expires": {1}, "asks": 0}}}}'
)


def age_file(places: Places, content: bytes | None) -> None:
    path = Path(places.fleet, "freshness.json")
    path.unlink(missing_ok=True)
    if content is not None:
        path.write_bytes(content)
        path.chmod(0o600)


def put_signed(places: Places, put: Callable[..., str], manifest: str) -> None:
    """A bundle in a folder that is named after its manifest, as all are."""
    folder = put(rule(2), hashlib.sha256(manifest.encode()).hexdigest())
    Path(folder, "manifest.json").write_text(manifest)


@pytest.mark.parametrize("content", [None, b"", b"{", b'{"' + b"0" * 64 + b'": {}}'])
def test_a_missing_word_about_its_age_never_makes_an_old_policy_look_fresh(
    places: Places, put: Callable[..., str], load: Callable[..., Policy], content: bytes | None
) -> None:
    put_signed(places, put, '{"stale": "ask"}')
    age_file(places, content)
    policy = load()
    assert guard(policy) == (2, "fleet")
    assert ["nobody can tell how old" in problem.message for problem in policy.problems] == [True]
    assert {entry.event for entry in policy.entries if entry.id == STALE_ID} == GATING


def test_where_the_bundle_never_asks_a_missing_word_is_told_and_asks_nobody(
    places: Places, put: Callable[..., str], load: Callable[..., Policy]
) -> None:
    put_signed(places, put, '{"stale": ""}')
    policy = load()
    assert [problem.severity for problem in policy.problems] == [WARNING]
    assert not [entry for entry in policy.entries if entry.id == STALE_ID]


def test_a_manifest_that_somebody_changed_does_not_say_that_nobody_asks(
    places: Places, put: Callable[..., str], load: Callable[..., Policy]
) -> None:
    put_signed(places, put, '{"stale": "ask"}')
    sha256 = os.path.basename(folder_in_force(places.fleet))
    Path(places.fleet, "bundles", sha256, "manifest.json").write_text('{"stale": ""}')
    assert [entry for entry in load().entries if entry.id == STALE_ID]


def test_a_word_about_another_bundle_is_none_about_this_one(
    places: Places, put: Callable[..., str], load: Callable[..., Policy]
) -> None:
    put_signed(places, put, '{"stale": "ask"}')
    fresh(places, at=time.time(), until=4e9)
    assert [entry for entry in load().entries if entry.id == STALE_ID]


def test_a_bundle_that_was_taken_away_from_a_machine_of_a_fleet_blocks_and_says_so(
    places: Places, put: Callable[..., str], load: Callable[..., Policy]
) -> None:
    put(rule(2))
    fresh(places, until=4e9)
    Path(places.config).mkdir(exist_ok=True)
    Path(places.user_enrolment).write_text("")
    os.unlink(f"{places.fleet}/current")
    policy = load()
    assert ["was in force here, and is gone" in problem.message for problem in policy.errors] == [True]
    assert {entry.event for entry in policy.entries if entry.broken and entry.layer == "fleet"} == GATING


def test_a_machine_that_has_taken_nothing_up_yet_says_so_and_stops_nobody(
    places: Places, load: Callable[..., Policy]
) -> None:
    Path(places.config).mkdir(exist_ok=True)
    Path(places.user_enrolment).write_text("")
    policy = load()
    assert ["taken up no policy of it yet" in problem.message for problem in policy.problems] == [True]
    assert policy.errors == ()
    assert not [entry for entry in policy.entries if entry.layer == "fleet"]


@pytest.mark.parametrize(
    "text",
    ["", "{}", "[]", '{"at": "x"}', "null", "[" * 4096]
    + [_TOLD.format(1, moment) for moment in ("NaN", "1e999", "-1e300", "1e300", "9" * 400)]
    + [_TOLD.format("1e999", 0)],
)
def test_a_file_about_its_age_that_cannot_be_read_breaks_nothing_and_is_told(
    places: Places, put: Callable[..., str], load: Callable[..., Policy], text: str
) -> None:
    put(rule(2))
    age_file(places, text.encode())
    policy = load()
    assert guard(policy) == (2, "fleet")
    assert "nobody can tell how old" in policy.problems[0].message


def test_a_signature_without_an_end_holds_for_ever() -> None:
    assert not Signature(until=0.0).changed()
    assert Signature(until=1.0).changed()
    assert not Signature(until=4e9).changed()
    assert ERROR != WARNING
