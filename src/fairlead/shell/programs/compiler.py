"""Turns the files of programs into modules of constants: nothing parses TOML while a call waits.

`python -m fairlead.shell.programs.compiler` writes them anew; a test says when they are old.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from pprint import pformat

from fairlead.model.value import Value
from fairlead.shell.programs.checks import faults_of, followed_by, missing_examples
from fairlead.shell.programs.record import SHELL, Deed
from fairlead.shell.programs.source import Problem, Source, place_of, read_source

HERE = Path(__file__).parent
DATA, COMPILED = HERE / "data", HERE / "compiled"
_KIND_END = "*"


class Family(Value):
    """One file of programs."""

    name: str
    path: Path
    programs: tuple[Source, ...]
    problems: tuple[Problem, ...]


def read_families(folder: Path = DATA) -> list[Family]:
    return [read_family(path) for path in sorted(folder.rglob("*.toml"))]


def read_family(path: Path) -> Family:
    text = path.read_text(encoding="utf-8")
    read = read_source(text)
    lines = text.split("\n")
    name = path.stem.replace("-", "_")
    found = [
        Problem(*place_of(lines, source.name, near), f"{source.name}: {fault}")
        for source in read.programs
        for fault, near in (*faults_of(source), *missing_examples(source))
    ]
    return Family(name, path, read.programs, (*read.problems, *found))


def names_of(source: Source) -> tuple[str, ...]:
    return (source.name, *source.same)


def problems_of(families: Iterable[Family]) -> Iterator[tuple[Path, Problem]]:
    """What is wrong in each file, and what stands twice."""
    first: dict[str, Path] = {}
    files: dict[str, Path] = {}
    for family in families:
        if files.setdefault(family.name, family.path) is not family.path:
            yield (
                family.path,
                Problem(1, 1, f"another file is called {family.path.name}, too"),
            )
        for problem in family.problems:
            yield family.path, problem
        for source in family.programs:
            for name in names_of(source):
                if name in first:
                    where = place_of(family.path.read_text(encoding="utf-8").split("\n"), source.name, name)
                    yield family.path, Problem(*where, f"{name}: it stands in {first[name].name} already")
                first.setdefault(name, family.path)


def compiled_modules(families: Iterable[Family]) -> dict[str, str]:
    """The text of every module, by its file name."""
    families = list(families)
    acting = [family for family in map(_acting, families) if family.programs]
    modules = {f"{family.name}.py": _family_module(family) for family in acting}
    return {**modules, "index.py": _index_module(acting), "running.py": _running_module(families)}


def _acting(family: Family) -> Family:
    """The programs of a family that have an effect: of the others, all that is asked is what they run."""
    return family.replace(programs=tuple(source for source in family.programs if _literal(source)))


def _family_module(family: Family) -> str:
    programs = {source.name: _literal(source) for source in family.programs}
    same = {alias: source.name for source in family.programs for alias in source.same if not _is_kind(alias)}
    told = f'"""Made from `{family.path.name}` by the compiler of programs: edit that file instead."""'
    told += f"\n\nPROGRAMS: dict[str, dict[str, object]] = {_written(programs)}"
    return f"{told}\nSAME: dict[str, str] = {_written(same)}\n"


def _index_module(families: list[Family]) -> str:
    family_of = {
        name: family.name
        for family in families
        for source in family.programs
        for name in names_of(source)
        if not _is_kind(name)
    }
    kinds = {
        alias.removesuffix(_KIND_END): source.name
        for family in families
        for source in family.programs
        for alias in source.same
        if _is_kind(alias)
    }
    told = '"""Made by the compiler of programs: which family a program belongs to."""'
    told += f"\n\nFAMILY_OF: dict[str, str] = {_written(family_of)}"
    return f"{told}\nKINDS: dict[str, str] = {_written(kinds)}\n"


def _running_module(families: list[Family]) -> str:
    """One small module for all: every command asks whether its program runs another."""
    sources = [source for family in families for source in family.programs]
    shells = {source.name: () for source in sources if _language(source) == SHELL}
    coded = [source for source in sources if _language(source) not in (SHELL, "")]
    tables: dict[str, Mapping[str, object]] = {
        "RUNS": {source.name: _running_literal(source) for source in sources if source.runs},
        "INTERPRETS": {source.name: _literal_of(source.interprets) for source in coded},
        "SHELLS": shells,
        "FOLLOWED": {source.name: _followed_literal(source) for source in sources if followed_by(source)},
        "FETCHES": {source.name: _literal_of(source.fetches) for source in sources if source.fetches},
        "RECIPE_READERS": {source.name: tuple(source.readers) for source in sources if source.readers},
        "LOADS": {source.name: _literal_of(source.loads) for source in sources if source.loads},
    }
    told = '"""Made by the compiler of programs: which programs run others or code, and how."""'
    told += "\n\nfrom __future__ import annotations\n\n"
    told += "TYPE_CHECKING = False\nif TYPE_CHECKING:\n    from typing import Any\n\n"
    for name, table in tables.items():
        same = {alias: source.name for source in sources if source.name in table for alias in source.same}
        told += f"{name}: dict[str, Any] = {_written({**table, **same})}\n"
    return told


def _language(source: Source) -> str:
    return source.interprets.language if source.interprets else ""


def _running_literal(source: Source) -> Mapping[str, object]:
    fields: dict[str, object] = {
        "before": tuple(sorted(source.before or source.values)) if any(r.on for r in source.runs) else (),
        "runs": tuple(_literal_of(runs) for runs in source.runs),
    }
    return {key: value for key, value in fields.items() if value}


def _followed_literal(source: Source) -> tuple[object, ...]:
    key = followed_by(source)[0]
    told = getattr(source, key)
    return (key, told) if isinstance(told, str) else (key, *(each for each in told if each != "stdin"))


def _literal_of(value: Value | None) -> Mapping[str, object]:
    """The fields of a value that say something, as constants."""
    fields = {key: getattr(value, key) for key in value._fields} if value is not None else {}
    written = {
        key: tuple(sorted(each)) if isinstance(each, frozenset) else each for key, each in fields.items()
    }
    return {key: each for key, each in written.items() if each}


def _is_kind(name: str) -> bool:
    """`mkfs.*`: programs that are one kind with many names."""
    return name.endswith(_KIND_END)


def _literal(source: Source) -> Mapping[str, object]:
    """What differs from the defaults, as constants."""
    fields: dict[str, object] = {
        "does": tuple(_deed_literal(deed) for deed in source.does),
        "values": tuple(sorted(source.values)),
        "single_dash": source.single_dash,
        "code": source.code,
        "also": tuple(sorted(source.also)),
        "only": source.only,
        "sql": source.sql,
        "operands": tuple(sorted(source.operands)),
        "outputs": tuple(sorted(source.outputs)),
        "shows": tuple(sorted(source.shows)),
        "helpers": tuple(sorted(source.helpers)),
        "changing": source.changing,
    }
    return {key: value for key, value in fields.items() if value}


def _deed_literal(deed: Deed) -> tuple[object, ...]:
    whole = (deed.on, deed.action, deed.way, deed.needs, deed.unless)
    return whole if deed.unless else whole[:4] if deed.needs else whole[:3]


def _written(value: Mapping[str, object]) -> str:
    return pformat(dict(value), width=110, sort_dicts=True) if value else "{}"


def shown(path: Path, problem: Problem) -> str:
    """A problem as a person reads it: where, what, and what would be right."""
    hint = f"\n  hint: {problem.hint}" if problem.hint else ""
    return f"{path}:{problem.line}:{problem.column}: {problem.text}{hint}"


def main(folder: Path = DATA, compiled: Path = COMPILED) -> int:
    families = read_families(folder)
    problems = list(problems_of(families))
    for path, problem in problems:
        print(shown(path.relative_to(folder), problem), file=sys.stderr)
    if problems:
        return 1
    for old in compiled.glob("*.py"):
        if old.name != "__init__.py":
            old.unlink()
    for name, text in compiled_modules(families).items():
        (compiled / name).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
