"""How commands speak: data to stdout, words to stderr, colour only on a terminal."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING

import click

from fairlead.doors.cli.presentation.screen import wants_colour
from fairlead.doors.cli.presentation.wrapping import paragraph
from fairlead.errors import FairleadError
from fairlead.model.decision import Decision

if TYPE_CHECKING:
    from fairlead.policy.places import Places

COLOURS = {
    Decision.HALT: "red",
    Decision.BLOCK: "red",
    Decision.ASK: "yellow",
    Decision.APPROVE: "cyan",
    Decision.ALLOW: "green",
    Decision.CONTINUE: "green",
}


class Session:
    """What every command needs to know: where Fairlead keeps its things. `--home` beats FAIRLEAD_HOME."""

    def __init__(self, home: str) -> None:
        self.home = home or os.environ.get("FAIRLEAD_HOME", "")

    @cached_property
    def places(self) -> Places:
        from fairlead.policy.places import find_places

        return find_places(self.home)


def say(text: str = "") -> None:
    click.echo(text)


def say_lines(lines: Iterable[str]) -> None:
    for line in lines:
        click.echo(line)


def tell(text: str) -> None:
    """A line of the answer, broken where the screen ends; the rest of it stands two columns further in."""
    words = text.lstrip(" ")
    indent = " " * (len(text) - len(words))
    say_lines(paragraph(words, first=indent, rest=f"{indent}  "))


def note(text: str) -> None:
    """A remark beside the answer; its further lines are as far in as the text behind its first mark."""
    for line in paragraph(text):
        click.echo(line, err=True)


def show_json(data: object) -> None:
    click.echo(json.dumps(data, indent=2, ensure_ascii=False, default=str))


def count(number: int, noun: str) -> str:
    """`1 error`, `2 errors`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def painted(decision: Decision, text: str | None = None) -> str:
    return click.style(text or decision.word, fg=COLOURS[decision], bold=True)


def complain(error: FairleadError) -> int:
    """What, where and what next, on stderr; the exit code that belongs to it."""
    sys.stdout.flush()
    lines = paragraph(error.message, first="error: ")
    lines[0] = lines[0].replace("error", click.style("error", fg="red", bold=True), 1)
    lines += paragraph(error.hint, first="  hint: ") if error.hint else []
    for line in lines:
        click.echo(line, err=True, color=wants_colour(os.environ))
    return error.exit_code
