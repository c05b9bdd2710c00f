"""The snippet of each page in docs/frameworks guards a real agent, as it stands there."""

from __future__ import annotations

import asyncio
import os
import re
from pathlib import Path
from typing import Any

import pytest

DOCS = Path(__file__).parents[2] / "docs" / "frameworks"
FORBIDDEN = "rm -rf /"


def names_of(page: str, **given: Any) -> dict[str, Any]:
    """What the page's snippet defines; `given` are the models of its reader."""
    text = (DOCS / f"{page}.md").read_text(encoding="utf-8")
    (snippet,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    exec(compile(snippet, f"{page}.md", "exec"), given)
    return given


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FAIRLEAD_HOME", str(tmp_path / "home"))


def refused(told: str) -> bool:
    return told.startswith("Blocked by Fairlead:") and FORBIDDEN in told


def test_langchain() -> None:
    pytest.importorskip("langchain", reason="LangChain is not installed: make test-frameworks")
    from langchain_core.language_models.fake_chat_models import FakeMessagesListChatModel
    from langchain_core.messages import AIMessage, ToolMessage

    class Scripted(FakeMessagesListChatModel):
        def bind_tools(self, tools: Any, **more: Any) -> Any:
            return self

    asked = AIMessage("", tool_calls=[{"name": "bash", "args": {"command": FORBIDDEN}, "id": "1"}])
    agent = names_of("langchain", model=Scripted(responses=[asked, AIMessage("done")]))["agent"]
    state = agent.invoke({"messages": [("user", "go")]})
    (told,) = (each.content for each in state["messages"] if isinstance(each, ToolMessage))
    assert refused(told)


def test_openai_agents() -> None:
    pytest.importorskip("agents", reason="openai-agents is not installed: make test-frameworks")
    from tests.frameworks.test_openai_agents import Scripted, asks, outputs, run, says

    agent = names_of("openai-agents", model=Scripted(asks("bash", command=FORBIDDEN), says("done")))["agent"]
    assert refused(outputs(run(agent))[0])


def test_pydantic_ai() -> None:
    pytest.importorskip("pydantic_ai", reason="Pydantic AI is not installed: make test-frameworks")
    from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart, ToolReturnPart
    from pydantic_ai.models.function import FunctionModel

    def reply(messages: list[Any], info: Any) -> ModelResponse:
        if len(messages) == 1:
            return ModelResponse([ToolCallPart("bash", {"command": FORBIDDEN}, tool_call_id="1")])
        return ModelResponse([TextPart("done")])

    agent = names_of("pydantic-ai", model=FunctionModel(reply))["agent"]
    result = asyncio.run(agent.run("go"))
    parts = (part for message in result.all_messages() for part in message.parts)
    (told,) = (part.content for part in parts if isinstance(part, ToolReturnPart))
    assert refused(str(told))


def test_agent_framework() -> None:
    pytest.importorskip(
        "agent_framework", reason="agent-framework-core is not installed: make test-frameworks"
    )
    from agent_framework import BaseChatClient, ChatResponse, Content, FunctionInvocationLayer, Message

    seen: list[Any] = []

    class Scripted(FunctionInvocationLayer, BaseChatClient):
        def _inner_get_response(self, *, messages: Any, **more: Any) -> Any:
            seen.append(messages)

            async def reply() -> ChatResponse:
                if len(seen) > 1:
                    return ChatResponse(messages=[Message("assistant", ["done"])])
                asked = Content.from_function_call("1", "bash", arguments={"command": FORBIDDEN})
                return ChatResponse(messages=[Message("assistant", [asked])])

            return reply()

    agent = names_of("agent-framework", client=Scripted())["agent"]
    asyncio.run(agent.run("go"))
    contents = [part for message in seen[-1] for part in message.contents]
    (told,) = (part.result for part in contents if part.type == "function_result")
    assert refused(str(told))


def test_claude_agent_sdk() -> None:
    pytest.importorskip("claude_agent_sdk", reason="claude-agent-sdk is not installed: make test-frameworks")
    from tests.frameworks.test_claude_sdk import answered

    hooks = names_of("claude-agent-sdk")["options"].hooks
    call = {"tool_name": "Bash", "tool_input": {"command": FORBIDDEN}, "cwd": os.getcwd(), "session_id": "s"}
    answer = asyncio.run(answered(hooks, "PreToolUse", {"hook_event_name": "PreToolUse", **call}))
    assert refused(answer["hookSpecificOutput"]["permissionDecisionReason"])


def test_agent_hooks() -> None:
    pytest.importorskip("agent_hooks", reason="agent-hooks-sdk is not installed: make test-frameworks")
    from agent_hooks import AgentContextBuilder, InterceptionBlocked

    emitter = names_of("agent-hooks")["emitter"]
    contexts = AgentContextBuilder(agent_id="a", framework="test", session_id="s")
    call = contexts.pre_tool_call(call_id="1", name="bash", args={"command": FORBIDDEN})
    with pytest.raises(InterceptionBlocked) as caught:
        asyncio.run(emitter.emit(call))
    assert refused(str(caught.value.result.verdict.message))
