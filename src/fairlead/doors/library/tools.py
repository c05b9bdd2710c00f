"""Tools, and the executor that runs them through a stack. It stands alone: no agent is needed."""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from functools import partial
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

from fairlead.doors.library.amounts import is_amount
from fairlead.doors.library.overdue import OverdueError, wait_at_most, wait_for_thread
from fairlead.doors.library.tool_stack import ToolStack
from fairlead.engine.middleware import drive, drive_async
from fairlead.errors import RegistrationError
from fairlead.model.answer import Execution
from fairlead.model.failure import NOTHING
from fairlead.model.tool_call import ToolCall, ToolKind, call_named
from fairlead.model.value import Value, derived

_JSON_TYPES = {str: "string", int: "integer", float: "number", bool: "boolean", dict: "object"}


def _awaits(tool: Tool) -> bool:
    called = getattr(tool.function, "__call__", None)  # noqa: B004 - the method, to see whether it awaits
    return inspect.iscoroutinefunction(tool.function) or inspect.iscoroutinefunction(called)


class Tool(Value):
    """A function that a model may call.

    `parallel`: it may run beside other calls of the same step. `threaded`: where an event loop runs, a plain
    function gets a thread of its own. `timeout`: after so many seconds nobody waits for it any more; what is
    awaited ends then, a plain function goes on unheard, since nothing can end a thread.
    """

    name: str
    function: Callable[..., Any]
    description: str = ""
    parameters: Mapping[str, object] = NOTHING
    """A JSON schema of its arguments."""
    kind: ToolKind | None = None
    parallel: bool = True
    threaded: bool = True
    timeout: float | None = None
    awaits: bool = derived(_awaits)


def tool(function: Callable[..., Any], **fields: Any) -> Tool:
    """A tool of a plain function: its name, its first line of documentation, its annotated arguments."""
    given = {
        "name": function.__name__,
        "description": (inspect.getdoc(function) or "").split("\n\n")[0],
        "parameters": schema_of(function),
        **fields,
    }
    return Tool(function=function, **given)


def schema_of(function: Callable[..., Any]) -> dict[str, object]:
    properties: dict[str, object] = {}
    required: list[str] = []
    for name, parameter in inspect.signature(function, eval_str=True).parameters.items():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        properties[name] = _schema(parameter.annotation)
        if parameter.default is parameter.empty:
            required.append(name)
    return {"type": "object", "properties": properties, "required": required}


