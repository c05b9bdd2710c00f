"""`fairlead scan`: what the files of a repository would run, judged without an agent."""

from __future__ import annotations

import json
import os

import click

from fairlead.doors.cli.given.folders import EITHER, FILE
from fairlead.doors.cli.given.one_of import OneOf
from fairlead.doors.cli.output import Session, note, say, say_lines
from fairlead.doors.cli.presentation.progress import progress
from fairlead.doors.cli.presentation.words import printable
from fairlead.doors.cli.scanning.as_json import report_json
from fairlead.doors.cli.scanning.as_sarif import sarif_log
from fairlead.doors.cli.scanning.as_text import finding_lines, summary
from fairlead.doors.hook.root import git_root
from fairlead.errors import FairleadError
from fairlead.scan.baseline import baseline_text, read_baseline
from fairlead.scan.finding import BASELINE, Report
from fairlead.scan.scanner import Scan
from fairlead.scan.selection import Selection

_FORMATS = ("text", "json", "sarif")


@click.command(name="scan")
@click.argument("paths", type=EITHER, metavar="[FILES|FOLDERS]...", nargs=-1)
@click.option("--strict", is_flag=True, help="Report all that the rules know, not only the worst.")
@click.option("--all", "everything", is_flag=True, help="Take all files of folders, also what git ignores.")
@click.option("--baseline", type=FILE, metavar="FILE", help="Leave out the findings that this file lists.")
@click.option("--write-baseline", "written", metavar="FILE", help="Write the findings down as a baseline.")
@click.option("--no-comments", is_flag=True, help="Report also what a comment beside it allows.")
@click.option("--format", "form", type=OneOf("format", _FORMATS), default="text", help="text, json or sarif.")
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option("--output", metavar="FILE", help="Write there what would go to stdout.")
@click.pass_obj
def command(
    session: Session,
    *,
    paths: tuple[str, ...],
    strict: bool,
    everything: bool,
    baseline: str | None,
    written: str | None,
    no_comments: bool,
    form: str,
    as_json: bool,
    output: str | None,
) -> int:
    """Judge the scripts, task files, Dockerfiles and pipelines of a repository. Nothing of them is run.

    Without FILES and FOLDERS it takes the current folder; of folders, the files that git tracks. A comment
    `fairlead: allow RULE because …` on a line, or alone above it, lets a finding through. Exit code 0:
    nothing found, 1: something, 64: wrong usage.

    \b
    Examples:
      fairlead scan
      fairlead scan --strict scripts Makefile
      fairlead scan --write-baseline .fairlead-baseline.json
      fairlead scan --baseline .fairlead-baseline.json --format sarif --output scan.sarif
    """
    wanted = [_absolute(path) for path in paths or (".",)]
    root = git_root(_common(wanted))
    selection = Selection(everything=everything)
    known = read_baseline(baseline) if baseline else frozenset()
    scan = Scan(root, strict=strict, comments=not no_comments, known=known)
    with progress("scanning") as told:
        files = selection.files(wanted)
        told(0, len(files))
        report = scan.report(told.over(files), selection.remarks)
    if written:
        kept = (each.finding for each in report.allowed if each.by == BASELINE)
        listed = sorted((*report.findings, *kept), key=lambda finding: finding.place)
        _write(written, baseline_text(listed))
        note(f"{written} lists {len(listed)}: `fairlead scan --baseline {written}` leaves them out")
    elif form == "text" and not as_json:
        _show_text(report, output)
    else:
        data = sarif_log(report) if form == "sarif" and not as_json else report_json(report)
        _put(json.dumps(data, indent=2, ensure_ascii=False), output)
    _remark(report)
    return 0 if written else int(not report.passes)


def _absolute(path: str) -> str:
    if os.path.isdir(path):
        return os.path.realpath(path)
    return os.path.join(os.path.realpath(os.path.dirname(path) or "."), os.path.basename(path))


def _common(wanted: list[str]) -> str:
    return os.path.commonpath([each if os.path.isdir(each) else os.path.dirname(each) for each in wanted])


def _show_text(report: Report, output: str | None) -> None:
    lines: list[str] = []
    for finding in report.findings:
        lines += ["", *finding_lines(finding, report.root)] if lines else finding_lines(finding, report.root)
    if output:
        _write(output, click.unstyle("".join(f"{line}\n" for line in lines)))
    else:
        say_lines(lines)


def _put(text: str, output: str | None) -> None:
    if output:
        _write(output, f"{text}\n")
    else:
        say(text.encode("utf-8", "replace").decode())  # names of files may be any bytes


def _write(path: str, text: str) -> None:
    try:
        with open(path, "w", encoding="utf-8", errors="replace") as file:
            file.write(text)
    except OSError as error:
        raise FairleadError(f"{path} cannot be written: {error.strerror}") from error


def _remark(report: Report) -> None:
    """What is no finding, for people."""
    for unread in report.unread:
        note(printable(f"not read: {unread.path}: {unread.why}"))
    for remark in report.remarks:
        note(printable(remark))
    note(summary(report))
