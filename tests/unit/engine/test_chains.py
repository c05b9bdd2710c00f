"""Which hooks a call can meet: compiled once per tool, with a memory that stays flat."""

from __future__ import annotations

from typing import Any

import pytest

from fairlead.engine.answers import rewritten
from fairlead.engine.in_place import copied_input
from fairlead.engine.middleware import NothingAwaitsError, Onion, drive
from fairlead.engine.planner import Planner
from fairlead.errors import FairleadError
from fairlead.model.event_name import EventName
from fairlead.model.hook import HookType
from fairlead.model.matching.matcher import Names, matcher_from
from fairlead.model.tool_call import ToolCall, ToolKind
from fairlead.testing import hook, tool_event


def quiet(*_: object) -> None:
    return None


def call(name: str, kind: ToolKind = ToolKind.OTHER) -> ToolCall:
    return ToolCall(name, {}, kind)


def test_an_onion_remembers_a_chain_by_name_and_kind() -> None:
    onion = Onion([hook(quiet)])
    first = onion.chain(call("a"))
    assert onion.chain(call("a")) is first
    assert onion.chain(call("a", ToolKind.SHELL)) is not first
    assert onion.chain(call("a", ToolKind.SHELL)).kind is ToolKind.SHELL


def test_memory_stays_flat_whatever_names_an_agent_invents() -> None:
    onion, planner = Onion([hook(quiet, matcher=matcher_from("a*"))]), Planner([hook(quiet)])
    mixed = Planner([hook(quiet, matcher=matcher_from({"arguments": {"x": "y"}}))])
    for number in range(512):
        onion.chain(call(f"t{number}"))
        planner.plan(tool_event(f"t{number}", {}))
        mixed.plan(tool_event(f"t{number}", {}))
    assert (len(onion.chains), len(planner._plans), len(mixed._candidates)) == (512, 512, 512)
    onion.chain(call("one more"))
    planner.plan(tool_event("one more", {}))
    mixed.plan(tool_event("one more", {}))
    assert (len(onion.chains), len(planner._plans), len(mixed._candidates)) == (1, 1, 1)


def test_law_2_a_matcher_that_breaks_rules_nothing_out(monkeypatch: pytest.MonkeyPatch) -> None:
    hooks = [hook(quiet, id="a", matcher=matcher_from("elsewhere")), hook(quiet, id="b")]
    assert [link[2].id for link in Onion(hooks).chain(call("t")).guard] == ["b"]

    def cannot_tell(*_: object) -> bool:
        raise FairleadError("cannot tell")

    monkeypatch.setattr(Names, "matches", cannot_tell)
    assert [link[2].id for link in Onion(hooks).chain(call("t")).guard] == ["a", "b"]


def test_hooks_stand_in_the_place_of_their_type_and_event() -> None:
    every = [
        hook(quiet, id=f"{event}-{type}", type=type, event=event)
        for event in (EventName.BEFORE_TOOL, EventName.AFTER_TOOL)
        for type in HookType
    ]
    chain = Onion([*every, hook(quiet, id="off", enabled=False)]).chain(call("t"))
    places = {
        name: [link[2].id for link in getattr(chain, name)] for name in ("validate", "transform", "guard")
    }
    assert places == {
        "validate": ["BeforeTool-validation"],
        "transform": ["BeforeTool-transformation"],
        "guard": ["BeforeTool-authorization", "BeforeTool-safety"],
    }
    assert [link[2].id for link in chain.watch] == ["BeforeTool-observability"]
    assert [link[2].id for link in chain.observe] == ["AfterTool-observability"]
    assert [link[2].id for link in chain.after] == [
        "AfterTool-safety",
        "AfterTool-authorization",
        "AfterTool-transformation",
        "AfterTool-validation",
    ]


@pytest.mark.parametrize(
    ("type", "event", "early", "late"),
    [
        (HookType.VALIDATION, EventName.BEFORE_TOOL, True, False),
        (HookType.TRANSFORMATION, EventName.BEFORE_TOOL, True, False),
        (HookType.SAFETY, EventName.BEFORE_TOOL, False, False),
        (HookType.OBSERVABILITY, EventName.BEFORE_TOOL, False, True),
        (HookType.OBSERVABILITY, EventName.AFTER_TOOL, False, True),
        (HookType.SAFETY, EventName.AFTER_TOOL, False, True),
    ],
)
def test_only_guards_without_conditions_go_the_short_way(
    type: HookType, event: EventName, early: bool, late: bool
) -> None:
    chain = Onion([hook(quiet, type=type, event=event)]).chain(call("t"))
    assert (chain.early, chain.late, chain.plain) == (early, late, not early and not late)
    asks = matcher_from({"arguments": {"x": "y"}})
    assert not Onion([hook(quiet, type=type, event=event, matcher=asks)]).chain(call("t")).plain


def test_the_kind_of_a_rewritten_call_is_that_of_its_tool() -> None:
    shell = ToolCall("run", {"command": "ls"}, ToolKind.SHELL, id="c1")
    same = rewritten(shell, ToolCall("run", {"command": "rm"}))
    assert (same.kind, same.id) == (ToolKind.SHELL, "c1")
    other = rewritten(call("x"), ToolCall("bash", {"command": "rm"}, id="c2"))
    assert (other.kind, other.id) == (ToolKind.SHELL, "c2")
    named = ToolCall("mine", {"command": "rm"}, ToolKind.MCP, id="c3")
    assert rewritten(shell, named) is named
    assert rewritten(ToolCall("mine", {}, id="c1"), named) is named


def test_a_copy_shares_only_what_nobody_can_change() -> None:
    inner = ["x"]
    given = {"text": "t", "number": 1, "list": inner}
    copy = copied_input(given)
    inner.append("y")
    given["text"] = "other"
    assert copy == {"text": "t", "number": 1, "list": ["x"]}
    plain = {"text": "t"}
    copy = copied_input(plain)
    plain["text"] = "other"
    assert copy == {"text": "t"}


def test_what_must_be_awaited_is_closed_and_thrown_back_where_nothing_awaits() -> None:
    async def never() -> None:
        raise AssertionError

    work = never()

    def waits() -> Any:
        try:
            yield work
        except NothingAwaitsError as error:
            return str(error)

    assert drive(waits()) == "it is asynchronous, and was called where nothing awaits"
    assert work.cr_frame is None
