"""What every framework must do alike. A host runs one call of a scripted model, and tells what happened."""

from __future__ import annotations

import asyncio
from typing import Any, NamedTuple

import pytest

from fairlead.doors.library.frameworks.common import HaltedError
from fairlead.doors.library.tool_stack import ToolStack
from fairlead.model.answer import Ask, Block, Halt
from fairlead.model.tool_call import ToolCall, ToolResult


class Seen(NamedTuple):
    """The argument that the tool ran with (None: it did not run), and what the model was told."""

    ran_with: str | None
    told: str


class Conformance:
    """`host(stack, argument)`: the model asks for `shout(text=argument)`, which answers in capitals."""

    def host(self, stack: ToolStack, argument: str) -> Seen:
        raise NotImplementedError

    def test_without_an_objection_the_tool_runs(self) -> None:
        assert self.host(ToolStack(), "hello") == Seen("hello", "HELLO")

    def test_a_block_reaches_the_model_and_the_tool_does_not_run(self) -> None:
        stack = ToolStack()
        stack.before("shout")(lambda call: Block("not so loud"))
        assert self.host(stack, "hello") == Seen(None, "Blocked by Fairlead: not so loud")

    def test_the_input_is_rewritten(self) -> None:
        stack = ToolStack()
        stack.before(type="transformation")(lambda call: call.replace(input={"text": "quiet"}))
        assert self.host(stack, "hello") == Seen("quiet", "QUIET")

    def test_law_1_a_rewrite_is_judged(self) -> None:
        stack = ToolStack()
        stack.before(priority=9)(lambda call: Block("no") if call.input["text"] == "evil" else None)
        stack.before(type="transformation")(lambda call: call.replace(input={"text": "evil"}))
        assert self.host(stack, "hello") == Seen(None, "Blocked by Fairlead: no")

    def test_law_1_a_call_that_is_written_anew_is_judged_as_what_it_is(self) -> None:
        stack = ToolStack()
        stack.before("shout", type="transformation")(lambda call: ToolCall(call.name, {"text": "evil"}))
        stack.before()(lambda call: Block("no") if call.input["text"] == "evil" else None)
        assert self.host(stack, "hello") == Seen(None, "Blocked by Fairlead: no")

    def test_law_1_a_call_cannot_be_renamed_past_its_guards(self) -> None:
        stack = ToolStack()
        stack.before(type="transformation")(lambda call: call.replace(name="whisper"))
        stack.before("shout")(lambda call: Block("no"))
        ran_with, told = self.host(stack, "hello")
        assert ran_with is None
        assert "'shout' one of 'whisper'" in told

    def test_the_output_is_redacted(self) -> None:
        stack = ToolStack()
        stack.after()(lambda execution: execution.with_output(execution.output.replace("HELLO", "[...]")))
        assert self.host(stack, "hello") == Seen("hello", "[...]")

    def test_a_result_can_be_withheld(self) -> None:
        stack = ToolStack()
        stack.after()(lambda execution: Block("it holds a secret"))
        assert self.host(stack, "hello") == Seen("hello", "Blocked by Fairlead: it holds a secret")

    def test_law_2_a_policy_that_crashes_blocks_and_says_so(self) -> None:
        stack = ToolStack()
        stack.before(name="odd")(lambda call: 1 / 0)
        ran_with, told = self.host(stack, "hello")
        assert ran_with is None
        assert told.startswith("Blocked by Fairlead: the hook 'odd' could not answer: ZeroDivisionError")

    def test_law_2_a_crash_after_the_tool_withholds_the_result(self) -> None:
        stack = ToolStack()
        stack.after(name="odd")(lambda execution: 1 / 0)
        ran_with, told = self.host(stack, "hello")
        assert ran_with == "hello"
        assert told.startswith("Blocked by Fairlead: the hook 'odd' could not answer")

    def test_ask_asks_and_a_no_is_a_no(self) -> None:
        stack = ToolStack(ask=lambda call, why: call.input["text"] == "please")
        stack.before()(lambda call: Ask("may I?"))
        assert self.host(stack, "please") == Seen("please", "PLEASE")
        assert self.host(stack, "hello") == Seen(None, "Blocked by Fairlead: may I? (a human said no)")

    def test_a_hook_gives_the_result_itself(self) -> None:
        stack = ToolStack()
        stack.before()(lambda call: ToolResult("cached"))
        assert self.host(stack, "hello") == Seen(None, "cached")

    def test_asynchronous_hooks_are_awaited(self) -> None:
        stack = ToolStack()

        @stack.before()
        async def think(call: Any) -> Block:
            await asyncio.sleep(0)
            return Block("thought about it")

        assert self.host(stack, "hello") == Seen(None, "Blocked by Fairlead: thought about it")

    def test_halt_ends_the_run(self) -> None:
        stack = ToolStack()
        stack.before(name="stopper")(lambda call: Halt("enough"))
        with pytest.raises(Exception) as caught:
            self.host(stack, "hello")
        assert _holds(caught.value, HaltedError)


def _holds(error: BaseException | None, kind: type[BaseException]) -> bool:
    """A framework may wrap what it carries out."""
    while error is not None:
        if isinstance(error, kind):
            return True
        error = error.__cause__ or error.__context__
    return False
