"""What hooks leave for the door of an MCP server, and who finds it."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from fairlead.doors.hook import door_passes
from fairlead.doors.hook.call import answer
from fairlead.doors.hook.door_passes import ASKED_SECONDS, SECONDS, DoorFolder, Passed, spells
from fairlead.doors.hook.hook_call import HookCall
from fairlead.doors.hook.systems import Systems
from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.tool_call import call_named
from fairlead.policy.places import Places, find_places

ATTENDED = {"CLAUDE_CODE_SESSION_ATTENDED": "1"}
HARMLESS = {"path": "notes/a.txt"}
RULES = """\
event: PreToolUse
rules:
  - {id: asked, tool: "*ask_me*", decision: ask, reason: So?, stops: [{tool: mcp__fs__ask_me, input: {}}]}
  - {id: never, tool: "*no_way*", reason: Not here., stops: [{tool: mcp__fs__no_way, input: {}}]}
"""


@pytest.fixture
def places(tmp_path: Path) -> Places:
    (tmp_path / "project" / ".git").mkdir(parents=True)
    found = find_places(str(tmp_path / "home"))
    rules = Path(found.config) / "hooks" / "rules"
    rules.mkdir(parents=True)
    (rules / "hook.meta.yaml").write_text(RULES)
    return found


@pytest.fixture
def systems(places: Places) -> Iterator[Systems]:
    made = Systems(places)
    yield made
    made.close()


@pytest.fixture
def door(places: Places) -> Iterator[DoorFolder]:
    made = DoorFolder(places, "fs", client=os.getpid())
    yield made
    made.close()


class Hooks:
    """Hook calls of one session of an agent."""

    def __init__(self, systems: Systems, root: str) -> None:
        self._systems, self._root = systems, root
        self._number = 0

    def __call__(
        self,
        tool: str = "mcp__fs__read_text",
        given: dict[str, object] = HARMLESS,  # type: ignore[assignment]  # it is not changed
        *,
        agent: str = "claude",
        request: str = "",
        caller: int = 0,
        **more: object,
    ) -> str:
        self._number += 1
        payload = {
            "hook_event_name": "BeforeTool" if agent == "gemini" else "PreToolUse",
            "session_id": "s",
            "cwd": self._root,
            "tool_name": tool,
            "tool_input": given,
            **more,
        }
        request = request or f"{self._number:032x}"
        call = HookCall(agent, json.dumps(payload).encode(), "", self._root, ATTENDED, request, 30.0, caller)
        return answer(call, self._systems).reply.stdout.decode()


@pytest.fixture
def hook(systems: Systems, tmp_path: Path) -> Hooks:
    return Hooks(systems, str(tmp_path / "project"))


def taken(door: DoorFolder, tool: str = "read_text", given: dict[str, object] = HARMLESS) -> Passed | None:  # type: ignore[assignment]
    return door.take(tool, given)


def test_a_call_that_a_hook_let_pass_is_found_once(hook: Hooks, door: DoorFolder, tmp_path: Path) -> None:
    hook(request="ab" * 16)
    found = taken(door)
    assert found is not None
    assert (found.decision, found.request, found.session) == (Decision.CONTINUE, "ab" * 16, "s")
    assert (found.agent, found.root) == ("claude", str(tmp_path / "project"))
    assert taken(door) is None


def test_two_calls_alike_are_found_twice_and_not_more(hook: Hooks, door: DoorFolder) -> None:
    hook()
    hook()
    assert [taken(door) is not None for _ in range(3)] == [True, True, False]


@pytest.mark.parametrize(("tool", "given"), [("write_text", HARMLESS), ("read_text", {"path": "b"})])
def test_another_call_finds_nothing(
    hook: Hooks, door: DoorFolder, tool: str, given: dict[str, object]
) -> None:
    hook()
    assert taken(door, tool, given) is None


def test_the_order_of_arguments_makes_no_other_call(hook: Hooks, door: DoorFolder) -> None:
    hook(given={"a": 1, "b": {"c": 2, "d": 3}})
    assert taken(door, given={"b": {"d": 3, "c": 2}, "a": 1}) is not None


def test_a_refusal_is_found_with_its_words_as_often_as_it_is_looked_for(
    hook: Hooks, door: DoorFolder
) -> None:
    assert "deny" in hook("mcp__fs__no_way", {})
    for _ in range(2):
        found = taken(door, "no_way", {})
        assert found is not None
        assert found.decision is Decision.BLOCK
        assert "Not here." in found.text


def test_a_question_that_the_agent_puts_itself_lets_the_call_pass(hook: Hooks, door: DoorFolder) -> None:
    assert '"ask"' in hook("mcp__fs__ask_me", {})
    found = taken(door, "ask_me", {})
    assert found is not None and found.decision is Decision.CONTINUE


def test_a_question_that_nobody_could_be_asked_is_a_refusal(hook: Hooks, door: DoorFolder) -> None:
    hook("mcp__fs__ask_me", {}, agent="codex")
    found = taken(door, "ask_me", {})
    assert found is not None and found.decision is Decision.BLOCK
    assert "fairlead approve" in found.text


def test_a_call_that_a_person_was_asked_about_again_does_not_leave_the_older_answer(
    hook: Hooks, door: DoorFolder
) -> None:
    hook("mcp__fs__ask_me", {})
    hook("mcp__fs__ask_me", {})
    assert [taken(door, "ask_me", {}) is not None for _ in range(2)] == [True, False]


def test_the_stricter_of_two_answers_to_one_call_counts(
    hook: Hooks, door: DoorFolder, places: Places
) -> None:
    """An agent that reads two settings files asks twice, and its own prompt is not everywhere."""
    event = Event(EventName.BEFORE_TOOL, tool=call_named("mcp__fs__x", {}), request="ab" * 16)
    passes = door_passes.Passes(places)
    from fairlead.model.verdict import Verdict

    passes.leave(event, Verdict(policy="p"), "no")
    passes.leave(event, Verdict(policy="p"), "")
    found = taken(door, "x", {})
    assert found is not None and found.decision is Decision.BLOCK


def test_a_call_that_may_pass_ends_the_refusal_of_an_earlier_one(
    hook: Hooks, door: DoorFolder, places: Places
) -> None:
    from fairlead.model.verdict import Verdict

    passes = door_passes.Passes(places)
    for request, words in (("a" * 32, "no"), ("b" * 32, "")):
        event = Event(EventName.BEFORE_TOOL, tool=call_named("mcp__fs__x", {}), request=request)
        passes.leave(event, Verdict(policy="p"), words)
    found = taken(door, "x", {})
    assert found is not None and found.request == "b" * 32


@pytest.mark.parametrize(
    ("tool", "seconds", "left"),
    [
        ("read_text", SECONDS, 1),
        ("read_text", SECONDS, -1),
        ("ask_me", ASKED_SECONDS, 1),
        ("ask_me", ASKED_SECONDS, -1),
    ],
)
def test_it_counts_for_a_bounded_time(
    hook: Hooks, door: DoorFolder, monkeypatch: pytest.MonkeyPatch, tool: str, seconds: float, left: float
) -> None:
    now = door_passes.time.time()
    monkeypatch.setattr(door_passes.time, "time", lambda: now)
    hook(f"mcp__fs__{tool}", {})
    monkeypatch.setattr(door_passes.time, "time", lambda: now + seconds - left)
    assert (taken(door, tool, {}) is not None) is (left > 0)


@pytest.mark.parametrize(
    ("agent", "tool", "more"),
    [
        ("claude", "mcp__fs__read_text", {}),
        ("codex", "mcp__fs__read_text", {}),
        ("gemini", "mcp_fs_read_text", {"mcp_context": {"server_name": "fs", "tool_name": "read_text"}}),
        ("qwen", "mcp__fs__read_text", {}),
        ("copilot", "fs-read_text", {}),
        ("opencode", "fs_read_text", {}),
        ("kiro", "@fs/read_text", {}),
        ("factory", "fs___read_text", {}),
    ],
)
def test_an_agents_own_spelling_is_the_same_name(
    hook: Hooks, door: DoorFolder, agent: str, tool: str, more: dict[str, object]
) -> None:
    hook(tool, agent=agent, **more)
    assert taken(door) is not None


@pytest.mark.parametrize(
    ("spelling", "same"),
    [
        ("mcp__my-server__get.it", True),
        ("mcp_my_server_get_it", True),
        ("my-server-get_it", True),
        ("mcp__my_server__get_it2", False),
        ("mcp__server__get_it", False),
        ("get_it", False),
        ("", False),
    ],
)
def test_spellings(spelling: str, same: bool) -> None:
    assert spells(spelling, "my-server", "get.it") is same


def test_no_door_of_another_server_or_client_finds_it(hook: Hooks, places: Places) -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as stranger:
        doors = [
            DoorFolder(places, "git", client=os.getpid()),
            DoorFolder(places, "fs", client=stranger.pid),
        ]
        hook()
        assert [taken(door) for door in doors] == [None, None]
        assert stranger.stdin is not None
        stranger.stdin.close()


def test_of_two_doors_that_fit_neither_finds_it(hook: Hooks, door: DoorFolder, places: Places) -> None:
    other = DoorFolder(places, "fs", client=os.getpid())
    hook()
    assert (taken(door), taken(other)) == (None, None)


def test_parallel_calls_alike_never_share_one(hook: Hooks, door: DoorFolder) -> None:
    for _ in range(5):
        hook()
    found: list[Passed | None] = []
    begin = threading.Barrier(16)

    def look() -> None:
        begin.wait()
        found.append(taken(door))

    threads = [threading.Thread(target=look) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({each.request for each in found if each is not None}) == 5
    assert sum(each is not None for each in found) == 5


def test_a_hook_in_a_process_of_its_own_below_the_client_is_found(places: Places, tmp_path: Path) -> None:
    door = DoorFolder(places, "fs", client=os.getpid())
    payload = {"hook_event_name": "PreToolUse", "session_id": "s", "cwd": str(tmp_path / "project")}
    said = json.dumps({**payload, "tool_name": "mcp__fs__read_text", "tool_input": HARMLESS})
    line = f"{sys.executable} -m fairlead --home {tmp_path / 'home'} hook claude PreToolUse"
    subprocess.run(["/bin/sh", "-c", f"{line}; true"], input=said.encode(), check=True, capture_output=True)
    assert taken(door) is not None


def test_nobody_but_the_user_can_look_in(hook: Hooks, door: DoorFolder, places: Places) -> None:
    hook()
    for folder, _, files in os.walk(places.mcp_doors):
        assert stat.S_IMODE(os.stat(folder).st_mode) == 0o700
        for name in files:
            assert stat.S_IMODE(os.stat(os.path.join(folder, name)).st_mode) == 0o600


def test_an_agent_may_not_write_there(hook: Hooks) -> None:
    home = os.path.expanduser("~")
    path = f"{home}/.local/state/fairlead/mcp/doors/1-ab/x"
    for tool, given in (
        ("Write", {"file_path": path, "content": "{}"}),
        ("Bash", {"command": f"echo x > {path}"}),
    ):
        assert "self-protection" in hook(tool, given)


def test_what_is_no_pass_is_none(hook: Hooks, door: DoorFolder, places: Places) -> None:
    hook()
    (folder,) = Path(places.mcp_doors).iterdir()
    (path,) = (each for each in folder.iterdir() if each.name != "door")
    whole = json.loads(path.read_text())
    for broken in ("", "[]", "{", json.dumps({**whole, "until": 9e12}), json.dumps({**whole, "session": 1})):
        path.write_text(broken)
        assert taken(door) is None
    path.write_text(json.dumps(whole))
    path.chmod(0o666)
    assert taken(door) is None


def test_what_a_killed_door_left_goes_with_the_next(places: Places) -> None:
    code = (
        "import os, sys; from fairlead.doors.hook.door_passes import DoorFolder;"
        "from fairlead.policy.places import find_places;"
        "DoorFolder(find_places(sys.argv[1]), 'fs'); os._exit(0)"
    )
    subprocess.run([sys.executable, "-c", code, os.path.dirname(places.state)], check=True)
    assert len(os.listdir(places.mcp_doors)) == 1
    door = DoorFolder(places, "git")
    assert len(os.listdir(places.mcp_doors)) == 1
    door.close()
    assert os.listdir(places.mcp_doors) == []


def test_without_a_door_nothing_is_left_anywhere(hook: Hooks, places: Places) -> None:
    hook()
    assert not os.path.exists(os.path.join(places.state, "mcp"))


def test_a_folder_that_cannot_be_written_costs_no_answer(
    hook: Hooks, door: DoorFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr(door_passes, "_write", full)
    assert "deny" in hook("mcp__fs__no_way", {})
    assert "deny" not in hook()
    assert taken(door) is None
