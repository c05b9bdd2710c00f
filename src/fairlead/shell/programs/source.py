"""Reads a file of programs: TOML, one table for each program. Every mistake is found, with its place."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterator, Mapping
from difflib import get_close_matches
from typing import Any, TypeVar

from fairlead.model.value import Value
from fairlead.shell.programs.effect_words import EFFECT_GROUPS
from fairlead.shell.programs.record import (
    ALSO,
    EVERY_OPERAND,
    GIVEN,
    ONLY,
    OPERANDS,
    PLACES,
    Deed,
    Fetches,
    Interprets,
    Loads,
    Runs,
)

Kind = TypeVar("Kind", bound=Value)
EVERY = "*"
"""The table that says what holds for every program of its file that says nothing else. What it `does` is
added to what a program does itself."""


class Problem(Value):
    """A mistake in a file, where it stands, and what would be right."""

    line: int
    column: int
    text: str
    hint: str = ""


class Source(Value):
    """One table of a file.

    `same`: other names of the program. `like`: the program in the same file that does what this one does,
    where the two run different things. `runs`: how it runs other programs; `before`: the options before its
    subcommand that take a value, if not `values`. `interprets`: how it is given code; `fetches` and
    `loads`: which files it brings, and which it runs; `readers`: what reads the commands in them. The rest
    of what it may run is under one of the `FOLLOWING_KEYS`.
    """

    name: str
    line: int
    same: tuple[str, ...] = ()
    like: str = ""
    runs: tuple[Runs, ...] = ()
    before: tuple[str, ...] = ()
    interprets: Interprets | None = None
    fetches: Fetches | None = None
    loads: Loads | None = None
    runner: str = ""
    finder: str = ""
    readers: tuple[str, ...] = ()
    shell_text: tuple[str, ...] = ()
    escapes: tuple[str, ...] = ()
    about: str = ""
    does: tuple[Deed, ...] = ()
    values: tuple[str, ...] = ()
    single_dash: bool = False
    code: str = ""
    also: tuple[str, ...] = ()
    only: str = ""
    sql: tuple[str, ...] = ()
    operands: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    shows: tuple[str, ...] = ()
    helpers: tuple[str, ...] = ()
    changing: tuple[str, ...] = ()
    stops: tuple[str, ...] = ()
    passes: tuple[str, ...] = ()


class SourceFile(Value):
    programs: tuple[Source, ...]
    problems: tuple[Problem, ...]


_WORDS: Mapping[str, Collection[str]] = {"also": ALSO, "operands": OPERANDS}
_LISTS = (
    *("same", "values", "before", "also", "sql", "operands", "outputs", "shows", "helpers", "changing"),
    *("stops", "passes", "shell_text", "escapes", "readers"),
)
_TEXTS = ("about", "code", "only", "like", "runner", "finder")
_TABLES: Mapping[str, type[Value]] = {"interprets": Interprets, "fetches": Fetches, "loads": Loads}
KEYS = (*_LISTS, *_TEXTS, *_TABLES, "does", "runs", "single_dash")
_DEED_KEYS = ("on", "with", "unless", "effect")
_OWN = (
    *_TABLES,
    *(
        "runs",
        "before",
        "runner",
        "finder",
        "readers",
        "shell_text",
        "escapes",
        "same",
        "about",
        "stops",
        "passes",
    ),
)
"""What a program does not have from the one that it is like: what it runs, and its examples."""
_FOR_EVERY = ("about", "values", "also", "single_dash", "operands", "code", "does")
_HEADER = re.compile(r"""\s*\[\s*["']?(?P<name>[^\[\]"']+?)["']?\s*\]""")
_SPLIT = "share it among several lines or files"
_WHERE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")


LARGEST = 256 << 10
LONGEST_LINE = 4_000
MOST_PROBLEMS = 100
"""Bounds of a file, and of what is told about it: it may be a stranger's, and the time that it takes to read
grows faster than the length of its names."""


def read_source(text: str) -> SourceFile:
    if len(text) > LARGEST:
        return SourceFile((), (Problem(1, 1, f"this is larger than {LARGEST >> 10} KiB", _SPLIT),))
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > LONGEST_LINE:
            return SourceFile((), (Problem(number, LONGEST_LINE + 1, "this line is too long", _SPLIT),))
    try:
        tables = tomllib.loads(text)
    except ValueError as error:  # of the reader, or of Python, which reads no number with too many digits
        return SourceFile((), (_syntax_problem(str(error), text),))
    except RecursionError:
        return SourceFile((), (Problem(1, 1, "lists or tables are nested too deeply"),))
    reading = _Reading(text)
    return SourceFile(tuple(reading.programs(tables)), tuple(reading.problems))


def _syntax_problem(message: str, text: str) -> Problem:
    found = _WHERE.search(message)
    lines = text.split("\n")
    line, column = (int(found[1]), int(found[2])) if found and found[1] else (len(lines), len(lines[-1]) + 1)
    return Problem(line, column, _WHERE.sub("", message), "this is not TOML")


class _Reading:
    """One file while it is read: its tables, and where in the text they stand."""

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")
        self._headers: dict[str, int] = {}
        for number, line in enumerate(self._lines, 1):
            if found := _HEADER.match(line):
                self._headers.setdefault(found["name"], number)
        self.problems: list[Problem] = []

    def programs(self, tables: Mapping[str, object]) -> Iterator[Source]:
        every = tables.get(EVERY, {})
        shared = self._fields(EVERY, every, _FOR_EVERY) if isinstance(every, dict) else {}
        for name, table in tables.items():
            if not isinstance(table, dict):
                self._note(
                    name, f"`{name}` is no table", "write a program as `[name]`, and its keys below it"
                )
            elif name != EVERY:
                fields = self._fields(name, {**self._taken(name, table, tables), **table}, KEYS)
                does = (*fields.get("does", ()), *shared.get("does", ()))
                yield Source(
                    **{"name": name, "line": self._headers.get(name, 1), **shared, **fields, "does": does}
                )

    def _taken(
        self, program: str, table: Mapping[str, object], tables: Mapping[str, object]
    ) -> dict[str, object]:
        """What a program has from the one that it is like."""
        if "like" not in table:
            return {}
        base = tables.get(str(table["like"]))
        if not isinstance(base, dict) or "like" in base:
            self._note(program, f"no program `{table['like']}` to be like stands in this file", "", "like")
            return {}
        return {key: value for key, value in base.items() if key not in _OWN}

    def _fields(self, program: str, table: Mapping[str, object], keys: tuple[str, ...]) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        for key, value in table.items():
            if key not in keys:
                self._note(program, f"unknown key `{key}`", _meant(key, keys), key)
            elif key == "does":
                fields[key] = tuple(self._deeds(program, value))
            elif key == "runs":
                fields[key] = tuple(self._runs(program, value))
            elif key in _TABLES:
                fields[key] = self._table(program, key, value, _TABLES[key])
            elif key in _LISTS:
                fields[key] = self._texts(program, key, value)
            elif key == "only" and value not in ONLY:
                self._note(program, f"unknown word `{value}` in `only`", _meant(str(value), tuple(ONLY)), key)
            elif isinstance(value, bool if key == "single_dash" else str):
                fields[key] = value
            else:
                wanted = "true or false" if key == "single_dash" else "a text"
                self._note(program, f"`{key}` is not {wanted}", "", key)
        return fields

    def _texts(self, program: str, key: str, value: object) -> tuple[str, ...]:
        if isinstance(value, list) and all(isinstance(each, str) for each in value):
            known = _WORDS.get(key, ())
            for each in value if known else ():
                if each not in known:
                    self._note(program, f"unknown word `{each}` in `{key}`", _meant(each, tuple(known)), each)
            return tuple(value)
        self._note(program, f"`{key}` is not a list of texts", f'write it as {key} = ["…"]', key)
        return ()

    def _deeds(self, program: str, value: object) -> Iterator[Deed]:
        if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
            hint = 'write it as does = [{on = "delete", effect = "cloud/delete"}]'
            self._note(program, "`does` is not a list of tables", hint, "does")
            return
        for each in value:
            for key in each.keys() - set(_DEED_KEYS):
                self._note(program, f"unknown key `{key}` in `does`", _meant(key, _DEED_KEYS), key)
            deed = self._deed(program, each)
            if deed is not None:
                yield deed

    def _deed(self, program: str, table: Mapping[str, object]) -> Deed | None:
        on, effect = table.get("on", ""), table.get("effect")
        if not isinstance(on, str) or not isinstance(effect, str):
            self._note(program, "a deed needs `effect`, and `on` is a text", "", "does")
            return None
        group, _, way = effect.partition("/")
        if group not in EFFECT_GROUPS or way not in EFFECT_GROUPS[group].ways:
            known = [f"{word}/{each}" for word, of in EFFECT_GROUPS.items() for each in sorted(of.ways)]
            self._note(program, f"unknown effect `{effect}`", _meant(effect, tuple(known)), effect)
            return None
        needs = self._texts(program, "with", table.get("with", []))
        unless = self._texts(program, "unless", table.get("unless", []))
        return Deed(" ".join(on.split()), EFFECT_GROUPS[group].action, way, needs, unless)

    def _runs(self, program: str, value: object) -> Iterator[Runs]:
        for table in value if isinstance(value, list) else [value]:
            if isinstance(table, dict) and table.get("operands") == "all":
                table = {**table, "operands": EVERY_OPERAND}
            runs = self._table(program, "runs", table, Runs)
            if runs is None:
                continue
            if runs.place and runs.place not in PLACES:
                self._note(program, f"unknown place `{runs.place}`", _meant(runs.place, PLACES), "place")
            place = f"{runs.place}:" if runs.place else ""
            yield runs.replace(on=tuple(" ".join(on.split()) for on in runs.on), place=place)

    def _table(self, program: str, key: str, table: object, kind: type[Kind]) -> Kind | None:
        """A table in a record, as a value of this kind."""
        if not isinstance(table, dict):
            self._note(program, f"`{key}` is no table", f"its keys: {', '.join(kind._fields)}", key)
            return None
        fields: dict[str, Any] = {}
        for name, given in table.items():
            if name not in kind._fields:
                self._note(program, f"unknown key `{name}` in `{key}`", _meant(name, kind._fields), name)
            else:
                fields[name] = self._field(program, name, given, kind._defaults.get(name, ""))
        missing = [name for name in kind._fields if name not in fields and name not in kind._defaults]
        if missing:
            self._note(program, f"`{key}` needs `{missing[0]}`", "", key)
            return None
        if fields.get("given", GIVEN[0]) not in GIVEN:
            self._note(program, f"`given` is not one of {', '.join(GIVEN)}", "", "given")
        return kind(**fields)

    def _field(self, program: str, key: str, given: object, default: object) -> object:
        """What a table says under this key, if it is of the kind of its default."""
        if isinstance(default, tuple | frozenset):
            told = [given] if key == "on" and isinstance(given, str) else given
            return type(default)(self._texts(program, key, told))
        if type(given) is type(default):
            return given
        wanted = {bool: "true or false", int: "a number"}.get(type(default), "a text")
        self._note(program, f"`{key}` is not {wanted}", "", key)
        return default

    def _note(self, program: str, text: str, hint: str, near: str = "") -> None:
        if len(self.problems) < MOST_PROBLEMS:
            self.problems.append(Problem(*place_of(self._lines, program, near), f"{program}: {text}", hint))


def _meant(word: str, known: tuple[str, ...]) -> str:
    close = get_close_matches(word, known, 1)
    return f"did you mean `{close[0]}`?" if close else f"known: {', '.join(known[:40])}"


def place_of(lines: list[str], program: str, near: str = "") -> tuple[int, int]:
    """Line and column of a program's table, or of a text in it; both count from one."""
    header = re.compile(rf"""\s*\[\s*["']?{re.escape(program)}["']?\s*\]""")
    start = next((index for index, line in enumerate(lines) if header.match(line)), None)
    if start is None:
        return 1, 1
    table = [lines[start]]
    for line in lines[start + 1 :]:
        if re.match(r"\s*\[[^\[]", line):
            break
        table.append(line)
    for pattern in _forms(near) if near else ():
        for index, line in enumerate(table):
            found = re.search(pattern, line)
            if found:
                return start + index + 1, found.start("it") + 1
    return start + 1, 1


def _forms(text: str) -> tuple[str, ...]:
    """The text as a whole one, as a word of its own, or as a part of something."""
    it = f"(?P<it>{re.escape(text)})"
    return f"""["']{it}["']""", rf"(?<![\w-]){it}(?![\w-])", it
