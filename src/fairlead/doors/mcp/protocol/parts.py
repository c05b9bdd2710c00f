"""What the gate is put together from: who judges, who knows the definitions, and who carries the bytes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, TypeVar

from fairlead.doors.mcp.calls import Choice, McpCall, Ruling

T = TypeVar("T")


Result = Mapping[str, object]


class Judge(Protocol):
    @property
    def quick(self) -> bool:
        """Whether it answers at once: then it is asked inline, else in a thread."""

    def met(self, name: str) -> None:
        """The client has said who it is."""

    def rooted(self, uris: Sequence[str]) -> None:
        """The client has said in which folders it works."""

    def before(self, call: McpCall) -> Ruling: ...

    def held_back(self, call: McpCall, why: str) -> None:
        """The call is refused without it, for what the server says of its tool or prompt."""

    def answered(self, call: McpCall, ruling: Ruling, choice: Choice) -> Ruling:
        """After the person was asked in the protocol."""

    def after(self, call: McpCall, ruling: Ruling, result: Result, *, schema: Result | None) -> Result | None:
        """The result to send instead; None where it is fine as it is."""

    def told(self, call: McpCall | None, message: Result) -> Result | None:
        """The same for what is no result: errors, progress, log messages."""

    def dropped(self, ruling: Ruling) -> None:
        """There will be no result."""

    def close(self) -> None: ...


class Notice(Protocol):
    @property
    def text(self) -> str: ...


class PinReport(Protocol):
    @property
    def notices(self) -> Sequence[Notice]:
        """For the person."""

    @property
    def blocked(self) -> Mapping[str, str]:
        """Why, by the names that are to be left out of the list."""


class Pins(Protocol):
    """Each list is told page by page: what was seen of it up to now, and whether that is all."""

    def seen(self, tools: Sequence[Result], *, complete: bool) -> PinReport: ...

    def prompts(self, prompts: Sequence[Result], *, complete: bool) -> PinReport: ...

    def resources(self, resources: Sequence[Result], *, complete: bool) -> PinReport: ...

    def templates(self, templates: Sequence[Result], *, complete: bool) -> PinReport: ...

    def blocked(self, tool: str) -> str:
        """Why calls of this tool are refused; "" for a tool that is as it was approved."""

    def blocked_prompt(self, prompt: str) -> str: ...

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
