"""Shell scripts, by their name or their first line."""

from __future__ import annotations

from collections.abc import Iterator
from shlex import quote

from fairlead.scan.unit import SourceText, Unit
from fairlead.shell.following.line_files.script_files import interpreter_words
from fairlead.shell.script import program_name
from fairlead.shell.word_sets import names

_ENDINGS = (".sh", ".bash", ".zsh", ".ksh", ".bats", ".command")
_SHELLS = names("sh bash zsh dash ksh ash mksh bats")
_GIT_HOOKS = (".husky/", ".githooks/")


def is_shell_script(path: str, text: str) -> bool:
    if path.endswith(_ENDINGS) or (path.startswith(_GIT_HOOKS) and "." not in path.rpartition("/")[2]):
        return True
    return any(program_name(word) in _SHELLS for word in interpreter_words(text)[:1])


def script_units(source: SourceText) -> Iterator[Unit]:
    yield Unit(f"bash {quote(source.path)}", source.folder)
