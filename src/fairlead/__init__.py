"""Fairlead: one hook engine for AI agents and scripts.

Public names are loaded on first use, so that `import fairlead` costs next to nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False  # what type checkers take for True; importing typing costs more than all the rest here
if TYPE_CHECKING:
    from fairlead.doors.library.agent import Agent as Agent
    from fairlead.doors.library.builder import AgentBuilder as AgentBuilder
    from fairlead.doors.library.decorators import after_tool as after_tool
    from fairlead.doors.library.decorators import around_tool as around_tool
    from fairlead.doors.library.decorators import before_tool as before_tool
    from fairlead.doors.library.frameworks.agent_framework import (
        agent_framework_middleware as agent_framework_middleware,
    )
    from fairlead.doors.library.frameworks.agent_hooks import (
        agent_hooks_interceptor as agent_hooks_interceptor,
    )
    from fairlead.doors.library.frameworks.claude_sdk import claude_hooks as claude_hooks
    from fairlead.doors.library.frameworks.common import HaltedError as HaltedError
    from fairlead.doors.library.frameworks.langchain import langchain_middleware as langchain_middleware
    from fairlead.doors.library.frameworks.mcp_client import guard_mcp_client as guard_mcp_client
    from fairlead.doors.library.frameworks.mcp_server import guard_mcp_server as guard_mcp_server
    from fairlead.doors.library.frameworks.openai_agents import guard_openai_agent as guard_openai_agent
    from fairlead.doors.library.frameworks.pydantic_ai import pydantic_ai_capability as pydantic_ai_capability
    from fairlead.doors.library.model import Model as Model
    from fairlead.doors.library.model import ModelReply as ModelReply
    from fairlead.doors.library.model import ModelRequest as ModelRequest
    from fairlead.doors.library.models.anthropic_messages import AnthropicModel as AnthropicModel
    from fairlead.doors.library.models.openai_chat import OpenAIModel as OpenAIModel
    from fairlead.doors.library.policy import journal_of as journal_of
    from fairlead.doors.library.policy import load_system as load_system
    from fairlead.doors.library.state import AgentState as AgentState
    from fairlead.doors.library.state import Limits as Limits
    from fairlead.doors.library.state import Message as Message
    from fairlead.doors.library.state import Price as Price
    from fairlead.doors.library.state import Usage as Usage
    from fairlead.doors.library.tool_stack import ToolStack as ToolStack
    from fairlead.doors.library.tools import Tool as Tool
    from fairlead.doors.library.tools import ToolExecutor as ToolExecutor
    from fairlead.doors.library.tools import tool as tool
    from fairlead.doors.scripts.script_hooks import ScriptHooks as ScriptHooks
    from fairlead.engine.system import HookSystem as HookSystem
    from fairlead.errors import FairleadError as FairleadError
    from fairlead.errors import PolicyError as PolicyError
    from fairlead.errors import RegistrationError as RegistrationError
    from fairlead.model.answer import Approve as Approve
    from fairlead.model.answer import Ask as Ask
    from fairlead.model.answer import Block as Block
    from fairlead.model.answer import Execution as Execution
    from fairlead.model.answer import Halt as Halt
    from fairlead.model.answer import State as State
    from fairlead.model.decision import Decision as Decision
    from fairlead.model.event import Event as Event
    from fairlead.model.event_name import EventName as EventName
    from fairlead.model.failure import Failure as Failure
    from fairlead.model.hook import Hook as Hook
    from fairlead.model.hook import HookType as HookType
    from fairlead.model.hook import Outcome as Outcome
    from fairlead.model.matching.matcher import any_of as any_of
    from fairlead.model.matching.matcher import not_ as not_
    from fairlead.model.tool_call import ToolCall as ToolCall
    from fairlead.model.tool_call import ToolKind as ToolKind
    from fairlead.model.tool_call import ToolResult as ToolResult
    from fairlead.model.verdict import Verdict as Verdict
    from fairlead.policy_system import PolicySystem as PolicySystem

__version__ = "0.1.0"

__all__ = [
    "Agent",
    "AgentBuilder",
    "AgentState",
    "Approve",
    "Ask",
    "Block",
    "Decision",
    "Event",
    "EventName",
    "Execution",
    "Failure",
    "FairleadError",
    "Halt",
    "HaltedError",
    "Hook",
    "HookSystem",
    "HookType",
    "Limits",
    "Message",
    "Model",
    "ModelReply",
    "ModelRequest",
    "Outcome",
    "PolicyError",
    "PolicySystem",
    "Price",
    "RegistrationError",
    "ScriptHooks",
    "State",
    "Tool",
    "ToolCall",
    "ToolExecutor",
    "ToolKind",
    "ToolResult",
    "ToolStack",
    "Usage",
    "Verdict",
    "after_tool",
    "any_of",
    "around_tool",
    "before_tool",
    "journal_of",
    "load_system",
    "not_",
    "tool",
]
"""What needs no other package; `dir(fairlead)` also has what comes with an extra."""

_PLACES = {
    "Agent": "fairlead.doors.library.agent",
    "AgentBuilder": "fairlead.doors.library.builder",
    "AgentState": "fairlead.doors.library.state",
    "AnthropicModel": "fairlead.doors.library.models.anthropic_messages",
    "Approve": "fairlead.model.answer",
    "Ask": "fairlead.model.answer",
    "Block": "fairlead.model.answer",
    "Decision": "fairlead.model.decision",
    "Event": "fairlead.model.event",
    "EventName": "fairlead.model.event_name",
    "Execution": "fairlead.model.answer",
    "Failure": "fairlead.model.failure",
    "FairleadError": "fairlead.errors",
    "Halt": "fairlead.model.answer",
    "HaltedError": "fairlead.doors.library.frameworks.common",
    "Hook": "fairlead.model.hook",
    "HookSystem": "fairlead.engine.system",
    "HookType": "fairlead.model.hook",
    "Limits": "fairlead.doors.library.state",
    "Message": "fairlead.doors.library.state",
    "Model": "fairlead.doors.library.model",
    "ModelReply": "fairlead.doors.library.model",
    "ModelRequest": "fairlead.doors.library.model",
    "OpenAIModel": "fairlead.doors.library.models.openai_chat",
    "Outcome": "fairlead.model.hook",
    "PolicySystem": "fairlead.policy_system",
    "PolicyError": "fairlead.errors",
    "Price": "fairlead.doors.library.state",
    "RegistrationError": "fairlead.errors",
    "ScriptHooks": "fairlead.doors.scripts.script_hooks",
    "State": "fairlead.model.answer",
    "Tool": "fairlead.doors.library.tools",
    "ToolCall": "fairlead.model.tool_call",
    "ToolExecutor": "fairlead.doors.library.tools",
    "ToolKind": "fairlead.model.tool_call",
    "ToolResult": "fairlead.model.tool_call",
    "ToolStack": "fairlead.doors.library.tool_stack",
    "Usage": "fairlead.doors.library.state",
    "Verdict": "fairlead.model.verdict",
    "after_tool": "fairlead.doors.library.decorators",
    "agent_framework_middleware": "fairlead.doors.library.frameworks.agent_framework",
    "agent_hooks_interceptor": "fairlead.doors.library.frameworks.agent_hooks",
    "any_of": "fairlead.model.matching.matcher",
    "around_tool": "fairlead.doors.library.decorators",
    "before_tool": "fairlead.doors.library.decorators",
    "claude_hooks": "fairlead.doors.library.frameworks.claude_sdk",
    "guard_mcp_client": "fairlead.doors.library.frameworks.mcp_client",
    "guard_mcp_server": "fairlead.doors.library.frameworks.mcp_server",
    "guard_openai_agent": "fairlead.doors.library.frameworks.openai_agents",
    "journal_of": "fairlead.doors.library.policy",
    "langchain_middleware": "fairlead.doors.library.frameworks.langchain",
    "load_system": "fairlead.doors.library.policy",
    "not_": "fairlead.model.matching.matcher",
    "pydantic_ai_capability": "fairlead.doors.library.frameworks.pydantic_ai",
    "tool": "fairlead.doors.library.tools",
}

_EXTRAS = {
    "agent_framework": "agent-framework",
    "agent_hooks": "agent-hooks",
    "anthropic_messages": "anthropic",
    "claude_sdk": "claude-agent-sdk",
    "langchain": "langchain",
    "mcp_client": "mcp",
    "mcp_server": "mcp",
    "openai_agents": "openai-agents",
    "openai_chat": "openai",
    "pydantic_ai": "pydantic-ai",
}
"""What brings the package that a module needs."""


def __getattr__(name: str) -> object:
    if name not in _PLACES:
        raise AttributeError(f"fairlead has no {name!r}")
    from importlib import import_module

    try:
        return getattr(import_module(_PLACES[name]), name)
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("fairlead"):
            raise
        extra = _EXTRAS.get(_PLACES[name].rpartition(".")[2], "frameworks")
        raise ImportError(
            f"fairlead.{name} needs the package {error.name!r}: pip install 'fairlead[{extra}]'"
        ) from error


def __dir__() -> list[str]:
    return sorted([*_PLACES, "__version__"])
