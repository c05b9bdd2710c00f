"""What shell text means: the commands that would run, and what cannot be known about them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

from fairlead.model.failure import NOTHING
from fairlead.model.value import Value, derived
from fairlead.shell.unknown import Unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

Piece = tuple[str, Unknown | None]
"""A part of a text as shown, and what is unknown about it; None where it is known."""


def program_name(text: str) -> str:
    """What a program is called, wherever it lies: `tool` for `/bin/tool`, `@scope/tool@5` and `tool.exe`."""
    name = text.rsplit("/", 1)[-1]
    if "@" in name[1:]:
        name = name[: name.index("@", 1)]
    if name[-4:].lower() == ".exe":
        name = name.rsplit("\\", 1)[-1][:-4]
    return name


def printing_programs(unknown: Unknown | None) -> frozenset[str]:
    """The programs whose output it is, or went through; none where it is no output."""
    return (
        frozenset() if unknown is None else frozenset(program_name(stage[0]) for stage in unknown.commands())
    )


_SHORT = 256
_known_name = lru_cache(maxsize=1024)(program_name)
"""Every table asks for the name, and the same few programs are called all day long."""


class Word(Value):
    """One argument as the shell would make it.

    `text` is exact unless `opaque` says why it is not; then `prefix` is the part known before the first
    unknown one, and `pieces` are all.
    `glob` is set where unquoted `*?[` were left in `text` for the shell to expand.
    """

    text: str
    opaque: Unknown | None = None
    prefix: str = ""
    glob: bool = False
    start: int = 0
    end: int = 0
    pieces: tuple[Piece, ...] = ()

    @property
    def known(self) -> bool:
        return self.opaque is None

    @property
    def ending(self) -> str:
        """What stands behind the last unknown part."""
        found = ""
        for shown, unknown in reversed(self.pieces):
            if unknown is not None:
                break
            found = shown + found
        return found


class Redirect(Value):
    """`operator` is the shell's (`>`, `>>`, `<`, `&>`, `<>` ...); here-documents become the stdin."""

    operator: str
    target: Word
    descriptor: int | None = None


class Wrapper(Value):
    """A program that runs another: its own words (`sudo -u root`), and where the inner command runs.

    `place` is empty for this machine, else such as `ssh:host`, `docker:container`, `chroot:/mnt`.
    """

    name: str
    argv: tuple[Word, ...]
    place: str = ""


class Stdin(Value):
    """What feeds a command. `kind`: inherit, pipe, file, text. `text` is set where the content is known;
    `shown` is the content of which a part is not, with that part as it is spelled."""

    kind: str = "inherit"
    text: str | None = None
    path: Word | None = None
    opaque: Unknown | None = None
    shown: str = ""


class Origin(Value):
    """Where in a file something stands that came out of it; what stands in the call's own text has none.

    `path` is absolute, `line` counts from 1. `by` is the place in another file that runs this one, or that
    takes it in; None where the call's own text does.
    """

    path: str
    line: int = 1
    by: Origin | None = None

    @property
    def chain(self) -> tuple[Origin, ...]:
        """The way to it: from the file that the call names, through every file between, to itself."""
        found = [self]
        while found[-1].by is not None:
            found.append(found[-1].by)
        return tuple(reversed(found))

    def below(self, outer: Origin) -> Origin:
        """The same place, where the whole way to it begins at a place in another file."""
        return self.replace(by=outer if self.by is None else self.by.below(outer))


class Why:
    """Why the text of a file is not known, though the file would run."""

    MISSING: Final = "missing"
    TOO_BIG: Final = "too-big"
    TOO_MANY: Final = "too-many"
    BINARY: Final = "binary"
    UNREADABLE: Final = "unreadable"


class NoText(Value):
    """What a reader of files answers for one that is there and that it does not hand out; `why` is one of
    `Why`."""

    why: str = Why.UNREADABLE


FileReader = Callable[[str], str | bytes | NoText | None]
"""From an absolute path to what the file holds: its text, or its bytes, which are taken for UTF-8; `NoText`
for one that is there but is not handed out, with the reason; None for one that is not there.

It is asked at most once for each path in one reading, and only for files that would run as code. Whoever
gives it bounds what it reads from the disk: a text that is longer than `MAX_FILE` counts as too big."""


