"""What answers for the agents stays: whatever happens to the package that a person installed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from installation import payload, until

from fairlead.doors.cli.installation.package_build import build_of
from fairlead.doors.daemon import control, lifecycle
from fairlead.policy.places import find_places
from fairlead.policy.record import read_record
from kit import Machine, own_installation, upgrade

pytestmark = pytest.mark.slow


class Person:
    """Somebody with an installation of their own, which they upgrade, move and remove."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.dev = machine.project.parent / "dev"
        self.dev.mkdir()
        self.venv = machine.project.parent / "venv"
        self.python = own_installation(self.venv)
        self.places = find_places(str(machine.home))

    def fairlead(self, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [self.python, "-I", "-m", "fairlead", "--home", self.machine.home, *words],
            capture_output=True,
            text=True,
            cwd=self.machine.project,
            env={"HOME": str(self.dev), "PATH": "/usr/bin:/bin"},
            check=False,
        )

    def install(self) -> None:
        done = self.fairlead("install", "claude")
        assert done.returncode == 0, done.stderr

    def command(self) -> str:
        settings = json.loads((self.dev / ".claude" / "settings.json").read_text())
        line: str = settings["hooks"]["PreToolUse"][0]["hooks"][0]["command"]
        return line

    def call(self, command: str = "rm -rf /", session: str = "s1") -> int:
        """As the agent makes it."""
        words = ["/bin/sh", "-c", self.command()]
        given = payload(command, session=session)
        return subprocess.run(words, input=given, capture_output=True, check=False).returncode

    @property
    def interpreter(self) -> Path:
        return Path(read_record(self.places)["interpreter"])


@pytest.fixture
def person(machine: Machine) -> Iterator[Person]:
    made = Person(machine)
    yield made
    control.stop(made.places)


def test_what_answers_is_a_copy_that_outlives_the_package(person: Person) -> None:
    person.install()
    assert person.interpreter.is_relative_to(person.machine.home / "share" / "env")
    shutil.rmtree(person.venv)
    assert (person.call(), person.call("ls")) == (2, 0)
    until(lambda: _runs(person))
    assert (person.call(session="s2"), person.call("ls", session="s2")) == (2, 0)


