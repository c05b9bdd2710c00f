"""Hooks around tool calls: seed 003's verification items, and law 1 for hooks in this process."""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from typing import Any

import pytest

from fairlead.doors.library.decorators import after_tool, around_tool, before_tool
from fairlead.doors.library.tool_stack import ToolStack
from fairlead.errors import PolicyError, RegistrationError
from fairlead.model.answer import Approve, Ask, Block, Execution, Halt
from fairlead.model.decision import Decision
from fairlead.model.matching.matcher import any_of, not_
from fairlead.model.tool_call import ToolCall, ToolKind, ToolResult

LS = ToolCall("bash", {"command": "ls"}, ToolKind.SHELL)
RM = ToolCall("bash", {"command": "rm -rf /"}, ToolKind.SHELL)


def execute(call: ToolCall, state: object) -> Execution:
    return Execution(call, f"ran {call.input.get('command', call.name)}")


async def execute_async(call: ToolCall, state: object) -> Execution:
    await asyncio.sleep(0)
    return execute(call, state)


def both(stack: ToolStack, call: ToolCall = LS, state: object = None) -> Execution:
    """Sync and async must agree; hooks that need a loop get only the latter."""
    awaited: Execution = asyncio.run(stack.process_async(call, state, execute_async))
    if not stack.awaits:
        assert stack.process(call, state, execute) == awaited
    return awaited


def no_rm(call: ToolCall, state: object) -> Block | None:
    return Block("nothing is removed here") if "rm" in str(call.input.get("command")) else None


# before


def test_without_hooks_the_tool_just_runs() -> None:
    assert both(ToolStack()) == Execution(LS, "ran ls")


def test_a_before_hook_blocks_with_its_reason() -> None:
    stack = ToolStack()
    stack.before("bash")(no_rm)
    result = both(stack, RM)
    assert (result.ok, result.error, result.hook) == (False, "nothing is removed here", "no_rm")
    assert result.blocked
    assert both(stack, LS).output == "ran ls"


def test_none_is_no_opinion_and_the_seeds_reading_is_an_option() -> None:
    stack = ToolStack()
    stack.before()(lambda call: None)
    assert both(stack).ok
    stack.before(name="strict", none="block")(lambda call: None)
    assert both(stack).error == "blocked by strict"


def test_a_before_hook_changes_the_call() -> None:
    stack = ToolStack()
    stack.before(type="transformation")(lambda call: call.replace(input={"command": "ls -a"}))
    assert both(stack).output == "ran ls -a"


def test_a_before_hook_that_returns_the_same_call_changes_nothing() -> None:
    stack = ToolStack()
    stack.before()(lambda call: call)
    assert both(stack).output == "ran ls"


def test_a_before_hook_gives_the_result_itself() -> None:
    stack = ToolStack()
    stack.before()(lambda call: ToolResult("cached"))
    assert both(stack) == Execution(LS, "cached")


def test_law_1_a_result_from_one_guard_does_not_silence_the_next() -> None:
    stack = ToolStack()
    stack.before(priority=9)(lambda call: ToolResult("cached"))
    stack.before()(no_rm)
    assert both(stack, RM).blocked


def test_law_4_the_strongest_answer_wins_in_any_order() -> None:
    for answers in ([Approve("yes"), Ask("sure?"), Block("no")], [Block("no"), Ask("sure?"), Approve("yes")]):
        stack = ToolStack(ask=lambda call, why: True)
        for answer in answers:
            stack.before()(lambda call, answer=answer: answer)
        assert both(stack).decision is Decision.BLOCK


def test_ask_asks_a_human_and_without_one_it_blocks() -> None:
    asked: list[str] = []

    def ask(call: ToolCall, why: str) -> bool:
        asked.append(why)
        return call.name == "bash"

    stack = ToolStack(ask=ask)
    stack.before()(lambda call: Ask("really?"))
    assert both(stack).ok
    assert asked == ["really?"] * 2
    assert both(stack, ToolCall("other")).error == "really? (a human said no)"
    stack.ask = None
    assert both(stack).error == "really? (there is nobody to ask here)"


def test_an_asynchronous_human_is_awaited() -> None:
    async def ask(call: ToolCall, why: str) -> bool:
        await asyncio.sleep(0)
        return True

    stack = ToolStack(ask=ask)
    stack.before()(lambda call: Ask("really?"))
    assert asyncio.run(stack.process_async(LS, None, execute)).ok


def test_halt_is_stronger_than_block_and_can_be_told_from_it() -> None:
    stack = ToolStack()
    stack.before()(lambda call: Halt("enough"))
    assert both(stack).decision is Decision.HALT


