"""Law 12: the same call is judged the same through every door, and leaves the same line in the journal."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from benchmarks.guard.judge import tool_input
from benchmarks.guard.lines import PROJECT, VISIBLE, read_folder
from bus_kit import OnBus
from fairlead import ToolCall, ToolExecutor, ToolStack, load_system
from fairlead.doors.cli.commands.every_day.check import _tool_call
from fairlead.doors.hook.call import answer
from fairlead.doors.hook.hook_call import HookCall
from fairlead.doors.hook.replay import event_of
from fairlead.doors.hook.systems import Systems
from fairlead.doors.hook.trial import event_of_case
from fairlead.doors.library.frameworks.common import call_of
from fairlead.doors.library.policy import hooks_of
from fairlead.doors.mcp.calls import McpCall
from fairlead.doors.mcp.judging import Judge
from fairlead.engine.handler import HookEventHandler, Surroundings
from fairlead.journal.reader import read_records
from fairlead.model.decision import DECISION_WORDS, Decision
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.policy.places import find_places
from fairlead.policy.reading.cases import Case
from fairlead.policy_system import PolicySystem

pytestmark = pytest.mark.slow

CALLS = 2_000
TOOLS = 1_300
"""How many of them are calls of file tools, MCP servers and tools that nobody listed."""

SERVER = "kit"
Calls = list[tuple[str, dict[str, object]]]


def calls_of(root: str) -> Calls:
    """Calls of the guard's corpus, evenly over its packs, tools first."""
    lines = [line for line in read_folder(VISIBLE) if not line.cwd and len(line.command) < 2_000]
    tools = [line for line in lines if line.tool != "Bash"]
    shell = [line for line in lines if line.tool == "Bash"]
    unlisted = [
        (name, {key: path})
        for name in ("delete_file", "removeFiles", "open_file", "rename", "read", "save_note")
        for key in ("path", "file_path", "filename")
        for path in ("/etc/passwd", f"{root}/src/app/main.py", "~/.ssh/id_rsa", "notes.txt")
    ]
    chosen = [*_evenly(tools, TOOLS - len(unlisted)), *_evenly(shell, CALLS - TOOLS)]
    listed = [
        (
            line.tool,
            tool_input(
                line.tool,
                command=line.command.replace(PROJECT, root),
                content=line.content.replace(PROJECT, root),
            ),
        )
        for line in chosen
    ]
    return [*unlisted, *listed]


