"""`fairlead: allow RULE because …`: a comment that lets findings through, on its line or the one below."""

from __future__ import annotations

from fairlead.model.value import Value
from fairlead.scan.finding import Allowed, Finding
from fairlead.shell.lazy_pattern import lazy

_ALLOW = lazy(
    r"(?:#|//|;|--|/\*|<!--|\brem)\s*fairlead:\s*allow\s+([\w-]+/[\w*-]+)(?:\s+because\s+(\S.*?))?\s*(?:\*/|-->)?\s*\Z"
)
_LONGEST = 500
"""Characters at the end of a line that a comment may stand in."""
_ALONE = lazy(r"\s*(?:#|//|;|--|/\*|<!--|rem\b)")


class Comment(Value):
    rule: str
    reason: str
    line: int


def comment_at(lines: list[str], line: int) -> Comment | None:
    """The one on that line, or alone on the line above."""
    for number in (line, line - 1):
        if not 1 <= number <= len(lines):
            continue
        found = _ALLOW.search(lines[number - 1].rstrip()[-_LONGEST:])
        if found and (number == line or _ALONE.match(lines[number - 1])):
            return Comment(found[1], found[2] or "", number)
    return None


def judged_by_comment(finding: Finding, lines: list[str]) -> Finding | Allowed:
    """Without a reason it lets nothing through, and the finding says so."""
    comment = comment_at(lines, finding.line)
    if comment is None or not _covers(comment.rule, finding.rule):
        return finding
    if not comment.reason:
        told = f"the comment in line {comment.line} gives no reason: add `because …`, and it counts"
        return finding.replace(advice=f"{finding.advice} ({told})".strip())
    return Allowed(finding, f"comment in line {comment.line}", comment.reason)


def _covers(named: str, rule: str) -> bool:
    return named == rule or (named.endswith("/*") and rule.startswith(named[:-1]))
