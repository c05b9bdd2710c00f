"""One unit that looks at an event, what running it gave, and what that meant."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from operator import attrgetter, is_

from fairlead.model.decision import Decision
from fairlead.model.event_name import EventName
from fairlead.model.failure import NOTHING, Failure
from fairlead.model.matching.matcher import ANYTHING, Matcher
from fairlead.model.timeline import Timeline
from fairlead.model.value import Value


class HookType(StrEnum):
    """Decides a hook's phase, and what its failure means."""

    VALIDATION = "validation"
    TRANSFORMATION = "transformation"
    AUTHORIZATION = "authorization"
    SAFETY = "safety"
    OBSERVABILITY = "observability"


STRICT = "strict"
"""The profile of our own laws."""
ENFORCE, AUDIT = "enforce", "audit"
"""Whether what a hook says counts, or is only written down."""


class Shell(Value):
    """A target that is a line for the shell, not a file."""

    text: str


class Header(Value):
    """A header of an HTTP hook: fixed text, and behind it what a variable or a file holds."""

    name: str
    text: str = ""
    variable: str = ""
    file: str = ""


class Run(Value):
    """How to run a hook: the executor's name in the table of assembly, and what it needs to know."""

    executor: str
    target: object
    directory: str = ""
    protocol: str = "auto"
    headers: tuple[Header, ...] = ()
    """For an endpoint."""
    profile: str = STRICT
    """Another one runs this hook as the agent of that name would, together with its others."""
    source: bytes | None = None
    """The bytes that were trusted: these run, not what the file holds by the time it is opened."""
    modules: Mapping[str, bytes] | None = None
    """By path, the trusted Python files that it may import beside it; None: what lies there."""


class Hook(Value):
    id: str
    type: HookType
    event: EventName
    run: Run
    matcher: Matcher = ANYTHING
    priority: int = 0
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    timeout: float = 30.0
    on_error: Decision = Decision.BLOCK
    config: Mapping[str, object] = NOTHING
    enabled: bool = True
    parallel: bool = False
    locked: bool = False
    layer: str = "api"
    origin: str = ""
    mode: str = ENFORCE
    trusted: bool = True
    """False: only this hook's blocks and asks count (law 9)."""
    broken: Failure | None = None
    """Set when the entry could not be loaded: the hook stays in the plan and answers `on_error` (law 2)."""


class Evidence(Value):
    """Which part of which text a reason speaks of; `start` and `end` are byte offsets into `source`."""

    text: str
    source: str = ""
    start: int = 0
    end: int = 0
    detail: str = ""


class Capture(Value):
    """What running a hook gave, before anyone asked what it means."""

    value: object = None
    timeline: Timeline | None = None
    exit_code: int | None = None
    milliseconds: float = 0.0
    failure: Failure | None = None


class Outcome(Value):
    """What one hook said. The engine fills `hook`, `type` and `milliseconds`; a hook says the rest."""

    decision: Decision = Decision.CONTINUE
    reason: str = ""
    hook: str = ""
    type: HookType = HookType.SAFETY
    rule: str = ""
    evidence: tuple[Evidence, ...] = ()
    alternative: str = ""
    updated_input: Mapping[str, object] | None = None
    updated_output: object = None
    additional_context: str = ""
    system_message: str = ""
    suppress_output: bool = False
    stop: bool = False
    stop_reason: str = ""
    extra: Mapping[str, object] = NOTHING
    metrics: Mapping[str, object] = NOTHING
    timeline: Timeline | None = None
    exit_code: int | None = None
    milliseconds: float = 0.0
    failure: Failure | None = None
    would: Outcome | None = None
    """What it would have said if it were not in audit: written down, and told to no agent."""

    def says_nothing(self) -> bool:
        """Whether it is as good as no answer. What only equals nothing, such as an empty list, is something:
        it may be of a foreign class, and nobody asks such a one whether it is equal or true."""
        return all(map(is_, _said_by(self), _NOTHING_SAID))


_OF_THE_RUN = frozenset({"hook", "type", "metrics", "timeline", "exit_code", "milliseconds"})
"""The fields that tell how a hook ran; a verdict is made of all others."""
_said_by = attrgetter(*(field for field in Outcome._fields if field not in _OF_THE_RUN))
_NOTHING_SAID = _said_by(Outcome())
