"""`snapshot: session` in mode.yaml: the work of a project is saved when a session starts there."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fairlead.doors.hook.call import answer
from fairlead.doors.hook.hook_call import HookCall
from fairlead.doors.hook.systems import Systems
from fairlead.journal.reader import fold, read_records
from fairlead.policy.places import find_places
from fairlead.undo import session_start
from fairlead.undo.restoring import Restoring
from fairlead.undo.selection import by_id, holding, last_loss, of_session
from fairlead.undo.store import Store
from undo_kit import Project

TURNED_ON = "mode: enforce\nsnapshot: session\n"


class Machine:
    """A user with a project that has work which no commit has."""

    def __init__(self, top: Path, *, mode: str = TURNED_ON) -> None:
        self.places = find_places(str(top / "home"))
        self.project = Project(top, git=True, saves=Path(self.places.state) / "undo")
        self.project.commit(a="committed\n")
        self.work = self.project.write("a", "changed\n")
        self.store = self.project.store
        self.write_mode(Path(self.places.config), mode)
        self.systems = Systems(self.places, saving=True)

    def write_mode(self, root: Path, mode: str) -> None:
        (root / "hooks").mkdir(parents=True, exist_ok=True)
        (root / "hooks" / "mode.yaml").write_text(mode)

    def begin(self, session: str = "s1", source: str = "startup", **environment: str) -> Callable[[], None]:
        """Start a session; what is left to do once the answer has left."""
        folder = str(self.project.folder)
        said = {"hook_event_name": "SessionStart", "session_id": session, "source": source, "cwd": folder}
        request = os.urandom(16).hex()
        call = HookCall(
            "claude", json.dumps(said).encode(), cwd=folder, environment=environment, request=request
        )
        answered = answer(call, self.systems)
        assert answered.reply.exit_code == 0
        return answered.afterwards or (lambda: None)

    def told(self) -> list[dict[str, object]]:
        """What the journal says of snapshots."""
        records = fold(read_records(os.path.join(self.places.state, "journal")))
        outcomes = [said for record in records for said in record["outcomes"]]
        return [said["metrics"] for said in outcomes if said["hook"] == "session-snapshot"]


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    made = Machine(tmp_path.resolve())
    yield made
    made.systems.close()


def test_the_work_is_saved_once_the_answer_has_left_and_comes_back(machine: Machine) -> None:
    afterwards = machine.begin()
    assert machine.store.saves() == []
    afterwards()
    (saved,) = machine.store.saves()
    assert [metrics["undo"] for metrics in machine.told()] == [saved.id]
    machine.work.unlink()
    found = by_id(machine.store, saved.id)
    assert found is not None
    Restoring(machine.store, found.saved, found.manifest).bring_back()
    assert machine.work.read_text() == "changed\n"


def test_a_second_start_of_the_same_session_takes_none(machine: Machine) -> None:
    for source in ("startup", "resume", "compact"):
        machine.begin(source=source)()
    assert len(machine.store.saves()) == len(machine.told()) == 1
    machine.begin("s2")()
    assert len(machine.store.saves()) == 2


def test_a_second_start_takes_none_though_the_first_found_nothing(machine: Machine) -> None:
    machine.project.run("git add -A && git commit -qm all && git clean -fdx")
    machine.begin()()
    before = len(machine.store.saves())
    machine.project.write("new", "the agent's\n")
    machine.begin(source="resume")()
    assert len(machine.store.saves()) == before


@pytest.mark.parametrize("mode", ["mode: enforce\n", "mode: enforce\nsnapshot: never\n"])
def test_nothing_is_saved_without_the_word(tmp_path: Path, mode: str) -> None:
    machine = Machine(tmp_path.resolve(), mode=mode)
    machine.begin()()
    assert machine.store.saves() == []
    machine.systems.close()


def test_a_project_cannot_ask_for_it(tmp_path: Path) -> None:
    machine = Machine(tmp_path.resolve(), mode="mode: enforce\n")
    for folder in (".fairlead", ".claude"):
        machine.write_mode(machine.project.folder / folder, TURNED_ON)
    machine.begin()()
    assert machine.store.saves() == []
    machine.systems.close()


def test_what_does_not_fit_is_told_and_nothing_is_saved(machine: Machine) -> None:
    with open(machine.project.folder / "large", "wb") as file:
        file.truncate(65 * 1024 * 1024)
    machine.begin()()
    assert machine.store.saves() == []
    (metrics,) = machine.told()
    assert "unsaved" in metrics and "undo" not in metrics


def test_a_home_is_no_project(machine: Machine) -> None:
    machine.begin(HOME=str(machine.project.folder))()
    assert machine.store.saves() == []
    assert machine.told() == [{"unsaved": "the home folder is no project"}]


def test_a_start_without_a_session_or_where_calls_only_seem_to_run_saves_nothing(machine: Machine) -> None:
    machine.begin("")()
    machine.systems.close()
    machine.systems = Systems(machine.places)
    machine.begin()()
    assert machine.store.saves() == []


def test_a_start_is_no_loss_but_its_files_are_found_by_path(machine: Machine) -> None:
    machine.begin()()
    machine.work.unlink()
    assert last_loss(machine.store, str(machine.project.folder)) is None
    assert of_session(machine.store, "s1") == []
    ((found, paths),) = holding(machine.store, [str(machine.work)])
    assert (found.manifest.unasked, paths) == (True, [str(machine.work)])


def test_starts_that_are_remembered_stay_few(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_start, "_REMEMBERED", 3)
    for number in range(6):
        machine.begin(f"s{number}")()
    assert len(os.listdir(os.path.join(Store(machine.store.folder).folder, "starts"))) == 3
