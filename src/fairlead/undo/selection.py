"""Which saves somebody means: by id, session, time, path, or the last that lost something."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from fairlead.errors import FairleadError
from fairlead.model.value import Value
from fairlead.undo.git.tracked_files import is_within
from fairlead.undo.manifest import ABSENT, FOLDER, BadManifestError, Entry, Manifest
from fairlead.undo.restoring import Restoring
from fairlead.undo.store import Saved, Store, made_at


class Found(Value):
    saved: Saved
    manifest: Manifest


def all_saves(store: Store) -> Iterator[Found]:
    """The newest first; what cannot be read is left out, and told by `doctor`."""
    for saved in reversed(store.saves()):
        try:
            yield Found(saved, store.load(saved))
        except BadManifestError:
            continue


def broken_saves(store: Store) -> list[tuple[Saved, str]]:
    """Those whose manifest, or a part of their data, is not there as it was written."""
    found = []
    for saved in store.saves():
        try:
            manifest = store.load(saved)
            lost = [entry.path for entry in manifest.entries if entry.data and not _is_whole(saved, entry)]
        except BadManifestError as error:
            found.append((saved, str(error)))
        else:
            found += [(saved, f"the content of {lost[0]} is not there")] if lost else []
    return found


def _is_whole(saved: Saved, entry: Entry) -> bool:
    try:
        return os.path.getsize(saved.data(entry.data)) == entry.size
    except OSError:
        return False


def by_id(store: Store, text: str) -> Found | None:
    """By the whole id, or its beginning or end; None where no save has it. Raises for several."""
    found = [each for each in store.saves() if each.id.startswith(text) or each.id.endswith(f"-{text}")]
    if len(found) > 1:
        raise FairleadError(
            f"{len(found)} saves fit {text!r}", hint="give more of the id: fairlead undo --list"
        )
    if not found:
        return None
    try:
        return Found(found[0], store.load(found[0]))
    except BadManifestError as error:
        raise FairleadError(f"the save {found[0].id} cannot be read: {error}") from error


def of_session(store: Store, session: str) -> list[Found]:
    return [each for each in all_saves(store) if each.manifest.session.startswith(session) and _is_loss(each)]


def since(store: Store, moment: int, folder: str) -> list[Found]:
    """Of the project that a folder belongs to."""
    return [each for each in of_project(store, folder) if made_at(each.saved) >= moment and _is_loss(each)]


def of_project(store: Store, folder: str) -> Iterator[Found]:
    real = os.path.realpath(folder)
    return (each for each in all_saves(store) if is_within(real, (each.manifest.root,)))


def _is_loss(found: Found) -> bool:
    """An undo is brought back by its id alone, or the next one would end where the first began; and at the
    start of a session nothing was lost."""
    return not (found.manifest.undoes or found.manifest.unasked)


def last_loss(store: Store, folder: str) -> Found | None:
    """The newest of a project from which something is missing now."""
    for each in of_project(store, folder):
        if _is_loss(each) and Restoring(store, each.saved, each.manifest).look().acts:
            return each
    return None


def holding(store: Store, paths: Sequence[str]) -> list[tuple[Found, list[str]]]:
    """For each path, the newest save that has it; paths of one save together."""
    chosen: dict[str, tuple[Found, list[str]]] = {}
    for path in paths:
        full = os.path.join(os.path.realpath(os.path.dirname(os.path.abspath(path))), os.path.basename(path))
        for each in all_saves(store):
            if not each.manifest.undoes and any(_has(entry, full) for entry in each.manifest.entries):
                chosen.setdefault(each.saved.id, (each, []))[1].append(full)
                break
        else:
            raise FairleadError(f"no save has {path}", hint="fairlead undo --list")
    return list(chosen.values())


def _has(entry: Entry, path: str) -> bool:
    if entry.kind == ABSENT:
        return False
    return (entry.path == path and entry.kind != FOLDER) or entry.path.startswith(f"{path}/")
