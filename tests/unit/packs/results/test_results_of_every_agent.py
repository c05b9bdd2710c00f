"""From the payload that an agent sent to the answer that it reads, with the policy that everyone has."""

import json
from functools import cache
from pathlib import Path

import pytest

from fairlead.assembly import build, policy_for
from fairlead.dialects.agent_registry import AGENTS, dialect_named
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.tool_call import ToolKind, ToolResult
from fairlead.policy.places import Places

PAYLOADS = Path(__file__).parents[3] / "data" / "payloads"
KEY = "AKIA" + "QYLPMN5HFIQR7XYA"


def results() -> list[tuple[str, Path]]:
    """One for each agent and tool: what they sent after a call."""
    found: dict[tuple[str, str], tuple[str, Path]] = {}
    for agent in AGENTS:
        for file in sorted((PAYLOADS / agent).rglob("*.json")):
            event = decoded(agent, file)
            if event is not None and event.tool is not None and _has_text(event):
                found.setdefault((agent, event.tool.name), (agent, file))
    return list(found.values())


def decoded(agent: str, file: Path) -> Event | None:
    native = file.name.split(".json")[0]
    known = [name for name in dialect_named(agent).events if native.startswith(name)]
    if not known:
        return None
    raw = file.read_bytes()
    if not isinstance(json.loads(raw), dict):
        return None
    event = dialect_named(agent).decode(raw, native_event=max(known, key=len), environment={})
    return event if event.name is EventName.AFTER_TOOL and event.result is not None else None


def _has_text(event: Event) -> bool:
    assert event.result is not None
    return _with_key(event.result.output)[1]


def _with_key(value: object) -> tuple[object, bool]:
    """The same output with a key at the end of its first text."""
    if isinstance(value, str) and value:
        return f"{value} {KEY}", True
    if isinstance(value, dict):
        for name, item in value.items():
            changed, done = _with_key(item)
            if done and name not in ("type", "filePath", "file_path", "resultType", "title"):
                return {**value, name: changed}, True
    if isinstance(value, list):
        for index, item in enumerate(value):
            changed, done = _with_key(item)
            if done:
                return [*value[:index], changed, *value[index + 1 :]], True
    return value, False


@cache
def system(agent: str, folder: str):
    places = Places(*(f"{folder}/{name}" for name in ("config", "state", "run", "share", "system")))
    return build(policy_for(places, "/", agent))


@pytest.mark.parametrize(("agent", "file"), results(), ids=lambda value: getattr(value, "stem", value))
def test_a_key_reaches_the_model_of_no_agent_that_lets_results_be_replaced(
    agent, file, tmp_path_factory
) -> None:
    event = decoded(agent, file)
    assert event is not None and event.result is not None
    event = event.replace(result=ToolResult(_with_key(event.result.output)[0], event.result.ok))
    verdict = system(agent, str(tmp_path_factory.getbasetemp() / "places")).fire(event)
    reply = dialect_named(agent).render(event, verdict)
    said = reply.stdout + reply.stderr
    assert KEY.encode() not in said
    can = dialect_named(agent).abilities(event.native_name).redact
    if agent == "cursor" and event.tool is not None:
        can = can and event.tool.kind is ToolKind.MCP  # the only results that it takes back
    assert (b"[redacted:aws-access-key-id]" in said, "output not replaced" in reply.degraded) == (
        can,
        not can,
    )


def test_there_are_results_of_most_agents() -> None:
    assert len({agent for agent, _ in results()}) >= 10
