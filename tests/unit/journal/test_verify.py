from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from fairlead.journal.verify import Chain, Finding, verify
from fairlead.journal.writer import JournalWriter


def record(number: int) -> dict[str, object]:
    return {"v": 1, "id": f"id{number:03d}", "request": f"r{number}", "text": "x" * (number % 7)}


def written(directory: Path, *, max_bytes: int = 1 << 30) -> Path:
    """Twelve lines of two lasting writers, and six of cold calls."""
    lasting = [JournalWriter(str(directory), max_bytes=max_bytes) for _ in range(2)]
    for number in range(18):
        cold = JournalWriter(str(directory), max_bytes=max_bytes)
        (cold if number % 3 == 2 else lasting[number % 2]).write(record(number))
    return directory / "journal.jsonl"


def findings(directory: Path) -> list[Finding]:
    return [found for found in verify(str(directory)) if isinstance(found, Finding)]


def kinds(directory: Path) -> set[str]:
    return {found.kind for found in findings(directory)}


def lines_changed(path: Path, change: Callable[[list[bytes]], object]) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    change(lines)
    path.write_bytes(b"".join(lines))


@pytest.mark.parametrize("max_bytes", [1 << 30, 800])
def test_a_journal_that_nobody_touched_is_whole(tmp_path: Path, max_bytes: int) -> None:
    written(tmp_path, max_bytes=max_bytes)
    assert findings(tmp_path) == []
    (*_, chain) = verify(str(tmp_path))
    assert isinstance(chain, Chain)
    assert chain.lines == 18


@pytest.mark.parametrize("number", range(17))
def test_a_changed_line_is_found_whoever_wrote_it(tmp_path: Path, number: int) -> None:
    path = written(tmp_path)
    lines_changed(path, lambda lines: lines.__setitem__(number, lines[number].replace(b'"r', b'"q')))
    assert "changed" in kinds(tmp_path)


@pytest.mark.parametrize("number", range(17))
def test_a_removed_line_is_found_whoever_wrote_it(tmp_path: Path, number: int) -> None:
    path = written(tmp_path)
    lines_changed(path, lambda lines: lines.pop(number))
    assert kinds(tmp_path) & {"missing", "removed"}


def test_lines_that_changed_places_are_found(tmp_path: Path) -> None:
    path = written(tmp_path)
    lines_changed(path, lambda lines: lines.insert(3, lines.pop(9)))
    assert kinds(tmp_path) & {"reordered", "missing", "removed"}


def test_a_line_written_twice_is_found(tmp_path: Path) -> None:
    path = written(tmp_path)
    lines_changed(path, lambda lines: lines.insert(7, lines[4]))
    assert "reordered" in kinds(tmp_path)


def test_a_missing_segment_is_found_and_removed_oldest_ones_are_retention(tmp_path: Path) -> None:
    written(tmp_path, max_bytes=800)
    (tmp_path / "journal.000001.jsonl").unlink()
    assert findings(tmp_path) == []
    (tmp_path / "journal.000003.jsonl").unlink()
    assert "missing" in kinds(tmp_path)


def test_a_torn_line_and_a_recorded_gap_are_told_and_are_no_tampering(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer = JournalWriter(str(tmp_path))
    writer.write(record(1))
    with (tmp_path / "journal.jsonl").open("ab") as segment:
        segment.write(b'{"v":1,"id":"torn')
    with monkeypatch.context() as patch:
        patch.setattr("os.write", lambda *_: 0)
        with pytest.raises(Exception, match="bytes were written"):
            writer.write(record(2))
    writer.write(record(3))
    found = findings(tmp_path)
    assert [finding.kind for finding in found] == ["torn", "gap"]
    assert not any(finding.is_tampering for finding in found)


def test_what_it_cannot_prove_the_end_can_be_cut_off(tmp_path: Path) -> None:
    path = written(tmp_path)
    lines_changed(path, lambda lines: lines.__delitem__(slice(10, None)))
    assert findings(tmp_path) == []
