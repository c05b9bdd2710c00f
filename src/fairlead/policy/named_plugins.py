"""`plugins.yaml` beside the `hooks` folder of the user or system: names that fit into no entry."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from fairlead.policy.find import read_file
from fairlead.policy.reading.document import MAX_BYTES, UnreadableFileError, parse_document
from fairlead.policy.reading.problem import Problem
from fairlead.policy.reading.report import Report, read_fields
from fairlead.policy.reading.schema import LIST, MAPPING, TEXT, Key

FILE_NAME = "plugins.yaml"
_KEYS = {"dialects": Key((LIST,), "dialects: [acme]", meaning="agents whose dialect is another package's")}


def named_plugins(roots: Sequence[str], kind: str) -> frozenset[str]:
    """The names of that kind. A file that makes no sense names nothing; `problems_in` says why."""
    return frozenset(name for root in roots for name in _read(root)[0].get(kind, ()))


def problems_in(roots: Sequence[str]) -> Iterator[Problem]:
    for root in roots:
        yield from _read(root)[1]


def _read(root: str) -> tuple[dict[str, list[str]], list[Problem]]:
    path = os.path.join(root, FILE_NAME)
    report = Report(path)
    try:
        document = parse_document(read_file(path, MAX_BYTES), path)
    except FileNotFoundError:
        return {}, []
    except OSError as error:
        return {}, [Problem(path, 0, 0, f"the file cannot be read: {error.strerror}")]
    except UnreadableFileError as error:
        return {}, [error.problem]
    if document.kind != MAPPING:
        return {}, [Problem(path, 1, 1, "it must be a mapping", _KEYS["dialects"].example)]
    fields, _ = read_fields(document, _KEYS, report)
    named: dict[str, list[str]] = {}
    for kind, given in fields.items():
        for item in given.items:
            if item.kind == TEXT:
                named.setdefault(kind, []).append(str(item.value))
            else:
                report.add(item, f"{kind!r} takes names", _KEYS[kind].example)
    return named, report.problems
