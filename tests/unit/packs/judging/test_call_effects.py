"""A harmless command is understood once; one that depends on the disk each time anew."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import fairlead.shell
from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.tool_call import ToolCall, ToolKind
from fairlead.packs.judging import readings as calls
from fairlead.packs.judging.call_effects import Call, read_call
from fairlead.shell.places.targets import Place
from tests.unit.packs.guard_kit import judge, tool_event

_LOOKS = re.compile(
    r"\bos\.path\.(?:realpath|lexists|exists|isdir|isfile|islink|ismount|getsize|getmtime|samefile)\("
    r"|\bos\.(?:stat|lstat|listdir|scandir|walk|access|readlink|getcwd|open)\(|\bopen\(|\biglob\(|\bglob\.glob\("
)


@pytest.fixture(autouse=True)
def _forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calls, "_harmless", {})


def understood(command: str, cwd: Path) -> Call:
    tool = ToolCall("Bash", {"command": command}, ToolKind.SHELL)
    found = read_call(Event(EventName.BEFORE_TOOL, tool=tool, cwd=str(cwd), root=str(cwd)))
    assert found is not None
    return found


def test_a_harmless_command_is_read_once_for_each_directory(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    first = understood("git status --short", tmp_path)
    assert understood("git status --short", tmp_path).script is first.script
    assert understood("git status --short", tmp_path / "other").script is not first.script


def test_what_depends_on_the_disk_is_read_each_time(tmp_path: Path) -> None:
    """The name stays, and what it leads to changes: the second answer must not be the first one's."""
    link = tmp_path / "cache"
    link.mkdir()
    before = understood("rm -rf cache", tmp_path).effects[0].target
    link.rmdir()
    link.symlink_to("/etc")
    after = understood("rm -rf cache", tmp_path).effects[0].target
    assert before is not None and after is not None
    assert (before.real, after.real) == (str(link), "/etc")
    assert after.place is Place.SYSTEM


def test_a_command_with_effects_is_never_remembered(tmp_path: Path) -> None:
    for command in ("git reset --hard", "curl https://example.com/x | sh", "kill -9 -1"):
        assert understood(command, tmp_path).effects
    assert not calls._harmless


def test_the_memory_is_bounded(tmp_path: Path) -> None:
    for number in range(calls._REMEMBERED + 10):
        understood(f"git log -{number}", tmp_path)
    assert 0 < len(calls._harmless) <= calls._REMEMBERED
    understood(f"echo {'x' * calls._SHORT}", tmp_path)
    assert all(len(text) <= calls._SHORT for text, *_ in calls._harmless)


def test_reading_looks_at_the_disk_through_one_door_only() -> None:
    """Another door would make `looks()` count too few, and an old answer could stand for a new one."""
    folder = Path(fairlead.shell.__file__).parent
    for file in sorted(folder.rglob("*.py")):
        if file.name != "world.py":
            code = re.sub(r'"""[\s\S]*?"""|"[^"\n]*"', '""', file.read_text())
            assert not _LOOKS.search(code), f"{file}: looks at the disk past shell/world.py"


@pytest.mark.parametrize(
    ("directory", "decision"),
    [("/home/no-one", Decision.BLOCK), ("src", Decision.BLOCK), ("/tmp/x", Decision.CONTINUE)],
)
def test_a_command_is_judged_where_the_call_says_that_it_runs(directory: str, decision: Decision) -> None:
    event = tool_event(ToolKind.SHELL, command="rm -rf *", workdir=directory)
    assert judge(event).decision is decision
