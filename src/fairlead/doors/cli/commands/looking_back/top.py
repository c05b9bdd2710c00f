"""`fairlead top`: what agents do at this moment, for people who live in a terminal."""

from __future__ import annotations

import os
from typing import Any

import click

from fairlead.doors.cli.output import Session
from fairlead.doors.cli.presentation.screen import wants_colour
from fairlead.doors.cli.recorded.history import filters, query_of
from fairlead.doors.cli.top.feed import feed
from fairlead.doors.cli.top.loop import run
from fairlead.doors.cli.top.terminal import Terminal


@click.command()
@filters
@click.pass_obj
def command(session: Session, /, **options: Any) -> int:
    """Watch agents live: decisions per minute, by agent and rule, each call, and the questions that wait.

    Keys stand at the bottom: choose a call and Enter shows it as `explain` does; `/` filters; `a` shows what
    waits for an answer, which a person gives as with `approve`. Options narrow everything that is shown.

    \b
    Examples:
      fairlead top
      fairlead top --agent claude --denied
    """
    query = query_of(options, limit=-1)
    terminal = Terminal(colour=wants_colour(os.environ) is not False)
    with feed(session, query) as source:
        try:
            with terminal:
                run(session, source, terminal)
        except KeyboardInterrupt:
            return 0
    return 0
