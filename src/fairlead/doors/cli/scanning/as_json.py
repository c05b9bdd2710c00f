"""Findings for programs: one object, whose names and meanings stay as long as its version does."""

from __future__ import annotations

from fairlead.scan.finding import Finding, Report

VERSION = 1


def report_json(report: Report) -> dict[str, object]:
    return {
        "version": VERSION,
        "root": report.root,
        "files": report.files,
        "findings": [finding_json(each) for each in report.findings],
        "allowed": [
            {**finding_json(each.finding), "allowed_by": each.by, "because": each.reason}
            for each in report.allowed
        ],
        "unread": [{"path": each.path, "why": each.why} for each in report.unread],
        "remarks": list(report.remarks),
    }


def finding_json(finding: Finding) -> dict[str, object]:
    """`line` and `column` are null where nobody can tell."""
    return {
        "path": finding.path,
        "line": finding.line or None,
        "column": finding.column or None,
        "end_column": finding.end or None,
        "rule": finding.rule,
        "severity": finding.severity.word,
        "reason": finding.reason,
        "advice": finding.advice,
        "source": finding.source,
        "way": finding.way,
        "fingerprint": finding.fingerprint,
    }
