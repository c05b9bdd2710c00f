"""One reading in progress: its bounds, what it was given, and what it has found so far."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from types import MappingProxyType

from fairlead.shell.bounds import MAX_DEPTH, Budget
from fairlead.shell.expansion.source_files import Sources, Standing
from fairlead.shell.expansion.state import State, Widened
from fairlead.shell.expansion.values import Partial, Scalar
from fairlead.shell.language.lexer import UNREAD_CLOSE, UNREAD_OPEN
from fairlead.shell.language.syntax_tree import Compound, Sequence, SyntaxFault
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.script import Code, Command, FileReader, Opaque, Piece, Redirect, Stdin, Word, Wrapper
from fairlead.shell.unknown import Kind, Stage, Unknown

_MARK = lazy(f"{UNREAD_OPEN}([0-9]{{1,9}}){UNREAD_CLOSE}")
FolderReader = Callable[[str], Iterable[str]]


class Feed:
    """What a command reads from its standard input; `cursor` is how far `read` has come in it."""

    __slots__ = ("cursor", "kind", "path", "text")

    def __init__(self, kind: str = "inherit", text: Scalar | None = None, path: Word | None = None) -> None:
        self.kind = kind
        self.text = text
        self.path = path
        self.cursor = 0

    def as_stdin(self) -> Stdin:
        if self.kind == "inherit":
            return _INHERITED
        if isinstance(self.text, Partial):
            return Stdin(self.kind, None, self.path, self.text.unknown, self.text.shown)
        return Stdin(self.kind, self.text, self.path)


_INHERITED = Stdin()
_NO_FILES: Mapping[str, Scalar] = MappingProxyType({})
_NO_WORDS: Mapping[str, Word] = MappingProxyType({})


class Frame:
    """Where a piece of text runs: through what, fed by what, and whether someone wants its output.

    `external`: a program runs it, not the shell, so that functions and builtins do not count.
    """

    __slots__ = ("external", "feed", "forms", "pipeline", "position", "span", "via", "want", "wrappers")

    def __init__(self) -> None:
        self.via: tuple[str, ...] = ()
        self.wrappers: tuple[Wrapper, ...] = ()
        self.span: tuple[int, int] | None = None
        self.feed = Feed()
        self.want = False
        self.external = False
        self.pipeline = 0
        self.position = 0
        self.forms: list[str] = []

    def copy(self) -> Frame:
        other = Frame.__new__(Frame)
        other.via = self.via
        other.wrappers = self.wrappers
        other.span = self.span
        other.feed = self.feed
        other.want = self.want
        other.external = self.external
        other.pipeline = self.pipeline
        other.position = self.position
        other.forms = self.forms
        return other

    def inside(self, via: str, *, span: tuple[int, int] | None = None) -> Frame:
        other = self.copy()
        other.via = (*self.via, via)
        other.forms = []
        other.external = False
        if self.span is None:
            other.span = span
        return other

    def through(self, wrapper: Wrapper, *, external: bool = True) -> Frame:
        other = self.copy()
        other.external = external
        other.wrappers = (*self.wrappers, wrapper)
        return other


class Call:
    """A simple command after expansion: what surrounds its words wherever they are run."""

    __slots__ = ("assignments", "end", "redirects", "start")

    def __init__(
        self, assignments: dict[str, Word], redirects: tuple[Redirect, ...], start: int, end: int
    ) -> None:
        self.assignments = assignments
        self.redirects = redirects
        self.start = start
        self.end = end


class WholeFiles:
    """What is known of the files of a reading as a whole: their trees, those that were begun, and those that
    were read for whatever they are given, as functions are."""

    __slots__ = ("begun", "functions", "trees", "widened")

    def __init__(self) -> None:
        self.trees: dict[str, tuple[Sequence, list[SyntaxFault], int]] = {}
        self.begun: set[str] = set()
        self.widened: set[str] = set()
        self.functions: dict[Compound, Widened] = {}


class Reading:
    """Everything that one reading shares, at any depth.

    `capture`, `run_words`, `run_text` and `edited` are functions of rooms above: parts below need them,
    too. `offsets` are those of its characters in bytes, where these are not the same. `defined` says where
    the functions stand that come out of files. `written` are files that the text itself wrote before it ran
    code.
    """

    def __init__(
        self,
        text: str,
        *,
        home: str,
        top: str | Callable[[], str],
        environment: Mapping[str, str],
        files: FileReader | None,
        folders: FolderReader | None = None,
    ) -> None:
        self.text = text
        self.home = home
        self._top = top
        self.environment = environment
        self.sources = Sources(files)
        self.written: Mapping[str, Scalar] = _NO_FILES
        self.searched: tuple[str, ...] = ()
        self.list_folder = folders
        self.recipes: list[tuple[str, ...]] = []
        self.budget = Budget()
        self.depth = 0
        self.commands: list[Command] = []
        self.code: list[Code] = []
        self.opaque: list[Opaque] = []
        self.pipelines: list[str] = []
        self.pieces: list[Piece] = []
        self.picks: dict[str, int] = {}
        self.seen: dict[str, int] = {}
        self.active: list[Compound] = []
        self.local_names: list[set[str]] = []
        self.next_pipeline = 0
        self.at_end: list[Callable[[], None]] = []
        self.assumed_unset: set[str] = set()
        self.computed: list[Unknown] = []
        self.sinks: list[tuple[str, Callable[[Scalar | None], None]]] = []
        self.next_sink = 62
        self.offsets = None if text.isascii() else _byte_offsets(text)

    def capture(self, sequence: Sequence, state: State, frame: Frame) -> Scalar:
        raise NotImplementedError

    def run_words(self, words: list[Word], call: Call, state: State, frame: Frame) -> Scalar:
        raise NotImplementedError

    def run_text(self, text: Scalar, state: State, frame: Frame) -> Scalar:
        raise NotImplementedError

    def edited(self, edit: Stage, text: str) -> str | None:
        raise NotImplementedError

    @cached_property
    def defined(self) -> dict[Compound, Standing]:
        return {}

    @cached_property
    def whole(self) -> WholeFiles:
        return WholeFiles()

    @property
    def top(self) -> str:
        """The top of the repository; where that has to be looked for, when it is first asked for."""
        if not isinstance(self._top, str):
            self._top = self._top()
        return self._top

    def run_body(self, body: Sequence, state: State, frame: Frame) -> Scalar:
        """Run what is inside something else. In a file, variables that may have several values are tried out
        where they are used, not around everything in which they are: that would multiply."""
        if self.sources.file is None:
            return self.capture(body, state, frame)
        outer = self.seen, self.picks
        self.seen, self.picks = {}, {}
        try:
            return self.capture(body, state, frame)
        finally:
            self.seen, self.picks = outer

    def span(self, start: int, end: int, frame: Frame) -> tuple[int, int]:
        """Byte offsets in the top text of what stands at these characters of the text that `frame` runs."""
        if frame.span is not None:
            return frame.span
        if self.offsets is None:
            return start, end
        last = len(self.offsets) - 1  # what never ends is said to end behind the text
        return self.offsets[min(start, last)], self.offsets[min(end, last)]

    def note(
        self, unknown: Unknown, span: tuple[int, int], *, executed: bool, network: bool | None = None
    ) -> None:
        found = Opaque(
            unknown, *span, executed, unknown.network if network is None else network, self.sources.origin
        )
        if found not in self.opaque[-20:]:
            self.opaque.append(found)

    def note_faults(self, faults: list[SyntaxFault], frame: Frame) -> None:
        """What bash refuses does not run, and is not noted."""
        for fault in [each for each in faults if not each.refused][:10]:
            span = self.span(fault.start, min(fault.end, len(self.text)), frame)
            kind = Kind.SYNTAX_TOO_DEEP if fault.too_deep else Kind.SYNTAX
            if self.sources.mapped is not None:
                self.sources.place = fault.start
            self.note(Unknown(kind, wording=fault.expected), span, executed=True)

    def emit(self, words: list[Word], call: Call, state: State, frame: Frame) -> Command:
        """Record a command that would run."""
        start, end = call.start, call.end
        if frame.span is not None or self.offsets is not None:
            start, end = self.span(start, end, frame)
        stdin = _INHERITED if frame.feed.kind == "inherit" else frame.feed.as_stdin()
        command = Command(
            tuple(words), state.cwd, call.assignments or _NO_WORDS, call.redirects, frame.wrappers,
            stdin, frame.pipeline, frame.position, start, end, frame.via, state.cwd_else,
            None if self.sources.file is None else self.sources.origin,
        )  # fmt: skip
        self.commands.append(command)
        return command

    def at_the_end(self, action: Callable[[], None]) -> None:
        """Do it when everything else was read, as if this place were read then."""
        standing = self.sources.standing

        def act() -> None:
            self.sources.stand(standing)
            action()

        self.at_end.append(act)

    def as_source(self, value: Scalar) -> str:
        """Text to parse, in which unknown pieces stand as marks that the lexer knows."""
        if isinstance(value, str):
            return value
        texts = []
        for piece in value.pieces:
            if piece[1]:
                texts.append(f"{UNREAD_OPEN}{len(self.pieces)}{UNREAD_CLOSE}")
                self.pieces.append(piece)
            else:
                texts.append(piece[0])
        return "".join(texts)

    def as_value(self, source: str) -> Scalar:
        """What `as_source` made, after it went through a program that kept the marks."""
        parts = _MARK.split(source)
        if len(parts) == 1:
            return source
        found = [self._marked(part) if odd % 2 else (part, None) for odd, part in enumerate(parts)]
        return Partial(tuple(piece for piece in found if piece[0] or piece[1]))

    def _marked(self, number: str) -> Piece:
        """What a mark stands for; one that is none of ours is text like any other."""
        index = int(number)
        return self.pieces[index] if index < len(self.pieces) else (number, None)

    def enter(self) -> bool:
        """One level deeper; False when that is too deep."""
        if self.depth >= MAX_DEPTH:
            return False
        self.depth += 1
        return True

    def leave(self) -> None:
        self.depth -= 1


def _byte_offsets(text: str) -> list[int]:
    offsets, total = [0], 0
    for char in text:
        code = ord(char)
        if code < 0x80 or 0xDC80 <= code <= 0xDCFF:
            total += 1
        elif code < 0x800:
            total += 2
        else:
            total += 3 if code < 0x10000 else 4
        offsets.append(total)
    return offsets
