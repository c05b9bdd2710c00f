"""A repository on the disk that is scanned."""

from __future__ import annotations

from pathlib import Path

from fairlead.scan.finding import Report
from fairlead.scan.scanner import Scan
from fairlead.scan.selection import Selection


def written(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def scanned(
    root: Path,
    *,
    strict: bool = False,
    comments: bool = True,
    known: frozenset[str] = frozenset(),
    **files: str,
) -> Report:
    """Of all files below the root, with those that are given by name."""
    written(root, files)
    scan = Scan(str(root), strict=strict, comments=comments, known=known)
    return scan.report(Selection(everything=True).files([str(root)]))


def places(report: Report) -> list[tuple[str, int, str]]:
    return [(each.path, each.line, each.rule) for each in report.findings]
