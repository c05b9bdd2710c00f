"""`fairlead shell`: where the hooks of a shell are, and a copy of them for machines without Fairlead."""

from __future__ import annotations

import os
from pathlib import Path

import click

from fairlead.doors import bash
from fairlead.doors.cli.given.one_of import OneOf
from fairlead.doors.cli.output import note, say
from fairlead.errors import UsageError


@click.command(name="shell")
@click.argument("name", metavar="SHELL", type=OneOf("shell", ["bash"]))
@click.option("--copy", "target", metavar="FILE", help="Write a copy that needs no Fairlead.")
@click.option(
    "--check", is_flag=True, help="Only tell whether the copy is up to date (exit code 1: it is not)."
)
@click.option(
    "--e-bash", "e_bash", is_flag=True, help="The file with e-bash's own helpers for traps instead."
)
def command(name: str, target: str | None, check: bool, e_bash: bool) -> int:
    """Print the path of the file that a script sources to have hooks.

    \b
    Examples:
      source "$(fairlead shell bash)"                  in a script
      fairlead shell bash --copy ci/hooks.bash         for runners without Fairlead
      fairlead shell bash --copy ci/hooks.bash --check in a pipeline: is it old?
    """
    if check and target is None:
        raise UsageError("--check needs the copy that it is to look at", hint="add --copy FILE")
    if target is not None:
        return _check(Path(target)) if check else _copy(Path(target))
    say(os.path.join(os.path.dirname(bash.__file__), f"{'e-bash' if e_bash else 'hooks'}.{name}"))
    return 0


def _copy(path: Path) -> int:
    from fairlead.doors.bash.copying import version_of, write_copy

    write_copy(path)
    note(f"wrote {path}, version {version_of(path)}; in a script: source {path}")
    return 0


def _check(path: Path) -> int:
    from fairlead import __version__
    from fairlead.doors.bash.copying import Copy, state, version_of

    found = state(path)
    if found is Copy.CURRENT:
        note(f"{path} is up to date")
        return 0
    says = {
        Copy.OLD: "is old, or was made by another version",
        Copy.EDITED: "was edited after it was written",
        Copy.FOREIGN: "is not a copy of hooks.bash",
        Copy.MISSING: "is not there",
    }
    versions = f" ({version_of(path)}; this is {__version__})" if found is Copy.OLD else ""
    note(f"{path} {says[found]}{versions}\n  hint: fairlead shell bash --copy {path}")
    return 1
