"""The model adapters, by the makers' own SDKs, against a scripted server on this machine."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest

pytest.importorskip("openai", reason="openai is not installed: make test-frameworks")
pytest.importorskip("anthropic", reason="anthropic is not installed: make test-frameworks")

from anthropic import AsyncAnthropic
from openai import AsyncOpenAI

from fairlead import (
    AgentBuilder,
    AgentState,
    AnthropicModel,
    Block,
    Execution,
    Limits,
    OpenAIModel,
    Price,
    RegistrationError,
)


class Server:
    """Answers each request with the next of its replies, whole or as a stream of events."""

    def __init__(self) -> None:
        self.replies: list[Any] = []
        self.requests: list[Any] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                length = int(self.headers["Content-Length"])
                outer.requests.append(json.loads(self.rfile.read(length)))
                reply = outer.replies.pop(0)
                events = isinstance(reply, bytes)
                self.send_response(200)
                self.send_header("Content-Type", "text/event-stream" if events else "application/json")
                self.end_headers()
                self.wfile.write(reply if events else json.dumps(reply).encode())

            def log_message(self, *given: Any) -> None: ...

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.http.server_port}"
        self.thread = Thread(target=self.http.serve_forever, kwargs={"poll_interval": 0.05})
        self.thread.start()

    def close(self) -> None:
        self.http.shutdown()
        self.thread.join()
        self.http.server_close()


@pytest.fixture
def server() -> Iterator[Server]:
    made = Server()
    yield made
    made.close()


def bash(command: str) -> str:
    """Runs a command."""
    return f"ran {command}"


def events(*data: Any, named: bool = False) -> bytes:
    lines = []
    for each in data:
        name = f"event: {each['type']}\n" if named else ""
        lines.append(f"{name}data: {each if isinstance(each, str) else json.dumps(each)}\n\n")
    return "".join(lines).encode()


# OpenAI


def chat(message: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": "1",
        "object": "chat.completion",
        "created": 0,
        "model": "m",
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", **message}}],
        "usage": {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10},
    }


def chunk(delta: dict[str, Any], **more: Any) -> dict[str, Any]:
    choices = [{"index": 0, "delta": delta, "finish_reason": None}] if delta else []
    return {
        "id": "1",
        "object": "chat.completion.chunk",
        "created": 0,
        "model": "m",
        "choices": choices,
        **more,
    }


OPENAI_CALL = {
    "content": None,
    "tool_calls": [
        {"id": "c1", "type": "function", "function": {"name": "bash", "arguments": '{"command": "rm -rf /"}'}}
    ],
}


def run(made: Any, client: Any) -> AgentState:
    async def run_and_close() -> AgentState:
        try:
            state: AgentState = await made.run_async("clean up")
            return state
        finally:
            await client.close()

    return asyncio.run(run_and_close())


def guarded(model: Any) -> Any:
    no_rm = lambda call: Block("no") if "rm" in call.input["command"] else None  # noqa: E731
    return AgentBuilder(model).system("be brief").tools(bash).on_before_tool_use(no_rm).build()


def test_an_openai_endpoint_drives_an_agent(server: Server) -> None:
    server.replies = [chat(OPENAI_CALL), chat({"content": "I will not."})]
    client = AsyncOpenAI(base_url=server.url, api_key="-", max_retries=0)
    state = run(guarded(OpenAIModel("m", client=client, temperature=0)), client)
    assert (state.text, state.usage.tokens) == ("I will not.", 20)
    first, second = server.requests
    assert first["messages"] == [
        {"role": "system", "content": "be brief"},
        {"role": "user", "content": "clean up"},
    ]
    assert first["tools"][0]["function"]["parameters"]["required"] == ["command"]
    assert second["messages"][-1] == {"role": "tool", "tool_call_id": "c1", "content": "no"}
    assert second["messages"][-2]["tool_calls"][0]["id"] == "c1"


async def collected(agent: Any, client: Any) -> list[Any]:
    try:
        return [piece async for piece in agent.stream("go")]
    finally:
        await client.close()


def test_an_openai_endpoint_streams(server: Server) -> None:
    call = {"index": 0, "id": "c1", "function": {"name": "bash", "arguments": '{"comm'}}
    server.replies = [
        events(
            chunk({"tool_calls": [call]}),
            chunk({"tool_calls": [{"index": 0, "function": {"arguments": 'and": "ls"}'}}]}),
            chunk({}, usage={"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10}),
            "[DONE]",
        ),
        events(chunk({"content": "all "}), chunk({"content": "done"}), "[DONE]"),
    ]
    client = AsyncOpenAI(base_url=server.url, api_key="-", max_retries=0)
    pieces = asyncio.run(collected(guarded(OpenAIModel("m", client=client)), client))
    assert [piece for piece in pieces if isinstance(piece, str)] == ["all ", "done"]
    assert [piece.output for piece in pieces if isinstance(piece, Execution)] == ["ran ls"]
    assert pieces[-1].usage.tokens == 10


def test_arguments_that_are_no_json_are_shown_to_guards_and_refused_by_the_tool(server: Server) -> None:
    function = {"name": "bash", "arguments": '{"command": rm'}
    broken = {"content": None, "tool_calls": [{"id": "c1", "type": "function", "function": function}]}
    server.replies = [chat(broken), chat({"content": "sorry"})]
    client = AsyncOpenAI(base_url=server.url, api_key="-", max_retries=0)
    seen: list[Any] = []
    agent = AgentBuilder(OpenAIModel("m", client=client)).tools(bash)
    state = run(agent.on_before_tool_use(lambda call: seen.append(dict(call.input))).build(), client)
    assert seen == [{"input": '{"command": rm'}]
    assert "unexpected keyword argument" in state.messages[-2].content


def test_a_price_makes_a_limit_of_cost_work(server: Server) -> None:
    server.replies = [chat(OPENAI_CALL) for _ in range(9)]
    client = AsyncOpenAI(base_url=server.url, api_key="-", max_retries=0)
    model = OpenAIModel("m", client=client, price=Price(input=1000.0, output=1000.0))
    state = run(AgentBuilder(model).tools(bash).limits(Limits(cost=0.02)).build(), client)
    assert (state.steps, state.usage.cost) == (2, pytest.approx(0.02))
    assert state.stop == "the limit of 0.02 cost is reached"


def test_a_limit_of_cost_without_a_price_is_refused() -> None:
    for model in (
        OpenAIModel("m", client=AsyncOpenAI(api_key="-")),
        AnthropicModel("m", client=AsyncAnthropic(api_key="-")),
    ):
        with pytest.raises(RegistrationError, match="what the model costs"):
            AgentBuilder(model).limits(Limits(cost=1)).build()


# Anthropic


def test_what_a_cache_holds_counts_as_read(server: Server) -> None:
    cached = {"cache_creation_input_tokens": 100, "cache_read_input_tokens": 1000}
    reply = said({"type": "text", "text": "hi"})
    server.replies = [reply | {"usage": reply["usage"] | cached}]
    client = AsyncAnthropic(base_url=server.url, api_key="-", max_retries=0)
    model = AnthropicModel("m", client=client, price=Price(input=1000.0, output=0.0))
    state = run(AgentBuilder(model).limits(Limits(cost=5)).build(), client)
    assert (state.usage.input_tokens, state.usage.cost) == (1107, pytest.approx(1.107))


def said(*blocks: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": "1",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "content": list(blocks),
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 7, "output_tokens": 3},
    }


USE = {"type": "tool_use", "id": "c1", "name": "bash", "input": {"command": "rm -rf /"}}


def test_an_anthropic_endpoint_drives_an_agent(server: Server) -> None:
    server.replies = [said(USE), said({"type": "text", "text": "I will not."})]
    client = AsyncAnthropic(base_url=server.url, api_key="-", max_retries=0)
    state = run(guarded(AnthropicModel("m", client=client)), client)
    assert (state.text, state.usage.tokens) == ("I will not.", 20)
    first, second = server.requests
    assert first["system"] == "be brief"
    assert first["tools"][0]["input_schema"]["required"] == ["command"]
    assert [turn["role"] for turn in second["messages"]] == ["user", "assistant", "user"]
    assert second["messages"][-1]["content"] == [
        {"type": "tool_result", "tool_use_id": "c1", "content": "no", "is_error": True}
    ]


def test_an_anthropic_endpoint_streams(server: Server) -> None:
    delta = {"type": "content_block_delta", "index": 0}
    server.replies = [
        events(
            {"type": "message_start", "message": said() | {"stop_reason": None}},
            {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
            delta | {"delta": {"type": "text_delta", "text": "all "}},
            delta | {"delta": {"type": "text_delta", "text": "done"}},
            {"type": "content_block_stop", "index": 0},
            {
                "type": "message_delta",
                "delta": {"stop_reason": "end_turn", "stop_sequence": None},
                "usage": {"output_tokens": 3},
            },
            {"type": "message_stop"},
            named=True,
        )
    ]
    client = AsyncAnthropic(base_url=server.url, api_key="-", max_retries=0)
    pieces = asyncio.run(collected(guarded(AnthropicModel("m", client=client)), client))
    assert [piece for piece in pieces if isinstance(piece, str)] == ["all ", "done"]
    assert pieces[-1].text == "all done"
