"""The project as the reader of a recipe sees it: the words of the runner, and the files around it."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.shell.arguments import Arguments, read_arguments
from fairlead.shell.expansion.parameters import MISSING, lookup
from fairlead.shell.expansion.reading import Frame, Reading
from fairlead.shell.expansion.redirections import STANDARD_INPUT, code_text, folder_names
from fairlead.shell.expansion.source_files import FileText, SourceFile, Standing
from fairlead.shell.expansion.state import State
from fairlead.shell.expansion.values import Partial, Scalar, of_word, strip_newlines, unknown
from fairlead.shell.language.lexer import UNREAD_OPEN
from fairlead.shell.places.paths import absolute
from fairlead.shell.programs.record import Loads
from fairlead.shell.programs.running import LOADS, loads_of
from fairlead.shell.script import Collected, Why, Word, program_name
from fairlead.shell.unknown import Kind, Unknown
from fairlead.shell.word_pieces import part_from

_NOTHING = Loads()
_MOST_LEVELS = 8
"""Folders above that are looked into, where nobody says where the project begins."""


class File:
    """A file that was found: where, and what is in it."""

    __slots__ = ("folder", "path", "text")

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.folder = path.rpartition("/")[0] or "/"
        self.text = text


class Project:
    """What one run of a runner may look at. All files are seen through the reading: what the line itself
    wrote, then what is there."""

    def __init__(
        self, run: Reading, words: list[Word], state: State, frame: Frame, span: tuple[int, int]
    ) -> None:
        self.run = run
        self.words = words
        self.name = program_name(words[0].text)
        self.loads = loads = loads_of(self.name) if self.name in LOADS else _NOTHING
        self.given: Arguments = read_arguments(
            words[1:],
            valued=frozenset((*loads.values, *loads.folders, *loads.recipe_options)),
            until_operand=loads.options_first,
        )
        self.state = state.process(run.environment)
        self.state.cwd_else = ()
        self._fetched: Unknown | None = None
        self._read: dict[str, SourceFile] = {}
        self._latest: SourceFile | None = None
        self._frame = frame
        self._elsewhere = state.cwd is None or any(wrapper.place for wrapper in frame.wrappers)
        self._marks: dict[tuple[str, str], str] = {}
        self._printed: dict[tuple[str, str], str] = {}
        self._span = span
        self.folder = self._moved()

    def _moved(self) -> str:
        """Where it works, which an option may change; empty where that is not known."""
        folder: str | None = self.state.cwd
        for name in self.loads.folders:
            long = [part_from(word, len(name) + 1) for word in self.words if word.text.startswith(f"{name}=")]
            for word in self.given.values.get(name, long if name[:2] != "--" else ()):
                folder = absolute(word.text, folder) if word.known else None
        self.state.cwd = folder
        return folder or ""

    def rerun(self, words: list[Word]) -> Project:
        """The same project, for another runner that this one runs."""
        return Project(self.run, words, self.state, self._frame, self._span)

    @property
    def operands(self) -> tuple[Word, ...]:
        return self.given.operands

    def texts(self) -> list[str]:
        """The operands as they are written."""
        return [self.source(word) for word in self.given.operands]

    def source(self, word: Word) -> str:
        """A word as text that a shell may be given, with a mark for what is not known of it."""
        return self.run.as_source(of_word(word))

    def file(self, path: str) -> File | None:
        """The file of that name, seen from the folder."""
        feed = self._frame.feed if path in STANDARD_INPUT else None
        if self._elsewhere and feed is None:
            return None
        found = code_text(self.run, Word(path), self.state, feed, searched=True)
        if found is None or (isinstance(found, Partial) and found.network):
            self._fetched = found.unknown if found is not None else self._fetched
            return None
        full = absolute(path, self.folder or None) or path
        if feed is not None:
            full = found.path if isinstance(found, FileText) else path
        if isinstance(found, FileText):
            self._latest = self._read.setdefault(full, SourceFile(found, self.run.sources.origin))
        return File(full, self._unmarked(found))

    def _unmarked(self, text: Scalar) -> str:
        """A text with marks for what is not known of it, and with none that it brings itself."""
        if isinstance(text, str):
            return text.replace(UNREAD_OPEN, "\ufffd") if UNREAD_OPEN in text else text
        pieces = tuple(
            (shown if why else shown.replace(UNREAD_OPEN, "\ufffd"), why) for shown, why in text.pieces
        )
        return self.run.as_source(Partial(pieces))

    def standing_at(self, path: str, line: int) -> Standing:
        """Where a reading stands that reads a line of a file; where it stands now, for one that nothing but
        the line itself wrote."""
        file = self._read.get(path)
        if file is None:
            return self.run.sources.standing
        self.run.sources.note_run(path, self.name)
        return file, None, file.start_of(line)

    @property
    def is_fed(self) -> bool:
        return self._frame.feed.kind != "inherit"

    def note_unread(self, path: str) -> None:
        """A file that would run something, and that nobody can tell what."""
        self.run.sources.note_unread(path, Why.UNREADABLE)

    def note_fetched(self) -> None:
        """What came off the network cannot be read, and would run."""
        if self._fetched is not None:
            self.run.note(self._fetched.within(Kind.RUNS_RECIPE), self._span, executed=True)

    def named_files(self) -> Iterator[File]:
        """The files that options name in place of the usual one."""
        for name in self.loads.recipe_options:
            for word in self.given.values.get(name, ()):
                found = self.file(word.text) if word.known else None
                if found is not None:
                    yield found

    def is_told_a_file(self) -> bool:
        return any(self.given.values.get(name) for name in self.loads.recipe_options)

    def recipe(self, *names: str, above: bool = False) -> File | None:
        """The file that an option names, or the first that is there of those that the runner looks for."""
        if self.is_told_a_file():
            return next(self.named_files(), None)
        return self.nearest(names or self.loads.recipes, above=above)

    def nearest(self, names: tuple[str, ...], *, above: bool = True) -> File | None:
        """The first of these that is there, in the folder or in one above it, as far as the project goes."""
        for folder in self.folders_above() if above else [self.folder]:
            for name in names:
                found = self.file(f"{folder.rstrip('/')}/{name}" if folder else name)
                if found is not None:
                    return found
        return None

    def folders_above(self) -> Iterator[str]:
        """The folder and those around it, up to the top of the repository; never the home itself."""
        folder, top = self.folder, self.run.top
        yield folder
        for _ in range(_MOST_LEVELS):
            folder = folder.rpartition("/")[0]
            if folder in ("", self.run.home) or (top and not f"{folder}/".startswith(f"{top}/")):
                return
            yield folder

    def collected(self, folder: str, names: tuple[str, ...]) -> Iterator[File]:
        """Files that run since they lie in a folder, as far as they are worth a look."""
        full = absolute(folder or ".", self.folder or None)
        if full is None or self._elsewhere:
            return
        for path in self.run.sources.collect(Collected(full, names)):
            found = self.file(path)
            if found is not None:
                yield found

    def names(self, folder: str) -> list[str]:
        """What is in a folder, as far as that is known."""
        full = absolute(folder, self.folder or None)
        return folder_names(self.run, full, self.state) if full else []

    def variable(self, name: str) -> str | None:
        """What the environment holds under that name, with a mark where that is not known; None where
        nothing says that it is set."""
        value = lookup(self.run, self.state, name)
        if value is MISSING or not isinstance(value, str | Partial):
            return None
        return self.run.as_source(value)

    def unset(self, shown: str, name: str) -> str:
        """A mark for a variable that nothing sets."""
        return self._mark(shown, Unknown(Kind.UNSET, name))

    def unknown(self, shown: str, kind: str = Kind.COMPUTED) -> str:
        """A mark for what the recipe's own language computes."""
        return self._mark(shown, Unknown(kind, shown))

    def _mark(self, shown: str, why: Unknown) -> str:
        """The same for the same, so that texts can be compared."""
        key = (shown, why.kind)
        if key not in self._marks:
            self._marks[key] = self.run.as_source(unknown(shown, why))
        return self._marks[key]

    def output(self, text: str, via: str, *, folder: str = "") -> str:
        """What a command prints that the runner runs in order to read its recipe."""
        key = (text, folder)
        if key not in self._printed:
            inner = self._frame.inside(via, span=self._span)
            inner.want = True
            child = self.state.copy()
            child.cwd = folder or child.cwd
            before = self.run.sources.standing
            if self._latest is not None:
                self.run.sources.stand(self.standing_at(self._latest.path, 1))
            printed: Scalar = strip_newlines(self.run.run_text(self.run.as_value(text), child, inner))
            self.run.sources.stand(before)
            self._printed[key] = self.run.as_source(printed)
        return self._printed[key]
