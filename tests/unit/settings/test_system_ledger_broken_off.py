"""What a machine's files are after `install --system` was ended in the middle, found no room, or met what
others had left there half-written: as before, or whole, and always to be given back."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from fairlead.dialects.managed.changes import managed_changes, possible_locks
from fairlead.dialects.managed.forms import MANAGED
from fairlead.dialects.setup.site import Client
from fairlead.errors import SettingsError
from fairlead.settings.change import applied
from fairlead.settings.system_ledger import SystemLedger

ME = os.getuid()
CLIENT = Client("/opt/fairlead/bin/fairlead-hook", told="gone")
STEPS = ("open", "fsync", "replace", "mkdir", "fchmod", "unlink", "rmdir")
"""Calls of the system that write."""
AGENTS = ("claude", "codex", "gemini", "qwen", "copilot", "opencode")
THEIRS = {
    "claude": '{"permissions": {"deny": ["WebFetch"]}}',
    "codex": "# theirs\n[features]\nhooks = false\n",
    "gemini": '{"hooksConfig": {"enabled": false}, "adminPolicyPaths": []}\n',
    "qwen": '{"disableAllHooks": true, "env": {"A": "1"}, "advanced": {"excludedEnvVars": ["A"]}}',
    "opencode": '{"permission": {"bash": "ask"}, "plugin": ["file:///x.js"]}',
}


def install(agent: str, folder: Path) -> None:
    for change in managed_changes(agent, CLIENT, plugins="/opt/fairlead/plugins", second=True):
        moved = change.replace(path=f"{folder}{change.path}")
        ledger(folder).install(moved, agent=agent, forced=possible_locks(agent))


def uninstall(_: str, folder: Path) -> None:
    for path, entry in reversed(list(ledger(folder).entries.items())):
        ledger(folder).uninstall(path, forced=possible_locks(entry.agent))


def ledger(folder: Path) -> SystemLedger:
    return SystemLedger(str(folder / "ledger.json"), owner=ME)


def theirs(agent: str, folder: Path) -> None:
    if agent in THEIRS:
        file = Path(f"{folder}{MANAGED[agent].path}")
        file.parent.mkdir(parents=True)
        file.write_text(THEIRS[agent])
        file.chmod(0o640)


def everything(folder: Path) -> dict[str, tuple[bytes, int]]:
    files = [path for path in folder.rglob("*") if path.is_file() and not path.name.startswith("ledger")]
    return {str(path): (path.read_bytes(), path.stat().st_mode) for path in files}


def is_whole_or_as_before(agent: str, folder: Path, before: dict[str, tuple[bytes, int]]) -> bool:
    for change in managed_changes(agent, CLIENT, plugins="/opt/fairlead/plugins", second=True):
        path = f"{folder}{change.path}"
        there = Path(path).read_bytes() if os.path.exists(path) else None
        old = before.get(path, (None, 0))[0]
        if there not in (old, applied(change.replace(path=path), old)):
            return False
    return True


class Spoiled:
    """The writing calls of the system; at the n-th, something happens instead."""

    def __init__(self, at: int, happens: Callable[[], None]) -> None:
        self._left, self._happens = at, happens
        self._real = {name: getattr(os, name) for name in STEPS}

    def __enter__(self) -> None:
        for name in STEPS:
            setattr(os, name, self._counted(name))

    def __exit__(self, *_: object) -> None:
        for name, real in self._real.items():
            setattr(os, name, real)

    def _counted(self, name: str) -> Callable[..., object]:
        def call(*words: object, **more: object) -> object:
            self._left -= 1
            if self._left == 0:
                self._happens()
            return self._real[name](*words, **more)

        return call


def _full() -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def killed_in_a_child(at: int, deed: Callable[[], None]) -> bool:
    """Whether the n-th writing call was reached; the child ends there as if by `kill -9`."""
    child = os.fork()
    if child == 0:
        try:
            with Spoiled(at, lambda: os._exit(9)):
                deed()
        finally:
            os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("had", [True, False])
def test_an_install_that_is_killed_at_any_step_is_finished_or_taken_back_by_the_next(
    tmp_path: Path, agent: str, had: bool
) -> None:
    at, reached = 0, True
    while reached:
        at += 1
        for last in (install, uninstall):
            folder = tmp_path / f"{at}-{last.__name__}"
            folder.mkdir()
            if had:
                theirs(agent, folder)
            before = everything(folder)
            reached = killed_in_a_child(at, lambda folder=folder: install(agent, folder))
            assert is_whole_or_as_before(agent, folder, before), at
            last(agent, folder)
            uninstall(agent, folder)
            assert everything(folder) == before, at
    assert at > 10


@pytest.mark.parametrize("agent", AGENTS)
def test_an_uninstall_that_is_killed_at_any_step_is_finished_by_the_next(tmp_path: Path, agent: str) -> None:
    at, reached = 0, True
    while reached:
        at += 1
        folder = tmp_path / str(at)
        folder.mkdir()
        theirs(agent, folder)
        before = everything(folder)
        install(agent, folder)
        reached = killed_in_a_child(at, lambda folder=folder: uninstall(agent, folder))
        uninstall(agent, folder)
        assert everything(folder) == before, at
    assert at > 5


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("had", [True, False])
def test_a_full_disk_at_any_step_leaves_every_file_whole_and_is_told(
    tmp_path: Path, agent: str, had: bool
) -> None:
    at, told = 0, True
    while told:
        at += 1
        folder = tmp_path / str(at)
        folder.mkdir()
        if had:
            theirs(agent, folder)
        before = everything(folder)
        try:
            with Spoiled(at, _full):
                install(agent, folder)
            told = False
        except SettingsError:
            told = True
        assert is_whole_or_as_before(agent, folder, before), at
        install(agent, folder)
        uninstall(agent, folder)
        assert everything(folder) == before, at
        if not told and at < 40:
            told = True  # what only tidies up may fail in silence
        elif at >= 40:
            told = False
    assert at > 10


@pytest.mark.parametrize("agent", ["claude", "gemini", "qwen", "opencode"])
@pytest.mark.parametrize(
    "text",
    ["{", '{"hooks": {"PreToolUse": [', "[]", '"x"', "\x00\xff", '{"a": 1}{"b": 2}', "null", '{"a": 01}'],
)
def test_what_others_left_half_written_is_refused_and_left_as_it_is(
    tmp_path: Path, agent: str, text: str
) -> None:
    file = Path(f"{tmp_path}{MANAGED[agent].path}")
    file.parent.mkdir(parents=True)
    file.write_text(text)
    with pytest.raises(SettingsError):
        install(agent, tmp_path)
    assert file.read_text() == text
    assert str(file) not in ledger(tmp_path).entries


@pytest.mark.parametrize("agent", AGENTS)
def test_an_older_form_is_replaced_and_given_back_as_it_was_before_any(tmp_path: Path, agent: str) -> None:
    theirs(agent, tmp_path)
    before = everything(tmp_path)
    older = Client("/opt/fairlead/bin/fairlead-hook", told="an older word")
    for change in managed_changes(agent, older, plugins="/opt/fairlead/plugins"):
        if hasattr(change, "edits"):  # what was forced then was less
            change = change.replace(edits=tuple(each for each in change.edits if not hasattr(each, "texts")))
        moved = change.replace(path=f"{tmp_path}{change.path}")
        ledger(tmp_path).install(moved, agent=agent, forced=possible_locks(agent))
    install(agent, tmp_path)
    assert not any(b"an older word" in content for content, _ in everything(tmp_path).values())
    uninstall(agent, tmp_path)
    assert everything(tmp_path) == before


def test_a_hand_edit_stays_and_what_was_ours_goes_with_what_it_had_to_make(tmp_path: Path) -> None:
    theirs("opencode", tmp_path)
    theirs("qwen", tmp_path)
    install("opencode", tmp_path)
    install("qwen", tmp_path)
    for agent in ("opencode", "qwen"):
        file = Path(f"{tmp_path}{MANAGED[agent].path}")
        file.write_text(file.read_text().replace("{", '{"later": 1, ', 1))
    uninstall("", tmp_path)
    for agent in ("opencode", "qwen"):
        left = json.loads(Path(f"{tmp_path}{MANAGED[agent].path}").read_text())
        assert left == {"later": 1, **json.loads(THEIRS[agent])}
