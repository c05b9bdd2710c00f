"""Collects what would be lost into a draft: folders, single files, or only what may be done with them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

from fairlead.model.value import Value
from fairlead.packs.repository.limits import CannotTell
from fairlead.shell.places.targets import is_generated
from fairlead.undo.contents import look_at, save_content
from fairlead.undo.git.tracked_files import TrackedFiles
from fairlead.undo.limits import Allowance, NotSavedError
from fairlead.undo.manifest import ABSENT, FILE, FOLDER, Entry
from fairlead.undo.store import Draft

GENERATED, IGNORED, OWN_REPOSITORY = "generated", "ignored by git", "a repository of its own"


class Wanted(Value):
    """What to save at a path: all that is below it (`whole`), what is in it (`content`), what git ignores."""

    path: str
    whole: bool = False
    content: bool = True
    ignored: bool = False
    generated: bool = False
    without_git: bool = False
    """The `.git` of the folder stays as it is."""


class Gathering:
    """`draft` is None where it is only tried whether everything would fit; `strict`: what holds another
    repository is not saved at all; `exact`: neither is a file that has other names."""

    def __init__(
        self,
        root: str,
        draft: Draft | None,
        allowance: Allowance,
        tracked: TrackedFiles | None = None,
        *,
        strict: bool = True,
        exact: bool = False,
    ) -> None:
        self._root = root
        self._draft = draft
        self.allowance = allowance
        self._tracked = tracked
        self._strict = strict
        self._exact = exact
        self._entries: dict[str, Entry] = {}
        self._left_out: dict[str, str] = {}
        self._holds_something = False

    @property
    def entries(self) -> tuple[Entry, ...]:
        return tuple(self._entries[path] for path in sorted(self._entries))

    @property
    def left_out(self) -> tuple[tuple[str, str], ...]:
        return tuple(sorted(self._left_out.items()))

    def holds_something(self) -> bool:
        """Whether there is anything to bring back but the times of folders."""
        return self._holds_something

    def take(self, wanted: Wanted) -> None:
        """Raises NotSavedError where it does not fit, or is nothing that can be saved."""
        path = wanted.path
        self._take_folders_above(path)
        try:
            entry = look_at(path)
        except (FileNotFoundError, NotADirectoryError):
            self._entries.setdefault(path, Entry(path, ABSENT))
            return
        except OSError as error:
            raise NotSavedError(f"{path} cannot be read: {error.strerror}") from error
        self._holds_something = True
        if entry.kind == FOLDER and wanted.whole:
            self._take_tree(wanted, entry)
        else:
            self._take_one(entry, content=wanted.content)

    def note_folder(self, path: str) -> None:
        """What may be done with a folder, and when it was changed."""
        self._take_folders_above(os.path.join(path, "."))

    def _take_folders_above(self, path: str) -> None:
        """Their times change with what is in them."""
        folder = os.path.dirname(path)
        while folder not in self._entries and f"{folder}/".startswith(f"{self._root}/"):
            try:
                self._entries[folder] = look_at(folder)
            except (FileNotFoundError, NotADirectoryError):
                self._entries[folder] = Entry(folder, ABSENT)
            folder = os.path.dirname(folder)

    def _take_tree(self, wanted: Wanted, top: Entry) -> None:
        waiting = [top]
        while waiting:
            folder = waiting.pop()
            if folder is not top and self._leaves_out(folder.path, wanted):
                continue
            self._take_one(folder, content=False)
            self._entries[folder.path] = self._entries[folder.path].replace(listed=True)
            for path in self._listed(folder.path):
                if os.path.basename(path) == ".git":
                    if not (wanted.without_git and folder is top):
                        self._leave_repository(folder.path)
                    continue
                entry = look_at(path)
                if entry.kind == FOLDER:
                    waiting.append(entry)
                elif wanted.ignored or not self._is_ignored_output(path):
                    self._take_one(entry, content=wanted.content)
                else:
                    self._left_out[path] = GENERATED

    def _leave_repository(self, folder: str) -> None:
        """A history cannot be saved as files: whoever loses one loses more than was saved."""
        if self._strict:
            raise NotSavedError(f"{folder} is {OWN_REPOSITORY}")
        self._left_out[folder] = OWN_REPOSITORY

    def leave_module(self, folder: str) -> None:
        """Settings of git, wherever they are, may take a submodule along."""
        if self._exact:
            raise NotSavedError(f"{folder} is {OWN_REPOSITORY}")
        self._left_out[folder] = OWN_REPOSITORY

    def _listed(self, folder: str) -> Iterator[str]:
        try:
            names = sorted(os.listdir(folder))
        except OSError as error:
            raise NotSavedError(f"{folder} cannot be listed: {error.strerror}") from error
        yield from (os.path.join(folder, name) for name in names)

    def _leaves_out(self, folder: str, wanted: Wanted) -> bool:
        tracked = self._tracked is not None and self._asked(self._tracked.tracks, folder)
        if tracked:
            return False
        if not wanted.generated and is_generated(os.path.basename(folder)):
            self._left_out[folder] = GENERATED
            return True
        if not wanted.ignored and self._is_ignored(folder, is_folder=True):
            self._left_out[folder] = IGNORED
            return True
        return False

    def _is_ignored_output(self, path: str) -> bool:
        """A file that git ignores and tools write; settings of a person that are ignored are saved."""
        return is_generated(os.path.basename(path)) and self._is_ignored(path, is_folder=False)

    def _is_ignored(self, path: str, *, is_folder: bool) -> bool:
        tracked = self._tracked
        if tracked is None:
            return False
        return self._asked(lambda each: tracked.is_ignored(each, is_folder=is_folder), path)

    def _asked(self, question: Callable[[str], bool], path: str) -> bool:
        """What cannot be told is saved."""
        try:
            return question(path)
        except CannotTell:
            return False

    def _take_one(self, entry: Entry, *, content: bool) -> None:
        known = self._entries.get(entry.path)
        if known is not None and (known.has_content or not content or entry.kind != FILE):
            return
        self.allowance.take_entry()
        self._entries[entry.path] = self._with_content(entry) if content and entry.kind == FILE else entry

    def _with_content(self, entry: Entry) -> Entry:
        if self._exact and os.lstat(entry.path).st_nlink > 1:
            raise NotSavedError(f"{entry.path} has another name (a hard link), which would not come back")
        blob = self._blob_of(entry)
        if blob:
            return entry.replace(blob=blob)
        self.allowance.take_file(entry.size)
        if self._draft is None:
            self.allowance.take_bytes(entry.size)
            return entry.replace(data="0")
        name = self._draft.next_name()
        size = save_content(entry.path, self._draft.place(name), self.allowance.take_bytes)
        return entry.replace(data=name, size=size)

    def _blob_of(self, entry: Entry) -> str:
        try:
            return self._tracked.blob_of(entry.path, entry.size) if self._tracked is not None else ""
        except (CannotTell, OSError):
            return ""
