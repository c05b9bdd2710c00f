"""`fairlead undo`: what an agent's call lost, brought back."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence

import click

from fairlead.doors.cli.durations import seconds_of
from fairlead.doors.cli.given.answers import SAVE, SESSION_WITH_SAVES
from fairlead.doors.cli.given.together import refuse_idle, refuse_several
from fairlead.doors.cli.output import Session, count, note, say, show_json
from fairlead.doors.cli.presentation.progress import progress
from fairlead.doors.cli.undoing import (
    brought_lines,
    brought_row,
    diff_lines,
    list_lines,
    list_rows,
    size_of,
    store_of,
)
from fairlead.errors import FairleadError, UsageError
from fairlead.policy.human import require_human
from fairlead.undo.restoring import Restoring
from fairlead.undo.selection import Found, all_saves, by_id, holding, last_loss, of_project, of_session, since
from fairlead.undo.store import Store

_PRUNE = "prune"


@click.command()
@click.argument("wanted", metavar="[ID | PATH...]", nargs=-1, type=SAVE)
@click.option(
    "--session", "agents_session", type=SESSION_WITH_SAVES, default="", help="All that a session lost."
)
@click.option("--since", "how_long", default="", metavar="TIME", help="All that was lost since: 10m, 2h.")
@click.option("--list", "listing", is_flag=True, help="Show what is saved of this project.")
@click.option("--all", "everywhere", is_flag=True, help="With --list: of every project.")
@click.option("--diff", "diffing", is_flag=True, help="Show what would change in files, and change nothing.")
@click.option("--dry-run", is_flag=True, help="Show what would be done, and do nothing.")
@click.option("--to", "folder", default="", metavar="DIR", help="Put the files below DIR instead.")
@click.option("--force", is_flag=True, help="Replace also what changed since; that is saved first.")
@click.option("--older-than", default="", metavar="TIME", help="With prune: only what is older, such as 30d.")
@click.option("--yes", is_flag=True, help="With prune: do not ask; a human must still be there.")
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
@click.pass_obj
def command(
    session: Session,
    wanted: tuple[str, ...],
    *,
    agents_session: str,
    how_long: str,
    listing: bool,
    everywhere: bool,
    diffing: bool,
    dry_run: bool,
    folder: str,
    force: bool,
    older_than: str,
    yes: bool,
    as_json: bool,
) -> int:
    """Bring back what a call lost: without a word, the last loss in this project.

    What changed since is not replaced: the old version goes beside it, as NAME.undo-ID. What an undo
    replaces is saved first, so that it can be undone as well. `fairlead undo prune` takes saves away.

    \b
    Examples:
      fairlead undo --list
      fairlead undo
      fairlead undo src/app.py --diff
      fairlead undo --since 10m --dry-run
      fairlead undo 261118-153012345678-3f9a --to /tmp/old
      fairlead undo prune --older-than 30d
    """
    pruning = wanted[:1] == (_PRUNE,)
    refuse_several({"prune": pruning, "--list": listing, "--diff": diffing, "--to": folder})
    refuse_idle({"--all": everywhere and not listing}, hint="it is for --list")
    for_pruning = {"--older-than": older_than, "--yes": yes}
    refuse_idle({} if pruning else for_pruning, hint="it is for `fairlead undo prune`")
    chosen_by = {"--session": agents_session, "--since": how_long, "--dry-run": dry_run, "--force": force}
    refuse_idle(chosen_by if pruning or listing else {}, hint="it is for bringing something back")
    store = store_of(session)
    if wanted[:1] == (_PRUNE,):
        return _prune(session, store, older_than, yes=yes)
    if listing:
        return _listed(
            list(all_saves(store) if everywhere else of_project(store, os.getcwd())), as_json=as_json
        )
    chosen = _chosen(store, wanted, agents_session, how_long)
    restorings = [
        Restoring(store, found.saved, found.manifest, force=force, within=within) for found, within in chosen
    ]
    if diffing:
        for restoring in restorings:
            for line in diff_lines(restoring):
                say(line)
        return 0
    if folder:
        return _written(restorings, os.path.abspath(folder))
    return _brought(restorings, dry_run=dry_run, as_json=as_json)


def _chosen(
    store: Store, wanted: Sequence[str], session: str, how_long: str
) -> list[tuple[Found, Sequence[str]]]:
    if sum(map(bool, (wanted, session, how_long))) > 1:
        raise UsageError(
            "give an ID, paths, --session or --since", hint="one of them says which saves are meant"
        )
    if session:
        return [(found, ()) for found in _some(of_session(store, session), f"session {session}")]
    if how_long:
        moment = time.time_ns() - int(seconds_of(how_long) * 1e9)
        return [(found, ()) for found in _some(since(store, moment, os.getcwd()), f"the last {how_long}")]
    if wanted:
        named = by_id(store, wanted[0]) if len(wanted) == 1 else None
        return [(named, ())] if named is not None else list(holding(store, wanted))
    last = last_loss(store, os.getcwd())
    if last is None:
        raise FairleadError(
            "nothing that was saved of this project is missing",
            hint="fairlead undo --list shows what is saved",
        )
    return [(last, ())]


def _some(found: list[Found], what: str) -> list[Found]:
    if not found:
        raise FairleadError(
            f"nothing was saved of {what}", hint="`fairlead undo --list --all` shows all saves"
        )
    return found


def _listed(found: list[Found], *, as_json: bool) -> int:
    if as_json:
        show_json(list_rows(found))
    elif not found:
        note("nothing is saved of this project; --all shows others")
    else:
        for line in list_lines(found):
            say(line)
    return 0


def _written(restorings: list[Restoring], folder: str) -> int:
    for restoring in restorings:
        for path in restoring.write_to(folder):
            say(path)
    return 0


def _brought(restorings: list[Restoring], *, dry_run: bool, as_json: bool) -> int:
    answers = []
    for restoring in restorings:
        with progress("bringing back"):
            brought = restoring.look() if dry_run else restoring.bring_back()
        answers.append(brought)
        if as_json:
            continue
        note(f"{restoring.manifest.id}  {restoring.manifest.what}")
        for line in brought_lines(brought, restoring.manifest.root):
            say(line)
        if not brought.acts:
            note("everything is there")
        elif brought.saved_as:
            note(f"`fairlead undo {brought.saved_as}` takes this back")
    if as_json:
        show_json([brought_row(each) for each in answers])
    return 0 if all(each.is_whole for each in answers) else 1


def _prune(session: Session, store: Store, older_than: str, *, yes: bool) -> int:
    before = time.time_ns() - int(seconds_of(older_than) * 1e9) if older_than else None
    what = f"older than {older_than}" if older_than else "of all projects"
    require_human(session.places, f"take away the saves {what}", yes=yes)
    gone = store.prune(before=before)
    note(f"{count(len(gone), 'save')} taken away, {size_of(sum(each.size for each in gone))}")
    return 0