# law 1


def test_law_1_guards_see_the_call_that_transformations_left() -> None:
    stack = ToolStack()
    stack.before(priority=100)(no_rm)
    stack.before(type="transformation", priority=-100)(lambda call: RM)
    assert both(stack).blocked


def test_law_1_a_later_guard_that_rewrites_is_seen_by_an_earlier_one() -> None:
    stack = ToolStack()
    stack.before(priority=100)(no_rm)
    stack.before(priority=-100)(lambda call: RM)
    assert both(stack).error == "nothing is removed here"


def test_law_1_a_rewrite_inside_an_around_hook_is_checked_again() -> None:
    stack = ToolStack()
    stack.before(priority=100)(no_rm)

    @stack.around()
    def smuggle(call: ToolCall, state: object) -> Generator[ToolCall, Any, Any]:
        return (yield RM)

    assert both(stack).error == "nothing is removed here"


def test_law_1_a_call_that_never_settles_is_blocked() -> None:
    stack = ToolStack()
    stack.before()(lambda call: call.replace(input={"command": str(call.input["command"]) + "!"}))
    assert "still being rewritten after 3 rounds" in both(stack).error


def test_law_1_an_around_hook_that_keeps_rewriting_is_blocked() -> None:
    stack = ToolStack()

    @stack.around()
    def restless(call: ToolCall, state: object) -> Generator[ToolCall, Any, Any]:
        for number in range(10):
            result = yield call.replace(input={"command": f"ls {number}"})
            if not result.ok:
                return result
        return None

    assert "was rewritten 3 times" in both(stack).error


def test_law_1_a_yes_to_the_old_call_is_no_yes_to_the_new_one() -> None:
    stack = ToolStack(ask=lambda call, why: call.input["command"] == "ls")
    stack.before()(lambda call: Ask("sure?"))

    @stack.around()
    def swap(call: ToolCall, state: object) -> Generator[ToolCall, Any, Any]:
        return (yield call.replace(input={"command": "ls -R /"}))

    assert both(stack).error == "sure? (a human said no)"


def test_law_1_a_change_in_place_is_noticed() -> None:
    stack = ToolStack()
    stack.before(priority=100)(no_rm)

    @stack.before(priority=-100)
    def sneak(call: ToolCall, state: object) -> None:
        call.input["command"] = "rm -rf /"  # type: ignore[index]

    result = stack.process(ToolCall("bash", {"command": "ls"}), None, execute, careful=True)
    assert "changed the input in place" in result.error


# law 2


@pytest.mark.parametrize(("on_error", "ok"), [("block", False), ("ask", False), ("allow", True)])
def test_law_2_a_hook_that_raises_answers_its_on_error(on_error: str, ok: bool) -> None:
    stack = ToolStack()

    @stack.before(on_error=on_error)
    def broken(call: ToolCall) -> None:
        raise ZeroDivisionError("oh")

    result = both(stack)
    assert result.ok is ok
    if not ok:
        assert "the hook 'broken' could not answer: ZeroDivisionError: oh" in result.error


@pytest.mark.parametrize("rubbish", ["yes", True, 5, {"decision": "allow"}, object()])
def test_law_2_rubbish_is_no_answer(rubbish: object) -> None:
    stack = ToolStack()
    stack.before(name="odd")(lambda call: rubbish)
    assert "'odd' could not answer: it returned" in both(stack).error


def test_law_2_a_validation_hook_cannot_rewrite() -> None:
    stack = ToolStack()
    stack.before(type="validation")(lambda call: RM)
    assert "its type must be 'transformation'" in both(stack).error


def test_law_2_a_matcher_that_raises_blocks() -> None:
    stack = ToolStack()
    stack.before(lambda call, state: 1 / 0, name="odd")(lambda call: None)
    assert "'odd' could not answer: ZeroDivisionError" in both(stack).error


def test_law_2_an_async_hook_in_a_sync_call_blocks_and_says_why() -> None:
    stack = ToolStack()

    @stack.before()
    async def slow(call: ToolCall) -> None: ...

    assert "it is asynchronous, and was called where nothing awaits" in stack.process(LS, None, execute).error


def test_law_2_a_timeout_blocks() -> None:
    stack = ToolStack()

    @stack.before(timeout=0.01)
    async def slow(call: ToolCall) -> None:
        await asyncio.sleep(60)

    assert "no answer within 0.01 s" in both(stack).error


