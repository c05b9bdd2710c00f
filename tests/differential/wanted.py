"""The calls of `calls.txt`, as each agent would send them."""

from __future__ import annotations

import json
import os
import pwd
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from fairlead.assembly import build, policy_for
from fairlead.dialects.agent_registry import dialect_named, module_of
from fairlead.dialects.payloads.call_templates import sent, slots_of
from fairlead.dialects.payloads.sent_calls import SentCall
from fairlead.dialects.setup.sample_calls import calls_of, gate_of
from fairlead.engine.system import HookSystem
from fairlead.model.decision import Decision
from fairlead.model.tool_call import ToolKind
from fairlead.policy.places import Places

HOME = pwd.getpwuid(os.getuid()).pw_dir.rstrip("/")
"""What counts as home to the guard, whatever a variable says."""
PROJECT = f"{HOME}/no-such-project-as-this"
"""Where nothing is, so that nothing on the disk has a say."""
BETWEEN = " | "
"""Between the commands of a list, in `calls.txt`."""


class Wanted(NamedTuple):
    """`line` is the text in `calls.txt`, which names it."""

    line: str
    decision: str
    act: str
    values: Mapping[str, object]


def wanted_calls() -> list[Wanted]:
    text = Path(__file__).with_name("calls.txt").read_text()
    return [wanted_from(line) for line in text.splitlines() if line and not line.startswith("#")]


def wanted_from(line: str) -> Wanted:
    decision, act, rest = line.split(" ", 2)
    rest = rest.replace("{p}", PROJECT).replace("{h}", HOME)
    return Wanted(line, decision, act, _MAKERS[act](rest))


def _one_command(text: str) -> Mapping[str, object]:
    return {"command": text, "commands": [text], "typed": text}


def _written(text: str) -> Mapping[str, object]:
    path, _, content = text.partition(" <- ")
    content = content.replace("\\n", "\n").replace("\\t", "\t")
    return {
        "path": path,
        "paths": [path],
        "old": "before",
        "content": content,
        "patch": _patch(path, content),
    }


def _patch(path: str, content: str) -> str:
    added = "\n".join(f"+{line}" for line in content.split("\n"))
    return f"*** Begin Patch\n*** Add File: {path}\n{added}\n*** End Patch"


def _deleted(path: str) -> Mapping[str, object]:
    patch = f"*** Begin Patch\n*** Delete File: {path}\n*** End Patch"
    return {"path": path, "paths": [path], "patch": patch}


def _of_server(text: str) -> Mapping[str, object]:
    server, name, arguments = text.split(" ", 2)
    return {"server": server, "name": name, "arguments": json.loads(arguments)}


_MAKERS = {
    "shell": _one_command,
    "shells": lambda text: {"commands": text.split(BETWEEN)},
    "read": lambda path: {"path": path, "paths": [path]},
    "write": _written,
    "edit": _written,
    "delete": _deleted,
    "fetch": lambda url: {"url": url},
    "mcp": _of_server,
}
_KINDS: Mapping[str, frozenset[ToolKind]] = {
    "shell": frozenset({ToolKind.SHELL}),
    "shells": frozenset({ToolKind.SHELL}),
    "read": frozenset({ToolKind.READ}),
    "write": frozenset({ToolKind.WRITE, ToolKind.EDIT, ToolKind.PATCH}),
    "edit": frozenset({ToolKind.EDIT, ToolKind.WRITE, ToolKind.PATCH}),
    "delete": frozenset({ToolKind.DELETE, ToolKind.PATCH}),
    "fetch": frozenset({ToolKind.FETCH}),
}
_NEEDED: Mapping[str, tuple[str, ...]] = {
    "shell": ("command", "commands", "typed"),
    "shells": ("commands",),
    "read": ("path", "paths"),
    "write": ("content", "patch"),
    "edit": ("content", "patch"),
    "delete": ("path", "paths", "patch"),
    "fetch": ("url",),
    "mcp": ("name",),
}
"""One of these slots carries what is wanted."""


def forms_of(agent: str, act: str) -> Iterator[tuple[str, SentCall]]:
    """The tools of an agent that would do it, each with how it is called."""
    kinds = module_of(agent).KINDS
    for call in calls_of(agent):
        if slots_of(call).isdisjoint(_NEEDED[act]):
            continue
        for tool in call.tools.split():
            if act == "mcp" or kinds.get(tool) in _KINDS[act]:
                yield tool, call.replace(tools=tool)


class Judge:
    """The default policy of a machine without settings of its own."""

    def __init__(self, agent: str, settings: Path) -> None:
        places = Places(*(str(settings / name) for name in ("config", "state", "run", "share", "system")))
        self.agent = agent
        self._system: HookSystem = build(policy_for(places, PROJECT, agent))

    def decisions(self, wanted: Wanted) -> Iterator[tuple[str, str]]:
        """What is decided about it, for each tool that would do it."""
        for tool, call in forms_of(self.agent, wanted.act):
            yield tool, self._decision(call, wanted)

    def _decision(self, call: SentCall, wanted: Wanted) -> str:
        dialect = dialect_named(self.agent)
        values = {"session": "s", "cwd": PROJECT, "call": "c", **wanted.values}
        native, payload = next(sent(call, gate_of(dialect), values))
        raw = json.dumps(payload).encode()
        event = dialect.decode(raw, native_event=native, environment={})
        verdict = self._system.fire(event.replace(root=event.root or PROJECT, cwd=event.cwd or PROJECT))
        if any(outcome.failure for outcome in verdict.outcomes) or verdict.failures:
            return f"broken: {verdict.reason}"
        if verdict.decision >= Decision.BLOCK:
            return "block"
        return "ask" if verdict.decision is Decision.ASK else "pass"