class FileRun(Value):
    """A file whose text was read since it would run. `language` is `sh` for every shell; `by` is the place
    in a file that runs it, None for the call's own text."""

    path: str
    language: str
    by: Origin | None = None


class FileUnread(Value):
    """A file that would run and was not read."""

    path: str
    why: str
    by: Origin | None = None


def _name_of(command: Command) -> str:
    if not command.argv or command.argv[0].opaque:
        return ""
    text = command.argv[0].text
    return _known_name(text) if len(text) <= _SHORT else program_name(text)


class Command(Value):
    """One simple command, after wrappers were taken off it and words were expanded.

    `cwd` is the directory in which it runs, None when that cannot be known; `cwd_else` are those in which it
    runs instead if a `cd` before it fails, which nothing in the line checks. `start` and `end` are byte
    offsets into the text that was read at the top; `via` says how it came to run (`bash -c`, `eval`, `$()`,
    `find -exec`), outermost first.
    """

    argv: tuple[Word, ...]
    cwd: str | None
    assignments: Mapping[str, Word] = NOTHING  # type: ignore[assignment]  # an empty mapping of any kind
    redirects: tuple[Redirect, ...] = ()
    wrappers: tuple[Wrapper, ...] = ()
    stdin: Stdin = Stdin()
    pipeline: int = 0
    position: int = 0
    start: int = 0
    end: int = 0
    via: tuple[str, ...] = ()
    cwd_else: tuple[str, ...] = ()
    origin: Origin | None = None
    name: str = derived(_name_of)
    """The program's base name; empty for a line that only assigns or redirects, or when opaque."""


def stands_before(first: Command, second: Command) -> bool:
    """Whether it stands before the other in the text of both: the call's own, or that of a file."""
    one, two = first.origin, second.origin
    if one is None or two is None or one.path != two.path:
        return first.start < second.start
    return one.line < two.line


COMPILED = "compiled"
"""The language of what a compiler is given, whichever it is: their calls look alike."""


class Code(Value):
    """Source text in another language that would run: `python -c`, a here-document into `node`."""

    language: str
    text: str
    command: Command
    opaque: Unknown | None = None
    origin: Origin | None = None


class Opaque(Value):
    """Something that cannot be known without running it.

    `executed`: it would be run as code. `network`: it comes off the network.
    """

    unknown: Unknown
    start: int = 0
    end: int = 0
    executed: bool = False
    network: bool = False
    origin: Origin | None = None


class Collected(Value):
    """A folder out of which a runner takes all files, at any depth, whose names match a pattern."""

    folder: str
    names: tuple[str, ...]

    def has(self, path: str) -> bool:
        from fnmatch import fnmatchcase  # only where tests run

        folder, _, name = path.rpartition("/")
        inside = f"{folder}/".startswith(f"{self.folder.rstrip('/')}/")
        return inside and any(fnmatchcase(name, pattern) for pattern in self.names)


class Script(Value):
    """Everything that `text` would run. `pipelines` are in normal form: words joined, stages by ` | `.

    `files` are those that were read since they would run, `unread` those that would run and were not read,
    each once for every place that runs it. `steps` is how much work the reading was. `collected` are folders
    whose files run without being named: too many to read them all. `assigned` are the variables that the text
    itself sets, in any way; `assumed_unset` those for which it says what counts where they have no value, and
    of which nothing says that they have one. `computed` is what arithmetic takes that cannot be known: an
    index in it would run something.
    """

    text: str
    commands: tuple[Command, ...] = ()
    code: tuple[Code, ...] = ()
    opaque: tuple[Opaque, ...] = ()
    pipelines: tuple[str, ...] = ()
    files: tuple[FileRun, ...] = ()
    unread: tuple[FileUnread, ...] = ()
    steps: int = 0
    collected: tuple[Collected, ...] = ()
    assigned: frozenset[str] = frozenset()
    assumed_unset: frozenset[str] = frozenset()
    computed: tuple[Unknown, ...] = ()
