"""`fairlead learn` as a person and as an agent would run it, on a journal of real hook calls."""

import json
import subprocess

import pytest

from fairlead.policy.human import set_passphrase
from kit import PASSPHRASE, Machine, at_terminal
from played_sessions import Played

AUTHOR = ["-c", "user.name=a", "-c", "user.email=a@example.com"]
EXCEPTION = "fly deploy --app shop"


@pytest.fixture
def played(tmp_path):
    made = Played(tmp_path)
    for session in ("s1", "s2"):
        for _ in range(2):
            made.asked(EXCEPTION, session)
    made.close()
    return made


@pytest.fixture
def machine(played, tmp_path):
    made = Machine.__new__(Machine)
    made.home, made.project = played.home, played.project
    return made


def lesson(machine):
    return json.loads(machine.fairlead("learn", "--json").stdout)


def test_a_proposal_comes_with_its_evidence_and_with_what_it_would_have_changed(machine):
    (one,) = lesson(machine)["proposals"]
    assert (one["kind"], one["rule"], one["pattern"]) == ("exception", "cloud/deploy", EXCEPTION)
    evidence = one["evidence"]
    assert (evidence["times"], evidence["sessions"]) == (4, 2)
    assert evidence["known_by"] == {"a question of Fairlead": 4}
    assert evidence["projects"] == [str(machine.project)]
    assert one["would_have_changed"] == {"newly allowed": 4, "same": 4}
    shown = machine.fairlead("learn").stdout.decode()
    assert one["id"] in shown and "4 times yes and never no, in 2 sessions" in shown
    assert machine.fairlead("explain", evidence["calls"][0]).returncode == 0


def test_looking_writes_nothing(machine):
    machine.fairlead("learn")
    assert not (machine.home / "config").exists() and not (machine.home / "state" / "grants").exists()


def test_nothing_is_accepted_without_a_person(machine):
    (one,) = lesson(machine)["proposals"]
    done = machine.fairlead("learn", "accept", one["id"], "--yes", start_new_session=True)
    assert done.returncode == 1 and b"a human is needed" in done.stderr
    assert not (machine.home / "state" / "grants").exists()


def test_what_a_person_accepts_holds_and_can_be_taken_back(machine, played):
    set_passphrase(played.places, PASSPHRASE)
    (one,) = lesson(machine)["proposals"]
    status, shown = at_terminal(machine, "learn", "accept", one["id"], "--yes")
    assert status == 0, shown
    assert machine.fairlead("check", "--agent", "claude", EXCEPTION).returncode == 0
    assert machine.fairlead("check", "--agent", "codex", EXCEPTION).returncode == 3
    assert machine.fairlead("check", "--agent", "claude", "fly deploy --app other").returncode == 3
    (given,) = json.loads(machine.fairlead("allow", "--list", "--json").stdout)
    assert machine.fairlead("allow", "--revoke", given["id"]).returncode == 0
    assert machine.fairlead("check", "--agent", "claude", EXCEPTION).returncode == 3


@pytest.fixture
def prompted(played):
    """Somebody who said yes to the agent's own prompts, in a project with its tests committed."""
    tests = played.project / "tests"
    tests.mkdir()
    for name in "abc":
        (tests / f"{name}.py").write_text("def test_it(): pass\n")
    played.project.joinpath(".git").rmdir()
    for words in (["init", "-q"], ["add", "-A"], [*AUTHOR, "commit", "-qm", "tests"]):
        subprocess.run(["git", *words], cwd=played.project, check=True)
    again = Played(played.project.parent)
    for session in ("s1", "s2"):
        for name in "abc":
            again.prompted(f"pytest tests/{name}.py", session)
    again.close()


def test_a_pattern_that_a_person_accepts_is_a_line_of_their_own_policy(machine, played, prompted):
    set_passphrase(played.places, PASSPHRASE)
    found = {one["kind"]: one for one in lesson(machine)["proposals"]}
    assert found["approve"]["pattern"] == "pytest tests/*.py"
    assert found["approve"]["would_have_changed"]["newly allowed"] >= 6
    status, shown = at_terminal(machine, "learn", "accept", found["approve"]["id"], "--yes")
    assert status == 0, shown
    written = machine.home / "config" / "hooks" / "learned" / "hook.meta.yaml"
    assert '"pytest tests/*.py"' in written.read_text()
    assert machine.fairlead("policy", "check").returncode == 0
    assert b"approve" in machine.fairlead("check", "pytest tests/a.py").stdout
    assert b"approve" not in machine.fairlead("check", "pytest tests/a.py -p evil").stdout
    assert not any(one["kind"] == "approve" for one in lesson(machine)["proposals"])
    machine_files = [file.name for file in machine.project.iterdir()]
    assert ".fairlead" not in machine_files


def test_a_proposal_that_does_not_exist_is_no_proposal(machine):
    assert machine.fairlead("learn", "accept", "ffffffff").returncode == 64


@pytest.mark.parametrize(
    "command",
    [
        "fairlead learn accept 12345678",
        "fairlead learn accept --yes 12345678",
        "fairlead learn --days 3 accept 12345678",
        "python -m fairlead --home /x learn accept 1",
        "fairlead learn $WORD 1",
        "W=accept; fairlead learn $W 1",
    ],
)
def test_an_agent_cannot_accept_for_the_person(machine, command):
    done = machine.fairlead("check", command)
    assert done.returncode == 2 and b"self-protection/own-commands" in done.stdout


@pytest.mark.parametrize("command", ["fairlead learn", "fairlead learn --json --days 7", "fairlead report x"])
def test_an_agent_may_look(machine, command):
    assert machine.fairlead("check", command).returncode == 0
