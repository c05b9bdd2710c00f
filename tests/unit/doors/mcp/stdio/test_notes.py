"""What the door says on stderr has an end, and says so."""

import sys

import pytest

from fairlead.doors.mcp.stdio.notes import Notes


class _Closed:
    def write(self, text: str) -> None:
        raise ValueError("I/O operation on closed file")


def test_a_note_names_its_server(capsys: pytest.CaptureFixture[str]) -> None:
    Notes("files").tell("it does not answer")
    assert capsys.readouterr().err == "fairlead mcp files: it does not answer\n"


def test_the_last_note_says_that_more_is_not_told(capsys: pytest.CaptureFixture[str]) -> None:
    notes = Notes("files")
    for number in range(100):
        notes.tell(str(number))
    lines = capsys.readouterr().err.splitlines()
    assert [line.endswith(" (more of that is not told)") for line in lines] == [False] * 19 + [True]


def test_a_client_that_closed_stderr_stops_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", _Closed())
    Notes("files").tell("it does not answer")
