"""Saves what a call would lose, when a guard asks for it. What that takes is loaded with the first call that
loses something."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fairlead.model.event import Event
    from fairlead.packs.judging.call_effects import Call
    from fairlead.packs.judging.saving import Kept
    from fairlead.shell.effects.effect import Effect
    from fairlead.undo.saving import Measured, Purpose
    from fairlead.undo.store import Saved

_MOST_RUNNING = 256
_LONGEST = 300
FOLDER = "undo"
"""Below the folder of all that Fairlead keeps."""


class Trial:
    """Says what would be saved, and saves nothing: for `check`, tests and replays."""

    def keep(self, event: Event, call: Call, needed: Sequence[Effect], rules: Sequence[str], /) -> Kept:
        from fairlead.undo.limits import Limits
        from fairlead.undo.saving import tried

        return _kept(event, call, needed, rules, lambda purpose, losses: tried(purpose, losses, Limits()))


class Saver:
    """Saves below a folder of its own. Safe to use from several threads."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._waiting: dict[str, Callable[[], None]] = {}
        self._running: dict[tuple[str, str], Saved] = {}

    def expect(self, request: str, acknowledge: Callable[[], None]) -> None:
        """A call is judged whose caller waits: it is told before anything is copied."""
        self._waiting[request] = acknowledge

    def forget(self, request: str) -> None:
        self._waiting.pop(request, None)

    def keep(self, event: Event, call: Call, needed: Sequence[Effect], rules: Sequence[str], /) -> Kept:
        from fairlead.undo.saving import Losses, save
        from fairlead.undo.store import Store

        def saved(purpose: Purpose, losses: Losses) -> Measured:
            acknowledge = self._waiting.pop(event.request, None)
            if acknowledge is not None:
                acknowledge()
            measured = save(Store(self._folder), purpose, losses)
            if measured.saved is not None:
                self._note(event, measured.saved)
            return measured

        if event.canary:
            return Trial().keep(event, call, needed, rules)
        return _kept(event, call, needed, rules, saved)

    def _note(self, event: Event, saved: Saved) -> None:
        if event.tool is not None and event.tool.id:
            if len(self._running) >= _MOST_RUNNING:
                self._running.clear()
            self._running[event.session, event.tool.id] = saved

    def started(self, event: Event) -> Kept | None:
        """Save the work of the project at the first start of a session; None at a later one."""
        from fairlead.undo.session_start import snapshot_at_first_start

        return snapshot_at_first_start(self._folder, event)

    def ended(self, event: Event) -> None:
        """A call is over: what changes from now on is not its doing."""
        if event.tool is None or not self._running:
            return
        saved = self._running.pop((event.session, event.tool.id), None)
        if saved is not None:
            from fairlead.undo.aftermath import note_end
            from fairlead.undo.store import Store

            note_end(Store(self._folder), saved)


def _kept(
    event: Event,
    call: Call,
    needed: Sequence[Effect],
    rules: Sequence[str],
    keep: Callable[..., Measured],
) -> Kept:
    from fairlead.packs.judging.saving import Kept
    from fairlead.undo.doomed import losses_of
    from fairlead.undo.limits import NotSavedError

    try:
        root = project_of(event, call.where.home)
        losses = losses_of(call, needed, root=root)
        if not losses.wanted and losses.need is None:
            return Kept(True)
        measured = keep(_purpose(event, call, rules, root), losses)
    except NotSavedError as error:
        return Kept(False, str(error))
    id_ = measured.saved.id if measured.saved is not None else ""
    return Kept(True, "", id_, measured.files, measured.size, measured.left_out)


def project_of(event: Event, home: str) -> str:
    """Raises NotSavedError where the project is no folder of its own."""
    from fairlead.undo.limits import NotSavedError

    root = os.path.realpath(event.root or event.cwd or "/")
    home = os.path.realpath(home or "/")
    if f"{home}/".startswith(f"{root.rstrip('/')}/"):
        raise NotSavedError("the home folder is no project")
    return root


def _purpose(event: Event, call: Call, rules: Sequence[str], root: str) -> Purpose:
    from fairlead.secrets.redact import redact_text
    from fairlead.undo.saving import Purpose

    tool = event.tool
    paths = [effect.target.path for effect in call.effects if effect.target is not None]
    said = call.script.text if call.is_shell else f"{tool.name if tool else ''} {' '.join(paths[:1])}"
    what = redact_text(" ".join(said.split())[:_LONGEST])
    return Purpose(root, what, event.agent, event.session, event.request, tuple(rules))
