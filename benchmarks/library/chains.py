"""No-op hooks around a tool that does nothing, built by hand, by us, and by others."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from fairlead import ToolCall, ToolStack

CALL = ToolCall("bash", {"command": "ls"})
Sync = Callable[[], Any]
Async = Callable[[], Awaitable[Any]]


def tool(call: Any, state: Any) -> str:
    return "ok"


async def tool_async(call: Any, state: Any) -> str:
    return "ok"


def no_opinion(call: Any, state: Any) -> None:
    return None


async def no_opinion_async(call: Any, state: Any) -> None:
    return None


def closures(count: int) -> Sync:
    """What one writes by hand: each layer asks its hook, then calls the next."""
    chain: Callable[[Any, Any], Any] = tool
    for _ in range(count):
        chain = _layer(no_opinion, chain)
    return lambda: chain(CALL, None)


def _layer(hook: Any, inner: Any) -> Any:
    def layer(call: Any, state: Any) -> Any:
        answer = hook(call, state)
        return inner(call, state) if answer is None else answer

    return layer


def closures_async(count: int) -> Async:
    chain: Callable[[Any, Any], Awaitable[Any]] = tool_async
    for _ in range(count):
        chain = _layer_async(no_opinion_async, chain)
    return lambda: chain(CALL, None)


def _layer_async(hook: Any, inner: Any) -> Any:
    async def layer(call: Any, state: Any) -> Any:
        answer = await hook(call, state)
        return await inner(call, state) if answer is None else answer

    return layer


def _stack(count: int, hook: Any, tell: Any = None) -> ToolStack:
    stack = ToolStack(tell=tell)
    for _ in range(count):
        stack.before()(hook)
    return stack


def ours(count: int, tell: Any = None) -> Sync:
    stack = _stack(count, no_opinion, tell)
    return lambda: stack.process(CALL, None, tool)


def ours_async(count: int, tell: Any = None) -> Async:
    stack = _stack(count, no_opinion_async, tell)
    return lambda: stack.process_async(CALL, None, tool_async)


def pluggy_hooks(count: int) -> Sync:
    import pluggy

    spec, impl = pluggy.HookspecMarker("bench"), pluggy.HookimplMarker("bench")

    class Spec:
        @spec
        def before(self, call: Any, state: Any) -> Any: ...

    class Plugin:
        @impl
        def before(self, call: Any, state: Any) -> None:
            return None

    manager = pluggy.PluginManager("bench")
    manager.add_hookspecs(Spec)
    for _ in range(count):
        manager.register(Plugin())

    def run() -> Any:
        manager.hook.before(call=CALL, state=None)
        return tool(CALL, None)

    return run


class LangChain:
    """Middleware as `create_agent` composes it, tracing off."""

    def __init__(self) -> None:
        import os

        os.environ["LANGSMITH_TRACING"] = "false"
        from langchain.agents import factory
        from langchain.agents.middleware import AgentMiddleware
        from langchain_core.messages import ToolMessage
        from langgraph.prebuilt.tool_node import ToolCallRequest

        class Layer(AgentMiddleware):
            def wrap_tool_call(self, request: Any, handler: Any) -> Any:
                return handler(request)

            async def awrap_tool_call(self, request: Any, handler: Any) -> Any:
                return await handler(request)

        asked: Any = {"name": "bash", "args": {"command": "ls"}, "id": "1"}
        self._request = ToolCallRequest(tool_call=asked, tool=None, state={}, runtime=None)  # type: ignore[arg-type]
        self._answer = ToolMessage("ok", tool_call_id="1", name="bash")
        self._factory: Any = factory
        self._layer = Layer

    def layers(self, count: int) -> Sync:
        return self._sync([self._layer() for _ in range(count)])

    def layers_async(self, count: int) -> Async:
        return self._async([self._layer() for _ in range(count)])

    def hosting(self, count: int) -> Sync:
        from fairlead import langchain_middleware

        return self._sync([langchain_middleware(_stack(count, no_opinion))])

    def hosting_async(self, count: int) -> Async:
        from fairlead import langchain_middleware

        return self._async([langchain_middleware(_stack(count, no_opinion_async))])

    def _sync(self, middleware: list[Any]) -> Sync:
        traced = [self._traced(each, each.wrap_tool_call) for each in middleware]
        chain = self._factory._chain_tool_call_wrappers(traced)
        return lambda: chain(self._request, lambda request: self._answer)

    def _async(self, middleware: list[Any]) -> Async:
        traced = [self._traced(each, each.awrap_tool_call) for each in middleware]
        chain = self._factory._chain_async_tool_call_wrappers(traced)

        async def handler(request: Any) -> Any:
            return self._answer

        return lambda: chain(self._request, handler)

    def _traced(self, middleware: Any, method: Any) -> Any:
        factory = self._factory
        return factory.traceable(name=middleware.name, **factory._wrap_trace_kwargs(middleware))(method)


def agent_framework(count: int) -> Async:
    """Function middleware in the framework's own pipeline."""
    from agent_framework import FunctionInvocationContext, FunctionMiddleware, tool
    from agent_framework._middleware import FunctionMiddlewarePipeline

    class Layer(FunctionMiddleware):
        async def process(self, context: Any, call_next: Any) -> None:
            await call_next()

    @tool(approval_mode="never_require")
    def bash(command: str) -> str:
        """Runs a command."""
        return "ok"

    pipeline = FunctionMiddlewarePipeline(*(Layer() for _ in range(count)))

    async def final(context: Any) -> Any:
        return "ok"

    def run() -> Awaitable[Any]:
        context = FunctionInvocationContext(function=bash, arguments={"command": "ls"})
        return pipeline.execute(context, final)

    return run


def repeat(run: Any, times: int) -> None:
    """Calls that await nothing real share one event loop, which is not what is measured."""
    if asyncio.iscoroutinefunction(run):
        raise TypeError("give a function that makes an awaitable")
    for _ in range(times):
        run()


async def repeat_async(run: Async, times: int) -> None:
    for _ in range(times):
        await run()
