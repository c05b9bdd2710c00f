"""What every framework's adapter needs: a stack of whatever was given, and one way to say no."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from fairlead.doors.library.policy import load_system
from fairlead.doors.library.tool_stack import ToolStack
from fairlead.doors.library.tools import run_to_end
from fairlead.engine.middleware import Around, drive_async
from fairlead.engine.passage import AskHuman, Passage
from fairlead.errors import FairleadError, RegistrationError
from fairlead.model.answer import Execution
from fairlead.model.decision import Decision
from fairlead.model.tool_call import ToolCall, call_named

_KEPT = 1024


class HaltedError(FairleadError):
    """A hook said Halt: the run is over, on every framework alike."""

    code = "HALTED"


def stack_of(given: tuple[object, ...], *, agent: str, ask: AskHuman | None) -> ToolStack:
    """A stack as it is, or one of hooks and systems; of the policy files here, if nothing is given."""
    if len(given) == 1 and isinstance(given[0], ToolStack):
        if ask is not None:
            raise RegistrationError("a stack asks by itself", hint="ToolStack(..., ask=...)")
        given[0].check()
        return given[0]
    stack = ToolStack(ask=ask)
    stack.use(*(given or (load_system(agent=agent),)), agent=agent)
    stack.check()
    return stack


def without_around(stack: ToolStack, framework: str) -> ToolStack:
    """Some frameworks run the tool where nobody can stand around it; better to say so than to skip a hook."""
    for hook in stack.hooks():
        if isinstance(hook.run.target, Around):
            raise RegistrationError(
                f"{framework} cannot run {hook.id!r} around a call",
                hint="write it as a before-hook and an after-hook",
            )
    return stack


def call_of(name: str, arguments: Mapping[str, object], call_id: str = "") -> ToolCall:
    return call_named(name, dict(arguments), id=call_id)


def refusal_text(execution: Execution) -> str:
    """What the model is told. Raises HaltedError when the run is over."""
    if execution.decision is Decision.HALT:
        raise HaltedError(f"stopped by {execution.hook}: {execution.error}")
    return f"Blocked by Fairlead: {execution.error}"


def run_here(
    stack: ToolStack, call: ToolCall, state: object, execute: Callable[[ToolCall, Any], Execution]
) -> Execution:
    """A call in a host without an event loop."""

    def run(final: ToolCall, given: Any) -> Execution:
        return _renamed(call, final) or execute(final, given)

    if stack.awaits:
        awaited: Execution = run_to_end(
            stack.process_async(call, state, run, careful=True),
            hint="run the agent with its asynchronous method",
        )
        return awaited
    result: Execution = stack.process(call, state, run, careful=True)
    return result


async def run_awaited(
    stack: ToolStack, call: ToolCall, state: object, execute: Callable[[ToolCall, Any], Awaitable[Execution]]
) -> Execution:
    async def run(final: ToolCall, given: Any) -> Execution:
        return _renamed(call, final) or await execute(final, given)

    result: Execution = await stack.process_async(call, state, run, careful=True)
    return result


def _renamed(call: ToolCall, final: ToolCall) -> Execution | None:
    """The host has chosen its tool by now, so it would run that one on what was judged as another's call."""
    if final.name == call.name:
        return None
    reason = f"a hook made this call of {call.name!r} one of {final.name!r}, which cannot be done here"
    return Execution(call, None, ok=False, error=reason, decision=Decision.BLOCK, hook="engine")


class Halves:
    """Calls under way in a host that runs the tool itself: judged before, finished after."""

    def __init__(self, stack: ToolStack) -> None:
        self._stack = stack
        self._open: dict[str, Passage] = {}

    async def before(self, call: ToolCall, state: object) -> tuple[ToolCall, Execution | None]:
        """The call as it may run, or the execution that refuses it."""
        passage = self._stack.passage(call, state)
        refusal: Execution | None = await drive_async(passage.before(call))
        assert passage.approved is not None
        if refusal is None:
            refusal = _renamed(call, passage.approved)
        if refusal is None and passage.result is not None:
            refusal = Execution(call, passage.result.output, ok=True)
        if refusal is not None:
            refusal = await drive_async(passage.after(refusal, ran=False))
        elif call.id:
            self._keep(call.id, passage)
        return passage.approved, refusal

    def _keep(self, call_id: str, passage: Passage) -> None:
        """A tool that raises never comes to `after`, so what is kept is bounded."""
        if len(self._open) >= _KEPT:
            del self._open[next(iter(self._open))]
        self._open[call_id] = passage

    async def after(self, call: ToolCall, state: object, output: object, *, ok: bool = True) -> Execution:
        """What the model may see of the output."""
        passage = self._open.pop(call.id, None) or self._stack.passage(call, state)
        passage.approved = call
        execution = Execution(call, output, ok=ok, error="" if ok else str(output))
        final: Execution = await drive_async(passage.after(execution))
        return final
