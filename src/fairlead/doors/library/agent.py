"""A small agent loop: ask the model, run the tools that it asks for, until nobody wants another step."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator

from fairlead.doors.library.model import Model
from fairlead.doors.library.run import Piece, Run
from fairlead.doors.library.state import AgentState, Limits, Message
from fairlead.doors.library.steps import StepStack
from fairlead.doors.library.tool_stack import ToolStack
from fairlead.doors.library.tools import ToolExecutor, run_to_end


class Agent:
    """Made by `AgentBuilder`. Holds nothing between runs, so one agent serves many at once."""

    def __init__(
        self, model: Model, executor: ToolExecutor, steps: StepStack, *, limits: Limits, system: str = ""
    ) -> None:
        self.model, self.executor, self.steps = model, executor, steps
        self.limits, self.system = limits, system

    @property
    def stack(self) -> ToolStack:
        """The hooks on this agent's tools, to look at and to switch; the builder's are others by now."""
        return self.executor.stack

    def run(self, prompt: str | AgentState) -> AgentState:
        """The state in which the agent ended: `text` is what it said last, `stop` why it ended."""
        final: AgentState = run_to_end(self.run_async(prompt), hint="await run_async() instead")
        return final

    async def run_async(self, prompt: str | AgentState) -> AgentState:
        run = Run(self, self._begun(prompt), streaming=False)
        async for _ in run.pieces():
            pass
        return run.state

    def stream(self, prompt: str | AgentState) -> AsyncIterator[Piece]:
        """Text, executions, and the final state. Hooks after the model see text before it comes."""
        return Run(self, self._begun(prompt), streaming=True).pieces()

    def _begun(self, prompt: str | AgentState) -> AgentState:
        """Limits count from here, also where a state is continued."""
        if isinstance(prompt, AgentState):
            return prompt.replace(started=time.monotonic(), stop="")
        system = (Message("system", self.system),) if self.system else ()
        return AgentState((*system, Message("user", prompt)), started=time.monotonic())
