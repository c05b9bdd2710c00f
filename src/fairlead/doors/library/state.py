"""Where an agent is: messages, steps, what was spent. Never changed; each step makes the next one."""

from __future__ import annotations

import time
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

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


class AgentState(Value):
    """`steps` counts the model calls that are over; `stop` says why the agent ended, once it has."""

    messages: tuple[Message, ...] = ()
    steps: int = 0
    usage: Usage = Usage()
    started: float = 0.0
    stop: str = ""
    metadata: Mapping[str, Any] = NOTHING

    def with_metadata(self, key: str | Mapping[str, Any], value: Any = None) -> AgentState:
        """With one more entry, or with all entries of a mapping."""
        more = {key: value} if isinstance(key, str) else key
        return self.replace(metadata=MappingProxyType({**self.metadata, **more}))

    def with_messages(self, *messages: Message) -> AgentState:
        return self.replace(messages=(*self.messages, *messages))

    def stopped(self, reason: str) -> AgentState:
        """The first reason stays."""
        return self if self.stop else self.replace(stop=reason)

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.started if self.started else 0.0

    @property
    def text(self) -> str:
        """What the assistant said last."""
        said = (message.content for message in reversed(self.messages) if message.role == "assistant")
        return next(said, "")


class Limits(Value):
    """How much an agent may use; None is no limit. Checked before every step and before every tool call."""

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
                return f"the limit of {limit:g} {name} is reached"
        return ""
