"""What a scan says of one place in one file."""

from __future__ import annotations

from hashlib import sha256

from fairlead.model.value import Value
from fairlead.packs.rule import Severity

_FINGERPRINT = 16


class Finding(Value):
    """`path` is seen from the root; `line` and `column` count from 1, and are 0 where nobody can tell.

    `source` is the line as it stands there, `end` the column behind the part that is meant. `way` says what
    runs it, where that is another file. `number` tells equal findings in equal lines of a file apart.
    """

    path: str
    line: int
    rule: str
    severity: Severity
    reason: str
    advice: str = ""
    column: int = 0
    end: int = 0
    source: str = ""
    way: str = ""
    number: int = 0

    @property
    def fingerprint(self) -> str:
        """The same wherever the line moves to in its file."""
        parts = (self.path, self.rule, " ".join(self.source.split()), str(self.number))
        return sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:_FINGERPRINT]

    @property
    def place(self) -> tuple[str, int, int, str]:
        """What findings are put in order by."""
        return self.path, self.line, self.column, self.rule


BASELINE = "baseline"


class Allowed(Value):
    """A finding that does not count: `by` is a comment, or the baseline."""

    finding: Finding
    by: str
    reason: str = ""


class Unread(Value):
    """A file that would have been looked at; `broken`: nobody meant it to be left out."""

    path: str
    why: str
    broken: bool = False


class Report(Value):
    """`files` are those that were judged; `remarks` say what a person should know besides."""

    root: str
    files: int
    findings: tuple[Finding, ...]
    allowed: tuple[Allowed, ...] = ()
    unread: tuple[Unread, ...] = ()
    remarks: tuple[str, ...] = ()

    @property
    def passes(self) -> bool:
        return not self.findings and not any(each.broken for each in self.unread)
