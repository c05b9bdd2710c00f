"""`fairlead hooks tree`: what implements the hooks of a script's folder, in which order and why."""

from __future__ import annotations

import os

import click

from fairlead.doors.cli.given.folders import FOLDER
from fairlead.doors.cli.output import say, show_json
from fairlead.doors.scripts.implementations import Implementation, Skipped, implementations


@click.command(name="tree")
@click.argument("hooks", metavar="HOOK...", nargs=-1, required=True)
@click.option(
    "--dir",
    "directory",
    type=FOLDER,
    metavar="DIR",
    default="ci-cd",
    envvar="HOOKS_DIR",
    help="Where they are.  [default: $HOOKS_DIR, or ci-cd]",
)
@click.option("--json", "as_json", is_flag=True, help="Print the tree as JSON.")
def tree(hooks: tuple[str, ...], *, directory: str, as_json: bool) -> int:
    """Show what `fairlead run` would run for each HOOK, in which order and why. Nothing is run.

    \b
    Examples:
      fairlead hooks tree begin end
      fairlead hooks tree pre pre_deploy --dir hooks --json
    """
    folder = os.path.abspath(directory)
    found = {hook: implementations(hook, folder, declared=hooks) for hook in hooks}
    if as_json:
        show_json({hook: _json(*each) for hook, each in found.items()})
        return 0
    for hook, (runs, skipped) in found.items():
        _show(hook, runs, skipped)
    return 0


def _show(hook: str, runs: list[Implementation], skipped: list[Skipped]) -> None:
    say(hook if runs or skipped else f"{hook}  (nothing implements it)")
    width = max((len(each.name) for each in runs), default=0)
    for number, each in enumerate(runs, 1):
        say(f"  {number}. {each.name:<{width}}  sorted as {each.key!r}")
    for left in skipped:
        say(f"  -  {os.path.basename(left.path)}  is not run: {left.why}")


def _json(runs: list[Implementation], skipped: list[Skipped]) -> dict[str, object]:
    return {
        "runs": [{"name": each.name, "path": each.path, "key": each.key} for each in runs],
        "skipped": [{"path": each.path, "why": each.why} for each in skipped],
    }
