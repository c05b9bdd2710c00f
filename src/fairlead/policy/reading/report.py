"""Reads the mappings of a document against a table of keys, and collects every problem on the way."""

from __future__ import annotations

from collections.abc import Mapping

from fairlead.policy.reading.document import UNKNOWN_TAG, Marked
from fairlead.policy.reading.problem import ERROR, Problem
from fairlead.policy.reading.schema import KIND_WORDS, LIST, MAPPING, NOTHING_GIVEN, TEXT, Key, suggestion

Fields = dict[str, Marked]


class Report:
    """The problems of one file or of one entry, in the order in which they were met."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.problems: list[Problem] = []

    def add(self, at: Marked, message: str, hint: str = "", severity: str = ERROR) -> None:
        self.problems.append(Problem(self.path, at.line, at.column, message, hint, severity))

    @property
    def errors(self) -> list[Problem]:
        return [problem for problem in self.problems if problem.severity == ERROR]


def read_fields(mapping: Marked, keys: Mapping[str, Key], report: Report) -> tuple[Fields, Fields]:
    """The well-formed values, and the keys as they were written, both by name. The rest is reported."""
    values: Fields = {}
    written: Fields = {}
    for key, value in mapping.pairs:
        name = key.value if isinstance(key.value, str) else str(key.plain)
        if name in written:
            report.add(key, f"key {name!r} appears twice", f"the first is on line {written[name].line}")
        elif name not in keys:
            report.add(key, f"unknown key {name!r}", _near_key(name, keys))
        else:
            written[name] = key
            if _fits(name, value, keys[name], report):
                values[name] = value
    return values, written


def _near_key(name: str, keys: Mapping[str, Key]) -> str:
    if name == "<<":
        return "merge keys are not read; write the keys out"
    return suggestion(name, keys, otherwise=f"known keys: {', '.join(keys)}")


def _fits(name: str, value: Marked, key: Key, report: Report) -> bool:
    if value.kind == UNKNOWN_TAG:
        report.add(value, f"the tag {value.value} is not read", f"write a plain value: {key.example}")
        return False
    if value.kind not in key.kinds:
        wanted = " or ".join(KIND_WORDS[kind] for kind in key.kinds if kind != NOTHING_GIVEN)
        report.add(value, f"{name!r} must be {wanted}, not {_shown(value)}", f"for example {key.example}")
        return False
    if key.words and value.kind == TEXT and value.value not in key.words:
        one_of = f"one of: {', '.join(key.words)}"
        hint = suggestion(str(value.value), key.words, otherwise=one_of)
        report.add(value, f"{name!r} cannot be {_shown(value)}", hint)
        return False
    return True


def _shown(value: Marked) -> str:
    if value.kind in (LIST, MAPPING, NOTHING_GIVEN):
        return KIND_WORDS[value.kind]
    text = str(value.value).lower() if isinstance(value.value, bool) else repr(value.value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def report_flaws(value: Marked, report: Report) -> None:
    """Keys that appear twice and tags, anywhere inside `value`."""
    seen: Fields = {}
    if value.kind == UNKNOWN_TAG:
        report.add(value, f"the tag {value.value} is not read", "write a plain value")
    for key, _ in value.pairs if value.kind == MAPPING else ():
        name = str(key.plain)
        if name in seen:
            report.add(key, f"key {name!r} appears twice", f"the first is on line {seen[name].line}")
        seen.setdefault(name, key)
    for item in value.items:
        report_flaws(item, report)
