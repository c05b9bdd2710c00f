"""Findings as compilers print them: the place, the line, what is meant in it, what to do."""

from __future__ import annotations

import os
from collections.abc import Iterator

import click

from fairlead.doors.cli.output import count
from fairlead.doors.cli.presentation.evidence import underlined
from fairlead.doors.cli.presentation.screen import screen_width
from fairlead.doors.cli.presentation.words import printable
from fairlead.doors.cli.presentation.wrapping import paragraph
from fairlead.packs.rule import Severity
from fairlead.scan.finding import BASELINE, Finding, Report

_COLOURS = {Severity.CRITICAL: "red", Severity.HIGH: "red", Severity.MEDIUM: "yellow"}
_INDENT = "    "


def finding_lines(finding: Finding, root: str) -> Iterator[str]:
    path = os.path.join(root, finding.path)
    below = os.path.relpath(path)
    shown = path if below.startswith("..") else below
    place = ":".join(str(part) for part in (finding.line, finding.column) if part)
    head = click.style(finding.severity.word, fg=_COLOURS[finding.severity], bold=True)
    yield f"{printable(shown)}{':' if place else ''}{place}: {head}: {finding.rule}"
    room = screen_width() - len(_INDENT) if screen_width() else 0
    start = len(finding.source[: finding.column - 1].encode()) if finding.column else None
    end = len(finding.source[: finding.end - 1].encode()) if finding.column else None
    line = finding.source.replace("\t", " ")
    marked = underlined(line, line, start=start, end=end, width=room)
    yield from (f"{_INDENT}{line}" for line in marked)
    if finding.way:
        yield from paragraph(printable(f"reached through {finding.way}"), first=_INDENT)
    yield from paragraph(printable(finding.reason), first=_INDENT)
    if finding.advice:
        yield from paragraph(printable(f"instead: {finding.advice}"), first=_INDENT)


def summary(report: Report) -> str:
    """One line, for stderr."""
    parts = [f"{count(report.files, 'file')} read", count(len(report.findings), "finding")]
    for by, word in (("comment", "allowed by comments"), (BASELINE, "in the baseline")):
        number = sum(each.by.startswith(by) for each in report.allowed)
        parts += [f"{number} {word}"] if number else []
    if report.unread:
        parts.append(f"{count(len(report.unread), 'file')} not read")
    return ", ".join(parts)
