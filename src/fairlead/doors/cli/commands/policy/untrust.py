"""`fairlead untrust`: forget that a project was trusted."""

from __future__ import annotations

import os

import click

from fairlead.doors.cli.output import Session, note
from fairlead.doors.hook.root import git_root
from fairlead.policy.human import require_human
from fairlead.policy.layering.trust import untrust


@click.command()
@click.argument("path", required=False)
@click.option("--yes", is_flag=True, help="Do not ask; a human must still be there.")
@click.pass_obj
def command(session: Session, path: str | None, *, yes: bool) -> int:
    """Forget that the project at PATH was trusted: its policy may only tighten from now on.

    This takes its own guards away, so a human must be there.

    \b
    Examples:
      fairlead untrust
      fairlead untrust ~/src/app --yes
    """
    root = git_root(os.path.abspath(path or os.getcwd()))
    require_human(session.places, f"take the trust of {root} back", yes=yes)
    note(f"no longer trusted: {root}" if untrust(session.places, root) else f"was not trusted: {root}")
    return 0
