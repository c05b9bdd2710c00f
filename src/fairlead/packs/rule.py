"""A rule of a pack, as data."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import IntEnum

from fairlead.model.decision import Decision
from fairlead.model.value import Value
from fairlead.sessions.memory import NO_MEMORY, Memory
from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.places.targets import Place
from fairlead.shell.script import Script

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol
else:
    Protocol = object


class Severity(IntEnum):
    word: str

    MEDIUM = 1
    HIGH = 2
    CRITICAL = 3

    def __init__(self, _: int) -> None:
        self.word = self.name.lower()


class Level(IntEnum):
    """How much of what cannot be known is let through."""

    STANDARD = 1
    STRICT = 2
    PARANOID = 3


class GitState(Protocol):
    """What git could bring back of the files of a project; the answers are in `repository.states`."""

    def __call__(self, root: str, paths: Sequence[str], lost: frozenset[str] = ..., /) -> str:
        """The first state among `lost` of what is at these paths, or of the whole work tree without any."""

    def tracks(self, root: str, paths: Sequence[str], /) -> bool:
        """Whether git knows a file at each of them, though it may be gone."""

    def set_to(self, root: str, revisions: Sequence[str], /) -> str:
        """The first state of what is lost if the whole work tree becomes what one of these commits holds."""


class Scene(Value):
    """What a rule may look at besides the effect."""

    script: Script
    where: Surroundings
    git_state: GitState
    level: Level = Level.STANDARD
    memory: Memory = NO_MEMORY
    """What the session did in earlier calls."""
    content: str = ""
    """What a file tool would write."""


class Rule(Value):
    """What it forbids: effects with one of `actions`, and, where they are given, one of `names`, on a target
    in one of `places`, for which `when` holds.

    `reason` tells the model what is wrong and may hold `{what}`, `{target}` and `{detail}`; `person` tells
    the human what is at stake; every command in backticks in `alternative` must pass the guard itself, and
    so must every harmless example, also behind the calls that are `earlier`. Examples are tests.
    """

    id: str
    severity: Severity
    decision: Decision
    actions: tuple[Action, ...]
    reason: str
    person: str
    alternative: str
    dangerous: tuple[str, ...]
    harmless: tuple[str, ...]
    names: frozenset[str] = frozenset()
    places: frozenset[Place] = frozenset()
    when: Callable[[Effect, Scene], bool] | None = None
    level: Level = Level.STANDARD
    always: bool = False
    """It holds also for what a file does that the person committed."""
    recoverable: bool = False
    """What it forbids loses files of the project or states of its repository alone, which can be saved first."""
    earlier: tuple[str, ...] = ()
    """Calls of the same session that the dangerous examples presuppose."""


class Pack(Value):
    id: str
    summary: str
    rules: tuple[Rule, ...]
