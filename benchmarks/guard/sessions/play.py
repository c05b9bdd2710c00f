"""Plays a session: its calls go through the real engine in order, with a state of its own."""

from __future__ import annotations

import json
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.guard.judge import failures_of
from benchmarks.guard.score import WORKSHOP
from benchmarks.guard.sessions.data import Session, Step, read_project
from benchmarks.guard.sessions.disk import Disk, session_disk
from fairlead.assembly import build, placed_for, policy_for, remembering_for
from fairlead.dialects.agent_registry import dialect_named
from fairlead.engine.system import HookSystem
from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.policy.places import Places
from fairlead.sessions.memory import Memories
from fairlead.sessions.note_files import NoteFiles


@dataclass(frozen=True)
class Played:
    """What was said of a call. `withheld`: its result was objected to."""

    session: str
    number: int
    step: Step
    interrupted: bool
    word: str
    rule: str
    reason: str
    broken: str
    withheld: bool


def play(session: Session, parent: Path = WORKSHOP, *, policy: str = "") -> list[Played]:
    """A call that is rightly stopped leaves nothing behind; of any other, a person would have said yes.
    `policy` is one of the user's."""
    with (
        tempfile.TemporaryDirectory(prefix="guard-settings-") as settings,
        session_disk(parent, read_project(session.project)) as disk,
    ):
        if policy:
            write_policy(Path(settings), policy)
        player = _Player(session, disk, Path(settings))
        return [player.play(number, step) for number, step in enumerate(session.steps, start=1)]


def write_policy(settings: Path, text: str) -> None:
    """As the user's own, below the folder that a judge or a player has its settings in."""
    folder = settings / "config" / "hooks" / "own"
    folder.mkdir(parents=True)
    (folder / "hook.meta.yaml").write_text(text, encoding="utf-8")


class _Player:
    def __init__(self, session: Session, disk: Disk, settings: Path) -> None:
        self._session, self._disk = session, disk
        places = Places(*(str(settings / name) for name in ("config", "state", "run", "share", "system")))
        policy = policy_for(places, str(disk.project), "claude")
        placed = placed_for(policy, Memories(NoteFiles(str(settings / "state" / "sessions"))))
        self._system: HookSystem = build(policy, placed=placed)
        self._remember = remembering_for(policy, placed)

    def play(self, number: int, step: Step) -> Played:
        event = self._event("PreToolUse", number, step)
        before = self._system.fire(event)
        stopped, withheld = before.decision.objects, False
        if not (stopped and step.dangerous):
            self._remember(event, before.replace(decision=Decision.CONTINUE) if stopped else before)
            self._disk.apply(step)
            event = self._event("PostToolUse", number, step)
            after = self._system.fire(event)
            self._remember(event, after)
            withheld = after.decision.objects
        return Played(
            self._session.name,
            number,
            step,
            stopped,
            before.decision.word,
            before.rule,
            before.reason,
            failures_of(before),
            withheld,
        )

    def _event(self, native_event: str, number: int, step: Step) -> Event:
        payload: dict[str, Any] = {
            "session_id": self._session.name,
            "transcript_path": "",
            "hook_event_name": native_event,
            "cwd": str(self._disk.project),
            "tool_name": step.tool,
            "tool_use_id": f"call-{number}",
            "tool_input": self._disk.here(step.input),
        }
        if native_event == "PostToolUse":
            payload["tool_response"] = _response(step.tool, self._disk.here(step.result))
        raw = json.dumps(payload).encode()
        event = dialect_named("claude").decode(raw, native_event=native_event, environment={})
        return event.replace(root=str(self._disk.project))


def _response(tool: str, text: str) -> object:
    """A result in the shape in which Claude Code tells of it."""
    if tool == "Bash":
        return {"stdout": text, "stderr": "", "interrupted": False}
    if tool.startswith("mcp__"):
        return [{"type": "text", "text": text}]
    return {"result": text}