def test_law_2_only_observers_never_matter() -> None:
    stack = ToolStack()
    seen: list[str] = []

    @stack.before(type="observability")
    def watch(call: ToolCall) -> Block:
        seen.append(call.name)
        return Block("nobody listens")

    @stack.after(type="observability")
    def crash(execution: Execution) -> None:
        raise RuntimeError

    assert both(stack).ok
    assert seen == ["bash", "bash"]


# after


def test_an_after_hook_changes_the_result() -> None:
    stack = ToolStack()
    stack.after()(lambda execution: execution.with_metadata(logged_at=7))
    assert both(stack).metadata == {"logged_at": 7}
    stack.after("bash")(lambda execution, call, state: ToolResult("[redacted]"))
    assert both(stack).output == "[redacted]"


def test_an_after_hook_withholds_the_result() -> None:
    stack = ToolStack()
    stack.after()(lambda execution: Block("it holds a secret"))
    result = both(stack)
    assert (result.output, result.error, result.decision) == (None, "it holds a secret", Decision.BLOCK)


def test_law_2_an_after_hook_that_breaks_withholds_the_result() -> None:
    stack = ToolStack()
    stack.after(name="redact")(lambda execution: 1 / 0)
    assert (both(stack).output, "'redact' could not answer" in both(stack).error) == (None, True)


def test_after_hooks_run_in_the_reverse_of_the_before_order() -> None:
    stack, order = ToolStack(), list[str]()
    for name, priority in (("low", -1), ("high", 1)):
        stack.before(name=f"before-{name}", priority=priority)(
            lambda call, name=name: order.append(f"before {name}")
        )
        stack.after(name=f"after-{name}", priority=priority)(
            lambda ex, name=name: order.append(f"after {name}")
        )
    stack.process(LS, None, execute)
    assert order == ["before high", "before low", "after low", "after high"]


def test_a_blocked_call_has_no_after_hooks_but_is_observed() -> None:
    stack, seen = ToolStack(), list[str]()
    stack.before()(no_rm)
    stack.after()(lambda execution: seen.append("after"))
    stack.after(type="observability")(lambda execution: seen.append(execution.error))
    both(stack, RM)
    assert seen == ["nothing is removed here"] * 2


# around


def test_a_generator_serves_sync_and_async_alike() -> None:
    stack = ToolStack()

    @stack.around()
    def shout(call: ToolCall, state: object) -> Generator[ToolCall, Execution, Execution]:
        result = yield call
        return result.with_output(result.output.upper())

    assert both(stack).output == "RAN LS"


def test_an_async_middleware_calls_next() -> None:
    async def shout(call: ToolCall, state: object, next: Any) -> Execution:
        result: Execution = await next(call, state)
        return result.with_output(result.output.upper())

    assert both(ToolStack().push(shout)).output == "RAN LS"


def test_a_middleware_object_has_process() -> None:
    class Shout:
        def process(self, call: ToolCall, state: object) -> Generator[ToolCall, Execution, Execution]:
            return (yield call).with_output("shouted")

    stack = ToolStack().push(Shout())
    assert both(stack).output == "shouted"
    assert stack.hooks()[0].id == "Shout"


def test_higher_priority_is_outer() -> None:
    stack, order = ToolStack(), list[str]()

    def layer(name: str) -> Any:
        def around(call: ToolCall, state: object) -> Generator[ToolCall, Any, Any]:
            order.append(f"{name} in")
            result = yield call
            order.append(f"{name} out")
            return result

        return around

    for name, priority in (("inner", 1), ("outer", 2)):
        stack.around(name=name, priority=priority)(layer(name))
    stack.process(LS, None, execute)
    assert order == ["outer in", "inner in", "inner out", "outer out"]


def test_an_around_hook_retries_without_new_guards_for_the_same_call() -> None:
    stack, seen = ToolStack(), list[str]()
    stack.before()(lambda call: seen.append("guard"))

    @stack.around()
    def twice(call: ToolCall, state: object) -> Generator[ToolCall, Any, Any]:
        yield call
        return (yield call)

    assert stack.process(LS, None, execute).ok
    assert seen == ["guard"]


def test_an_around_hook_blocks_before_and_withholds_after() -> None:
    stack = ToolStack()

    @stack.around("bash")
    def judge(call: ToolCall, state: object) -> Generator[ToolCall, Any, Any]:
        if call is RM:
            return Block("before")
        yield call
        return Block("after")

    assert both(stack, RM).error == "before"
    assert both(stack, LS).error == "after"


def test_an_around_hook_that_says_nothing_keeps_the_result() -> None:
    stack = ToolStack()

    @stack.around()
    def quiet(call: ToolCall, state: object) -> Generator[ToolCall, Any, None]:
        yield call

    assert both(stack).output == "ran ls"


