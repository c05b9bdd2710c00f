"""OpenAI Agents: the agent's own list of tools is guarded where the runner asks for it.

    agent = guard_openai_agent(agent)

`clone(tools=...)` would leave the tools of MCP servers unguarded. Tools that run at OpenAI cannot be seen.
"""

from __future__ import annotations

import dataclasses
from typing import Any

from agents import Agent, Handoff
from agents.run_context import RunContextWrapper
from agents.tool import Tool

from fairlead.doors.library.frameworks.common import stack_of
from fairlead.doors.library.frameworks.openai_tools import guarded_tool
from fairlead.doors.library.tool_stack import ToolStack
from fairlead.engine.passage import AskHuman


def guard_openai_agent(agent: Agent[Any], *policy: object, ask: AskHuman | None = None) -> Agent[Any]:
    """The agent and every agent that it hands off to, guarded. The one that was given is left as it is."""
    return _guarded(agent, stack_of(policy, agent="openai-agents", ask=ask), {})


class GuardedAgent(Agent[Any]):
    """An agent whose tools, MCP tools included, go through a stack."""

    fairlead_stack: ToolStack

    async def get_all_tools(self, run_context: RunContextWrapper[Any]) -> list[Tool]:
        tools = await super().get_all_tools(run_context)
        return [guarded_tool(tool, self.fairlead_stack) for tool in tools]


def _guarded(agent: Agent[Any], stack: ToolStack, done: dict[int, Agent[Any]]) -> Agent[Any]:
    if isinstance(agent, GuardedAgent):
        return agent
    if id(agent) in done:
        return done[id(agent)]
    fields = {field.name: getattr(agent, field.name) for field in dataclasses.fields(agent) if field.init}
    made = GuardedAgent(**fields)
    made.fairlead_stack = stack
    done[id(agent)] = made
    for tool in agent.tools:
        guarded_tool(tool, stack)  # what cannot be guarded is told now, not in the middle of a run
    made.handoffs = [_guarded_handoff(each, stack, done) for each in agent.handoffs]
    return made


def _guarded_handoff(each: Any, stack: ToolStack, done: dict[int, Agent[Any]]) -> Any:
    if not isinstance(each, Handoff):
        return _guarded(each, stack, done)
    inner = each.on_invoke_handoff

    async def invoke(context: RunContextWrapper[Any], arguments: str) -> Agent[Any]:
        return _guarded(await inner(context, arguments), stack, done)

    return dataclasses.replace(each, on_invoke_handoff=invoke)
