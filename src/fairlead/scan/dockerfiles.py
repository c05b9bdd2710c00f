"""What a Dockerfile runs while an image is built."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from shlex import quote

from fairlead.scan.unit import SourceText, Unit, shell_unit
from fairlead.shell.lazy_pattern import lazy

_NAME = lazy(r"(?:[\w.-]+\.)?(?:Docker|Container)file(?:\.[\w.-]+)?\Z|[\w.-]+\.dockerfile\Z")
_RUN = lazy(r"\s*(?:ONBUILD\s+)?RUN\s+((?:--[\w-]+(?:=\S+)?\s+)*)", re.IGNORECASE)
_TAKES_DOCUMENTS = lazy(r"\s*(?:ONBUILD\s+)?(?:RUN|COPY|ADD)\s", re.IGNORECASE)
_HEREDOC = lazy(r"(?<![^\s\d])<<-?\s*([\"']?)(\w+)\1")
_SHELL = lazy(r"\s*SHELL\s+\[(.*)\]", re.IGNORECASE)
_POSIX = lazy(r"\"(?:/\S+/)?(?:ba|da|z|k|a)?sh\"")


def is_dockerfile(name: str) -> bool:
    return bool(_NAME.match(name))


def dockerfile_units(source: SourceText) -> Iterator[Unit]:
    """One for each `RUN`, since each is a shell of its own."""
    is_shell = True
    lines = source.text.split("\n")
    at = 0
    while at < len(lines):
        end = _end_of(lines, at)
        told = _SHELL.match(lines[at])
        is_shell = bool(_POSIX.search(told[1])) if told else is_shell
        run = _RUN.match(lines[at])
        if run and is_shell:
            first = " " * run.end() + lines[at][run.end() :]
            yield shell_unit(source, _as_shell([first, *lines[at + 1 : end]]), at + 1)
        at = end


def _end_of(lines: list[str], at: int) -> int:
    """The line behind an instruction, which may go on, or have documents behind it."""
    end = at + 1
    while end < len(lines) and (
        lines[end - 1].rstrip().endswith("\\") or _is_comment(lines[end - 1], end - at)
    ):
        end += 1
    if _TAKES_DOCUMENTS.match(lines[at]):
        for mark in [match[2] for line in lines[at:end] for match in _HEREDOC.finditer(line)]:
            end = next(
                (number + 1 for number in range(end, len(lines)) if lines[number].strip() == mark), end
            )
    return end


def _is_comment(line: str, into: int) -> bool:
    """Inside an instruction: Docker drops the line, and goes on with the next."""
    return into > 1 and line.lstrip().startswith("#")


def _as_shell(lines: list[str]) -> str:
    """As the shell is given it: comments between lines are gone, a list of words is one command, and what a
    document holds is run."""
    text = "\n".join(lines)
    document = _HEREDOC.match(text.lstrip())
    if document:
        return "\n".join(["", *lines[1:-1]])
    if text.lstrip().startswith("["):
        try:
            return " ".join(quote(str(word)) for word in json.loads(text))
        except ValueError:
            return text
    return "\n".join("\\" if _is_comment(line, at + 1) else line for at, line in enumerate(lines))
