"""Broken glass by telephone, and a signed `off`, with real commands on both ends."""

from __future__ import annotations

import getpass
import json
from pathlib import Path

import pytest

from approvals_kit import People, join_fleet
from fairlead.policy.places import find_places
from glass_kit import code_in_force, name_codes
from kit import Machine, at_terminal

pytestmark = pytest.mark.slow
DANGEROUS = "rm -rf /"


def passes(machine: Machine) -> bool:
    return machine.hook(machine.bash(DANGEROUS)).returncode == 0


class Line:
    """A locked-out machine of a fleet, and a desk elsewhere with a home of its own."""

    def __init__(self, folder: Path) -> None:
        self.out, self.desk = Machine(folder / "out"), Machine(folder / "desk")
        self.people = People(folder / "people", "ana", "ben")
        rows = [self.people.row("ana", off=True), self.people.row("ben", off=True)]
        self.places = join_fleet(self.out.home, self.people, {"people": rows})
        self.keys = str(folder / "ana.answers")
        made = self.desk.fairlead("bundle", "answer-keys", "--group", "web", "--out", self.keys, "--json")
        self.entries = json.loads(made.stdout)["answers"]
        self.manage(f"forbid: [off]\nbreak_glass:\n  answers: [{', '.join(self.entries)}]\n")

    def manage(self, text: str) -> None:
        Path(self.places.fleet, "current", "hooks", "managed.yaml").write_text(text)

    def challenge(self, *more: str) -> dict:
        words = ("break-glass", "--challenge", "--reason", "the broker is down", "--json")
        asked: dict = json.loads(self.out.fairlead(*words, *more).stdout)
        return asked

    def answer(self, asked: dict, **heard: object) -> tuple[int, str]:
        said = {**asked, **heard}
        words = [f"--{name}={said[name]}" for name in ("machine", "user", "bundle", "minutes")]
        more = ("--reason", "called back", "--keys", self.keys, "--yes")
        return at_terminal(
            self.desk, "fleet", "answer-challenge", said["challenge"], *words, *more, logged_in=True
        )

    def rows(self, shown: str) -> str:
        return "\n".join(line for line in shown.splitlines() if len(line.split()) == 4 and line.isupper())


@pytest.fixture
def line(tmp_path: Path) -> Line:
    return Line(tmp_path)


def test_a_challenge_is_answered_and_the_answer_breaks_the_glass(line: Line) -> None:
    assert not passes(line.out)
    asked = line.challenge("--minutes", "5")
    assert asked["machine"] == "m1" and asked["group"] == "web" and asked["user"] == getpass.getuser()
    code, shown = line.answer(asked)
    assert code == 0, shown
    typed = line.rows(shown).replace("\r", "").replace("\n", " ")
    done = line.out.fairlead("break-glass", "-", input=typed + "\n")
    assert done.returncode == 0, done.stderr
    assert b"history" not in done.stderr
    assert passes(line.out)
    status = json.loads(line.out.fairlead("status", "--json").stdout)
    assert status["off"]["glass"] == line.entries[0].split("-")[2][:12]
    line.out.fairlead("on")
    again = line.out.fairlead("break-glass", "-", input=typed)
    assert again.returncode == 1 and b"no challenge of yours" in again.stderr
    assert not passes(line.out)


def test_what_was_misheard_is_not_signed(line: Line) -> None:
    asked = line.challenge()
    code, shown = line.answer(asked, minutes=61)
    assert code == 64 and "made for another machine" in " ".join(shown.split())
    assert not line.rows(shown)
    assert json.loads(Path(line.keys).read_text())["answered"] == []


def test_the_desk_keeps_a_record_of_what_it_has_answered(line: Line) -> None:
    asked = line.challenge()
    line.answer(asked)
    (told,) = json.loads(Path(line.keys).read_text())["answered"]
    assert (told["machine"], told["code"]) == ("m1", asked["challenge"])
    (written,) = (
        each for each in line.desk.journal() if each["verdict"]["rule"] == "fleet/challenge-answered"
    )
    assert "called back" in written["verdict"]["reason"]


