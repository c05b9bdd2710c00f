"""The steps of a build server's pipeline, each at the line where it stands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from fairlead.model.value import Value
from fairlead.packs.judging.pipeline_files import is_pipeline, with_secrets
from fairlead.scan.unit import SourceText, Unit, shell_unit
from fairlead.shell.lazy_pattern import lazy

_KEY = lazy(
    r"run|script|command|commands|bash|sh|install|(?:before|after)[_-](?:script|install|deploy|success|failure)",
    re.IGNORECASE,
)
"""What holds commands, whatever the server is."""
_NO_SHELL = lazy(r"(?:pwsh|powershell|cmd|python\d*|node|deno|ruby|perl|nu|fish)\b")
_GROOVY = lazy(
    r"\bsh\b[ \t]*\(?\s*(?:script[ \t]*:[ \t]*)?"
    r"(?:'''(.*?)'''|\"\"\"(.*?)\"\"\"|'([^'\n]*)'|\"([^\"\n]*)\")",
    re.DOTALL,
)
_MOST_EVENTS = 50_000


class Step(Value):
    """Text for a shell, and the line where it begins."""

    text: str
    line: int


def is_pipeline_file(path: str) -> bool:
    """By its path from the root, which is where build servers look."""
    return is_pipeline(f"/{path}") and not path.endswith((".py", ".js", ".ts", ".sh", ".md"))


def steps_of(source: SourceText) -> Iterator[Step]:
    if source.name.startswith("Jenkinsfile"):
        for match in _GROOVY.finditer(source.text):
            group = next(number for number in range(1, 5) if match[number] is not None)
            yield Step(match[group], source.text.count("\n", 0, match.start(group)) + 1)
    else:
        yield from _YamlSteps(source.text).steps()


def pipeline_units(source: SourceText) -> Iterator[Unit]:
    for step in steps_of(source):
        yield shell_unit(source, with_secrets(step.text, source.text, source.path), step.line)


class _Open:
    """A table or a list that is read: the key that stands before the next value, whether what is in it are
    commands, and the steps that wait until its end tells which shell they are for."""

    __slots__ = ("commands", "key", "list", "shell", "waiting")

    def __init__(self, *, is_list: bool, commands: bool) -> None:
        self.list = is_list
        self.commands = commands
        self.key: str | None = None
        self.shell = ""
        self.waiting: list[Step] = []


class _YamlSteps:
    """Reads the parser's events, which know their lines; the tree of values does not."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._open: list[_Open] = []
        self._found: list[Step] = []
        self._named: dict[str, Step] = {}
        """Texts that are given a name, to be repeated elsewhere."""

    def steps(self) -> list[Step]:
        import yaml

        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        try:
            for number, event in enumerate(yaml.parse(self._text, Loader=loader)):
                if number > _MOST_EVENTS:
                    break
                self._take(event)
        except (yaml.YAMLError, ValueError, RecursionError):
            pass  # what stands before the fault was read; whoever runs the file is told of it
        return sorted(self._found, key=lambda step: step.line)

    def _take(self, event: Any) -> None:
        kind = type(event).__name__
        if kind in ("MappingStartEvent", "SequenceStartEvent"):
            commands = self._are_commands()
            self._value_taken()
            self._open.append(_Open(is_list=kind.startswith("Seq"), commands=commands))
        elif kind in ("MappingEndEvent", "SequenceEndEvent"):
            self._close(self._open.pop())
        elif kind == "ScalarEvent":
            self._scalar(event)
        elif kind == "AliasEvent":
            named = self._named.get(event.anchor)
            if named is not None and self._are_commands():
                self._open[-1].waiting.append(named)
            self._value_taken()

    def _are_commands(self) -> bool:
        """Whether the value that comes next is a command, or a list of some."""
        if not self._open:
            return False
        inner = self._open[-1]
        return inner.commands if inner.list else inner.key is not None and bool(_KEY.fullmatch(inner.key))

    def _value_taken(self) -> None:
        if self._open and not self._open[-1].list:
            inner = self._open[-1]
            inner.key = "" if inner.key is None else None

    def _scalar(self, event: Any) -> None:
        inner = self._open[-1] if self._open else None
        if inner is None:
            return
        block = event.style in ("|", ">")
        # the lines of a folded text are one for the shell: it stands where the first of them does
        step = Step(event.value, event.start_mark.line + (2 if block else 1))
        if event.anchor is not None:
            self._named[event.anchor] = step
        if not inner.list and inner.key is None:
            inner.key = event.value
            return
        if inner.key == "shell":
            inner.shell = event.value
        elif self._are_commands():
            inner.waiting.append(step)
        if not inner.list:
            inner.key = None

    def _close(self, inner: _Open) -> None:
        outer = self._open[-1] if self._open else None
        if _NO_SHELL.match(inner.shell):
            return
        if inner.list and outer is not None and not outer.list:
            outer.waiting += inner.waiting
        else:
            self._found += inner.waiting
