"""Brings a save back. What is replaced is saved first, so that an undo can be undone."""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
from collections.abc import Iterator, Sequence

from fairlead.errors import FairleadError
from fairlead.model.value import Value
from fairlead.packs.repository.commit_trees import blob_name
from fairlead.packs.repository.limits import Budget, CannotTell
from fairlead.packs.repository.objects import Objects
from fairlead.shell.places.targets import is_generated
from fairlead.undo.aftermath import index_after, moment, note_end, stash_after
from fairlead.undo.contents import set_attributes
from fairlead.undo.gathering import Wanted
from fairlead.undo.git.restoring import (
    GitRestoring,
    Told,
    read_saved_index,
    repository_of,
    tracked_entries,
    write_object,
)
from fairlead.undo.git.tracked_files import TrackedFiles, is_within, tracked_in
from fairlead.undo.limits import FOR_A_PERSON, NotSavedError
from fairlead.undo.making import DRAFT, is_folder, make, remove
from fairlead.undo.manifest import ABSENT, FOLDER, LINK, BadManifestError, Entry, GitRecord, Manifest
from fairlead.undo.plan import (
    ACTING,
    BACK,
    BESIDE,
    FAILED,
    GRACE,
    LEFT,
    REMOVE,
    SAME,
    SET,
    TIME,
    Planner,
    Step,
)
from fairlead.undo.saving import Purpose, save_again
from fairlead.undo.store import Saved, Store, held

_OWN = re.compile(
    r"/(?:\.config|\.local/state|\.local/share)/fairlead(?:/|$)|/\.fairlead(?:/|$)|^/etc(?:/|$)"
)
"""What no save can hold: the guard's own, and the system's."""
_LOSING = (BACK, REMOVE)
"""What replaces or takes away something that is there."""


class Brought(Value):
    """What an undo did, or would do."""

    id: str
    steps: tuple[Step, ...]
    git: tuple[Told, ...] = ()
    missing: tuple[str, ...] = ()
    """What could not be set, by path."""
    saved_as: str = ""

    @property
    def acts(self) -> bool:
        """Whether there is more to do than to set the times of folders."""
        return any(step.act in ACTING for step in self.steps) or any(each.acting for each in self.git)

    @property
    def is_whole(self) -> bool:
        """Whether nothing failed."""
        return not any(step.act == FAILED for step in self.steps)