def test_law_2_an_around_hook_that_forgets_the_call_blocks() -> None:
    async def forgets(call: ToolCall, state: object, next: Any) -> None: ...

    assert "'forgets' could not answer: it neither ran the call" in both(ToolStack().push(forgets)).error


def test_law_2_an_around_hook_that_yields_rubbish_blocks() -> None:
    stack = ToolStack()

    @stack.around()
    def odd(call: ToolCall, state: object) -> Generator[Any, Any, Any]:
        yield "go on"

    assert "it yielded 'go on', which is not a call" in both(stack).error


def test_a_tools_own_error_passes_through_the_layers() -> None:
    stack, seen = ToolStack(), list[str]()

    @stack.around()
    def watch(call: ToolCall, state: object) -> Generator[ToolCall, Any, Any]:
        try:
            return (yield call)
        except KeyError:
            seen.append("seen")
            raise

    def fails(call: ToolCall, state: object) -> None:
        raise KeyError("tool")

    with pytest.raises(KeyError):
        stack.process(LS, None, fails)
    assert seen == ["seen"]


def test_an_around_hook_may_handle_a_tools_error() -> None:
    stack = ToolStack()

    @stack.around()
    def mend(call: ToolCall, state: object) -> Generator[ToolCall, Any, Any]:
        try:
            return (yield call)
        except KeyError:
            return ToolResult("mended")

    def fails(call: ToolCall, state: object) -> None:
        raise KeyError("tool")

    assert stack.process(LS, None, fails).output == "mended"


def test_sync_and_async_hooks_mix_in_one_chain() -> None:
    stack, order = ToolStack(), list[str]()

    @stack.before(priority=2)
    async def first(call: ToolCall) -> None:
        await asyncio.sleep(0)
        order.append("async")

    stack.before(priority=1)(lambda call: order.append("sync"))
    assert both(stack).ok
    assert order == ["async", "sync"]


# matchers


@pytest.mark.parametrize(
    ("matcher", "names"),
    [
        ("bash", ["bash"]),
        ("read_*", ["read_file", "read_dir"]),
        ("/^read_.*/", ["read_file", "read_dir"]),
        ("/file$/", ["read_file", "write_file"]),
        ("bash|write_file", ["bash", "write_file"]),
        (["bash", "read_*"], ["bash", "read_file", "read_dir"]),
        (any_of("bash", "/dir/"), ["bash", "read_dir"]),
        (not_("bash"), ["read_file", "read_dir", "write_file"]),
        (lambda call, state: state == "yes", ["bash", "read_file", "read_dir", "write_file"]),
        ({"arguments": {"path": "/^src/"}}, ["write_file"]),
        ("*", ["bash", "read_file", "read_dir", "write_file"]),
    ],
)
def test_matchers_by_name_glob_regular_expression_list_and_predicate(matcher: Any, names: list[str]) -> None:
    stack, seen = ToolStack(), list[str]()
    stack.before(matcher)(lambda call: seen.append(call.name))
    for name in ("bash", "read_file", "read_dir", "write_file"):
        stack.process(ToolCall(name, {"path": "src/a"} if name == "write_file" else {}), "yes", execute)
    assert seen == names


def test_a_predicate_that_says_no_rules_the_hook_out() -> None:
    stack = ToolStack()
    stack.before(lambda call, state: state == "yes")(lambda call: Block("no"))
    assert both(stack, state="no").ok
    assert both(stack, state="yes").blocked


def test_anything_with_matches_is_a_matcher() -> None:
    class Mondays:
        def matches(self, call: ToolCall | None, state: object) -> bool:
            return state == "Monday"

    stack = ToolStack()
    stack.before(Mondays())(lambda call: Block("not today"))
    assert both(stack, state="Monday").blocked
    assert both(stack, state="Tuesday").ok


# registration and introspection


def test_decorated_functions_stay_functions_and_are_added() -> None:
    @before_tool("bash", priority=100)
    def guard(call: ToolCall, state: object) -> Block | None:
        return no_rm(call, state)

    @after_tool()
    def stamp(execution: Execution) -> Execution:
        return execution.with_metadata(seen=True)

    @around_tool()
    def wrap(call: ToolCall, state: object) -> Generator[ToolCall, Any, Any]:
        return (yield call)

    stack = ToolStack(guard, stamp, wrap)
    assert guard(RM, None) == Block("nothing is removed here")
    assert [hook.id for hook in stack.hooks()] == ["guard", "stamp", "wrap"]
    assert both(stack, LS).metadata == {"seen": True}
    assert both(stack, RM).blocked


