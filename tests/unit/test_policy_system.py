"""A policy behind a program that runs for hours: live, recorded, observed, and with an end."""

import asyncio
import json
import os
import threading
from pathlib import Path

import pytest

from fairlead import load_system
from fairlead.doors.bus.local_bus import LocalBus
from fairlead.doors.bus.messages import REQUEST
from fairlead.doors.bus.service import hook_service
from fairlead.engine.handler import HookEventHandler, Surroundings
from fairlead.journal.reader import fold, read_records
from fairlead.model.decision import Decision
from fairlead.policy.answers.grants import Grants
from fairlead.policy.places import find_places
from fairlead.policy_system import PolicySystem
from fairlead.testing import shell_event

OBSERVED = """\
id: mine
event: PreToolUse
middleware:
  - id: watcher
    type: observability
    path: watch.py
"""
WATCH = """\
def process(hook_input, config, previous_results):
    with open({path!r}, "a") as file:
        file.write(hook_input["tool_input"]["command"] + "\\n")
    return None
"""
FORBIDDEN = """\
id: mine
event: PreToolUse
middleware:
  - id: block-dangerous-commands
    config: {{dangerous_patterns: ["{word}"]}}
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


def write_policy(home: Path, text: str, **files: str) -> None:
    folder = home / "config" / "hooks" / "mine"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "hook.meta.yaml").write_text(text)
    for name, content in files.items():
        (folder / f"{name}.py").write_text(content)


def system_at(home: Path, **options: bool) -> PolicySystem:
    return load_system(home=str(home), root=str(home.parent), **options)


def journal_of(home: Path) -> list[dict[str, object]]:
    return fold(read_records(str(home / "state" / "journal")))


def test_law_11_a_changed_policy_is_seen_by_the_next_event(home: Path) -> None:
    with system_at(home) as system:
        assert system.fire(shell_event("deploy now")).decision is Decision.CONTINUE
        write_policy(home, FORBIDDEN.format(word="deploy"))
        assert system.fire(shell_event("deploy now")).decision is Decision.BLOCK
        write_policy(home, FORBIDDEN.format(word="something else"))
        assert system.fire(shell_event("deploy now")).decision is Decision.CONTINUE


def test_a_system_that_is_not_live_stays_as_it_was_loaded(home: Path) -> None:
    with system_at(home, live=False) as system:
        write_policy(home, FORBIDDEN.format(word="deploy"))
        assert system.fire(shell_event("deploy now")).decision is Decision.CONTINUE


def test_what_was_added_by_hand_stays_through_a_change(home: Path) -> None:
    with system_at(home) as system:
        system.set_hook_enabled("block-dangerous-commands", False)
        write_policy(home, FORBIDDEN.format(word="deploy"))
        assert system.fire(shell_event("deploy now")).decision is Decision.CONTINUE


@pytest.mark.parametrize("awaited", [False, True])
def test_law_8_every_verdict_is_in_the_journal_before_anyone_acts_on_it(home: Path, awaited: bool) -> None:
    with system_at(home) as system:
        event = shell_event("rm -rf /")
        verdict = asyncio.run(system.fire_async(event)) if awaited else system.fire(event)
        (line,) = journal_of(home)
    assert line["verdict"]["decision"] == verdict.decision.word == "block"
    assert line["verdict"]["rule"] == verdict.rule


def test_what_is_not_wanted_is_left_out_by_its_name(home: Path) -> None:
    with system_at(home, journal=False, observers=False) as system:
        assert system.fire(shell_event("rm -rf /")).decision is Decision.BLOCK
    assert not (home / "state").exists()


@pytest.mark.parametrize("door", ["system", "handler", "local bus"])
def test_observers_and_journal_are_behind_every_door(home: Path, tmp_path: Path, door: str) -> None:
    seen = tmp_path / "seen"
    write_policy(home, OBSERVED, watch=WATCH.format(path=str(seen)))
    around = Surroundings("s", str(tmp_path), root=str(tmp_path), agent="generic")
    given = {"tool_name": "Bash", "tool_input": {"command": "ls -l"}}
    with system_at(home) as system:
        if door == "system":
            system.fire(shell_event("ls -l", root=str(tmp_path), cwd=str(tmp_path)))
        elif door == "handler":
            HookEventHandler(system, around).fire_before_tool("Bash", {"command": "ls -l"})
        else:
            bus = LocalBus()
            service = hook_service(system, around, bus=bus)
            request = {"eventName": "BeforeTool", "input": given, "correlationId": "1", "source": "test"}
            bus.publish(REQUEST, request)
            service.dispose()
    assert seen.read_text() == "ls -l\n"
    (line,) = journal_of(home)
    assert [outcome["hook"] for outcome in line["outcomes"] if outcome["type"] == "observability"]


def test_exceptions_of_a_person_hold_and_are_used_up(home: Path) -> None:
    grants = Grants(find_places(str(home)))
    event = shell_event("git push --force origin main")
    with system_at(home) as system:
        rule = system.fire(event).rule
        assert rule
        grants.give(rule, once=True, now=0.0)
        assert system.fire(event).rule != rule
        assert system.fire(event).rule == rule


def test_a_journal_that_cannot_be_written_is_said_and_changes_no_verdict(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / "state").mkdir(parents=True)
    (home / "state" / "journal").write_text("in the way")
    with system_at(home) as system:
        assert system.fire(shell_event("rm -rf /")).decision is Decision.BLOCK
    assert "journal" in capsys.readouterr().err


def test_the_end_of_a_system_leaves_no_process_thread_or_descriptor(home: Path, tmp_path: Path) -> None:
    write_policy(home, OBSERVED, watch=WATCH.format(path=str(tmp_path / "seen")))
    with system_at(home) as system:  # what is loaded once for all stays
        system.fire(shell_event("ls"))
    threads, descriptors = threading.active_count(), set(os.listdir("/proc/self/fd"))
    children = Path(f"/proc/self/task/{threading.get_native_id()}/children")
    before = children.read_text()
    for _ in range(5):
        with system_at(home) as system:
            system.fire(shell_event("ls"))
        system.close()
    assert threading.active_count() == threads
    assert set(os.listdir("/proc/self/fd")) == descriptors
    assert children.read_text() == before


def test_many_threads_see_a_change_once_and_lose_no_line(home: Path) -> None:
    with system_at(home) as system:
        write_policy(home, FORBIDDEN.format(word="deploy"))
        threads = [
            threading.Thread(target=system.fire, args=(shell_event(f"deploy {n}"),)) for n in range(16)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    decisions = [line["verdict"]["decision"] for line in journal_of(home)]
    assert decisions == ["block"] * 16, json.dumps(decisions)
