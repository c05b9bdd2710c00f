"""`pins` in `mode.yaml`: what becomes of MCP servers that nobody looked at."""

from pathlib import Path

import pytest

from fairlead.assembly import policy_for
from fairlead.policy.mode import Mode, own_mode, write_mode
from fairlead.policy.places import Places, find_places


@pytest.fixture
def places(tmp_path: Path) -> Places:
    return find_places(str(tmp_path / "home")).replace(system=str(tmp_path / "system"))


def say(root: str, text: str) -> None:
    (Path(root) / "hooks").mkdir(parents=True)
    (Path(root) / "hooks" / "mode.yaml").write_text(text)


@pytest.mark.parametrize(
    ("system", "user", "counts"),
    [
        ("ask-first", "watch", "ask-first"),
        ("watch", "ask-first", "ask-first"),
        ("first-sight", "watch", "first-sight"),
        ("", "watch", "watch"),
        ("ask-first", "", "ask-first"),
        ("", "", ""),
    ],
)
def test_of_two_layers_the_stricter_word_counts(places: Places, system: str, user: str, counts: str) -> None:
    for root, word in ((places.system, system), (places.config, user)):
        say(root, f"mode: enforce\n{f'pins: {word}' if word else ''}\n")
    assert policy_for(places, "", "claude").mode.pins == counts


def test_another_word_is_a_problem_and_counts_for_nothing(places: Places) -> None:
    say(places.config, "mode: enforce\npins: ask-frist\n")
    policy = policy_for(places, "", "claude")
    assert any("pins" in str(problem) or "ask-first" in str(problem) for problem in policy.problems)
    assert policy.mode.pins == ""


def test_a_project_cannot_say_it(places: Places, tmp_path: Path) -> None:
    project = tmp_path / "project"
    say(str(project / ".fairlead"), "mode: enforce\npins: watch\n")
    assert policy_for(places, str(project), "claude").mode.pins == ""


def test_who_changes_something_else_keeps_it(places: Places) -> None:
    write_mode(places.config, Mode(pins="ask-first"))
    write_mode(places.config, own_mode(places.config).replace(audited=("git",)))
    assert own_mode(places.config).pins == "ask-first"


@pytest.mark.parametrize("line", ["recover: pass", "snapshot: session", "pins: ask-first"])
def test_a_file_of_one_line_counts_and_says_nothing_of_the_mode(places: Places, line: str) -> None:
    say(places.system, "mode: audit\nsince: 2026-11-16\n")
    say(places.config, f"{line}\n")
    policy = policy_for(places, "", "claude")
    assert policy.problems == ()
    assert policy.mode.audits and policy.mode.since == "2026-11-16"
    key, word = line.split(": ")
    assert getattr(policy.mode, key) == word


def test_what_no_layer_says_of_the_mode_is_enforced(places: Places) -> None:
    say(places.config, "recover: pass\n")
    assert not policy_for(places, "", "claude").mode.audits


def test_a_file_that_says_nothing_of_the_mode_is_written_back_as_it_is(places: Places) -> None:
    say(places.config, "recover: pass\n")
    write_mode(places.config, own_mode(places.config))
    assert own_mode(places.config) == Mode(recover="pass", path=own_mode(places.config).path)
    write_mode(places.config, Mode())
    assert own_mode(places.config).mode == "enforce"
