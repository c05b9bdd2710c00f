"""Findings in the Static Analysis Results Interchange Format 2.1.0, which code hosts show beside lines."""

from __future__ import annotations

from urllib.parse import quote

from fairlead import __version__
from fairlead.packs.judging.pack_table import rule_of
from fairlead.packs.rule import Severity
from fairlead.scan.finding import BASELINE, Allowed, Finding, Report
from fairlead.scan.pipeline_faults import LEAK

_LEVELS = {Severity.CRITICAL: "error", Severity.HIGH: "error", Severity.MEDIUM: "warning"}
_SCORES = {Severity.CRITICAL: "9.5", Severity.HIGH: "8.0", Severity.MEDIUM: "5.0"}
"""On the scale of 0 to 10 that code hosts sort by."""
_ROOT = "%SRCROOT%"
_TOLD = {
    LEAK: "A pipeline would leak secrets, or run code that nobody here has seen.",
    "secrets/key-in-content": "A key, token or password stands in a file that everybody can read.",
}
"""What is said of rules that are no rules of a pack."""


def sarif_log(report: Report) -> dict[str, object]:
    everything = sorted(
        [*((each, None) for each in report.findings), *((each.finding, each) for each in report.allowed)],
        key=lambda pair: pair[0].place,
    )
    rules = sorted({finding.rule: finding for finding, _ in everything}.items())
    places = {id: number for number, (id, _) in enumerate(rules)}
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "Fairlead",
                        "version": __version__,
                        "semanticVersion": __version__,
                        "rules": [_rule(id, finding.severity) for id, finding in rules],
                    }
                },
                "invocations": [
                    {"executionSuccessful": True, "toolExecutionNotifications": _notifications(report)}
                ],
                "originalUriBaseIds": {_ROOT: {"uri": f"file://{quote(report.root.rstrip('/'))}/"}},
                "columnKind": "unicodeCodePoints",
                "results": [_result(finding, places[finding.rule], by) for finding, by in everything],
            }
        ],
    }


def _rule(id: str, severity: Severity) -> dict[str, object]:
    rule = rule_of(id)
    told = rule.person if rule is not None else _TOLD.get(id, id)
    return {
        "id": id,
        "shortDescription": {"text": told},
        "fullDescription": {"text": told},
        "help": {"text": f"{told} `fairlead packs show {id.partition('/')[0]}` shows examples."},
        "defaultConfiguration": {"level": _LEVELS[severity]},
        "properties": {"security-severity": _SCORES[severity], "tags": ["security"]},
    }


def _result(finding: Finding, place: int, by: Allowed | None) -> dict[str, object]:
    text = " ".join(filter(None, (finding.reason, finding.advice and f"Instead: {finding.advice}")))
    found: dict[str, object] = {
        "ruleId": finding.rule,
        "ruleIndex": place,
        "level": _LEVELS[finding.severity],
        "message": {"text": text},
        "locations": [{"physicalLocation": _location(finding)}],
        "partialFingerprints": {"fairleadFinding/v1": finding.fingerprint},
    }
    if by is not None:
        kind = "external" if by.by == BASELINE else "inSource"
        found["suppressions"] = [{"kind": kind, "justification": by.reason or by.by}]
    return found


def _location(finding: Finding) -> dict[str, object]:
    path = quote(finding.path.encode("utf-8", "surrogateescape"))
    found: dict[str, object] = {"artifactLocation": {"uri": path, "uriBaseId": _ROOT}}
    if finding.line:
        region: dict[str, object] = {"startLine": finding.line, "snippet": {"text": finding.source}}
        if finding.column:
            region |= {"startColumn": finding.column, "endColumn": finding.end}
        found["region"] = region
    return found


def _notifications(report: Report) -> list[dict[str, object]]:
    texts = [*(f"{each.path} was not read: {each.why}" for each in report.unread), *report.remarks]
    return [{"level": "note", "message": {"text": text}} for text in texts]
