"""How commands speak: data to stdout, words to stderr, colour only on a terminal."""

from __future__ import annotations

import json
import os
import sys
from functools import cached_property
from typing import TYPE_CHECKING

import click

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


def note(text: str) -> None:
    click.echo(text, err=True)


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
    click.echo(f"{click.style('error', fg='red', bold=True)}: {error.message}", err=True)
    if error.hint:
        click.echo(f"  hint: {error.hint}", err=True)
    return error.exit_code
