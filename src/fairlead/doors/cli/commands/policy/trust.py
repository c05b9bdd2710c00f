"""`fairlead trust`: let a project's own policy loosen and run code, after somebody has looked at it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

import click

from fairlead.assembly import BUILTINS, policy_for
from fairlead.doors.cli.given.folders import FOLDER
from fairlead.doors.cli.given.together import refuse_idle
from fairlead.doors.cli.output import Session, count, note, say_lines, show_json
from fairlead.doors.cli.presentation.wrapping import fields, paragraph
from fairlead.doors.hook.root import git_root
from fairlead.model.event_name import EventName
from fairlead.model.hook import STRICT
from fairlead.policy.human import require_human
from fairlead.policy.layering.layers import PROJECT
from fairlead.policy.layering.review import Review, what_would_run
from fairlead.policy.layering.trust import Project, read_project, trust
from fairlead.policy.reading.entry import Entry
from fairlead.policy.reload import Watch


@click.command()
@click.argument("path", required=False, type=FOLDER)
@click.option("--yes", is_flag=True, help="Do not ask; a human must still be there.")
@click.option("--show", is_flag=True, help="Only show what would be trusted.")
@click.option("--json", "as_json", is_flag=True, help="With --show: print it as JSON.")
@click.pass_obj
def command(session: Session, path: str | None, *, yes: bool, show: bool, as_json: bool) -> int:
    """Let the policy of the project at PATH loosen and run code.

    Pins the content of every file under PATH/.fairlead. Any change takes the trust back. PATH is the root of
    the current git repository if it is not given.

    \b
    Examples:
      fairlead trust --show
      fairlead trust
      fairlead trust ~/src/app --yes
    """
    refuse_idle({"--json": as_json and not show}, hint="it is for --show")
    root = git_root(os.path.abspath(path or os.getcwd()))
    review = what_would_run(root, BUILTINS)
    project = read_project(session.places, root, Watch())
    if show and as_json:
        show_json(_json(review, project))
        return 0
    _show(review, project, _locked(session, root))
    if show:
        return 0
    require_human(session.places, f"trust {review.folder}", yes=yes, deed="trust")
    files = trust(session.places, root, reviewed=review.files)
    note(f"trusted: {count(len(files), 'file')} under {review.folder}; a change to any of them takes it back")
    return 0


def _locked(session: Session, root: str) -> Mapping[tuple[EventName, str], str]:
    """Entries that a project cannot change, trusted or not, and where they are locked."""
    entries = policy_for(session.places, root, "").entries
    return {
        (entry.event, entry.id): entry.origin for entry in entries if entry.locked and entry.layer != PROJECT
    }


def _show(review: Review, project: Project, locked: Mapping[tuple[EventName, str], str]) -> None:
    say_lines(paragraph(f"{review.folder} is {project.trust}"))
    say_lines(fields(list(_reviewed(review, project, locked))))
    for problem in review.problems:
        note(str(problem))


def _reviewed(
    review: Review, project: Project, locked: Mapping[tuple[EventName, str], str]
) -> Iterator[tuple[str, str]]:
    for name in project.changes:
        yield "changed", name
    for entry in review.entries:
        by = locked.get((entry.event, entry.id))
        if by is None:
            yield _verb(entry), f"{entry.id} ({entry.type}, {entry.event})  {_target(entry)}"
        else:
            yield "locked", f"{entry.id} ({entry.event}) by {by}: this entry changes nothing"
    for item in review.approvals:
        yield "approves", item
    for file in review.defaults:
        assert file.default_decision is not None
        yield "default", f"{file.default_decision.word} for {file.event}  {file.path}"
    yield "pins", count(len(review.files), "file")


def _verb(entry: Entry) -> str:
    if entry.broken:
        return "broken"
    if not entry.enabled:
        return "off"
    return {"builtin": "uses", "http": "calls"}.get(entry.runs, "runs")


def _target(entry: Entry) -> str:
    foreign = ", ".join(f"the plugin {name} ({kind})" for kind, name in entry.plugins)
    return f"{foreign}, {_own_target(entry)}" if foreign else _own_target(entry)


def _own_target(entry: Entry) -> str:
    profile = "" if entry.profile == STRICT else f", as {entry.profile} would"
    if entry.url or entry.path:
        return f"{entry.url or entry.path}{profile}"
    return entry.origin if entry.plugin else f"built-in, {entry.origin}"


def _json(review: Review, project: Project) -> dict[str, object]:
    return {
        "folder": review.folder,
        "trust": str(project.trust),
        "changes": list(project.changes),
        "files": sorted(review.files),
        "approves": list(review.approvals),
        "entries": [
            {
                "id": entry.id,
                "type": str(entry.type),
                "event": str(entry.event),
                "enabled": entry.enabled,
                "runs": entry.runs,
                "profile": entry.profile,
                "target": entry.url or entry.path or entry.plugin or entry.builtin,
                "plugins": [name for _, name in entry.plugins],
                "origin": entry.origin,
            }
            for entry in review.entries
        ],
        "problems": [problem.as_json() for problem in review.problems],
    }
