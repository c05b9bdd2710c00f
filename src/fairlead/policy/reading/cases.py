"""`hook.test.yaml`: what a policy should answer, written beside it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

from fairlead.model.decision import DECISION_WORDS, Decision
from fairlead.model.event_name import EventName, event_named, known_event_names
from fairlead.model.failure import NOTHING
from fairlead.model.value import Value
from fairlead.policy.find import list_tree, read_file
from fairlead.policy.reading.document import MAX_BYTES, Marked, UnreadableFileError, parse_document
from fairlead.policy.reading.problem import Problem
from fairlead.policy.reading.schema import LIST, MAPPING, suggestion
from fairlead.policy.reload import Watch

FILE_NAME = "hook.test.yaml"
BROKEN = "broken"
"""What a test may expect besides a decision: that a hook breaks."""
_KEYS = (
    "name",
    "command",
    "event",
    "tool",
    "input",
    "prompt",
    "cwd",
    "agent",
    "expect",
    "rule",
    "hook",
    "reason",
)


class Case(Value):
    """One event, and what is expected of the answer; empty expectations do not count."""

    name: str
    file: str
    line: int
    expect: Decision
    event: EventName = EventName.BEFORE_TOOL
    tool: str = ""
    input: Mapping[str, object] = NOTHING
    prompt: str | None = None
    cwd: str = ""
    agent: str = "generic"
    rule: str = ""
    hook: str = ""
    reason: str = ""
    broken: bool = False
    """A hook is expected to break."""


def find_case_files(root: str) -> list[str]:
    """Every `hook.test.yaml` below the `hooks` folder of a policy root."""
    items = list_tree(os.path.join(root, "hooks"), Watch())
    return [item.path for item in items if os.path.basename(item.path) == FILE_NAME]


def read_cases(path: str) -> tuple[list[Case], list[Problem]]:
    """The cases of a file, and everything that is wrong with it."""
    try:
        document = parse_document(read_file(path, MAX_BYTES), path)
    except UnreadableFileError as error:
        return [], [error.problem]
    except OSError as error:
        return [], [Problem(path, 0, 0, f"cannot be read: {error.strerror}")]
    problems: list[Problem] = []
    cases = [case for marked in _listed(document, path, problems) if (case := _case(marked, path, problems))]
    return cases, problems


def _listed(document: Marked, path: str, problems: list[Problem]) -> Iterator[Marked]:
    listed = document
    if document.kind == MAPPING:
        for key, value in document.pairs:
            if key.value == "tests":
                listed = value
            else:
                problems.append(_problem(key, path, f"unknown key {key.value!r}", "the file has `tests:`"))
    if listed.kind != LIST:
        problems.append(_problem(listed, path, "this is not a list of tests", "write `tests:` and a list"))
        return
    for item in listed.items:
        if item.kind == MAPPING:
            yield item
        else:
            problems.append(_problem(item, path, "this is not a test", "write `- command: ...`"))


def _case(marked: Marked, path: str, problems: list[Problem]) -> Case | None:
    before = len(problems)
    given: dict[str, Marked] = {}
    for key, value in marked.pairs:
        if key.value in _KEYS:
            given[str(key.value)] = value
        else:
            hint = suggestion(str(key.value), _KEYS, otherwise=f"known are {', '.join(_KEYS)}")
            problems.append(_problem(key, path, f"unknown key {key.value!r}", hint))
    expect = _expectation(given, marked, path, problems)
    broken = "expect" in given and given["expect"].plain == BROKEN
    event = _event(given.get("event"), path, problems)
    tool_input = given["input"].plain if "input" in given else {}
    if not isinstance(tool_input, dict):
        problems.append(_problem(given["input"], path, "`input` is not a mapping"))
    if not given.keys() & {"command", "tool", "prompt", "event"}:
        problems.append(_problem(marked, path, "nothing is asked", "give `command`, `tool` or `prompt`"))
    if len(problems) > before or expect is None or event is None or not isinstance(tool_input, dict):
        return None
    made = _made(given, path, marked.line, expect, event, tool_input)
    return made.replace(broken=broken)


def _made(
    given: Mapping[str, Marked],
    path: str,
    line: int,
    expect: Decision,
    event: EventName,
    tool_input: dict[str, object],
) -> Case:
    def text(key: str, otherwise: str = "") -> str:
        return str(given[key].plain) if key in given else otherwise

    command, prompt = text("command"), text("prompt")
    event = EventName.BEFORE_AGENT if "prompt" in given and "event" not in given else event
    return Case(
        text("name", command or prompt or f"{text('tool', str(event))} at line {line}"),
        path,
        line,
        expect,
        event,
        "Bash" if command else text("tool"),
        {"command": command, **tool_input} if command else tool_input,
        prompt if "prompt" in given else None,
        text("cwd"),
        text("agent", "generic"),
        text("rule"),
        text("hook"),
        text("reason"),
    )


def _expectation(
    given: Mapping[str, Marked], marked: Marked, path: str, problems: list[Problem]
) -> Decision | None:
    value = given.get("expect")
    if value is None:
        problems.append(_problem(marked, path, "`expect` is missing", "write `expect: block`"))
        return None
    word = str(value.plain)
    if word == BROKEN:
        return Decision.BLOCK
    if word not in DECISION_WORDS:
        known = (*DECISION_WORDS, BROKEN)
        hint = suggestion(word, known, otherwise=f"known are {', '.join(known)}")
        problems.append(_problem(value, path, f"there is no decision {word!r}", hint))
    return DECISION_WORDS.get(word)


def _event(value: Marked | None, path: str, problems: list[Problem]) -> EventName | None:
    if value is None:
        return EventName.BEFORE_TOOL
    event = event_named(str(value.plain))
    if event is EventName.OTHER:
        hint = suggestion(str(value.plain), known_event_names())
        problems.append(_problem(value, path, f"there is no event {value.plain!r}", hint))
        return None
    return event


def _problem(at: Marked, path: str, message: str, hint: str = "") -> Problem:
    return Problem(path, at.line, at.column, message, hint)
