"""Scans the files of a repository: nothing of them is run, and no git."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial

from fairlead.model.installation import NOWHERE
from fairlead.packs.judging.call_effects import home_of_user, surroundings
from fairlead.scan.comments import judged_by_comment
from fairlead.scan.finding import BASELINE, Allowed, Finding, Report, Unread
from fairlead.scan.judging import Judge
from fairlead.scan.keys import key_findings
from fairlead.scan.kinds import Kind, kind_of
from fairlead.scan.pipeline_faults import pipeline_faults
from fairlead.scan.placing import placed
from fairlead.scan.repository_files import RepositoryFiles
from fairlead.scan.unit import SourceText
from fairlead.shell.script import NoText, Why

_WHY = {
    Why.TOO_BIG: "it is larger than 1 MiB",
    Why.TOO_MANY: "too much was read before it",
    Why.BINARY: "it is no text",
    Why.UNREADABLE: "it is no ordinary file that may be read",
}
_OF_OTHERS = "it came with a package"
_OUTSIDE = "it is a link that leads out of the repository"
_HEAD = 200


class Scan:
    """One repository, or one folder. `comments`: whether what they allow is let through; `known` are the
    fingerprints of a baseline."""

    def __init__(
        self, root: str, *, strict: bool = False, comments: bool = True, known: frozenset[str] = frozenset()
    ) -> None:
        self._root = root.rstrip("/") or "/"
        self._files = RepositoryFiles(root)
        self._judge = Judge(surroundings(self._root, home_of_user(), NOWHERE), self._files, strict)
        self._strict = strict
        self._comments = comments
        self._known = known
        self._unread: list[Unread] = []
        self._judged = 0

    def report(self, paths: Iterable[str], remarks: Iterable[str] = ()) -> Report:
        """The paths are absolute; what is none of the kinds that are read is passed over."""
        raw = [finding for path in paths for finding in self._in_file(self._files.named(path))]
        findings: list[Finding] = []
        allowed: list[Allowed] = []
        for finding in self._settled(raw):
            answer = self._excused(finding)
            if isinstance(answer, Allowed):
                allowed.append(answer)
            else:
                findings.append(answer)
        stale = len(self._known - {each.finding.fingerprint for each in allowed})
        told = [*remarks, *([f"the baseline has {stale} that are gone"] if stale else [])]
        return Report(
            self._root, self._judged, tuple(findings), tuple(allowed), tuple(self._unread), tuple(told)
        )

    def _in_file(self, path: str) -> Iterator[Finding]:
        inside = path.removeprefix(self._root.rstrip("/") + "/")
        kind = kind_of(inside, partial(self._head, path))
        if kind is None:
            return
        data = self._files(path)
        if not isinstance(data, bytes):
            if data is not None or os.path.isfile(path):
                self._unread.append(Unread(inside, self._why_not(path, data)))
            return
        source = SourceText(path, data.decode("utf-8", "surrogateescape"))
        try:
            found = [each for unit in kind.units(source) for each in self._judge.findings(unit, kind)]
        except Exception as error:  # noqa: BLE001 - a stranger's text: one file must not hide the others
            why = f"reading it failed ({type(error).__name__}: {error})"
            self._unread.append(Unread(inside, why, broken=True))
            return
        self._judged += 1
        yield from found
        yield from self._by_text(source, inside, kind)

    def _why_not(self, path: str, data: NoText | None) -> str:
        if data is not None:
            return _WHY[data.why]
        return _OF_OTHERS if self._files.is_inside(path) else _OUTSIDE

    def _by_text(self, source: SourceText, inside: str, kind: Kind) -> Iterator[Finding]:
        """What is wrong with a file whatever it runs."""
        yield from key_findings(source, inside, strict=self._strict)
        if kind.is_pipeline:
            yield from pipeline_faults(source, inside)

    def _head(self, path: str) -> str:
        data = self._files(path)
        return data[:_HEAD].decode("utf-8", "replace") if isinstance(data, bytes) else ""

    def _settled(self, raw: Iterable[Finding]) -> list[Finding]:
        """In order, each once, with the line as it stands in the file and the part that is meant."""
        numbers: Counter[str] = Counter()
        seen: dict[tuple[str, int, str], None] = {}
        done = []
        for finding in sorted(
            (placed(each, self._lines(each.path)) for each in raw), key=lambda each: (each.place, each.way)
        ):
            key = (finding.path, finding.line, finding.rule)
            if key in seen:
                continue
            seen[key] = None
            same = finding.fingerprint
            done.append(finding.replace(number=numbers[same]))
            numbers[same] += 1
        return done

    def _excused(self, finding: Finding) -> Finding | Allowed:
        if finding.fingerprint in self._known:
            return Allowed(finding, BASELINE)
        return judged_by_comment(finding, self._lines(finding.path)) if self._comments else finding

    def _lines(self, inside: str) -> list[str]:
        data = self._files(os.path.join(self._root, inside))
        return data.decode("utf-8", "replace").split("\n") if isinstance(data, bytes) else []
