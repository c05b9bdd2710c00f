"""Plays the transcripts beside this file: what an agent sends, what was decided, what the agent is told.

    >> claude PreToolUse Bash rm -rf /          the payload of that name, with this tool call in it
    >+ attended                                 or `env NAME=VALUE`: the environment that the agent gives
    == block filesystem/root: deletes all       the verdict: decision, rule, reason
    =+ context: text                            also input:, output:, message:, stop:, extra:, suppress
    -- BeforeTool shell rm -rf /                read from the payload
    << exit 2                                   rendered; also `out`, `err`, `note` (what was degraded)

A transcript is compared as a whole, so that a difference prints as a diff. To write the lines that are read
and rendered anew, and then look at every one of them: `python tests/transcripts/test_transcripts.py`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from fairlead.dialects.agent_registry import AGENTS, dialect_named
from fairlead.model.decision import DECISION_WORDS
from fairlead.model.event import Event
from fairlead.model.facts import facts_of
from fairlead.model.verdict import Reply, Verdict
from tests.recordings import PAYLOADS, native_event

HERE = Path(__file__).parent
TRANSCRIPTS = sorted(HERE.glob("*/*.txt"))
GIVEN = (">>", ">+", "==", "=+")


def play(transcript: str) -> str:
    """The same transcript with every line that is not given written anew."""
    blocks = transcript.split("\n\n")
    played = (_played(block) if block.lstrip().startswith(">>") else block for block in blocks)
    return "\n\n".join(played).rstrip("\n") + "\n"


def _played(block: str) -> str:
    given = [line for line in block.splitlines() if line.startswith(GIVEN)]
    agent, payload, call = [*given[0][2:].split(maxsplit=2), ""][:3]
    environment = dict(_environment(given))
    raw = _payload(agent, payload, call)
    dialect = dialect_named(agent)
    event = dialect.decode(raw, native_event=native_event(payload), environment=environment)
    assert event.raw == raw
    answer = dialect.render(event, _verdict(given))
    cut = next(index for index, line in enumerate(given) if line.startswith("=="))
    return "\n".join([*given[:cut], f"-- {_summary(event)}", *given[cut:], *_shown(answer)])


def _payload(agent: str, name: str, call: str) -> bytes:
    path = PAYLOADS / agent / f"{name}.json"
    raw = (path if path.exists() else path.with_suffix(".raw")).read_bytes()
    if not call:
        return raw
    payload = json.loads(raw)
    tool, _, rest = call.partition(" ")
    payload["tool_name"] = tool
    payload["tool_input"] = json.loads(rest) if rest.startswith("{") else {"command": rest}
    return json.dumps(payload).encode()


def _environment(given: list[str]) -> Iterator[tuple[str, str]]:
    for line in given:
        word = line[2:].strip()
        if line.startswith(">+") and word == "attended":
            yield "CLAUDE_CODE_SESSION_ATTENDED", "1"
        elif line.startswith(">+"):
            name, _, value = word.removeprefix("env ").partition("=")
            yield name, value


def _verdict(given: list[str]) -> Verdict:
    said = next(line[2:].strip() for line in given if line.startswith("=="))
    word, _, rest = said.partition(" ")
    rule, _, reason = rest.strip().partition(": ")
    more = dict(_addition(line[2:].strip()) for line in given if line.startswith("=+"))
    return Verdict(DECISION_WORDS[word], reason, rule=rule, **more)


def _addition(words: str) -> tuple[str, object]:
    key, _, value = words.partition(": ")
    if key == "suppress":
        return "suppress_output", True
    if key == "stop":
        return "stop", True
    field = {
        "context": "additional_context",
        "input": "updated_input",
        "output": "updated_output",
        "message": "system_message",
        "alternative": "alternative",
        "extra": "extra",
    }[key]
    return field, json.loads(value) if value.startswith(("{", "[", '"')) else value


def _summary(event: Event) -> str:
    words = [event.name.value]
    if event.tool is not None:
        facts = facts_of(event.tool, event.cwd)
        words.append(event.tool.kind.value)
        if event.tool.mcp_tool:
            words.append(f"{event.tool.mcp_server}/{event.tool.mcp_tool}")
        words += [facts.command or "", *(f"{fact.operation}:{fact.path}" for fact in facts.paths)]
        words.append(facts.url or "")
    elif event.prompt is not None:
        words.append(f'"{event.prompt}"')
    line = " ".join(" ".join(word for word in words if word).split())
    return line if len(line) <= 100 else f"{line[:100]} ..."


def _shown(answer: Reply) -> Iterator[str]:
    yield f"<< exit {answer.exit_code}"
    for name, value in (("out", answer.stdout), ("err", answer.stderr), ("note", answer.degraded.encode())):
        for line in value.decode().splitlines():
            yield f"<< {name} {line}"


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_the_transcript_plays_as_it_is_written(path: Path) -> None:
    written = path.read_text()
    assert play(written).splitlines() == written.splitlines()


@pytest.mark.parametrize("agent", AGENTS)
def test_every_event_has_a_transcript_of_every_decision(agent: str) -> None:
    written = "\n".join(path.read_text() for path in HERE.glob(f"{agent}/*.txt"))
    blocks = [block for block in written.split("\n\n") if block.startswith(">>")]
    played = {(_event_of(block), block.split("\n== ")[1].split()[0]) for block in blocks}
    for event in dialect_named(agent).events:
        for decision in ("continue", "block", "ask", "halt"):
            told_only = not dialect_named(agent).abilities(event).refuse and decision in ("ask", "halt")
            assert told_only or (event, decision) in played, (event, decision)


def _event_of(block: str) -> str:
    return native_event(block.split()[2])


if __name__ == "__main__":
    for path in TRANSCRIPTS:
        path.write_text(play(path.read_text()))
