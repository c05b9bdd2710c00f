"""What was saved before a call: what bringing it back would do, and the person's word to do it."""

from __future__ import annotations

import os
from collections.abc import Mapping

from starlette.requests import Request

from fairlead.doors.dashboard.sources import Sources
from fairlead.errors import UsageError
from fairlead.policy.places import Places
from fairlead.undo.keeper import FOLDER as SAVES
from fairlead.undo.manifest import FOLDER
from fairlead.undo.plan import ACTING, BESIDE, LEFT, Step
from fairlead.undo.restoring import Brought, Restoring
from fairlead.undo.selection import by_id
from fairlead.undo.store import Store

_MOST = 500
"""Paths that are named; of the others only the number is told."""


def look_at_save(sources: Sources, request: Request) -> dict[str, object]:
    """What it would do now; nothing is changed."""
    restoring = _restoring(sources.places, request.path_params["id"])
    return _told(restoring, restoring.look())


def bring_back(sources: Sources, request: Request, given: Mapping[str, object]) -> dict[str, object]:
    """What changed since is never replaced from here: that takes `fairlead undo --force` in a terminal."""
    restoring = _restoring(sources.places, request.path_params["id"])
    return _told(restoring, restoring.bring_back())


def _restoring(places: Places, id_: str) -> Restoring:
    """By its whole id: a page names exactly one."""
    store = Store(os.path.join(places.state, SAVES))
    found = by_id(store, id_) if any(saved.id == id_ for saved in store.saves()) else None
    if found is None:
        raise UsageError("this save is not there any more", hint="fairlead undo --list --all")
    return Restoring(store, found.saved, found.manifest)


def _told(restoring: Restoring, brought: Brought) -> dict[str, object]:
    root = restoring.manifest.root
    steps = [step for step in brought.steps if _is_told(step)]
    return {
        "id": brought.id,
        "what": _text(restoring.manifest.what),
        "root": _text(root),
        "acts": brought.acts,
        "steps": [_step(step, root) for step in steps[:_MOST]],
        "more": max(len(steps) - _MOST, 0),
        "git": [{"what": _text(told.what), "done": told.done} for told in brought.git],
        "missing": [_text(path) for path in brought.missing[:_MOST]],
        "left_out": [[_text(path), why] for path, why in restoring.manifest.left_out[:_MOST]],
        "undo": brought.saved_as,
    }


def _is_told(step: Step) -> bool:
    return step.act in ACTING or (step.act == LEFT and step.entry.kind != FOLDER)


def _step(step: Step, root: str) -> dict[str, str]:
    path = step.to if step.act == BESIDE else step.path
    return {"act": step.act, "path": _text(os.path.relpath(path, root)), "why": _text(step.why)}


def _text(name: str) -> str:
    """A name on the disk may be no text; JSON carries text alone."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
