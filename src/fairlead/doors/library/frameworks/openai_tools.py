"""The tools of OpenAI Agents that run on this machine, each guarded where the framework calls it."""

from __future__ import annotations

import dataclasses
import json
import shlex
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from agents import ApplyPatchTool, ComputerTool, CustomTool, FunctionTool, LocalShellTool, ShellTool
from agents.editor import ApplyPatchOperation, ApplyPatchResult
from agents.tool import Tool

from fairlead.doors.library.frameworks.common import call_of, refusal_text, run_awaited
from fairlead.doors.library.tool_stack import ToolStack
from fairlead.errors import RegistrationError
from fairlead.model.answer import Execution
from fairlead.model.tool_call import ToolCall

Invoke = Callable[[ToolCall], Any]


def guarded_tool(tool: Tool, stack: ToolStack) -> Tool:
    """The same tool behind the stack. What OpenAI runs itself stays as it is: nobody here can see it.

    Raises RegistrationError for a tool that runs here and has no seam, rather than leave it unguarded.
    """
    if isinstance(tool, FunctionTool):
        _check_inner_agent(tool)
        return dataclasses.replace(tool, on_invoke_tool=_function(tool, stack))
    if isinstance(tool, CustomTool):
        return dataclasses.replace(tool, on_invoke_tool=_custom(tool, stack))
    if isinstance(tool, LocalShellTool):
        return dataclasses.replace(tool, executor=_local_shell(tool, stack))
    if isinstance(tool, ShellTool) and tool.executor is not None:
        return dataclasses.replace(tool, executor=_shell(tool, stack))
    if isinstance(tool, ApplyPatchTool):
        return dataclasses.replace(tool, editor=GuardedEditor(tool.editor, stack))
    if isinstance(tool, ComputerTool):
        raise RegistrationError(
            "a ComputerTool acts on this machine where no hook can see it",
            hint="take it out of the agent, or run that agent unguarded and knowingly",
        )
    return tool


def _check_inner_agent(tool: FunctionTool) -> None:
    """An agent used as a tool runs its own tools, out of sight of the one that calls it."""
    inner = getattr(tool, "_agent_instance", None)
    if inner is not None and not hasattr(inner, "fairlead_stack"):
        raise RegistrationError(
            f"the agent behind the tool {tool.name!r} is not guarded",
            hint="guard it first: guard_openai_agent(inner).as_tool(...)",
        )


async def _through(stack: ToolStack, call: ToolCall, state: object, invoke: Invoke) -> Any:
    """What the model gets: the tool's own answer, unless a hook has another opinion."""

    async def execute(final: ToolCall, _: object) -> Execution:
        return Execution(final, await _settled(invoke(final)))

    execution = await run_awaited(stack, call, state, execute)
    if execution.blocked:
        return refusal_text(execution)
    return execution.output if execution.ok else execution.error


async def _settled(answer: Any) -> Any:
    return await answer if hasattr(answer, "__await__") else answer


def _function(tool: FunctionTool, stack: ToolStack) -> Callable[[Any, str], Awaitable[Any]]:
    inner = tool.on_invoke_tool

    async def invoke(context: Any, arguments: str) -> Any:
        call = call_of(tool.name, _arguments(arguments), str(getattr(context, "tool_call_id", "")))

        def run(final: ToolCall) -> Any:
            return inner(context, arguments if final.input == call.input else json.dumps(dict(final.input)))

        return await _through(stack, call, getattr(context, "context", None), run)

    return invoke


def _arguments(text: str) -> dict[str, object]:
    """What is no JSON object is kept as text: a guard must see it, whatever the tool makes of it."""
    try:
        given = json.loads(text) if text else {}
    except ValueError:
        given = text
    return given if isinstance(given, dict) else {"input": given}


def _custom(tool: CustomTool, stack: ToolStack) -> Callable[[Any, str], Awaitable[Any]]:
    inner = tool.on_invoke_tool

    async def invoke(context: Any, text: str) -> Any:
        call = call_of(tool.name, {"input": text}, str(getattr(context, "tool_call_id", "")))
        return await _through(
            stack,
            call,
            getattr(context, "context", None),
            lambda final: inner(context, str(final.input["input"])),
        )

    return invoke


def _local_shell(tool: LocalShellTool, stack: ToolStack) -> Callable[[Any], Awaitable[Any]]:
    inner = tool.executor

    async def execute(request: Any) -> Any:
        action = request.data.action
        given = {"command": shlex.join(action.command), "cwd": action.working_directory or ""}
        call = call_of("local_shell", given, request.data.call_id)

        def run(final: ToolCall) -> Any:
            if final.input == call.input:
                return inner(request)
            words = shlex.split(str(final.input["command"]))
            data = request.data.model_copy(update={"action": action.model_copy(update={"command": words})})
            return inner(dataclasses.replace(request, data=data))

        return await _through(stack, call, request.ctx_wrapper.context, run)

    return execute


def _shell(tool: ShellTool, stack: ToolStack) -> Callable[[Any], Awaitable[Any]]:
    inner = tool.executor
    assert inner is not None

    async def execute(request: Any) -> Any:
        action = request.data.action
        call = call_of(tool.name, {"command": "\n".join(action.commands)}, request.data.call_id)

        def run(final: ToolCall) -> Any:
            if final.input == call.input:
                return inner(request)
            changed = dataclasses.replace(action, commands=[str(final.input["command"])])
            data = dataclasses.replace(request.data, action=changed)
            return inner(dataclasses.replace(request, data=data))

        return await _through(stack, call, request.ctx_wrapper.context, run)

    return execute


def _moved_to(given: Mapping[str, object]) -> str | None:
    paths = given.get("paths")
    return str(paths[1]) if isinstance(paths, list) and len(paths) > 1 else None


class GuardedEditor:
    """An editor whose every operation goes through a stack. A changed path or diff is what is applied."""

    def __init__(self, editor: Any, stack: ToolStack) -> None:
        self._editor, self._stack = editor, stack

    async def create_file(self, operation: ApplyPatchOperation) -> Any:
        return await self._edit(operation, {"content": operation.diff or ""}, "content")

    async def update_file(self, operation: ApplyPatchOperation) -> Any:
        return await self._edit(operation, {"diff": operation.diff or ""}, "diff")

    async def delete_file(self, operation: ApplyPatchOperation) -> Any:
        return await self._edit(operation, {}, "")

    async def _edit(self, operation: ApplyPatchOperation, more: dict[str, object], text: str) -> Any:
        given = {"path": operation.path, "operation": operation.type, **more}
        if operation.move_to:
            given["paths"] = [operation.path, operation.move_to]
        call = call_of("apply_patch", given)

        async def execute(final: ToolCall, _: object) -> Execution:
            changed = operation
            if final.input != call.input:
                diff = str(final.input[text]) if text else None
                changed = dataclasses.replace(
                    operation, path=str(final.input["path"]), diff=diff, move_to=_moved_to(final.input)
                )
            return Execution(final, await _settled(getattr(self._editor, operation.type)(changed)))

        execution = await run_awaited(self._stack, call, operation.ctx_wrapper, execute)
        if execution.blocked:
            return ApplyPatchResult(status="failed", output=refusal_text(execution))
        return execution.output
