"""A line for long work: what it says, and who never sees it."""

from __future__ import annotations

import io
import time
from types import SimpleNamespace

import click
import pytest

from fairlead.doors.cli.presentation import progress as module
from fairlead.doors.cli.presentation.progress import Progress, progress
from fairlead.doors.cli.presentation.wrapping import cells

ERASED = "\r\x1b[K"


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True

    def until(self, text: str) -> None:
        end = time.monotonic() + 20
        while text not in self.getvalue():
            assert time.monotonic() < end, self.getvalue()
            time.sleep(0.005)


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> Screen:
    shown = Screen()
    monkeypatch.setattr(module, "sys", SimpleNamespace(stderr=shown))
    monkeypatch.setattr(module, "_AFTER", 0.0)
    monkeypatch.setattr(module, "_EVERY", 0.001)
    monkeypatch.setenv("TERM", "xterm")
    return shown


def test_the_line_says_how_far_the_work_is_and_for_how_long() -> None:
    told = Progress("replaying", 8)
    told(2, 8)
    assert told.line(3.4, 80) == f"replaying  {'█' * 6}{'░' * 18}   25%  3s"
    told.step("claude")
    assert told.line(3.4, 40) == "replaying   25%  claude  3s"
    assert Progress("checking").line(12, 80) == "checking  12s"


def test_the_line_never_breaks_and_shows_no_foreign_escapes() -> None:
    told = Progress("indexing", 1)
    told.step("\x1b[2J" + "x" * 300)
    assert cells(told.line(1, 40)) <= 40 and told.line(1, 400).isprintable()


def test_more_than_there_should_be_is_no_more_than_all_of_it() -> None:
    told = Progress("indexing", 2)
    assert list(told.over("abc")) == ["a", "b", "c"] and "100%" in told.line(1, 80)


def test_it_is_drawn_on_a_terminal_and_gone_when_the_work_ends(screen: Screen) -> None:
    with progress("testing", total=2) as told:
        list(told.over([1]))
        screen.until("50%")
    assert screen.getvalue().endswith(ERASED)


def test_it_is_gone_when_the_work_fails(screen: Screen) -> None:
    with pytest.raises(ValueError, match="broken"), progress("testing"):
        screen.until("testing")
        raise ValueError("broken")
    assert screen.getvalue().endswith(ERASED)


def test_short_work_is_silent(screen: Screen, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_AFTER", 60.0)
    with progress("testing"):
        pass
    assert screen.getvalue() == ""


@pytest.mark.parametrize("why", ["a pipe", "a dumb terminal", "JSON"])
def test_nobody_is_told_who_could_not_read_it(
    screen: Screen, monkeypatch: pytest.MonkeyPatch, why: str
) -> None:
    if why == "a pipe":
        monkeypatch.setattr(screen, "isatty", lambda: False)
    if why == "a dumb terminal":
        monkeypatch.setenv("TERM", "dumb")
    context = click.Context(click.Command("log"))
    context.params["as_json"] = why == "JSON"
    with context, progress("testing"):
        time.sleep(0.02)
    assert screen.getvalue() == ""


def test_beside_a_person_a_command_without_json_shows_it(screen: Screen) -> None:
    context = click.Context(click.Command("log"))
    context.params["as_json"] = False
    with context, progress("testing"):
        screen.until("testing")