def _schema(annotation: Any) -> dict[str, object]:
    """What JSON schema can say of a type; nothing for what it cannot, which accepts anything."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Literal:
        return {"enum": list(arguments)}
    if origin in (Union, UnionType):
        return {"anyOf": [_schema(each) for each in arguments]}
    if annotation in (list, tuple, set) or origin in (list, tuple, set, Sequence):
        return {"type": "array", "items": _schema(arguments[0])} if arguments else {"type": "array"}
    if annotation is None or annotation is type(None):
        return {"type": "null"}
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return {"enum": [each.value for each in annotation]}
    named = _JSON_TYPES.get(origin or annotation)
    return {"type": named} if named else {}


class ToolExecutor:
    """Runs calls of known tools through the hooks of a stack."""

    def __init__(self, tools: Iterable[Tool | Callable[..., Any]], stack: ToolStack | None = None) -> None:
        """Raises RegistrationError for two tools of one name, or hooks ordered by a name that nobody has."""
        self.stack = stack or ToolStack()
        self.stack.check()
        self.tools: dict[str, Tool] = {}
        for each in tools:
            one = each if isinstance(each, Tool) else tool(each)
            if one.name in self.tools:
                raise RegistrationError(f"two tools are named {one.name!r}", hint="rename one")
            if one.timeout is not None and not is_amount(one.timeout, above=0):
                raise RegistrationError(
                    f"the timeout of {one.name!r} is not a number of seconds: {one.timeout!r:.60}",
                    hint="for example timeout=5",
                )
            self.tools[one.name] = one

    def use_tool(self, call: ToolCall, state: Any = None) -> Execution:
        """What came of the call. Tools and hooks that need an event loop get one, if none is running here."""
        if self._needs_loop(call):
            awaited: Execution = run_to_end(
                self.use_tool_async(call, state), hint="await use_tool_async() instead"
            )
            return awaited
        return _execution(call, self.stack.process(self._known(call), state, self._execute, careful=True))

    async def use_tool_async(self, call: ToolCall, state: Any = None) -> Execution:
        """The same on an event loop. A plain function gets a thread of its own, unless its tool says no."""
        known = self._known(call)
        return _execution(
            call, await self.stack.process_async(known, state, self._execute_async, careful=True)
        )

    def advance(self, call: ToolCall, state: Any) -> tuple[Execution, Any]:
        """What came of the call, and the state as hooks left it: for loops that carry one along."""
        if self._needs_loop(call):
            hint = "await advance_async() instead"
            awaited: tuple[Execution, Any] = run_to_end(self.advance_async(call, state), hint=hint)
            return awaited
        known = self._known(call)
        passage = self.stack.passage(known, state, self._execute)
        return _execution(call, drive(passage.run(known))), passage.state

    async def advance_async(
        self, call: ToolCall, state: Any, *, until: float | None = None
    ) -> tuple[Execution, Any]:
        """The same on an event loop. Nobody waits for the tool after `until`, a time of `time.monotonic`."""

        async def execute(final: ToolCall, given: Any) -> Execution:
            return await self._execute_async(final, given, until=until)

        known = self._known(call)
        passage = self.stack.passage(known, state, execute)
        return _execution(call, await drive_async(passage.run(known))), passage.state

    def _needs_loop(self, call: ToolCall) -> bool:
        return self.stack.awaits or (call.name in self.tools and self.tools[call.name].awaits)

    def _known(self, call: ToolCall) -> ToolCall:
        """With the kind that rules speak of."""
        if call.kind is not ToolKind.OTHER:
            return call
        known = self.tools.get(call.name)
        named = call_named(call.name, call.input, kind=known.kind if known else None)
        return call.replace(kind=named.kind, mcp_server=named.mcp_server, mcp_tool=named.mcp_tool)

    def _execute(self, call: ToolCall, state: Any) -> Execution:
        try:
            tool = self._found(call)
            if tool.awaits:  # a hook made it a call of another tool
                raise LookupError(f"{call.name!r} is asynchronous, and was called where nothing awaits")
            if tool.timeout is not None:
                return Execution(call, wait_for_thread(_called(tool, call), tool.timeout, tool.name))
            return Execution(call, tool.function(**call.input))
        except Exception as error:  # noqa: BLE001 - a tool is foreign code: its error is told to the model
            return _failed(call, error)

    async def _execute_async(self, call: ToolCall, state: Any, *, until: float | None = None) -> Execution:
        try:
            tool = self._found(call)
            left = [until - time.monotonic()] if until is not None else []
            seconds = min([*left, *([] if tool.timeout is None else [tool.timeout])], default=None)
            return Execution(call, await wait_at_most(_running(tool, call), seconds, tool.name))
        except Exception as error:  # noqa: BLE001 - as above
            return _failed(call, error)

    def _found(self, call: ToolCall) -> Tool:
        if call.name not in self.tools:
            raise LookupError(f"there is no tool {call.name!r}; there are {', '.join(self.tools) or 'none'}")
        found = self.tools[call.name]
        if found.kind not in (None, call.kind):
            raise LookupError(f"{call.name!r} is of the kind {found.kind}, and was judged as {call.kind}")
        return found


def _called(tool: Tool, call: ToolCall) -> Callable[[], Any]:
    return partial(tool.function, **call.input)


async def _running(tool: Tool, call: ToolCall) -> Any:
    if tool.awaits or not tool.threaded:
        output = tool.function(**call.input)
    else:
        from fairlead.doors.library.threads import in_thread

        output = await in_thread(_called(tool, call), tool.name)
    return await output if hasattr(output, "__await__") else output


def _execution(call: ToolCall, result: Any) -> Execution:
    """A hook around the call may have given a result of its own."""
    return result if isinstance(result, Execution) else Execution(call, result)


def _failed(call: ToolCall, error: Exception) -> Execution:
    said = str(error) if isinstance(error, OverdueError) else f"{type(error).__name__}: {error}"
    return Execution(call, None, ok=False, error=said)


def run_to_end(work: Any, *, hint: str) -> Any:
    """Awaits `work` from code that cannot, unless an event loop is running here already."""
    import asyncio

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    work.close()
    raise RegistrationError(
        "something asynchronous takes part, and an event loop is running",
        hint=hint,
    )
