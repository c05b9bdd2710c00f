"""What hooks may say of a model call: change it, answer in its place, narrow the choice of tools."""

from __future__ import annotations

from typing import Any

import pytest

from fairlead.engine.aggregator import aggregate, narrower_selection
from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.hook import HookType, Outcome
from fairlead.model.verdict import Verdict
from fairlead.testing import hook, system_of

REQUEST = {"model": "m", "messages": ["hi"], "options": {"temperature": 1, "top": 2}}


def model_event(**fields: Any) -> Event:
    return Event(EventName.BEFORE_MODEL, **{"model_request": REQUEST, **fields})


def said(*extras: dict[str, object], decision: Decision = Decision.CONTINUE, **fields: Any) -> Verdict:
    hooks = [
        hook(
            lambda event, config, previous, extra=extra: Outcome(decision, "why", extra=extra),
            id=f"h{number}",
            event=EventName.BEFORE_MODEL,
            type=HookType.TRANSFORMATION,
        )
        for number, extra in enumerate(extras)
    ]
    return system_of(hooks).fire(model_event(**fields))


def test_a_change_of_the_request_names_only_what_it_changes() -> None:
    verdict = said({"llm_request": {"model": "n"}}, {"llm_request": {"more": 1}})
    assert verdict.extra == {"llm_request": {**REQUEST, "model": "n", "more": 1}}


def test_options_are_changed_one_by_one_and_none_takes_one_away() -> None:
    verdict = said({"llm_request": {"options": {"temperature": None, "new": 3}}})
    assert verdict.extra["llm_request"] == {**REQUEST, "options": {"top": 2, "new": 3}}


@pytest.mark.parametrize("options", [None, "hot"])
def test_options_that_are_no_mapping_replace_the_old_ones(options: object) -> None:
    verdict = said({"llm_request": {"options": options}})
    assert verdict.extra["llm_request"] == {**REQUEST, "options": options}


def test_options_of_a_request_that_has_none_are_taken_whole() -> None:
    verdict = said({"llm_request": {"options": {"a": None}}}, model_request={"model": "m"})
    assert verdict.extra["llm_request"] == {"model": "m", "options": {"a": None}}


def test_an_answer_is_laid_over_the_one_that_is_there() -> None:
    first, second = {"llm_response": {"text": "a"}}, {"llm_response": {"more": 1}}
    assert said(first, second).extra == {"llm_response": {"text": "a", "more": 1}}
    assert said(second, model_response={"text": "b"}).extra == {"llm_response": {"text": "b", "more": 1}}


def test_a_hook_that_blocks_may_answer_in_the_models_place_and_change_nothing_else() -> None:
    verdict = said(
        {"llm_request": {"model": "n"}, "llm_response": {"text": "no"}, "k": 1}, decision=Decision.BLOCK
    )
    assert verdict.decision is Decision.BLOCK
    assert verdict.extra == {"llm_response": {"text": "no"}, "k": 1}


def test_of_what_is_no_model_call_nothing_is_changed() -> None:
    extra = {"llm_request": {"model": "n"}, "llm_response": {"text": "x"}}
    assert said(extra, model_request=None, prompt="p").extra == {}


@pytest.mark.parametrize("extra", [{"llm_request": "x"}, {"llm_response": ["x"]}])
def test_what_is_no_mapping_changes_nothing(extra: dict[str, object]) -> None:
    assert said(extra).extra == {}


def test_two_selections_allow_only_what_both_allow() -> None:
    one = {"mode": "any", "allowedFunctionNames": ["b", "a", "c"]}
    two = {"allowedFunctionNames": ("c", "b", "d")}
    both = {"mode": "ANY", "allowedFunctionNames": ["b", "c"]}
    outcomes = [
        Outcome(extra={"toolConfig": each, "k": each["allowedFunctionNames"][0]}) for each in (one, two)
    ]
    assert aggregate(outcomes).extra == {"toolConfig": both, "k": "c"}
    assert aggregate([Outcome(extra={"toolConfig": "text"})]).extra == {"toolConfig": "text"}


@pytest.mark.parametrize(
    ("first", "second", "both"),
    [
        (None, {}, {"mode": "AUTO"}),
        ({"mode": "NONE"}, {"mode": "ANY"}, {"mode": "NONE"}),
        ({"mode": "AUTO"}, {"mode": "any"}, {"mode": "ANY"}),
        ("text", {"mode": "odd"}, {"mode": "AUTO"}),
        ({}, {"allowedFunctionNames": "ab"}, {"mode": "AUTO", "allowedFunctionNames": []}),
        ({"allowedFunctionNames": [1]}, {}, {"mode": "AUTO", "allowedFunctionNames": ["1"]}),
    ],
)
def test_the_stricter_mode_wins(first: object, second: dict[str, object], both: dict[str, object]) -> None:
    assert narrower_selection(first, second) == both
