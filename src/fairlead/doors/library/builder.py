"""The fluent way to an agent with hooks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

from fairlead.doors.library.agent import Agent
from fairlead.doors.library.amounts import is_amount
from fairlead.doors.library.model import Model
from fairlead.doors.library.state import Limits
from fairlead.doors.library.steps import (
    AFTER_MODEL,
    AFTER_STEP,
    BEFORE_MODEL,
    BEFORE_STEP,
    SHOULD_CONTINUE,
    StepStack,
)
from fairlead.doors.library.tool_stack import ToolStack
from fairlead.doors.library.tools import Tool, ToolExecutor
from fairlead.engine.passage import AskHuman, Tell
from fairlead.errors import RegistrationError


class AgentBuilder:
    """Every method gives the builder back. `build()` checks that everything fits together."""

    def __init__(self, model: Model | None = None) -> None:
        self._model = model
        self._tools: list[Tool | Callable[..., Any]] = []
        self._limits = Limits()
        self._system = ""
        self.stack = ToolStack()
        self.steps = StepStack()

    def model(self, model: Model) -> Self:
        self._model = model
        return self

    def tools(self, *tools: Tool | Callable[..., Any]) -> Self:
        self._tools += tools
        return self

    def system(self, text: str) -> Self:
        self._system = text
        return self

    def limits(self, limits: Limits) -> Self:
        """Raises RegistrationError for a limit that nothing could ever reach, or that is no number."""
        for name in Limits._fields:
            given = getattr(limits, name)
            if given is not None and not is_amount(given):
                raise RegistrationError(
                    f"the limit of {name} is not a number: {given!r:.60}", hint=f"for example {name}=10"
                )
        self._limits = limits
        return self

    def ask(self, human: AskHuman) -> Self:
        """Who answers when a hook asks: a function of call and reason that gives True or False."""
        self.stack.ask = human
        return self

    def record(self, tell: Tell) -> Self:
        """Who gets every tool call with its verdict; `journal_of` makes one that writes a journal."""
        self.stack.tell = tell
        return self

    def on_before_tool_use(
        self, callback: Callable[..., Any], *, priority: int = 0, matcher: object = None, **options: Any
    ) -> Self:
        """A guard, unless `type` says otherwise: it may run again when the call changes."""
        self.stack.before(matcher, priority=priority, **options)(callback)
        return self

    def on_after_tool_use(
        self, callback: Callable[..., Any], *, priority: int = 0, matcher: object = None, **options: Any
    ) -> Self:
        self.stack.after(matcher, priority=priority, **options)(callback)
        return self

    def on_around_tool_use(
        self, callback: Callable[..., Any], *, priority: int = 0, matcher: object = None, **options: Any
    ) -> Self:
        self.stack.around(matcher, priority=priority, **options)(callback)
        return self

    def on_before_step(self, callback: Callable[..., Any], **options: Any) -> Self:
        self.steps.add(BEFORE_STEP, callback, **options)
        return self

    def on_after_step(self, callback: Callable[..., Any], **options: Any) -> Self:
        self.steps.add(AFTER_STEP, callback, **options)
        return self

    def on_should_continue(self, callback: Callable[..., Any], **options: Any) -> Self:
        """A vote of the state: any False ends the agent."""
        self.steps.add(SHOULD_CONTINUE, callback, **options)
        return self

    def on_before_model(self, callback: Callable[..., Any], **options: Any) -> Self:
        """It gets (request, state), and may return either, changed, or Block."""
        self.steps.add(BEFORE_MODEL, callback, **options)
        return self

    def on_after_model(self, callback: Callable[..., Any], **options: Any) -> Self:
        """It gets (reply, state), and may return either, changed, or Block."""
        self.steps.add(AFTER_MODEL, callback, **options)
        return self

    def use(self, *policies: object) -> Self:
        """Marked functions, Hook values, stacks, or a HookSystem: the guards that watch coding agents."""
        self.stack.use(*policies)
        return self

    def build(self) -> Agent:
        """An agent of what was said so far: what the builder is told later is for the next one.

        Raises RegistrationError for what cannot work.
        """
        if self._model is None:
            raise RegistrationError("an agent needs a model", hint="AgentBuilder(model) or .model(...)")
        if self._limits.cost is not None and getattr(self._model, "price", "its own affair") is None:
            raise RegistrationError(
                "a limit of cost needs to know what the model costs",
                hint="give the model price=Price(input=..., output=...), per million tokens",
            )
        self.steps.check()
        executor = ToolExecutor(self._tools, self.stack.copy())
        return Agent(self._model, executor, self.steps.copy(), limits=self._limits, system=self._system)