def test_order_is_names_then_priority_then_registration() -> None:
    stack, order = ToolStack(), list[str]()
    for name, options in {
        "a": {},
        "b": {"priority": 5},
        "c": {"before": "b"},
        "d": {"after": ["a"], "priority": 9},
    }.items():
        stack.before(name=name, **options)(lambda call, name=name: order.append(name))
    stack.process(LS, None, execute)
    assert order == ["a", "d", "c", "b"]


@pytest.mark.parametrize(
    ("register", "message"),
    [
        (lambda s: s.before(timeout=5)(lambda call: None), "is not asynchronous, so nothing can end it"),
        (lambda s: s.before(matcher="/(/")(no_rm), "is not a regular expression"),
        (lambda s: s.before(priorty=3)(no_rm), "a hook has no option 'priorty'"),
        (lambda s: s.before(type="saftey")(no_rm), "cannot have the type 'saftey'"),
        (lambda s: s.before(on_error="explode")(no_rm), "on_error of 'no_rm' cannot be 'explode'"),
        (lambda s: s.before(none="maybe")(no_rm), "none='maybe' is not known"),
        (lambda s: s.before()(lambda a, b, c, d: None), "takes 4 arguments"),
        (
            lambda s: s.around()(lambda call, state: None),
            "cannot run around a call: it neither yields the call nor takes `next`",
        ),
        (lambda s: s.push(5), "a int cannot be a hook"),
        (lambda s: s.add(lambda call: None), "is not marked as a hook"),
        (lambda s: (s.before(name="x")(no_rm), s.before(name="x")(no_rm)), "two hooks are named 'x'"),
        (lambda s: s.enable("nobody"), "there is no hook 'nobody'"),
        (lambda s: (s.before(after="nobody")(no_rm), s.check()), "is ordered by 'nobody', which is no hook"),
    ],
)
def test_a_registration_that_cannot_work_says_why(register: Any, message: str) -> None:
    with pytest.raises(RegistrationError, match=message.replace("(", r"\(")):
        register(ToolStack())


def test_names_that_wait_for_each_other_are_refused_and_the_stack_stays_as_it_was() -> None:
    stack = ToolStack()
    stack.before(name="a", before="b")(no_rm)
    with pytest.raises(PolicyError, match="a -> b -> a"):
        stack.before(name="b", before="a")(no_rm)
    assert [hook.id for hook in stack.hooks()] == ["a"]


def test_a_hook_can_be_disabled_enabled_and_removed() -> None:
    stack = ToolStack()
    stack.before()(no_rm)
    stack.disable("no_rm")
    assert both(stack, RM).ok
    stack.enable("no_rm")
    assert both(stack, RM).blocked
    stack.remove("no_rm")
    assert both(stack, RM).ok


def test_explain_says_who_would_run_when_and_why_not() -> None:
    stack = ToolStack()
    stack.before("bash", name="guard", priority=3)(no_rm)
    stack.before("write_*", name="writes")(no_rm)
    stack.before(name="rewrite", type="transformation")(lambda call: None)
    stack.after(name="redact")(lambda execution: None)
    stack.before(name="off")(no_rm)
    stack.disable("off")
    explanation = stack.explain(LS)
    assert explanation.running == ("rewrite", "guard", "redact")
    assert [(line.phase, line.hook, line.why) for line in explanation.lines] == [
        ("transform", "rewrite", "every call fits"),
        ("guard", "guard", "'bash' fits"),
        ("result", "redact", "every call fits"),
        ("guard", "writes", "'write_*' does not fit"),
        ("guard", "off", "it is disabled"),
    ]
    assert "does not run: it is disabled" in str(explanation)


def test_tell_gets_every_hooks_outcome_and_the_verdict() -> None:
    told: list[Any] = []
    stack = ToolStack(tell=lambda call, verdict: told.append((call, verdict)))
    stack.before(name="quiet")(lambda call: None)
    stack.before(name="loud")(no_rm)
    both(stack, RM)
    call, verdict = told[0]
    assert (call, verdict.decision, verdict.hook) == (RM, Decision.BLOCK, "loud")
    assert [outcome.hook for outcome in verdict.outcomes] == ["quiet", "loud"]
    assert all(outcome.milliseconds > 0 for outcome in verdict.outcomes)


def test_a_recorder_that_breaks_costs_no_result_and_is_heard() -> None:
    def tell(call: ToolCall, verdict: object) -> None:
        raise OSError("disk full")

    with pytest.warns(RuntimeWarning, match="a call was not recorded: OSError"):
        assert ToolStack(tell=tell).process(LS, None, execute).ok
