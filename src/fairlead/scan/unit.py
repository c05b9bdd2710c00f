"""What a file tells a program to run, as one call."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from shlex import quote

from fairlead.model.failure import NOTHING
from fairlead.model.value import Value


class SourceText(Value):
    """A file that is judged: its absolute path, what stands in it, and the folder that it is in."""

    path: str
    text: str

    @property
    def folder(self) -> str:
        return self.path.rpartition("/")[0] or "/"

    @property
    def name(self) -> str:
        return self.path.rpartition("/")[2]


class Unit(Value):
    """`call` is the command that would run it, in a folder. `shadows` are texts that are read in place of
    files, with each line where it stands in the file."""

    call: str
    folder: str
    shadows: Mapping[str, str] = NOTHING  # type: ignore[assignment]  # an empty mapping of any kind


Units = Callable[[SourceText], Iterator[Unit]]


def shell_unit(source: SourceText, text: str, line: int) -> Unit:
    """Some lines of a file, which a shell would run."""
    return Unit(f"bash {quote(source.path)}", source.folder, {source.path: "\n" * (line - 1) + text})
