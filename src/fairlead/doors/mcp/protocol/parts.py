"""What the gate is put together from: who judges, who knows the definitions, and who carries the bytes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, TypeVar

from fairlead.doors.mcp.calls import McpCall, Ruling
from fairlead.model.decision import Decision

T = TypeVar("T")


class Judge(Protocol):
    @property
    def quick(self) -> bool:
        """Whether it answers at once: then it is asked inline, else in a thread."""

    def before(self, call: McpCall) -> Ruling: ...

    def answered(self, call: McpCall, ruling: Ruling, yes: bool) -> Ruling:
        """After the person was asked in the protocol."""

    def after(
        self,
        call: McpCall,
        ruling: Ruling,
        result: Mapping[str, object],
        *,
        schema: Mapping[str, object] | None,
    ) -> Mapping[str, object] | None:
        """The result to send instead; None where it is fine as it is."""

    def close(self) -> None: ...


class Pins(Protocol):
    def seen(self, tools: Sequence[Mapping[str, object]], *, complete: bool) -> object:
        """The pages of a list up to now; all of them, if it is complete."""

    def blocked(self, tool: str) -> str:
        """Why calls of this tool are refused; "" for a tool that is as it was approved."""

    def instructions(self, text: str) -> str | None:
        """What the model is to read instead; None where it is fine as it is."""


class Wire(Protocol):
    """Carries lines both ways. Nothing here waits."""

    def to_client(self, line: bytes) -> None: ...

    def to_server(self, line: bytes) -> None: ...

    def work(self, job: Callable[[], T], then: Callable[[T], None]) -> None:
        """Runs a job beside everything else; `then` is called where the gate is called."""

    def note(self, text: str) -> None:
        """A word to whoever reads stderr."""

    def now(self) -> float: ...


class Open:
    """Lets everything pass."""

    quick = True

    def before(self, call: McpCall) -> Ruling:
        return Ruling(Decision.CONTINUE)

    def answered(self, call: McpCall, ruling: Ruling, yes: bool) -> Ruling:
        return Ruling(Decision.CONTINUE if yes else Decision.BLOCK, "Blocked by Fairlead: the answer was no.")

    def after(
        self,
        call: McpCall,
        ruling: Ruling,
        result: Mapping[str, object],
        *,
        schema: Mapping[str, object] | None,
    ) -> Mapping[str, object] | None:
        return None

    def seen(self, tools: Sequence[Mapping[str, object]], *, complete: bool) -> object:
        return None

    def blocked(self, tool: str) -> str:
        return ""

    def instructions(self, text: str) -> str | None:
        return None

    def close(self) -> None:
        pass
