"""`fairlead hooks`: what would run, and turning one of it on or off."""

from __future__ import annotations

import os
from collections.abc import Iterator

import click

from fairlead.assembly import BUILTINS, policy_for
from fairlead.doors.cli.commands.policy.hooks_tree import tree
from fairlead.doors.cli.given.agents import AGENT
from fairlead.doors.cli.given.events import EVENT
from fairlead.doors.cli.given.folders import FOLDER
from fairlead.doors.cli.given.rules import HOOK
from fairlead.doors.cli.output import Session, count, note, say_lines, show_json
from fairlead.doors.cli.policies.audit import watched_parts
from fairlead.doors.cli.policies.policy_faults import found_in_matcher
from fairlead.doors.cli.presentation.tables import Column, table
from fairlead.doors.hook.root import git_root
from fairlead.errors import PolicyError, TrustError, UsageError
from fairlead.model.event_name import EventName, event_named
from fairlead.model.hook import AUDIT, HookType
from fairlead.policy.human import require_human
from fairlead.policy.layering.layers import PROJECT
from fairlead.policy.layering.review import what_would_run
from fairlead.policy.layering.trust import Trust, trust
from fairlead.policy.policy import Policy
from fairlead.policy.reading.entry import Entry
from fairlead.policy.reading.problem import ERROR
from fairlead.policy.switch import switch


@click.group()
def command() -> None:
    """List hooks, and turn them on and off.

    \b
    Examples:
      fairlead hooks list
      fairlead hooks disable log-operations
    """


command.add_command(tree)


@command.command(name="list")
@click.option(
    "--event", type=EVENT, metavar="NAME", help="Only hooks of this event, in any agent's spelling."
)
@click.option("--agent", type=AGENT, default="", help="The agent whose `providers` section applies.")
@click.option("--policy", "policies", type=FOLDER, metavar="DIR", multiple=True, help="Add a policy root.")
@click.option("--json", "as_json", is_flag=True, help="Print the hooks as JSON.")
@click.pass_obj
def list_(
    session: Session, *, event: str | None, agent: str, policies: tuple[str, ...], as_json: bool
) -> int:
    """Show every hook that could run here: event, type, id, whether it is on, and where it comes from.

    \b
    Examples:
      fairlead hooks list
      fairlead hooks list --event PreToolUse --json
    """
    policy = policy_for(session.places, git_root(os.getcwd()), agent, policies)
    wanted = _event(event)
    every = [*policy.entries, *_left_out(policy)]
    entries = [entry for entry in every if wanted in (None, entry.event)]
    if as_json:
        show_json([_json(entry) for entry in entries])
    else:
        _show(entries)
        watched = watched_parts(policy)
        if watched:
            note(f"audit: {watched}")
    if any(_state(entry) == _NOT_TRUSTED for entry in entries):
        note("what is not trusted does not run: `fairlead trust --show`, then `fairlead trust`")
    if policy.problems:
        note(f"{count(len(policy.problems), 'problem')}: `fairlead policy check` shows more")
    return 0


@command.command()
@click.argument("id_", metavar="ID", type=HOOK)
@click.option("--event", type=EVENT, metavar="NAME", help="Only for this event.")
@click.option("--yes", is_flag=True, help="Do not ask; where a human is needed, one must be there.")
@click.pass_obj
def enable(session: Session, id_: str, *, event: str | None, yes: bool) -> int:
    """Turn the hook ID on.

    A hook that can approve calls loosens, so a human must be there.

    \b
    Examples:
      fairlead hooks enable log-operations
      fairlead hooks enable approve-safe-operations --event PreToolUse
    """
    policy, entries = _found(session, id_, event)
    if any(entry.type is HookType.AUTHORIZATION or entry.layer == PROJECT for entry in entries):
        require_human(session.places, f"enable {id_}", yes=yes)
    return _switch(session, policy, entries, enabled=True)