def test_the_command_beside_the_client_works_when_the_package_is_gone(person: Person) -> None:
    person.install()
    shutil.rmtree(person.venv)
    command = person.machine.home / "share" / "bin" / "fairlead"
    environment = {"HOME": str(person.dev), "PATH": "/usr/bin:/bin"}
    words = [command, "--home", person.machine.home, "status"]
    done = subprocess.run(words, capture_output=True, text=True, env=environment, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert "installed" in done.stdout


def test_a_client_that_lost_its_record_still_finds_who_answers(person: Person) -> None:
    person.install()
    os.unlink(person.places.record)
    assert (person.call(), person.call("ls")) == (2, 0)


def test_an_editable_install_is_copied_and_not_linked(machine: Machine) -> None:
    """The interpreter of these tests has one, inside a clone."""
    home = {"HOME": str(machine.project)}
    done = machine.fairlead("install", "kiro", environment=home)
    assert done.returncode == 0, done.stderr
    interpreter = Path(read_record(find_places(str(machine.home)))["interpreter"])
    where = subprocess.run(
        [interpreter, "-I", "-c", "import fairlead; print(fairlead.__file__)"],
        capture_output=True,
        text=True,
        check=True,
    )
    copied = Path(where.stdout.strip())
    assert copied.is_relative_to(machine.home)
    assert build_of(str(copied.parent)) == build_of()


def test_in_place_lets_the_interpreter_answer_as_it_is(machine: Machine) -> None:
    machine.fairlead("install", "--in-place", "kiro", environment={"HOME": str(machine.project)})
    record = read_record(find_places(str(machine.home)))
    assert record["interpreter"] == sys.executable
    assert "build" not in record
    assert not (machine.home / "share" / "env").exists()


def test_an_upgrade_is_noticed_by_status_and_taken_over_by_install(person: Person) -> None:
    person.install()
    first = person.interpreter
    assert person.fairlead("status").returncode == 0
    upgrade(person.python)
    noticed = person.fairlead("status")
    assert noticed.returncode == 1
    assert "outdated" in noticed.stdout and "another build" in noticed.stdout
    person.install()
    assert person.interpreter != first
    assert person.fairlead("status").returncode == 0
    assert first.exists(), "calls that began with it may still need it"
    upgrade(person.python)
    person.install()
    assert not first.exists()


def test_installing_the_same_again_makes_nothing_new(person: Person) -> None:
    person.install()
    known = person.interpreter
    made = known.parents[1].stat().st_ino
    person.install()
    assert (person.interpreter, known.parents[1].stat().st_ino) == (known, made)


@pytest.mark.parametrize("damage", ["package", "dependency", "interpreter"])
def test_a_damaged_environment_is_made_anew(person: Person, damage: str) -> None:
    person.install()
    site = next((person.interpreter.parents[1] / "lib").glob("python3*/site-packages"))
    if damage == "interpreter":
        person.interpreter.unlink()
    elif damage == "package":
        (site / "fairlead" / "assembly.py").write_text("raise SystemExit(0)\n")
    else:
        (site / "click" / "core.py").unlink()
        shutil.rmtree(site / "click" / "__pycache__", ignore_errors=True)
    person.install()
    assert (person.call(), person.call("ls")) == (2, 0)
    assert person.fairlead("status").returncode == 0


def test_an_upgrade_under_way_lets_nothing_forbidden_pass_and_nothing_harmless_be_refused(
    person: Person,
) -> None:
    """Agents call all the time: with the old daemon, the new one and none."""
    person.install()
    person.call()
    until(lambda: _runs(person))
    answers: list[tuple[str, int]] = []
    over = threading.Event()

    def agent(name: str) -> None:
        number = 0
        while not over.is_set():
            number += 1
            for command in ("rm -rf /", "ls"):
                answers.append((command, person.call(command, session=f"{name}{number}")))

    with ThreadPoolExecutor() as pool:
        agents = [pool.submit(agent, name) for name in "ab"]
        try:
            for _ in range(2):
                upgrade(person.python)
                person.install()
            until(lambda: _runs(person) or any(one.done() for one in agents))
        finally:
            over.set()
    for one in agents:
        one.result()
    assert {code for command, code in answers if command == "rm -rf /"} == {2}
    assert {code for command, code in answers if command == "ls"} == {0}


def _runs(person: Person) -> bool:
    """Whether the daemon is the one of the newest installation."""
    try:
        facts = control.ping(person.places)
    except control.DaemonError:  # on a busy machine it may be silent for a while
        return False
    return facts is not None and Path(facts["package"]).is_relative_to(person.interpreter.parents[1])


def test_a_daemon_that_was_chosen_before_an_upgrade_gives_way_to_one_of_after_it(
    person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It takes a while to start, and then sees the record of its successor as if that were its own."""
    person.install()
    before = person.interpreter
    upgrade(person.python)
    person.install()
    assert not control.ping(person.places)
    monkeypatch.setattr(lifecycle, "recorded_interpreter", lambda _: str(before))
    assert lifecycle.ensure_daemon(person.places, str(person.machine.home))
    until(lambda: _runs_after_a_call(person))


def _runs_after_a_call(person: Person) -> bool:
    assert person.call("ls") == 0
    return _runs(person)


def test_a_daemon_that_a_person_starts_is_the_one_that_answers_for_the_agents(person: Person) -> None:
    person.install()
    done = person.fairlead("daemon", "restart")
    assert done.returncode == 0, done.stderr
    assert _runs(person)


def test_hooks_of_the_person_find_the_packages_that_the_person_installed(person: Person) -> None:
    """Those of a place that stays; the copy that answers has none of them."""
    mine = next((person.venv / "lib").glob("python3*/site-packages"))
    (mine / "mine.py").write_text("WORD = 'from-my-package'\n")
    person.install()
    packages = person.interpreter.parents[1] / "middleware-packages"
    assert packages.read_text() == "", "a temporary folder does not stay"
    packages.write_text(str(mine))
    folder = person.machine.user_policy(
        "event: PreToolUse\nmiddleware: [{id: x, type: safety, path: x.py}]\n"
    )
    (folder / "x.py").write_text(
        "import mine\nfrom middleware_base import MiddlewareResult\n\n"
        "def process(hook_input, config, previous_results):\n"
        "    return MiddlewareResult(decision='block', reason=mine.WORD)\n"
    )
    done = subprocess.run(
        ["/bin/sh", "-c", person.command()], input=payload("ls"), capture_output=True, check=False
    )
    assert b"from-my-package" in done.stderr


def test_a_base_interpreter_that_goes_is_refused_with_a_way_out(
    person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As one of a cache is; here, whatever lies below the home counts as one."""
    monkeypatch.setenv("UV_CACHE_DIR", sys.base_prefix)
    done = person.machine.fairlead("install", "kiro", environment={"HOME": str(person.dev)})
    assert done.returncode == 1
    assert b"it is in a cache" in done.stderr
    assert b"pipx install" in done.stderr
    assert not (person.machine.home / "share" / "bin" / "fairlead-hook").exists()
    assert not (person.dev / ".kiro").exists()
