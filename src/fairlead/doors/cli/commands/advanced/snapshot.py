"""`fairlead snapshot`: the work of a project that no commit has, saved now."""

from __future__ import annotations

import os

import click

from fairlead.doors.cli.given.folders import FOLDER
from fairlead.doors.cli.output import Session, count, note, say, show_json
from fairlead.doors.cli.presentation.progress import progress
from fairlead.doors.cli.undoing import size_of, store_of
from fairlead.doors.hook.root import git_root
from fairlead.errors import FairleadError
from fairlead.undo.limits import NotSavedError
from fairlead.undo.saving import Purpose
from fairlead.undo.snapshots import WHEN_ASKED, snapshot


@click.command()
@click.argument("folder", default=".", type=FOLDER)
@click.option(
    "-m", "--message", default="snapshot", help="What it is for, as `fairlead undo --list` shows it."
)
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
@click.pass_obj
def command(session: Session, folder: str, *, message: str, as_json: bool) -> int:
    """Save changed and new files, the index, the branch and the stashes of a project.

    It is kept where losses are kept, within the same limits, and `fairlead undo ID` brings it back.

    \b
    Examples:
      fairlead snapshot
      fairlead snapshot -m 'before the migration'
    """
    root = git_root(os.path.abspath(folder))
    try:
        with progress("saving"):
            measured = snapshot(store_of(session), Purpose(root, message), seconds=WHEN_ASKED)
    except NotSavedError as error:
        raise FairleadError(f"nothing was saved: {error}", hint="docs/undo.md tells the limits") from error
    id_ = measured.saved.id if measured.saved is not None else ""
    if as_json:
        show_json({"id": id_, "files": measured.files, "bytes": measured.size, "left_out": measured.left_out})
        return 0
    if not id_:
        note("there is nothing that a commit has not")
        return 0
    say(id_)
    note(f"{count(measured.files, 'file')}, {size_of(measured.size)}; `fairlead undo {id_}` brings it back")
    for path, why in measured.left_out:
        note(f"left out: {path} ({why})")
    return 0
