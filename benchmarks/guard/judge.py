"""What the guard says of a line: the real engine with the default policy, fed as Claude Code feeds it."""

from __future__ import annotations

import json
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from benchmarks.guard.lines import PROJECT, Line
from fairlead.assembly import build, policy_for
from fairlead.dialects.agent_registry import dialect_named
from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.verdict import Verdict
from fairlead.policy.places import Places


@dataclass(frozen=True)
class Judgement:
    line: Line
    decision: Decision
    rule: str
    reason: str
    nanoseconds: int
    broken: str = ""
    """What failed inside, if something did: a block by failure is no catch."""

    @property
    def caught(self) -> bool:
        return self.decision.objects and not self.broken

    @property
    def met(self) -> bool:
        """Whether the decision is the expected one; an ask is no block, and a block by failure is nothing."""
        if self.line.expected == "pass":
            return not self.decision.objects
        return self.caught and (self.line.expected == "stop" or self.decision >= Decision.BLOCK)


class Judge:
    """The default policy of a machine without settings of its own, and one project."""

    def __init__(self, project: str, settings: Path) -> None:
        places = Places(*(str(settings / name) for name in ("config", "state", "run", "share", "system")))
        self.project = project
        self._system = build(policy_for(places, project, "claude"))

    def judge(self, line: Line) -> Judgement:
        event = self.event_of(line)
        started = time.process_time_ns()
        verdict = self._system.fire(event)
        taken = time.process_time_ns() - started
        return Judgement(line, verdict.decision, verdict.rule, verdict.reason, taken, failures_of(verdict))

    def event_of(self, line: Line) -> Event:
        return event_of(line, self.project)


def event_of(line: Line, project: str) -> Event:
    """The call as Claude Code would tell of it, with the project of the corpus at this path."""

    def here(text: str) -> str:
        return text.replace(PROJECT, project)

    cwd = here(line.cwd) or project
    payload = {
        "session_id": "bench",
        "transcript_path": "",
        "hook_event_name": "PreToolUse",
        "cwd": cwd,
        "tool_name": line.tool,
        "tool_input": tool_input(line.tool, command=here(line.command), content=here(line.content)),
    }
    raw = json.dumps(payload).encode()
    event = dialect_named("claude").decode(raw, native_event="PreToolUse", environment={})
    inside = cwd == project or cwd.startswith(project + "/")
    return event.replace(root=project if inside else cwd)


def tool_input(tool: str, *, command: str, content: str) -> dict[str, object]:
    """The input of a tool as Claude Code sends it; `command` of any other tool may be all of it, as JSON."""
    shapes: dict[str, dict[str, object]] = {
        "Read": {"file_path": command},
        "Write": {"file_path": command, "content": content},
        "Edit": {"file_path": command, "old_string": "", "new_string": content},
        "NotebookEdit": {"notebook_path": command, "new_source": content},
        "Grep": {"path": command, "pattern": content or "."},
        "Glob": {"pattern": command},
        "LS": {"path": command},
        "WebFetch": {"url": command, "prompt": content},
    }
    if tool != "Bash" and command.startswith('{"'):
        with suppress(ValueError):
            given: dict[str, object] = json.loads(command)
            return given
    return shapes.get(tool, {"command": command})


def failures_of(verdict: Verdict) -> str:
    failures = [*verdict.failures, *(outcome.failure for outcome in verdict.outcomes if outcome.failure)]
    return "; ".join(failure.message for failure in failures)