class Restoring:
    """One save on its way back. `within`: only what is at these paths or below them, and nothing of git."""

    def __init__(
        self,
        store: Store,
        saved: Saved,
        manifest: Manifest,
        *,
        force: bool = False,
        within: Sequence[str] = (),
    ) -> None:
        self._store = store
        self._saved = saved
        self.manifest = manifest
        self._force = force
        self._within = tuple(within)
        self._until = moment(saved) or self._guessed_end()
        self._suffix = f"undo-{manifest.id}"
        _check_paths(manifest)
        self._scratch = ""
        self._objects: Objects | None = None

    def _guessed_end(self) -> int:
        """Nobody noted when the call was over: for a few seconds, or up to the next save of the project."""
        for each in self._store.saves():
            if each.project == self._saved.project and each.id > self._saved.id:
                with contextlib.suppress(BadManifestError):
                    later = self._store.load(each)
                    if not later.undoes or moment(each):  # an undo that was killed is ended by another
                        return min(later.at, self.manifest.at + GRACE)
        return self.manifest.at + GRACE

    def look(self) -> Brought:
        """What it would do."""
        with self.reading():
            return Brought(self.manifest.id, tuple(self.steps()), tuple(self._git(acts=False)))

    def bring_back(self) -> Brought:
        """Raises FairleadError where what is there could not be saved first."""
        with self.reading():
            steps = tuple(self.steps())
            planned = Brought(self.manifest.id, steps, tuple(self._git(acts=False)))
            if not planned.acts:
                return planned
            before = self._save_first(steps)
            steps, missing = self._apply(steps)
            git = tuple(self._git(acts=True))
            missing += self._set_folders(steps)
            if before is not None:
                note_end(self._store, before)
            return planned.replace(
                steps=steps, git=git, missing=tuple(missing), saved_as=before.id if before else ""
            )

    def write_to(self, folder: str) -> list[str]:
        """Put what was saved below another folder, as a tree of its own."""
        written: list[str] = []
        with self.reading():
            for entry in self._chosen():
                if entry.kind == FOLDER or entry.has_content or entry.kind == LINK:
                    to = os.path.join(folder, os.path.relpath(entry.path, self.manifest.root))
                    make(entry, to, self.manifest.id, self.content_of)
                    written.append(to)
        return written

    def content_of(self, entry: Entry) -> str:
        """The path of a file with what an entry held. Raises FairleadError where it is not to be had."""
        if entry.data:
            return self._saved.data(entry.data)
        path = os.path.join(self._scratch, entry.blob)
        if not os.path.exists(path):
            with open(path, "wb") as file:
                file.write(self._blob(entry))
        return path

    def _blob(self, entry: Entry) -> bytes:
        record = self.manifest.git
        staged = {each.name: each.data for each in record.staged} if record is not None else {}
        if entry.blob in staged:
            return self._data(staged[entry.blob])
        try:
            if self._objects is None:
                tracked = tracked_in(self.manifest.root, Budget(seconds=60))
                repository = repository_of(record) if record is not None else tracked and tracked.repository
                if not repository:
                    raise CannotTell("its repository is gone")
                self._objects = Objects(repository, Budget(seconds=600))
            content = self._objects.read(bytes.fromhex(entry.blob), b"blob")
            if blob_name(content, len(entry.blob) // 2).hex() != entry.blob:
                raise CannotTell("the object is damaged")
        except (CannotTell, OSError, ValueError) as error:
            raise FairleadError(f"git does not have {entry.path} any more: {error}") from error
        return content

    @contextlib.contextmanager
    def reading(self) -> Iterator[None]:
        """While what was saved is looked at: what git holds of it is put where it can be read."""
        scratch = tempfile.TemporaryDirectory(dir=self._store.folder)
        with held(self._saved), scratch as self._scratch:
            try:
                yield
            finally:
                if self._objects is not None:
                    self._objects.close()
                    self._objects = None

    def _chosen(self) -> tuple[Entry, ...]:
        return tuple(entry for entry in self.manifest.entries if is_within(entry.path, self._within))

    def steps(self) -> Iterator[Step]:
        planner = self._planner(force=self._force)
        yield from planner.steps(self._chosen())
        yield from self._added_steps()
        record = self.manifest.git
        if record is not None and record.whole and record.index and not self._within:
            yield from self._tracked_steps(record, planner)

    def _added_steps(self) -> Iterator[Step]:
        """What the call put into folders of which everything is known."""
        known = {entry.path for entry in self.manifest.entries} | {path for path, _ in self.manifest.left_out}
        planner = self._planner(force=False)
        listed = [entry.path for entry in self._chosen() if entry.listed and is_folder(entry.path)]
        tracked = tracked_in(self.manifest.root, Budget(seconds=60)) if listed else None
        try:
            for folder in listed:
                paths = (os.path.join(folder, name) for name in _names_in(folder))
                added = (path for path in paths if path not in known and _is_work(path, tracked))
                steps = planner.steps(tuple(Entry(path, ABSENT) for path in added))
                yield from (step for step in steps if step.act == REMOVE)
        finally:
            if tracked is not None:
                tracked.close()

    def _planner(self, *, force: bool) -> Planner:
        return Planner(until=self._until, suffix=self._suffix, contents=self.content_of, force=force)

    def _tracked_steps(self, record: GitRecord, planner: Planner) -> Iterator[Step]:
        """Tracked files that had no changes, and those that the call brought with another commit."""
        saved = read_saved_index(record, self._data(record.index))
        known = {entry.path for entry in self.manifest.entries}
        listed = [
            entry
            for entry in tracked_entries(record, saved)
            if entry.path not in known and is_within(entry.path[len(record.top) + 1 :], record.paths)
        ]
        for entry in listed:
            yield from self._tracked_step(entry, planner)
        names = known | {os.path.join(record.top, os.fsdecode(name)) for name, _ in saved.entries()}
        yield from self._new_files(record, names)

    def _tracked_step(self, entry: Entry, planner: Planner) -> Iterator[Step]:
        try:
            status = None if planner.is_made_anew(entry.path) else os.lstat(entry.path)
        except (FileNotFoundError, NotADirectoryError):
            status = None
        if status is not None and (status.st_mtime_ns, status.st_size) == (entry.mtime, entry.size):
            return
        try:
            if entry.kind == LINK:
                entry = entry.replace(link=os.fsdecode(self._blob(entry)), blob="")
            elif entry.size and os.path.getsize(self.content_of(entry)) != entry.size:
                yield Step(entry.path, LEFT, entry, why="git makes it by a filter: `git checkout -- PATH`")
                return
        except FairleadError as error:
            yield Step(entry.path, LEFT, entry, why=error.message)
            return
        for step in planner.steps((entry,)):
            if step.act == BESIDE:
                yield step.replace(act=LEFT, why="it changed since; git has what it was")
            elif step.act != SAME:
                yield step

    def _new_files(self, record: GitRecord, names: set[str]) -> Iterator[Step]:
        """No force takes away what somebody made since."""
        planner = self._planner(force=False)
        tracked = tracked_in(record.top, Budget(seconds=60))
        if tracked is None:
            return
        try:
            for name, entry in tracked.index.entries():
                path = os.path.join(record.top, os.fsdecode(name))
                is_new = path not in names and is_within(os.fsdecode(name), record.paths)
                if is_new and os.path.lexists(path) and tracked.is_as_tracked(path, entry):
                    yield from planner.steps((Entry(path, ABSENT),))
        finally:
            tracked.close()

    def _data(self, name: str) -> bytes:
        with open(self._saved.data(name), "rb") as file:
            return file.read()

    def _save_first(self, steps: tuple[Step, ...]) -> Saved | None:
        wanted = tuple(
            Wanted(
                step.to, whole=step.act in _LOSING, content=step.act in _LOSING, ignored=True, generated=True
            )
            for step in steps
            if step.act in (*_LOSING, SET, TIME) and not step.made_anew
        )
        purpose = Purpose(self.manifest.root, f"undo of {self.manifest.id}", undoes=self.manifest.id)
        record = None if self._within else self.manifest.git
        try:
            return save_again(self._store, purpose, wanted, record, FOR_A_PERSON)
        except NotSavedError as error:
            if self._force:
                return None
            hint = "--force brings it back all the same; --to DIR puts it elsewhere"
            raise FairleadError(f"what is there now could not be saved first: {error}", hint=hint) from error

    def _apply(self, steps: tuple[Step, ...]) -> tuple[tuple[Step, ...], list[str]]:
        """What was done, and what could not be set. What fails keeps nothing else from coming back."""
        missing: list[str] = []
        failed: dict[int, Step] = {}
        order = sorted(range(len(steps)), key=lambda at: (steps[at].act != REMOVE, at))
        for at in order:
            try:
                missing += self._do(steps[at])
            except (OSError, FairleadError, NotSavedError) as error:
                why = error.strerror or str(error) if isinstance(error, OSError) else str(error)
                failed[at] = steps[at].replace(act=FAILED, why=why)
        return tuple(failed.get(at, step) for at, step in enumerate(steps)), missing

    def _do(self, step: Step) -> list[str]:
        missing: list[str] = []
        if step.act == REMOVE:
            remove(step.path)
        elif step.act in (BACK, BESIDE):
            missing = make(step.entry, step.to, self.manifest.id, self.content_of)
        elif step.act == SET and step.entry.kind != FOLDER:
            missing = set_attributes(step.entry, step.to)
        return [f"{step.path}: {each}" for each in missing]

    def _set_folders(self, steps: tuple[Step, ...]) -> list[str]:
        """From the deepest upwards: to make a file changes the time of its folder."""
        missing: list[str] = []
        touched = {os.path.dirname(step.to or step.path) for step in steps if step.act in (BACK, REMOVE)}
        for step in reversed(steps):
            entry = step.entry
            due = step.act in (SET, TIME, BACK, BESIDE) or (step.act == SAME and step.path in touched)
            if entry.kind == FOLDER and due and os.path.isdir(step.to):
                missing += [f"{step.path}: {each}" for each in set_attributes(entry, step.to)]
        return missing

    def _git(self, *, acts: bool) -> Iterator[Told]:
        record = self.manifest.git
        if record is None or self._within:
            return
        if not os.path.isdir(record.common):
            yield Told("the repository is gone", done=False, acting=False)
            return
        git = GitRestoring(record, until=self._until, suffix=self._suffix, force=self._force, acts=acts)
        for each in record.staged if acts else ():
            write_object(record, each.name, self._data(each.data))
        read = {data: self._data(data) for _, data in record.logs}
        new_work = _stages_new_work(record)
        yield from git.refs(read)
        yield from git.head()
        if record.stash:
            yield from git.stash(self._data(record.stash), stash_after(self._saved))
        if record.index:
            after = index_after(self._saved)
            yield from git.index(self._data(record.index), after, holds_new_work=new_work)


def _check_paths(manifest: Manifest) -> None:
    """A save speaks of one project and its repository, and of nothing else, whoever wrote it."""
    home = os.path.realpath(os.path.expanduser("~"))
    tops = [manifest.root]
    if manifest.git is not None:
        tops += [manifest.git.folder, manifest.git.common]
    wide = any(f"{home}/".startswith(f"{top.rstrip('/')}/") for top in tops)
    for entry in manifest.entries:
        plain = os.path.normpath(entry.path) == entry.path
        if wide or not plain or not is_within(entry.path, tuple(tops)) or _OWN.search(entry.path):
            raise FairleadError(f"the save {manifest.id} speaks of {entry.path}, which is not its project's")


def _names_in(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def _is_work(path: str, tracked: TrackedFiles | None) -> bool:
    """Nothing that tools make, nor git, nor what an undo put beside or has not ended."""
    name = os.path.basename(path)
    if is_generated(name) or name == ".git" or ".undo-" in name or name.startswith(DRAFT):
        return False
    try:
        return tracked is None or not tracked.is_ignored(path, is_folder=is_folder(path))
    except CannotTell:
        return False


def _stages_new_work(record: GitRecord) -> bool:
    """Whether the index holds what the last commit has not; also where that cannot be told."""
    tracked: TrackedFiles | None = tracked_in(record.top, Budget(seconds=60))
    try:
        return tracked is None or any(True for _ in tracked.staged())
    except (CannotTell, OSError):
        return True
    finally:
        if tracked is not None:
            tracked.close()
