"""Saves in the daemon: a caller waits for a large one, and the end of a call is noted."""

import shutil
import time
from pathlib import Path

from installation import Installation, payload, until

from fairlead.undo.aftermath import moment
from fairlead.undo.store import Store

_MANY = 1_900
"""So many files take longer than a caller waits for a daemon that says nothing."""


def recovering(installation: Installation) -> tuple[Path, Store]:
    folder = Path(installation.places.config) / "hooks"
    folder.mkdir(parents=True)
    (folder / "mode.yaml").write_text("mode: enforce\nrecover: pass\n")
    project = installation.folder / "project"
    (project / "src").mkdir(parents=True)
    return project, Store(str(Path(installation.places.state) / "undo"))


def test_a_large_save_is_made_once_and_answered_by_the_daemon(installation: Installation) -> None:
    project, store = recovering(installation)
    for number in range(_MANY):
        (project / "src" / f"{number}.txt").write_text(f"{number}\n")
    installation.warm_up()
    answer = installation.call(payload("rm -rf src", cwd=str(project)))
    assert (answer.exit_code, answer.stdout) == (0, b"")
    assert len(store.saves()) == 1
    (line,) = [each for each in installation.records() if each.get("event") == "BeforeTool"]
    assert line["verdict"]["decision"] == "continue"


def test_the_end_of_a_call_is_noted(installation: Installation) -> None:
    project, store = recovering(installation)
    (project / "src" / "a.txt").write_text("mine\n")
    installation.warm_up()
    installation.call(payload("rm -rf src", cwd=str(project)))
    (saved,) = store.saves()
    assert moment(saved) == 0
    shutil.rmtree(project / "src")
    begun = time.time_ns()
    ended = payload("rm -rf src", event="PostToolUse", cwd=str(project), tool_response={"stdout": ""})
    installation.call(ended, "claude", "PostToolUse")
    assert moment(saved) >= begun


def test_a_session_that_starts_has_the_work_of_its_project_saved(installation: Installation) -> None:
    project, store = recovering(installation)
    (Path(installation.places.config) / "hooks" / "mode.yaml").write_text(
        "mode: enforce\nsnapshot: session\n"
    )
    (project / "src" / "a.txt").write_text("mine\n")
    installation.warm_up()
    for source in ("startup", "compact"):
        start = payload(event="SessionStart", cwd=str(project), source=source)
        assert installation.call(start, "claude", "SessionStart").exit_code == 0
    until(store.saves)
    (saved,) = store.saves()
    assert str(project / "src" / "a.txt") in [entry.path for entry in store.load(saved).entries]
