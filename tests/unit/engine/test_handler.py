"""Events by name: what nobody knows is a failure in the envelope, and never an empty success."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from fairlead.engine.handler import HookEventHandler, Surroundings
from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.failure import FailureCode, Stage
from fairlead.model.hook import Outcome
from fairlead.model.tool_call import ToolCall
from fairlead.testing import hook, system_of

INPUT = {"tool_name": "Bash", "tool_input": {"command": "ls"}}


def refuse(event: Event, config: object, previous: object) -> Outcome:
    return Outcome(Decision.BLOCK, "no")


def handler() -> HookEventHandler:
    return HookEventHandler(system_of([hook(refuse)]), Surroundings("s1", "/project"))


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("BeforTool", "BeforeTool"),
        ("beforetool", "BeforeTool"),
        ("before_tool", "BeforeTool"),
        ("PreToolUse", "BeforeTool"),
        ("PreToolUs", "BeforeTool"),
        ("AfterToll", "AfterTool"),
        ("SesionStart", "SessionStart"),
    ],
)
def test_law_10_an_unknown_event_name_is_a_failure_with_the_nearest_spelling(name: str, nearest: str) -> None:
    word: Any = name
    for result in (handler().fire(word, INPUT), asyncio.run(handler().fire_async(word, INPUT))):
        (failure,) = result.aggregated.errors
        assert (failure.stage, failure.code) == (Stage.VALIDATION, FailureCode.UNSUPPORTED_EVENT)
        assert failure.message == f"no event is called {name!r}; did you mean {nearest!r}?"
        assert failure.details == {"eventName": name, "nearest": nearest}
        assert not result.aggregated.success
        assert result.aggregated.verdict.decision is Decision.BLOCK


@pytest.mark.parametrize("name", ["", "zzz", None, 42, []])
def test_law_10_a_name_that_is_near_to_nothing_is_a_failure_too(name: Any) -> None:
    result = handler().fire(name, INPUT)
    assert [each.code for each in result.aggregated.errors] == [FailureCode.UNSUPPORTED_EVENT]
    assert "did you mean" not in result.aggregated.errors[0].message
    assert result.aggregated.verdict.decision is Decision.BLOCK


def test_the_words_of_an_event_are_its_name() -> None:
    text: Any = "BeforeTool"
    by_text = handler().fire(text, INPUT).aggregated.verdict
    by_name = handler().fire(EventName.BEFORE_TOOL, INPUT).aggregated.verdict
    assert (by_text.decision, by_text.reason) == (by_name.decision, by_name.reason) == (Decision.BLOCK, "no")


def test_law_10_a_system_does_not_take_an_event_whose_name_is_a_text() -> None:
    event = Event("BeforTool", tool=ToolCall("Bash", {"command": "ls"}))  # type: ignore[arg-type]
    verdict = system_of([hook(refuse)]).fire(event)
    assert (verdict.decision, verdict.failures[0].code) == (Decision.BLOCK, FailureCode.UNSUPPORTED_EVENT)


def test_of_a_name_without_end_only_the_beginning_is_told() -> None:
    name: Any = "x" * 500
    (failure,) = handler().fire(name, INPUT).aggregated.errors
    assert failure.details == {"eventName": "x" * 100}
    assert len(failure.message) < 200
