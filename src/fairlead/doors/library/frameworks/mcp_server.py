"""A server of the official MCP library: one middleware, innermost, so that it sees what will run.

    guard_mcp_server(server)

`MCPServer` and the low-level `Server` have the same chain. Everything that a client asks of tools, resources
and prompts passes it, in both eras of the protocol and on every transport.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Mapping
from dataclasses import replace
from time import monotonic
from typing import Any, TypeVar

from anyio.to_thread import run_sync
from mcp.shared.exceptions import MCPError

from fairlead.doors.mcp.calls import McpCall, Ruling
from fairlead.doors.mcp.judging import Judge
from fairlead.doors.mcp.protocol.asking import (
    META,
    SECONDS,
    Asked,
    Repeats,
    can_elicit,
    choice_in,
    choice_of,
    digest,
    is_modern,
    legacy_elicitation,
    without_answer,
)
from fairlead.doors.mcp.protocol.calling import NAMES, TOO_LATE
from fairlead.doors.mcp.protocol.careful import Careful
from fairlead.doors.mcp.protocol.refusals import REFUSED, refused_result
from fairlead.model.decision import Decision
from fairlead.policy.places import find_places

S = TypeVar("S")
T = TypeVar("T")
Json = Mapping[str, Any]


def guard_mcp_server(server: S, *, name: str = "", home: str = "") -> S:
    """The same server. `name` is what a policy knows it by: its tools are `mcp__NAME__TOOL`."""
    given: Any = server
    judge = Judge(find_places(home), name or given.name)
    given.middleware.append(McpServerGuard(name or given.name, judge))
    weakref.finalize(server, judge.close)
    return server


class McpServerGuard:
    def __init__(self, name: str, judge: Judge) -> None:
        self._name = name
        self._judge = Careful(judge)
        self._repeats = Repeats()
        self._schemas: dict[str, Json] = {}

    async def __call__(self, ctx: Any, call_next: Any) -> Any:
        params = ctx.params or {}
        if ctx.method == "initialize":
            self._meet(params.get("clientInfo"))
        if ctx.request_id is None or ctx.method not in NAMES:
            result = await call_next(ctx)
            if ctx.method == "tools/list":
                self._learn(_plain(result))
            return result
        call = self._call_of(ctx, params)
        self._meet(call.meta.get(f"{META}clientInfo"))
        if self._repeats.is_ours(params):
            return await self._repeated(ctx, call, call_next)
        ruling = await self._judged(lambda: self._judge.before(call))
        if ruling.decision is Decision.ASK:
            return await self._ask(ctx, call, ruling, call_next)
        return await self._go_on(ctx, call, ruling, call_next)

    def _meet(self, client: object) -> None:
        name = client.get("name") if isinstance(client, Mapping) else None
        if isinstance(name, str):
            self._judge.met(name)

    def _learn(self, result: Json) -> None:
        for tool in result.get("tools", ()):
            if isinstance(tool, Mapping) and isinstance(tool.get("outputSchema"), Mapping):
                self._schemas[str(tool.get("name"))] = tool["outputSchema"]

    def _call_of(self, ctx: Any, params: Json) -> McpCall:
        arguments, meta = params.get("arguments"), params.get("_meta")
        whole = ctx.method != "resources/read"
        return McpCall(
            server=self._name,
            method=ctx.method,
            name=str(params.get(NAMES[ctx.method], "")),
            arguments=(arguments if isinstance(arguments, Mapping) else {}) if whole else params,
            meta=meta if isinstance(meta, Mapping) else {},
            id=ctx.request_id,
        )

    # --- questions ---

    async def _ask(self, ctx: Any, call: McpCall, ruling: Ruling, call_next: Any) -> Any:
        """In the protocol where the client can be asked; else the refusal has a code."""
        if is_modern(call.meta):
            if can_elicit(call.meta.get(f"{META}clientCapabilities")):
                return self._have_it_repeated(ctx, call, ruling)
            return _refused(call, ruling.text)
        declared = ctx.session.client_capabilities
        if (
            not can_elicit(_plain(declared) if declared is not None else {})
            or not ctx.session.can_send_request
        ):
            return _refused(call, ruling.text)
        form = legacy_elicitation(ruling.question)
        answer = await ctx.session.elicit_form(
            form["message"], form["requestedSchema"], related_request_id=ctx.request_id
        )
        choice = choice_of(_plain(answer))
        ruling = await self._judged(lambda: self._judge.answered(call, ruling, choice))
        return await self._go_on(ctx, call, ruling, call_next)

    def _have_it_repeated(self, ctx: Any, call: McpCall, ruling: Ruling) -> dict[str, object]:
        params = ctx.params or {}
        asked = Asked(
            call=digest(call),
            subject=call,
            ruling=ruling,
            state=params.get("requestState"),
            responses=params.get("inputResponses"),
            until=monotonic() + SECONDS,
        )
        return self._repeats.ask(asked, ruling.question)

    async def _repeated(self, ctx: Any, call: McpCall, call_next: Any) -> Any:
        asked = self._repeats.answered(ctx.params, call, monotonic())
        if asked is None:
            return _refused(call, TOO_LATE)
        choice = choice_in(ctx.params)
        ruling = await self._judged(lambda: self._judge.answered(call, asked.ruling, choice))
        return await self._go_on(
            replace(ctx, params=without_answer(ctx.params, asked)), call, ruling, call_next
        )

    # --- ends ---

    async def _go_on(self, ctx: Any, call: McpCall, ruling: Ruling, call_next: Any) -> Any:
        if not ruling.goes_on:
            return _refused(call, ruling.text)
        if ruling.arguments is not None:
            ctx = replace(ctx, params={**ctx.params, "arguments": dict(ruling.arguments)})
        try:
            result = await call_next(ctx)
        except BaseException:
            self._judge.dropped(ruling)
            raise
        plain = _plain(result)
        if plain.get("resultType") == "input_required":
            self._judge.dropped(ruling)
            return result
        schema = self._schemas.get(call.name)
        changed = await self._judged(lambda: self._judge.after(call, ruling, plain, schema=schema))
        return result if changed is None else dict(changed)

    async def _judged(self, job: Callable[[], T]) -> T:
        return job() if self._judge.quick else await run_sync(job)


def _refused(call: McpCall, text: str) -> dict[str, object]:
    if call.method != "tools/call":
        raise MCPError(code=REFUSED, message=text)
    return refused_result(text)


def _plain(value: Any) -> Json:
    if hasattr(value, "model_dump"):
        dumped: Json = value.model_dump(by_alias=True, mode="json", exclude_none=True)
        return dumped
    return value if isinstance(value, Mapping) else {}