def test_an_agent_can_neither_ask_nor_answer(line: Line) -> None:
    inside = {"CLAUDECODE": "1"}
    refused = line.out.fairlead("break-glass", "--challenge", "--reason", "x", environment=inside)
    assert refused.returncode == 1 and b"a human is needed" in refused.stderr
    asked = line.challenge()
    words = ["--machine=m1", f"--user={asked['user']}", f"--bundle={asked['bundle']}", "--minutes=60"]
    more = ["--reason", "x", "--keys", line.keys, "--yes"]
    answered = line.desk.fairlead("fleet", "answer-challenge", asked["challenge"], *words, *more)
    assert answered.returncode == 1 and b"a human is needed" in answered.stderr
    assert json.loads(Path(line.keys).read_text())["answered"] == []


def test_a_code_is_taken_from_standard_input_and_as_an_argument_with_a_warning(machine: Machine) -> None:
    fleet = find_places(str(machine.home)).fleet
    code, _ = code_in_force(fleet)
    asked = machine.fairlead("break-glass", "--reason", "x")
    assert asked.returncode == 64 and b"break-glass -" in asked.stderr
    done = machine.fairlead("break-glass", "-", "--reason", "the broker is down", input=f"{code}\n")
    assert done.returncode == 0 and b"history" not in done.stderr
    name_codes(fleet, [])
    code, _ = code_in_force(fleet)
    done = machine.fairlead("break-glass", code, "--reason", "the broker is down")
    assert done.returncode == 0 and b"history" in done.stderr


# --- a signed off ---


def granted(line: Line, out: Path, *more: str, who: str = "ana") -> tuple[int, str]:
    words = ["fleet", "grant-off", "m1", "--minutes", "5", "--reason", "migration", "--yes"]
    words += ["--key", line.people.path(who), "--out", str(out), *more]
    return at_terminal(line.desk, *words, logged_in=True)


def switched_off(line: Line, *words: str) -> tuple[int, str]:
    return at_terminal(line.out, "off", *words, "--yes", logged_in=True)


def test_a_signed_off_switches_off_where_it_is_forbidden_and_once(line: Line, tmp_path: Path) -> None:
    assert switched_off(line)[0] == 1
    grant = tmp_path / "alice.grant"
    code, shown = granted(line, grant)
    assert code == 0, shown
    code, shown = switched_off(line, "--grant", str(grant))
    assert code == 0 and "ana granted" in " ".join(shown.split()), shown
    assert passes(line.out)
    assert json.loads(line.out.fairlead("status", "--json").stdout)["off"]["granted"] == "ana"
    line.out.fairlead("on")
    assert not passes(line.out)
    code, shown = switched_off(line, "--grant", str(grant))
    assert code == 1 and "has been used" in shown
    code, shown = switched_off(line, "--granted")
    assert code == 0 and passes(line.out), "what was taken holds until its end"


def test_an_agent_cannot_use_a_grant(line: Line, tmp_path: Path) -> None:
    grant = tmp_path / "alice.grant"
    granted(line, grant)
    refused = line.out.fairlead("off", "--grant", str(grant), "--yes")
    assert refused.returncode == 1 and b"a human is needed" in refused.stderr
    assert line.out.hook(line.out.bash(f"fairlead off --grant {grant}")).returncode == 2
    assert not passes(line.out)


def test_the_machine_that_is_meant_signs_nothing_for_itself(line: Line, tmp_path: Path) -> None:
    words = ["fleet", "grant-off", "m1", "--minutes", "5", "--reason", "x", "--yes"]
    words += ["--key", line.people.path("ana"), "--out", str(tmp_path / "own.grant")]
    code, shown = at_terminal(line.out, *words, logged_in=True)
    assert code == 1 and "this is that machine" in shown
