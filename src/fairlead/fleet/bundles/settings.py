"""`bundle.yaml` beside `hooks/`: what a manifest says besides the files.

group: web
expires_days: 180
freshness_days: 30
stale: ask
privacy: {...}
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from fairlead.errors import PolicyError
from fairlead.fleet.bundles.building import SETTINGS
from fairlead.fleet.bundles.manifest import DEFAULT_FRESHNESS_DAYS, SECTIONS
from fairlead.fleet.documents import NAME
from fairlead.model.failure import NOTHING
from fairlead.model.value import Value
from fairlead.policy.find import read_file
from fairlead.policy.reading.document import MAX_BYTES, Marked, UnreadableFileError, parse_document
from fairlead.policy.reading.problem import Problem
from fairlead.policy.reading.report import Report, read_fields, report_flaws
from fairlead.policy.reading.schema import MAPPING, NOTHING_GIVEN, NUMBER, TEXT, Key

DEFAULT_EXPIRES_DAYS = 180
_MAX_DAYS = 3650
BUNDLE_KEYS: Mapping[str, Key] = {
    "group": Key((TEXT,), "group: web", meaning="whose machines take it"),
    "expires_days": Key(
        (NUMBER,), "expires_days: 180", meaning="after how many days it is not taken any more"
    ),
    "freshness_days": Key((NUMBER,), "freshness_days: 30", meaning="how long it may be stale before `stale`"),
    "stale": Key((TEXT,), "stale: ask", ("ask",), "what gating calls are answered then"),
    **{
        name: Key((MAPPING, NOTHING_GIVEN), f"{name}: {{}}", meaning="for machines that take the bundle")
        for name in SECTIONS
    },
}


class BundleSettings(Value):
    group: str = ""
    expires_days: int = DEFAULT_EXPIRES_DAYS
    freshness_days: int = DEFAULT_FRESHNESS_DAYS
    stale: str = ""
    sections: Mapping[str, Mapping[str, object]] = NOTHING  # type: ignore[assignment]


def read_bundle_settings(folder: str) -> BundleSettings:
    """Those of a policy folder; the defaults where it has none. Raises PolicyError."""
    path = os.path.join(folder, SETTINGS)
    if not os.path.lexists(path):
        return BundleSettings()
    report = Report(path)
    try:
        document = parse_document(read_file(path, MAX_BYTES), path)
    except UnreadableFileError as error:
        raise _failed(error.problem) from error
    except OSError as error:
        raise PolicyError(f"{path} cannot be read: {error.strerror}") from error
    if document.kind != MAPPING:
        raise _failed(Problem(path, document.line, document.column, "this is not a mapping", "group: web"))
    settings = _read(document, report)
    if report.problems:
        raise _failed(report.problems[0])
    return settings


def _read(document: Marked, report: Report) -> BundleSettings:
    fields = read_fields(document, BUNDLE_KEYS, report)[0]
    for value in fields.values():
        report_flaws(value, report)

    def days(name: str, default: int) -> int:
        value = fields[name].value if name in fields else default
        if isinstance(value, int) and 1 <= value <= _MAX_DAYS:
            return value
        report.add(
            fields[name], f"{name!r} must be a whole number from 1 to {_MAX_DAYS}", BUNDLE_KEYS[name].example
        )
        return default

    group = str(fields["group"].value) if "group" in fields else ""
    if group and not NAME.fullmatch(group):
        report.add(fields["group"], f"{group!r} is no name of a group", "small letters, digits, '-' and '_'")
    sections = {
        name: fields[name].plain for name in SECTIONS if name in fields and fields[name].kind == MAPPING
    }
    return BundleSettings(
        group,
        days("expires_days", DEFAULT_EXPIRES_DAYS),
        days("freshness_days", DEFAULT_FRESHNESS_DAYS),
        str(fields["stale"].value) if "stale" in fields else "",
        sections,  # type: ignore[arg-type]
    )


def _failed(problem: Problem) -> PolicyError:
    return PolicyError(f"{problem.place}: {problem.message}", hint=problem.hint)
