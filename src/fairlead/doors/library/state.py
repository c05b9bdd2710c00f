"""Where an agent is: messages, tool calls, steps, what was spent. Never changed; each step makes the next."""

from __future__ import annotations

import time
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from fairlead.model.answer import Execution, State
from fairlead.model.failure import NOTHING
from fairlead.model.tool_call import ToolCall
from fairlead.model.value import Value


class Message(Value):
    """One turn. `role` is user, assistant, system or tool; a tool's message answers the call `call_id`."""

    role: str
    content: str = ""
    calls: tuple[ToolCall, ...] = ()
    call_id: str = ""
    ok: bool = True


class Usage(Value):
    """What model calls have used so far."""

    input_tokens: int = 0
    output_tokens: int = 0
    cost: float = 0.0

    @property
    def tokens(self) -> int:
        return self.input_tokens + self.output_tokens

    def plus(self, other: Usage) -> Usage:
        return Usage(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cost + other.cost,
        )


class Price(Value):
    """What a million tokens cost, in any currency; what a cache saves is not known."""

    input: float
    output: float

    def of(self, usage: Usage) -> Usage:
        """The same usage with its cost."""
        cost = (usage.input_tokens * self.input + usage.output_tokens * self.output) / 1_000_000
        return usage.replace(cost=cost)


class AgentState(State):
    """`steps` counts the model calls that are over; `stop` says why the agent ended, once it has.

    `executions` are all tool calls with what came of them and with the metadata that hooks gave them.
    `started` is when the run began, on a clock that only says how long ago that was.
    """

    messages: tuple[Message, ...] = ()
    steps: int = 0
    usage: Usage = Usage()
    started: float = 0.0
    stop: str = ""
    metadata: Mapping[str, Any] = NOTHING
    executions: tuple[Execution, ...] = ()

    def with_metadata(self, key: str | Mapping[str, Any], value: Any = None) -> AgentState:
        """With one more entry, or with all entries of a mapping."""
        more = {key: value} if isinstance(key, str) else key
        return self.replace(metadata=MappingProxyType({**self.metadata, **more}))

    def with_messages(self, *messages: Message) -> AgentState:
        return self.replace(messages=(*self.messages, *messages))

    def with_executions(self, *executions: Execution) -> AgentState:
        return self.replace(executions=(*self.executions, *executions))

    def stopped(self, reason: str) -> AgentState:
        """The first reason stays."""
        return self if self.stop else self.replace(stop=reason)

    def changed_to(self, other: AgentState) -> AgentState:
        """What a hook made of this state; a stop stays, whatever the hook says (law 4)."""
        return other.replace(stop=self.stop) if self.stop and other.stop != self.stop else other

    def changed_as(self, before: AgentState, after: AgentState) -> AgentState:
        """With what somebody changed from `before` to `after`, who did not see this state: entries of the
        metadata one by one, and what was added to messages and executions."""
        if before is after:
            return self
        changes = {
            field: _joined(getattr(self, field), getattr(before, field), getattr(after, field))
            for field in self._fields
            if getattr(before, field) != getattr(after, field)
        }
        return self.changed_to(self.replace(**changes))

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.started if self.started else 0.0

    @property
    def text(self) -> str:
        """What the assistant said last."""
        said = (message.content for message in reversed(self.messages) if message.role == "assistant")
        return next(said, "")


def _joined(mine: Any, before: Any, after: Any) -> Any:
    if isinstance(after, Mapping):
        gone = before.keys() - after.keys()
        new = {key: value for key, value in after.items() if key not in before or before[key] is not value}
        return MappingProxyType({key: mine[key] for key in mine if key not in gone} | new)
    if isinstance(after, tuple) and after[: len(before)] == before:
        return (*mine, *after[len(before) :])
    return after


class Limits(Value):
    """How much one run of an agent may use; None is no limit.

    Checked before every step and before every tool call. `seconds` is a deadline besides: a model or a tool
    that is still at work then is ended.
    """

    steps: int | None = 20
    tokens: int | None = None
    seconds: float | None = 300.0
    cost: float | None = None

    def exceeded(self, state: AgentState) -> str:
        """Which limit has been reached, in words; empty when none has."""
        used = {
            "steps": state.steps,
            "tokens": state.usage.tokens,
            "seconds": state.seconds,
            "cost": state.usage.cost,
        }
        for name, amount in used.items():
            limit = getattr(self, name)
            if limit is not None and amount >= limit:
                return self.reached(name)
        return ""

    def reached(self, name: str) -> str:
        return f"the limit of {getattr(self, name):g} {name} is reached"

    def deadline(self, state: AgentState) -> float | None:
        """When time is up, on the clock of `time.monotonic`."""
        return None if self.seconds is None or not state.started else state.started + self.seconds
