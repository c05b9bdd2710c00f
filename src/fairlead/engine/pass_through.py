"""The short way of a call through its hooks: one loop, as long as nobody has an opinion."""

from __future__ import annotations

from typing import Any

from fairlead.engine.in_place import CHANGED_IN_PLACE, copied_input
from fairlead.engine.middleware import Onion, drive, drive_async
from fairlead.engine.passage import AskHuman, Execute, Passage, Tell
from fairlead.model.answer import Execution
from fairlead.model.decision import Decision
from fairlead.model.tool_call import ToolCall


def pass_through(
    onion: Onion, call: ToolCall, state: Any, execute: Execute, ask: AskHuman | None, careful: bool = False
) -> Any:
    """A call through its hooks. As long as guards have no opinion this is one loop and nothing else."""
    chain = onion.chains.get(call.name)
    if chain is None or chain.kind is not call.kind:
        chain = onion.chain(call)
    copy = copied_input(call.input) if careful else None
    if not chain.plain:
        return drive(Passage(onion, state, execute, ask=ask, copy=copy).run(call))
    for link in chain.guard:
        try:
            answer = link[0](call, state)
        except Exception as error:  # noqa: BLE001 - a hook is foreign code: whatever it raises becomes data
            answer = error
        if answer is not None and answer is not call:
            begun = (chain.guard.index(link), answer)
            return drive(Passage(onion, state, execute, ask=ask, copy=copy).run(call, begun=begun))
    if copy is not None and copy != call.input:
        return _refused(call)
    return execute(call, state)


async def pass_through_async(
    onion: Onion, call: ToolCall, state: Any, execute: Execute, ask: AskHuman | None, careful: bool = False
) -> Any:
    """The same where hooks, tool and human may be awaited. Hooks that need no awaiting are just called."""
    chain = onion.chains.get(call.name)
    if chain is None or chain.kind is not call.kind:
        chain = onion.chain(call)
    copy = copied_input(call.input) if careful else None
    if not chain.plain:
        return await drive_async(Passage(onion, state, execute, ask=ask, copy=copy).run(call))
    for link in chain.guard:
        try:
            answer = link[0](call, state)
            if answer is not None and hasattr(answer, "__await__"):
                answer = await answer
        except Exception as error:  # noqa: BLE001 - a hook is foreign code: whatever it raises becomes data
            answer = error
        if answer is not None and answer is not call:
            begun = (chain.guard.index(link), answer)
            return await drive_async(
                Passage(onion, state, execute, ask=ask, copy=copy).run(call, begun=begun)
            )
    if copy is not None and copy != call.input:
        return _refused(call)
    result = execute(call, state)
    return await result if hasattr(result, "__await__") else result


def careful_passage(
    onion: Onion, call: ToolCall, state: Any, execute: Execute, ask: AskHuman | None, tell: Tell | None
) -> Passage:
    """A passage that notices a hook which changes the input in place."""
    return Passage(onion, state, execute, ask=ask, tell=tell, copy=copied_input(call.input))


def _refused(call: ToolCall) -> Execution:
    return Execution(call, None, ok=False, error=CHANGED_IN_PLACE, decision=Decision.BLOCK, hook="engine")
