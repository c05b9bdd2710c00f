"""Processes that are killed while they save and bring back: nothing is half, and nothing is lost."""

import os
import random
import signal
import time
from pathlib import Path

from fairlead.undo.gathering import Wanted
from fairlead.undo.saving import Losses, Purpose, save
from fairlead.undo.selection import broken_saves
from undo_kit import Project

_FILES = 150
_KILLS = 12


def filled(tmp_path: Path) -> tuple[Project, dict[str, str]]:
    project = Project(tmp_path)
    for number in range(_FILES):
        project.write(f"src/{number % 7}/{number}.txt", f"{number}\n" * number)
    return project, contents(project)


def contents(project: Project) -> dict[str, str]:
    top = project.folder / "src"
    return {str(path.relative_to(top)): path.read_text() for path in top.rglob("*") if path.is_file()}


def kill_after(seconds: float, work: object) -> bool:
    """Whether the work was killed before its end."""
    child = os.fork()
    if child == 0:
        assert callable(work)
        work()
        os._exit(0)
    time.sleep(seconds)
    os.kill(child, signal.SIGKILL)
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


def test_a_save_that_is_killed_at_any_moment_is_whole_or_not_there(tmp_path: Path) -> None:
    project, before = filled(tmp_path)
    losses = Losses((Wanted(str(project.folder / "src"), whole=True),))
    chance = random.Random(7)
    begun = time.monotonic()
    save(project.store, Purpose(str(project.folder), "first"), losses)
    whole = time.monotonic() - begun
    killed = [
        kill_after(
            chance.uniform(0, whole), lambda: save(project.store, Purpose(str(project.folder), "x"), losses)
        )
        for _ in range(_KILLS)
    ]
    assert any(killed)
    assert broken_saves(project.store) == []
    project.run("rm -rf src")
    for saved in project.store.saves():
        assert sum(1 for entry in project.store.load(saved).entries if entry.data) == _FILES
    project.undo(project.store.saves()[-1].id)
    assert contents(project) == before


def test_an_undo_that_is_killed_again_and_again_ends_with_everything(tmp_path: Path) -> None:
    project, before = filled(tmp_path)
    id_ = project.lose("rm -rf src")
    chance = random.Random(8)
    killed = [kill_after(chance.uniform(0, 0.1), lambda: project.undo(id_)) for _ in range(_KILLS)]
    assert any(killed)
    project.undo(id_)
    assert contents(project) == before
