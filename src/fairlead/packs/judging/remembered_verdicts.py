"""What the packs said of a call that runs the same files once more.

A verdict follows from the call, from what the disk answered while it was found, and from git and the memory of
the session where a rule asked them. What asked neither of the two holds as long as the disk answers the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from fairlead.model.hook import Outcome
from fairlead.model.value import Value
from fairlead.packs.repository.states import LOST
from fairlead.packs.rule import GitState, Scene
from fairlead.sessions.memory import Notes
from fairlead.shell.places.world import Look, note_looks, same_answers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fairlead.sessions.note import Note
    from fairlead.sessions.recollection import Recollection

_MOST = 8
"""Of one call: two guards judge it, and policies differ."""


class _Said(Value):
    outcome: Outcome | None
    looks: tuple[Look, ...]


def remembered(
    kept: dict[object, object], key: object, scene: Scene, judge: Callable[[Scene], Outcome | None]
) -> Outcome | None:
    said = kept.get(key)
    if isinstance(said, _Said) and same_answers(said.looks):
        return said.outcome
    git, notes, looks = _Git(scene.git_state), _Notes(scene.memory.notes), []  # type: _Git, _Notes, list[Look]
    watched = scene.replace(git_state=git, memory=scene.memory.replace(notes=notes))
    note_looks(looks)
    try:
        outcome = judge(watched)
    finally:
        note_looks(None)
    if not git.was_asked and not notes.were_asked:
        if len(kept) >= _MOST:
            kept.clear()
        kept[key] = _Said(outcome, tuple(dict.fromkeys(looks)))
    return outcome


class _Git:
    """Knows whether it was asked."""

    def __init__(self, state: GitState) -> None:
        self._state = state
        self.was_asked = False

    def __call__(self, root: str, paths: Sequence[str], lost: frozenset[str] = LOST) -> str:
        self.was_asked = True
        return self._state(root, paths, lost)

    def tracks(self, root: str, paths: Sequence[str]) -> bool:
        self.was_asked = True
        return self._state.tracks(root, paths)

    def set_to(self, root: str, revisions: Sequence[str]) -> str:
        self.was_asked = True
        return self._state.set_to(root, revisions)


class _Notes:
    """Know whether they were asked."""

    def __init__(self, notes: Notes) -> None:
        self._notes = notes
        self.were_asked = False

    def recollect(self, session: str, /) -> Recollection | None:
        self.were_asked = True
        return self._notes.recollect(session)

    def add(self, session: str, notes: Sequence[Note], /) -> str:
        return self._notes.add(session, notes)
