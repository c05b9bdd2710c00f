"""`fairlead status`: one line per agent."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping

import click

from fairlead.assembly import policy_for
from fairlead.doors.cli.fleet_standing import fleet_facts, fleet_words, is_well
from fairlead.doors.cli.installation.agents_here import agents_here
from fairlead.doors.cli.installation.facts import (
    INSTALLED,
    NOT_INSTALLED,
    Trouble,
)
from fairlead.doors.cli.managed.words import managed_json, managed_words
from fairlead.doors.cli.mcp.status import mcp_lines, mcp_rows
from fairlead.doors.cli.output import Session, say_lines, show_json, tell
from fairlead.doors.cli.policies.audit import audit_words
from fairlead.doors.cli.presentation.tables import Column, table
from fairlead.doors.cli.presentation.words import printable
from fairlead.doors.cli.presentation.wrapping import paragraph
from fairlead.doors.cli.recorded.journal_index import index_reader
from fairlead.doors.hook.root import git_root
from fairlead.doors.mcp.setup.standing import State
from fairlead.model.hook import ENFORCE
from fairlead.policy.audited_parts import audited_parts
from fairlead.policy.mode import A_WEEK
from fairlead.policy.notices import notices_path, read_notice_settings
from fairlead.policy.off import ignored_marker, read_off
from fairlead.policy.policy import Policy
from fairlead.store.query import Query
from fairlead.store.would_have import KeptBack, kept_back


@click.command()
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@click.pass_obj
def command(session: Session, as_json: bool) -> int:
    """Show which agents are guarded: as everything is now, not as it was left.

    An agent is proved by the calls that it made itself for `fairlead doctor`, until its program, its settings
    or Fairlead change; each of the others is "not proved", with the reason.

    Of the servers of MCP clients there is one line per file; `fairlead mcp status` shows each.

    Of the fleet that this machine belongs to, if any: its group, the version in force, and how current it is.

    Exit code 1 when an agent that was installed is no longer guarded, or not by the build that you run, when
    a server lost the door that was put before it, or when what was taken up from the fleet is damaged.

    \b
    Examples:
      fairlead status
      fairlead status --json
    """
    installation, troubles, rows = agents_here(session)
    off, ignored = read_off(session.places), ignored_marker(session.places)
    policy, kept = _audit(session)
    watched = audit_words(policy, kept)
    servers = mcp_rows(session)
    fleet = fleet_facts(session)
    if as_json:
        shown = {name: getattr(installation, name) for name in _SHOWN}
        shown |= {"troubles": [{"what": one.what, "fix": one.fix} for one in troubles]}
        shown |= {"off": off and off.as_json(), "ignored_off_marker": ignored}
        shown |= {"audit": _audit_json(policy, kept) if watched else None}
        shown |= {"problems": _problems(session, policy), "fleet": fleet}
        shown |= {"managed": managed_json(policy.managed)}
        show_json({**shown, "agents": rows, "mcp": [row.as_json() for row in servers]})
    else:
        _say(rows, troubles)
        for line in mcp_lines(servers):
            tell(line)
        if off is not None:
            say_lines(paragraph(f"Fairlead is off {off.words()}; `fairlead on` ends that"))
        for line in fleet_words(fleet):
            tell(line)
        remarks = [f"{ignored}; `fairlead on` removes it"] if ignored else []
        decided = managed_words(policy.managed, session.places)
        for remark in (*remarks, *decided, *watched, *_problems(session, policy)):
            say_lines(paragraph(remark, rest="  "))
    well = all(row["state"] in (INSTALLED, NOT_INSTALLED) for row in rows)
    return 0 if well and is_well(fleet) and not any(row.state is State.CHANGED for row in servers) else 1


def _audit(session: Session) -> tuple[Policy, list[KeptBack]]:
    """The policy here, and what audit kept back in the last week; the index is read only where it says so."""
    policy = policy_for(session.places, git_root(os.getcwd()), "", ())
    if not audit_words(policy, ()):
        return policy, []
    with index_reader(session) as reader:
        return policy, kept_back(reader, Query(since=time.time() - A_WEEK * 86400))


def _problems(session: Session, policy: Policy) -> list[str]:
    """One line for what is wrong with the policy here, and one for notices that nobody gets."""
    errors, path = policy.errors, notices_path(session.places)
    _, unread = read_notice_settings(path)
    lines = []
    if errors:
        more = f" and {len(errors) - 1} more" if len(errors) > 1 else ""
        lines.append(f"policy: {errors[0].place}: {errors[0].message}{more}; see `fairlead policy check`")
    if unread:
        lines.append(f"notices: {unread[0].place}: {unread[0].message}; see `fairlead notify`")
    return [printable(line) for line in lines]


def _audit_json(policy: Policy, kept: list[KeptBack]) -> dict[str, object]:
    parts = [{"name": part.name, "origin": part.origin} for part in audited_parts(policy)]
    mode = {
        "mode": policy.mode.mode or ENFORCE,
        "since": policy.mode.since,
        "enforce": list(policy.mode.enforce),
    }
    return {**mode, "parts": parts, "kept_back": [each.as_json() for each in kept]}


_SHOWN = (
    *("client", "client_there", "client_current", "interpreter", "interpreter_there", "answers", "private"),
    *("build", "own_build"),
)


def _say(rows: list[dict[str, str]], troubles: list[Trouble]) -> None:
    if rows:
        say_lines(table(_AGENTS, [_cells(row) for row in rows]))
    else:
        tell("no agent was found; `fairlead install AGENT` sets one up")
    for agent, why in {row["agent"]: row["not_proved"] for row in rows if row["not_proved"]}.items():
        say_lines(paragraph(f"{agent} is not proved: {why}", rest="  "))
    for trouble in troubles:
        say_lines(paragraph(f"{trouble.what}; `{trouble.fix}` mends it", rest="  "))


_AGENTS = (
    Column("AGENT"),
    Column("SCOPE", spare=2),
    Column("STATE"),
    Column("LAST CALL", spare=1),
    Column("SETTINGS", spare=3),
)


def _cells(row: Mapping[str, str]) -> list[str]:
    called = row["last_call"] or "never"
    proof = f"proved {row['proved']}" if row["proved"] else "not proved"
    state = f"{row['state']}, {proof}" if row["state"] == INSTALLED else row["state"]
    shown = called if row["state"] != NOT_INSTALLED else ""
    return [row["agent"], row["scope"], state, shown, row["path"]]