def _evenly(items: list, count: int) -> list:
    count = min(count, len(items))
    return [items[number * len(items) // count] for number in range(count)]


class Doors:
    """Every way into the engine. Those that record have a home and a journal each."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.root = str(folder / "project")
        (folder / "project" / ".git").mkdir(parents=True)
        self.around = Surroundings("s", self.root, root=self.root, agent="generic")

    def journal(self, door: str) -> list[tuple[object, ...]]:
        """What its lines say, but for who wrote them, when, and for whom."""
        records = read_records(f"{find_places(str(self.folder / door)).state}/journal")
        return [_said(one) for one in records if one["event"] == "BeforeTool" and "observes" not in one]

    def hook(self, calls: Calls) -> None:
        systems = Systems(find_places(str(self.folder / "hook")))
        for number, (name, given) in enumerate(calls):
            payload = {"session_id": "s", "cwd": self.root, "hook_event_name": "PreToolUse"}
            raw = json.dumps({**payload, "tool_name": name, "tool_input": given}).encode()
            answer(HookCall("claude", raw, "PreToolUse", self.root, request=f"{number:032x}"), systems)
        systems.close()

    def library(
        self, calls: Calls, *, door: str = "library", made: Callable[..., ToolCall] = ToolCall
    ) -> None:
        with self._system(door) as system:
            tools = ToolExecutor([], ToolStack(*hooks_of(system, agent="generic", root=self.root)))
            for name, given in calls:
                tools.use_tool(made(name, given))

    def frameworks(self, calls: Calls) -> None:
        self.library(calls, door="frameworks", made=call_of)

    def handler(self, calls: Calls) -> None:
        with self._system("handler") as system:
            handler = HookEventHandler(system, self.around)
            for name, given in calls:
                handler.fire_before_tool(name, given)

    def bus(self, calls: Calls) -> None:
        with self._system("bus") as system:
            asked = OnBus(system, self.around)
            for number, (name, given) in enumerate(calls):
                given = {"tool_name": name, "tool_input": given}
                asked.ask({"eventName": "BeforeTool", "input": given, "correlationId": str(number)})
            asked.close()

    def mcp(self, calls: Calls) -> list[Decision]:
        """Each call as one of a server's tool of that name, as `as_mcp` makes hooks see it."""
        judge = Judge(find_places(str(self.folder / "mcp")), SERVER, cwd=self.root, environment={})
        found = [
            judge.before(McpCall(SERVER, "tools/call", name, given, {}, number)).decision
            for number, (name, given) in enumerate(calls)
        ]
        judge.close()
        return found

    def resources(self, paths: list[str]) -> list[Decision]:
        judge = Judge(find_places(str(self.folder / "resources")), SERVER, cwd=self.root, environment={})
        asked = [McpCall(SERVER, "resources/read", path, {}, {}, number) for number, path in enumerate(paths)]
        found = [judge.before(call).decision for call in asked]
        judge.close()
        return found

    def check(self, name: str, given: dict[str, object]) -> Event:
        text = str(given["command"]) if name == "Bash" else json.dumps(given)
        return self._event(_tool_call(name, text))

    def test(self, name: str, given: dict[str, object]) -> Event:
        return event_of_case(Case("x", "x", 1, Decision.ALLOW, tool=name, input=given), self.root)

    def _event(self, call: ToolCall) -> Event:
        return Event(EventName.BEFORE_TOOL, agent="generic", root=self.root, cwd=self.root, tool=call)

    def _system(self, door: str) -> PolicySystem:
        return load_system(home=str(self.folder / door), root=self.root)


def _said(record: Mapping[str, Any]) -> tuple[object, ...]:
    verdict, tool = record["verdict"], record["facts"]["tool"]
    outcomes = [(each["hook"], each["decision"], each.get("rule")) for each in record["outcomes"]]
    judged = (verdict["decision"], verdict.get("rule"), verdict.get("reason"))
    return (tool["name"], json.dumps(tool["input"], sort_keys=True), tool.get("kind"), *judged, outcomes)


def test_law_12_two_thousand_calls_are_judged_and_recorded_alike_by_every_door(tmp_path: Path) -> None:
    doors = Doors(tmp_path)
    calls = calls_of(doors.root)
    assert len(calls) == CALLS
    doors.hook(calls)
    expected = doors.journal("hook")
    assert len(expected) == CALLS
    assert 200 < sum(line[3] in ("block", "ask") for line in expected) < CALLS - 200
    for door in ("library", "frameworks", "handler", "bus"):
        getattr(doors, door)(calls)
        found = doors.journal(door)
        assert len(found) == CALLS, door
        differing = [(line, other) for line, other in zip(expected, found, strict=True) if line != other]
        assert not differing, (door, len(differing), differing[:3])


def as_mcp(calls: Calls) -> Calls:
    return [(name if name.startswith("mcp__") else f"mcp__{SERVER}__{name}", given) for name, given in calls]


def test_law_12_the_mcp_door_judges_and_records_as_a_hook_of_the_same_call(tmp_path: Path) -> None:
    doors = Doors(tmp_path)
    calls = [(name, given) for name, given in calls_of(doors.root) if not name.startswith("mcp__")]
    assert len(calls) > CALLS // 2
    doors.hook(as_mcp(calls))
    decisions = doors.mcp(calls)
    expected, found = doors.journal("hook"), doors.journal("mcp")
    assert len(expected) == len(found) == len(calls)
    differing = [(line, other) for line, other in zip(expected, found, strict=True) if line != other]
    assert not differing, (len(differing), differing[:3])
    assert [decision.word for decision in decisions] == [line[3] for line in expected]
    assert 50 < sum(decision.objects for decision in decisions) < len(calls) - 50


def test_law_12_a_resource_is_no_way_around_the_judgement_on_its_file(tmp_path: Path) -> None:
    doors = Doors(tmp_path)
    lines = [line for line in read_folder(VISIBLE) if line.tool == "Read" and not line.cwd]
    paths = [line.command.replace(PROJECT, doors.root) for line in _evenly(lines, 400)]
    paths = [path for path in paths if path.startswith("/")]
    assert len(paths) > 20
    doors.hook([("Read", {"file_path": path}) for path in paths])
    expected = [line[3] for line in doors.journal("hook")]
    assert expected.count("block") > 5
    for form in ("{}", "file://{}", "FILE://localhost{}", "notes://{}"):
        found = doors.resources([form.format(quote(path)) for path in paths])
        weaker = [
            (path, was, now)
            for path, was, now in zip(paths, expected, found, strict=True)
            if now < DECISION_WORDS[str(was)]
        ]
        assert not weaker, (form, weaker[:3])


def test_law_12_what_would_be_is_what_is(tmp_path: Path) -> None:
    """`check`, `test` and `replay` ask without recording."""
    doors = Doors(tmp_path)
    calls = calls_of(doors.root)
    doors.hook(calls)
    records = list(read_records(f"{find_places(str(tmp_path / 'hook')).state}/journal"))
    systems = Systems(find_places(str(tmp_path / "asking")))
    judge = systems.compiled(doors.root, "generic").fire
    for (name, given), record in zip(calls, records, strict=True):
        was = (record["verdict"]["decision"], record["verdict"].get("rule") or "")
        events = [doors.check(name, given), doors.test(name, given)]
        if not {"redacted", "capped"} & record.keys():  # a replay knows what it was not told
            events.append(event_of(record))
        for event in events:
            verdict = judge(event)
            assert (verdict.decision.word, verdict.rule) == was, (name, given)
    systems.close()
