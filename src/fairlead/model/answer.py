"""What a hook in this process may answer besides None, a changed call or a result."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fairlead.model.decision import Decision
from fairlead.model.failure import NOTHING
from fairlead.model.texts.json_text import json_text
from fairlead.model.tool_call import ToolCall
from fairlead.model.value import Value


class State(Value):
    """What hooks are shown beside a call. A hook that returns one changes it for everything that follows."""


class Answer(Value):
    """A decision with its reason, which the model is told."""

    reason: str = ""

    decision = Decision.CONTINUE


class Block(Answer):
    """Not this call; the model reads why and may try another."""

    decision = Decision.BLOCK


class Ask(Answer):
    """Only if a human agrees."""

    decision = Decision.ASK


class Approve(Answer):
    """No human has to be asked. A stronger answer of another hook still wins."""

    decision = Decision.APPROVE


class Halt(Answer):
    """Not this call, and the agent stops."""

    decision = Decision.HALT


class Execution(Value):
    """What came of one tool call. `error` is what the model is told when it is not `ok`."""

    call: ToolCall
    output: Any = None
    ok: bool = True
    error: str = ""
    decision: Decision = Decision.CONTINUE
    hook: str = ""
    """Who decided, where somebody did."""
    metadata: Mapping[str, object] = NOTHING

    @property
    def blocked(self) -> bool:
        return self.decision.objects

    @property
    def message(self) -> str:
        """What the model is told: the error, a text as it is, and anything else as JSON."""
        return json_text(self.output) if self.ok else self.error

    def with_output(self, output: object) -> Execution:
        return self.replace(output=output)

    def with_metadata(self, more: Mapping[str, object] = NOTHING, /, **named: object) -> Execution:
        return self.replace(metadata={**self.metadata, **more, **named})
