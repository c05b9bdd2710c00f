"""`fairlead status`: one line per agent."""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Mapping

import click

from fairlead.assembly import policy_for
from fairlead.dialects.setup.installs import INSTALLS, found_agents
from fairlead.doors.cli.audit import audit_words
from fairlead.doors.cli.history import index_reader, printable
from fairlead.doors.cli.installation.facts import (
    INSTALLED,
    NOT_INSTALLED,
    AgentSettings,
    Trouble,
    look_at_installation,
    settings_of,
)
from fairlead.doors.cli.installing import came_with_us, client_of, ledger_of, site_of
from fairlead.doors.cli.live.proofs import Standing, standing_of
from fairlead.doors.cli.mcp.status import mcp_lines, mcp_rows
from fairlead.doors.cli.output import Session, say, show_json
from fairlead.doors.hook.root import git_root
from fairlead.doors.mcp.setup.standing import State
from fairlead.journal.reader import segment_paths
from fairlead.policy.audited_parts import audited_parts
from fairlead.policy.mode import A_WEEK
from fairlead.policy.notices import notices_path, read_notice_settings
from fairlead.policy.off import ignored_marker, read_off
from fairlead.policy.policy import Policy
from fairlead.store.query import Query
from fairlead.store.would_have import KeptBack, kept_back

BROKEN, OUTDATED = "broken", "outdated"
"""The settings are as they were written, and what they call is not."""


@click.command()
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@click.pass_obj
def command(session: Session, as_json: bool) -> int:
    """Show which agents are guarded: as everything is now, not as it was left.

    An agent is proved by the calls that it made itself for `fairlead doctor`, until its program, its settings
    or Fairlead change; each of the others is "not proved", with the reason.

    Of the servers of MCP clients there is one line per file; `fairlead mcp status` shows each.

    Exit code 1 when an agent that was installed is no longer guarded, or not by the build that you run, or
    when a server lost the door that was put before it.
    """
    installation = look_at_installation(session.places, came_with_us())
    settings = [one for agent in INSTALLS for one in _settings(session, agent)]
    installed = any(one.state != NOT_INSTALLED for one in settings)
    troubles = list(installation.troubles()) if installed else []
    last = _last_calls(session)
    there = {one.agent for one in settings if one.state == INSTALLED}
    standings = {agent: standing_of(session, agent) for agent in there}
    rows = [_row(one, troubles, last.get(one.agent, ""), standings) for one in settings]
    off, ignored = read_off(session.places), ignored_marker(session.places)
    policy, kept = _audit(session)
    watched = audit_words(policy, kept)
    servers = mcp_rows(session)
    if as_json:
        shown = {name: getattr(installation, name) for name in _SHOWN}
        shown |= {"troubles": [{"what": one.what, "fix": one.fix} for one in troubles]}
        shown |= {"off": off and off.as_json(), "ignored_off_marker": ignored}
        shown |= {"audit": _audit_json(policy, kept) if watched else None}
        shown |= {"problems": _problems(session, policy)}
        show_json({**shown, "agents": rows, "mcp": [row.as_json() for row in servers]})
    else:
        _say(rows, troubles)
        for line in mcp_lines(servers):
            say(line)
        if off is not None:
            say(f"Fairlead is off {off.words()}; `fairlead on` ends that")
        if ignored:
            say(f"{ignored}; `fairlead on` removes it")
        for line in watched:
            say(line)
        for problem in _problems(session, policy):
            say(problem)
    well = all(row["state"] in (INSTALLED, NOT_INSTALLED) for row in rows)
    return 0 if well and not any(row.state is State.CHANGED for row in servers) else 1


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
    mode = {"mode": policy.mode.mode, "since": policy.mode.since, "enforce": list(policy.mode.enforce)}
    return {**mode, "parts": parts, "kept_back": [each.as_json() for each in kept]}


_SHOWN = (
    *("client", "client_there", "client_current", "interpreter", "interpreter_there", "answers", "private"),
    *("build", "own_build"),
)


def _say(rows: list[dict[str, str]], troubles: list[Trouble]) -> None:
    for row in rows:
        called = f"called {row['last_call']}" if row["last_call"] else "never called"
        shown = called if row["state"] != NOT_INSTALLED else ""
        proof = f"proved {row['proved']}" if row["proved"] else "not proved"
        state = f"{row['state']}, {proof}" if row["state"] == INSTALLED else row["state"]
        say(f"{row['agent']:<12} {row['scope']:<8} {state:<29} {shown:<34} {row['path']}")
    if not rows:
        say("no agent was found; `fairlead install AGENT` sets one up")
    for agent, why in {row["agent"]: row["not_proved"] for row in rows if row["not_proved"]}.items():
        say(f"{agent} is not proved: {why}")
    for trouble in troubles:
        say(f"{trouble.what}; `{trouble.fix}` mends it")


def _row(
    one: AgentSettings, troubles: list[Trouble], last_call: str, standings: Mapping[str, Standing]
) -> dict[str, str]:
    state = one.state
    if state == INSTALLED and troubles:
        state = BROKEN if any(trouble.fatal for trouble in troubles) else OUTDATED
    standing = standings.get(one.agent, Standing()) if state == INSTALLED else Standing()
    row = {"agent": one.agent, "scope": one.scope, "state": state, "path": one.path, "last_call": last_call}
    return {**row, "proved": standing.proved, "not_proved": standing.why}


def _last_calls(session: Session) -> dict[str, str]:
    """When each agent last called, as far as the newest part of the journal tells: a hook that never fires
    looks just like one that never objects. The doctor's own calls do not count."""
    last: dict[str, str] = {}
    segments = segment_paths(os.path.join(session.places.state, "journal"))
    for line in _tail(segments[-1]).splitlines() if segments else ():
        try:
            record = json.loads(line)
        except ValueError:
            continue  # the first line of the part may be cut
        if isinstance(record, dict) and record.get("canary") is not True:
            last[str(record.get("agent"))] = str(record.get("ts"))[:19].replace("T", " ")
    return last


def _tail(path: str) -> bytes:
    with open(path, "rb") as file:
        file.seek(max(0, os.path.getsize(path) - (1 << 20)))
        return file.read()


def _settings(session: Session, agent: str) -> list[AgentSettings]:
    found = agent in found_agents(site_of("user"), shutil.which)
    return [
        one
        for scope in ("user", "project")
        for one in settings_of(agent, site_of(scope), client_of(session), ledger_of(session))
        if one.state != NOT_INSTALLED or (found and scope == "user")
    ]
