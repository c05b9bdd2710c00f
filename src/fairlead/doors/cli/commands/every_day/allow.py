"""`fairlead allow`: an exception from one rule, given by a human, listed, and taken back."""

from __future__ import annotations

import os
from time import time

import click

from fairlead.doors.cli.durations import seconds_of
from fairlead.doors.cli.given.agents import AGENT
from fairlead.doors.cli.given.answers import EXCEPTION
from fairlead.doors.cli.given.folders import FOLDER
from fairlead.doors.cli.given.rules import RULE
from fairlead.doors.cli.given.together import refuse_idle
from fairlead.doors.cli.output import Session, note, show_json, tell
from fairlead.doors.cli.policies.exceptions_shown import shown
from fairlead.doors.hook.root import git_root
from fairlead.errors import UsageError
from fairlead.packs.judging.exact_commands import exact_command_of
from fairlead.packs.judging.pack_table import rule_of
from fairlead.policy.answers.grants import Grant, Grants
from fairlead.policy.human import require_human
from fairlead.policy.managed.forbidden import require_unlocked
from fairlead.policy.places import home_of_user
from fairlead.shell.reader import read_script


@click.command(name="allow")
@click.argument("rule", required=False, type=RULE)
@click.option("--in", "scope", type=FOLDER, metavar="PATH", help="Only for projects in this folder.")
@click.option("--agent", type=AGENT, metavar="AGENT", help="Only for calls of this agent.")
@click.option("--command", "exact", metavar="TEXT", help="Only for this very command, run in that folder.")
@click.option("--for", "length", metavar="TIME", help="For a while: 15m, 1h, 2d.")
@click.option("--once", is_flag=True, help="For the next call that needs it.")
@click.option("--list", "listed", is_flag=True, help="Show the exceptions.")
@click.option("--revoke", type=EXCEPTION, metavar="ID", help="Take an exception back.")
@click.option("--yes", is_flag=True, help="Do not ask; a human must still be there.")
@click.option("--json", "as_json", is_flag=True, help="With --list: print them as JSON.")
@click.pass_obj
def command(
    session: Session,
    rule: str | None,
    *,
    scope: str | None,
    agent: str | None,
    exact: str | None,
    length: str | None,
    once: bool,
    listed: bool,
    revoke: str | None,
    yes: bool,
    as_json: bool,
) -> int:
    """Make an exception from RULE. This loosens, so a human must be there; an agent cannot give one.

    RULE is the id in brackets behind a reason, such as git/force-push.

    \b
    Examples:
      fairlead allow git/force-push --in . --for 1h
      fairlead allow git/force-push --in . --agent claude
      fairlead allow git/force-push --in . --command 'git push --force origin topic'
      fairlead allow filesystem/recursive-delete-outside-project --once
      fairlead allow --list
      fairlead allow --revoke 3fa1c2d4
    """
    grants = Grants(session.places)
    if [rule is not None, listed, revoke is not None].count(True) != 1:
        raise UsageError("give a RULE, --list or --revoke ID", hint="`fairlead allow --help` shows how")
    refuse_idle({"--json": as_json and not listed}, hint="it is for --list")
    if rule is None:
        bound = {"--in": scope, "--agent": agent, "--command": exact, "--for": length, "--once": once}
        refuse_idle(bound, hint="it narrows an exception: give a RULE with it")
    if listed:
        return _list(grants, as_json=as_json)
    if revoke is not None:
        note(f"taken back: {shown(grants.revoke(revoke))}")
        return 0
    folder = os.path.realpath(scope) if scope else ""
    until = time() + seconds_of(length) if length else 0.0
    planned = Grant("", str(rule), folder, until, once, agent=agent or "")
    if exact is not None:
        planned = _for_command(planned, exact, folder or os.path.realpath(os.getcwd()))
    require_unlocked(session.places, planned.rule)
    require_human(session.places, f"allow {shown(planned)}", yes=yes)
    given = grants.give_planned(planned, now=time())
    note(f"allowed: {shown(given)}")
    note(f"to take it back: fairlead allow --revoke {given.id}")
    return 0


def _for_command(planned: Grant, text: str, cwd: str) -> Grant:
    """Only for this command, in this folder of its project."""
    root = git_root(cwd)
    named = rule_of(planned.rule) is not None or planned.rule.startswith("rules/")
    script = read_script(text, cwd=cwd, home=home_of_user())
    alone = named and len(script.commands) == 1
    exact = exact_command_of(planned.rule, script.commands[0], script, root) if alone else None
    if exact is None:
        raise UsageError(
            f"no exception from {planned.rule} can be made for {text!r} alone",
            hint="write one simple command, without variables, pipes and wrappers; of packs such as secrets "
            "and self-protection none can",
        )
    return planned.replace(scope=root, command=exact.text, cwd=exact.cwd)


def _list(grants: Grants, *, as_json: bool) -> int:
    every = grants.all()
    if as_json:
        show_json([{field: getattr(grant, field) for field in Grant._fields} for grant in every])
        return 0
    for grant in every:
        tell(f"{grant.id}  {shown(grant)}")
    if not every:
        note("there are no exceptions")
    return 0
