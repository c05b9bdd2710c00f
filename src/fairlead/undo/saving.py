"""Makes one save: collects what would be lost, and keeps it whole or not at all."""

from __future__ import annotations

import os
import time

from fairlead.model.value import Value
from fairlead.packs.repository.limits import Budget, CannotTell
from fairlead.undo.gathering import Gathering, Wanted
from fairlead.undo.git.record import GitNeed, record_of, take_work
from fairlead.undo.git.refs import keep_alive
from fairlead.undo.git.tracked_files import TrackedFiles, tracked_in
from fairlead.undo.limits import Allowance, Limits, NotSavedError
from fairlead.undo.manifest import GitRecord, Manifest
from fairlead.undo.store import Draft, Saved, Store, new_id


class Purpose(Value):
    """Why something is saved, for the manifest."""

    root: str
    what: str
    agent: str = ""
    session: str = ""
    call: str = ""
    rules: tuple[str, ...] = ()
    undoes: str = ""
    unasked: bool = False


class Losses(Value):
    """What a call would lose: paths, and what git knows of one repository, by a folder in that."""

    wanted: tuple[Wanted, ...] = ()
    folder: str = ""
    need: GitNeed | None = None
    strict: bool = True
    """Whether all of it must be saved, or nothing is."""
    exact: bool = False
    """Whether it passes only because it comes back exactly as it was, under all its names."""


class Measured(Value):
    """What a save holds."""

    files: int
    size: int
    left_out: tuple[tuple[str, str], ...]
    saved: Saved | None = None
    """None where it was only tried, or where nothing would be lost."""


def save(store: Store, purpose: Purpose, losses: Losses, limits: Limits | None = None) -> Measured:
    """Raises NotSavedError where something cannot be saved; then nothing is."""
    limits = limits or store.limits
    _check_room(store, limits)
    try:
        draft = store.draft()
    except OSError as error:
        raise NotSavedError(f"{store.folder} cannot be written to: {error.strerror}") from error
    try:
        return _saved(store, purpose, losses, limits, draft)
    except OSError as error:
        draft.abandon()
        raise NotSavedError(error.strerror or str(error)) from error
    except BaseException:
        draft.abandon()
        raise


def tried(purpose: Purpose, losses: Losses, limits: Limits) -> Measured:
    """What `save` would say, without a trace of it on the disk."""
    try:
        gathering, _ = _gathered(purpose, losses, limits, None)
    except OSError as error:
        raise NotSavedError(error.strerror or str(error)) from error
    return Measured(gathering.allowance.files, gathering.allowance.size, gathering.left_out)


def _check_room(store: Store, limits: Limits) -> None:
    folder = store.folder
    while not os.path.isdir(folder):
        folder = os.path.dirname(folder)
    room = os.statvfs(folder)
    if room.f_bavail * room.f_frsize < limits.spare_bytes:
        raise NotSavedError("there is no room left on the disk")


def _saved(store: Store, purpose: Purpose, losses: Losses, limits: Limits, draft: Draft) -> Measured:
    gathering, record = _gathered(purpose, losses, limits, draft)
    allowance = gathering.allowance
    measured = Measured(allowance.files, allowance.size, gathering.left_out)
    if not gathering.holds_something() and not _has_state(record):
        draft.abandon()
        return measured
    now = time.time_ns()
    manifest = Manifest(
        new_id(now / 1e9),
        now,
        purpose.root,
        purpose.what,
        purpose.agent,
        purpose.session,
        purpose.call,
        purpose.rules,
        gathering.entries,
        record,
        gathering.left_out,
        purpose.undoes,
        purpose.unasked,
    )
    saved = store.keep(draft, manifest, allowance.size)
    if record is not None:
        try:
            keep_alive(record, manifest.id)
        except NotSavedError:
            store.remove(saved)
            raise
    return measured.replace(saved=saved)


def _has_state(record: GitRecord | None) -> bool:
    return record is not None and bool(record.refs or record.index or record.head or record.has_stash)


def _gathered(
    purpose: Purpose, losses: Losses, limits: Limits, draft: Draft | None
) -> tuple[Gathering, GitRecord | None]:
    tracked = tracked_in(losses.folder or purpose.root, Budget(seconds=limits.seconds))
    strict, exact = losses.strict, losses.exact
    gathering = Gathering(purpose.root, draft, Allowance(limits), tracked, strict=strict, exact=exact)
    try:
        for wanted in losses.wanted:
            gathering.take(wanted)
        record = _git(losses, tracked, gathering, draft)
    except CannotTell as error:
        raise NotSavedError(str(error)) from error
    finally:
        if tracked is not None:
            tracked.close()
    return gathering, record


def _git(
    losses: Losses, tracked: TrackedFiles | None, gathering: Gathering, draft: Draft | None
) -> GitRecord | None:
    if losses.need is None:
        return None
    if tracked is None:
        raise NotSavedError("the repository cannot be read")
    take_work(losses.need, tracked, gathering)
    return record_of(losses.need, tracked, gathering, draft)


def save_again(
    store: Store, purpose: Purpose, wanted: tuple[Wanted, ...], record: GitRecord | None, limits: Limits
) -> Saved | None:
    """Save what an undo is about to replace: what is wanted, and what git knows now."""
    if record is None:
        return save(store, purpose, Losses(wanted), limits).saved
    need = GitNeed(
        record.paths,
        tracked=record.whole,
        index=bool(record.index),
        head=bool(record.head),
        refs=tuple(name for name, _ in record.refs),
        all_refs=record.below,
        stash=bool(record.stash),
    )
    return save(store, purpose, Losses(wanted, record.top, need), limits).saved