@command.command()
@click.argument("id_", metavar="ID", type=HOOK)
@click.option("--event", type=EVENT, metavar="NAME", help="Only for this event.")
@click.option("--yes", is_flag=True, help="Do not ask; a human must still be there.")
@click.pass_obj
def disable(session: Session, id_: str, *, event: str | None, yes: bool) -> int:
    """Turn the hook ID off. This loosens, so a human must be there.

    \b
    Examples:
      fairlead hooks disable protect-sensitive-files
      fairlead hooks disable no-direct-push --event PreToolUse --yes
    """
    policy, entries = _found(session, id_, event)
    require_human(session.places, f"disable {id_}", yes=yes)
    return _switch(session, policy, entries, enabled=False)


def _found(session: Session, id_: str, event: str | None) -> tuple[Policy, list[Entry]]:
    policy = policy_for(session.places, git_root(os.getcwd()), "", ())
    wanted = _event(event)
    entries = [entry for entry in policy.entries if entry.id == id_ and wanted in (None, entry.event)]
    if not entries:
        raise UsageError(
            f"there is no hook {id_!r} of {event}", hint="`fairlead hooks list` shows what there is"
        )
    for entry in entries:
        if entry.locked:
            raise UsageError(f"{id_!r} is locked by {entry.origin}", hint="only who wrote that can change it")
        if not entry.trusted:
            raise UsageError(
                f"{id_!r} belongs to a project that is not trusted", hint="`fairlead trust` first"
            )
    return policy, entries


def _switch(session: Session, policy: Policy, entries: list[Entry], *, enabled: bool) -> int:
    files = switch(entries, enabled=enabled, config=session.places.config)
    root = git_root(os.getcwd())
    if policy.trust is Trust.TRUSTED and any(entry.layer == PROJECT for entry in entries):
        trust(session.places, root)  # the human who agreed to the edit agreed to its result
    for path in dict.fromkeys(files):
        note(f"{entries[0].id} is {'on' if enabled else 'off'}: {path}")
    return 0


def _event(name: str | None) -> EventName | None:
    return None if name is None else event_named(name)


def _left_out(policy: Policy) -> Iterator[Entry]:
    """What stands in the policy of a project that is not trusted, and does not count for that."""
    if policy.trust is Trust.TRUSTED:
        return
    kept = {entry.origin for entry in policy.entries}
    try:
        review = what_would_run(git_root(os.getcwd()), BUILTINS)
    except (TrustError, PolicyError):
        return  # there is nothing to trust, or `fairlead policy check` says what is wrong with it
    for entry in review.entries:
        if entry.origin not in kept:
            yield entry.replace(enabled=False, trusted=False)


def _state(entry: Entry) -> str:
    if not entry.trusted and not entry.enabled:
        return _NOT_TRUSTED
    if not entry.enabled:
        return "off"
    if entry.broken:
        return "broken"
    if entry.mode == AUDIT:
        return "audit"
    return "never matches" if any(found.severity == ERROR for found in found_in_matcher(entry)) else "on"


def _show(entries: list[Entry]) -> None:
    rows = [
        (str(entry.event), str(entry.type), entry.id, _state(entry), entry.runs_as, entry.origin)
        for entry in entries
    ]
    say_lines(table(_HOOKS, rows))


_NOT_TRUSTED = "not trusted"
_HOOKS = (
    Column("EVENT"),
    Column("TYPE", spare=3),
    Column("ID"),
    Column("STATE"),
    Column("RUNS", spare=1),
    Column("FROM", spare=2),
)


def _json(entry: Entry) -> dict[str, object]:
    return {
        "event": str(entry.event),
        "id": entry.id,
        "type": str(entry.type),
        "enabled": entry.enabled,
        "state": _state(entry),
        "runs": entry.runs,
        "profile": entry.profile,
        "mode": entry.mode,
        "target": entry.url or entry.path or entry.builtin,
        "layer": entry.layer,
        "origin": entry.origin,
        "locked": entry.locked,
        "trusted": entry.trusted,
        "matcher": entry.matcher,
        "priority": entry.priority,
        "before": list(entry.before),
        "after": list(entry.after),
        "timeout": entry.timeout,
        "on_error": entry.on_error.word,
        "broken": entry.broken.message if entry.broken else None,
    }
