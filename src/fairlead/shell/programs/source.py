"""Reads a file of programs: TOML, one table for each program. Every mistake is found, with its place."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterator, Mapping
from difflib import get_close_matches
from typing import Any

from fairlead.model.value import Value
from fairlead.shell.programs.effect_words import EFFECT_GROUPS
from fairlead.shell.programs.record import (
    ALSO,
    EVERY_OPERAND,
    INTERPRETS_KEYS,
    INTERPRETS_LISTS,
    ONLY,
    OPERANDS,
    PLACES,
    RUNS_KEYS,
    RUNS_LISTS,
    RUNS_SWITCHES,
    Deed,
    Interprets,
    Runs,
)

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
    subcommand that take a value, if not `values`. `interprets`: how it is given code. The rest of what
    it may run is under one of the `FOLLOWING_KEYS`.
    """

    name: str
    line: int
    same: tuple[str, ...] = ()
    like: str = ""
    runs: tuple[Runs, ...] = ()
    before: tuple[str, ...] = ()
    interprets: Interprets | None = None
    runner: str = ""
    finder: str = ""
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
    changing: tuple[str, ...] = ()
    stops: tuple[str, ...] = ()
    passes: tuple[str, ...] = ()


class SourceFile(Value):
    programs: tuple[Source, ...]
    problems: tuple[Problem, ...]


_WORDS: Mapping[str, Collection[str]] = {"also": ALSO, "operands": OPERANDS}
_LISTS = (
    *("same", "values", "before", "also", "sql", "operands", "outputs", "changing", "stops", "passes"),
    *("shell_text", "escapes"),
)
_TEXTS = ("about", "code", "only", "like", "runner", "finder")
KEYS = (*_LISTS, *_TEXTS, "does", "runs", "interprets", "single_dash")
_DEED_KEYS = ("on", "with", "unless", "effect")
_TAKEN = ("does", "values", "code", "also", "sql", "operands", "outputs", "changing", "single_dash")
_FOR_EVERY = ("about", "values", "also", "single_dash", "operands", "code", "does")
_WHERE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")


def read_source(text: str) -> SourceFile:
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        return SourceFile((), (_syntax_problem(str(error), text),))
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
                yield Source(**{"name": name, "line": self._header(name), **shared, **fields, "does": does})

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
        return {key: base[key] for key in _TAKEN if key in base}

    def _fields(self, program: str, table: Mapping[str, object], keys: tuple[str, ...]) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        for key, value in table.items():
            if key not in keys:
                self._note(program, f"unknown key `{key}`", _meant(key, keys), key)
            elif key == "does":
                fields[key] = tuple(self._deeds(program, value))
            elif key == "runs":
                fields[key] = tuple(self._runs(program, value))
            elif key == "interprets":
                fields[key] = self._interprets(program, value)
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
        tables: list[Any] = value if isinstance(value, list) else [value]
        if not all(isinstance(each, dict) for each in tables):
            self._note(
                program, "`runs` is no table", 'write it as runs = {on = "exec", operands = 1}', "runs"
            )
            return
        for table in tables:
            fields: dict[str, object] = {}
            for key, given in table.items():
                if key not in RUNS_KEYS:
                    self._note(program, f"unknown key `{key}` in `runs`", _meant(key, RUNS_KEYS), key)
                elif key in RUNS_LISTS:
                    fields[key] = frozenset(self._texts(program, key, given))
                else:
                    fields[key] = self._run_field(program, key, given)
            yield Runs(**fields)  # type: ignore[arg-type]

    def _interprets(self, program: str, table: object) -> Interprets | None:
        if not isinstance(table, dict) or not isinstance(table.get("language"), str):
            hint = 'write it as interprets = {language = "python", code = ["-c"]}'
            self._note(program, "`interprets` is no table with a language", hint, "interprets")
            return None
        fields: dict[str, object] = {}
        for key, given in table.items():
            if key not in INTERPRETS_KEYS:
                self._note(program, f"unknown key `{key}` in `interprets`", _meant(key, INTERPRETS_KEYS), key)
            elif key in INTERPRETS_LISTS:
                fields[key] = frozenset(self._texts(program, key, given))
            elif isinstance(given, bool if key == "sources" else str):
                fields[key] = given
            else:
                wanted = "true or false" if key == "sources" else "a text"
                self._note(program, f"`{key}` is not {wanted}", "", key)
        return Interprets(**fields)  # type: ignore[arg-type]

    def _run_field(self, program: str, key: str, given: object) -> object:
        if key in RUNS_SWITCHES and isinstance(given, bool):
            return given
        if key == "operands" and (given == "all" or type(given) is int):
            return EVERY_OPERAND if given == "all" else given
        if key == "place" and given in PLACES:
            return f"{given}:"
        if key == "on":
            told = [given] if isinstance(given, str) else given
            return tuple(" ".join(each.split()) for each in self._texts(program, key, told))
        hints = {"operands": 'a number or "all"', "place": f"one of {', '.join(PLACES)}"}
        self._note(program, f"`{key}` is not {hints.get(key, 'true or false')}", "", key)
        return Runs._defaults[key]

    def _note(self, program: str, text: str, hint: str, near: str = "") -> None:
        self.problems.append(Problem(*place_of(self._lines, program, near), f"{program}: {text}", hint))

    def _header(self, program: str) -> int:
        return place_of(self._lines, program)[0]


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
