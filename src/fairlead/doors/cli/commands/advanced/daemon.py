"""`fairlead daemon`: the warm process that answers hook calls."""

from __future__ import annotations

import time
from typing import Any

import click

from fairlead.doors.cli.output import Session, note, say, show_json, tell
from fairlead.doors.daemon import control


@click.group(name="daemon")
def command() -> None:
    """The warm process that answers hook calls. It starts by itself; calls are answered without it too.

    \b
    Examples:
      fairlead daemon status
      fairlead daemon restart
    """


@command.command()
@click.option("--json", "as_json", is_flag=True, help="Print the facts as JSON.")
@click.pass_obj
def status(session: Session, *, as_json: bool) -> int:
    """Show whether it runs, and how it is. Exit code 1 if it does not run.

    \b
    Example:
      fairlead daemon status --json
    """
    facts = control.ping(session.places)
    if as_json:
        show_json({"running": facts is not None, **(facts or {})})
    elif facts is None:
        tell("not running; the next hook call starts it")
    else:
        _show(facts)
    return 0 if facts else 1


@command.command()
@click.pass_obj
def stop(session: Session) -> int:
    """End it once its calls are answered. The next hook call starts it again.

    \b
    Example:
      fairlead daemon stop
    """
    pid = control.stop(session.places)
    note("it was not running" if pid is None else f"process {pid} has ended")
    return 0


@command.command()
@click.pass_obj
def restart(session: Session) -> int:
    """End it, if it runs, and start it.

    \b
    Example:
      fairlead daemon restart
    """
    control.stop(session.places)
    facts = control.start(session.places, session.home)
    note(f"process {facts['pid']} answers")
    return 0


@command.command()
@click.option(
    "-n",
    "--lines",
    type=click.IntRange(1),
    default=50,
    show_default=True,
    help="How many lines, from the end.",
)
@click.pass_obj
def logs(session: Session, *, lines: int) -> int:
    """Print what it has to say: starts, ends, refused calls. Never payloads or variables.

    \b
    Example:
      fairlead daemon logs -n 200
    """
    for line in control.read_log(session.places, lines):
        say(line)
    return 0


def _show(facts: dict[str, Any]) -> None:
    minutes, seconds = divmod(int(time.time() - facts["started"]), 60)
    tell(f"running  process {facts['pid']} for {minutes} min {seconds} s, fairlead {facts['version']}")
    tell(f"  calls     {facts['calls']}, {facts['busy']} at the moment, {facts['workers']} workers")
    tell(f"  memory    {facts['resident_bytes'] / 1e6:.1f} MB")
    tell(f"  ends      when idle for {facts['idle_seconds']:.0f} s")
    tell(f"  code      {facts['package']}")
    for problem in facts["problems"]:
        tell(f"  problem   {problem}")
