"""Saves the work of a project when a session starts there, once for each session."""

from __future__ import annotations

import contextlib
import os

from fairlead.errors import FairleadError
from fairlead.model.digest import sha256_hex
from fairlead.model.event import Event
from fairlead.packs.judging.saving import Kept
from fairlead.policy.places import home_of_user, make_private
from fairlead.undo.keeper import project_of
from fairlead.undo.limits import NotSavedError
from fairlead.undo.saving import Purpose
from fairlead.undo.snapshots import snapshot
from fairlead.undo.store import Store

_REMEMBERED = 1024
"""How many starts are known before the oldest are forgotten."""


def snapshot_at_first_start(folder: str, event: Event) -> Kept | None:
    """Within the bounds of one call; None where the session has started here before. It raises for nothing
    that a project holds or a disk does."""
    store = Store(folder)
    try:
        root = project_of(event, home_of_user())
        root = project_of(event, event.home) if event.home else root
        if not _is_first(folder, event, root):
            return None
        purpose = Purpose(root, "start of a session", event.agent, event.session, unasked=True)
        measured = snapshot(store, purpose, seconds=store.limits.seconds)
    except (NotSavedError, FairleadError, OSError) as error:
        return Kept(False, str(error))
    id_ = measured.saved.id if measured.saved is not None else ""
    return Kept(True, "", id_, measured.files, measured.size, measured.left_out)


def _is_first(folder: str, event: Event, root: str) -> bool:
    """Agents tell of a start again when a session is resumed, cleared or made shorter: what is there then is
    the agent's work already."""
    known = os.path.join(folder, "starts")
    said = "\0".join((event.agent, event.session, root))
    path = os.path.join(known, sha256_hex(said.encode("utf-8", "surrogatepass"))[:32])
    make_private(folder)
    make_private(known)
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
    except FileExistsError:
        return False
    _forget_oldest(known)
    return True


def _forget_oldest(folder: str) -> None:
    with contextlib.suppress(OSError):
        if len(os.listdir(folder)) > _REMEMBERED:
            oldest = sorted(os.scandir(folder), key=lambda entry: entry.stat().st_mtime)
            for entry in oldest[: len(oldest) - _REMEMBERED]:
                os.unlink(entry.path)
