"""What a guard asks of whoever saves what a call would lose."""

from __future__ import annotations

from collections.abc import Sequence

from fairlead.model.value import Value
from fairlead.shell.effects.effect import Action

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    from fairlead.model.event import Event
    from fairlead.packs.judging.call_effects import Call
    from fairlead.shell.effects.effect import Effect
else:
    Protocol = object


LOSING = frozenset(
    (
        *(Action.DELETE, Action.MOVE_AWAY, Action.TRUNCATE, Action.OVERWRITE, Action.WRITE),
        *(Action.CHANGE_PERMISSIONS, Action.CHANGE_OWNER, Action.DISCARD_GIT_WORK, Action.REWRITE_HISTORY),
    )
)
_LOSING_QUIETLY = frozenset(
    (
        *("commit", "rebase", "reset", "stash", "branch", "tag", "update-ref", "rm", "mv", "switch"),
        *("restore", "read-tree", "update-index", "symbolic-ref"),
        *("--abort", "--skip", "--quit", "--ours", "--theirs", "-B"),
    )
)
"""Words of git that may take a commit, a branch, an index or a stash away, and that no rule objects to."""


def may_lose(call: Call) -> bool:
    """Whether it is worth a look: what only reads does not pass this."""
    if any(effect.action in LOSING for effect in call.effects):
        return True
    return any(
        command.name == "git" and any(word.text in _LOSING_QUIETLY for word in command.argv[1:])
        for command in call.script.commands
    )


class Kept(Value):
    """`complete`: all that was needed is saved, or git has it. `id` is empty where nothing had to be, and where
    it was only tried."""

    complete: bool
    why: str = ""
    """What stands in the way, for a person."""
    id: str = ""
    files: int = 0
    size: int = 0
    left_out: tuple[tuple[str, str], ...] = ()


class Keeper(Protocol):
    def keep(self, event: Event, call: Call, needed: Sequence[Effect], rules: Sequence[str], /) -> Kept:
        """Save what the call would lose; `needed` are effects that it must be possible to undo. Never raises
        for what a call holds or a disk does."""


class _Nobody:
    def keep(self, event: Event, call: Call, needed: Sequence[Effect], rules: Sequence[str], /) -> Kept:
        return Kept(False, "nothing is saved here")


NOBODY: Keeper = _Nobody()
