"""`fairlead status`: one line per agent."""

from __future__ import annotations

import json
import os
import shutil

import click

from fairlead.dialects.installs import INSTALLS, Site, changes_for, found_agents
from fairlead.dialects.samples import SESSION
from fairlead.doors.cli.installing import client_of, ledger_of, site_of
from fairlead.doors.cli.output import Session, say, show_json
from fairlead.errors import SettingsError
from fairlead.journal.reader import segment_paths
from fairlead.policy.off import ignored_marker, read_off
from fairlead.settings import files
from fairlead.settings.change import applied, is_ours


@click.command()
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@click.pass_obj
def command(session: Session, as_json: bool) -> int:
    """Show which agents are guarded: their settings as they are now, not as they were left.

    Exit code 1 when an agent that was installed is no longer guarded.
    """
    rows = [row for agent in INSTALLS for row in _rows(session, agent)]
    last = _last_calls(session)
    for row in rows:
        row["last_call"] = last.get(row["agent"], "")
    client = client_of(session).path
    off, ignored = read_off(session.places), ignored_marker(session.places)
    if as_json:
        show_json(
            {
                "client": client,
                "client_there": os.path.isfile(client),
                "off": off and off.as_json(),
                "ignored_off_marker": ignored,
                "agents": rows,
            }
        )
    else:
        for row in rows:
            called = f"called {row['last_call']}" if row["last_call"] else "never called"
            shown = called if row["state"] != "not installed" else ""
            say(f"{row['agent']:<12} {row['scope']:<8} {row['state']:<14} {shown:<34} {row['path']}")
        if not rows:
            say("no agent was found; `fairlead install AGENT` sets one up")
        if not os.path.isfile(client):
            say(f"the client is missing: {client}; `fairlead install` puts it there")
        if off is not None:
            say(f"Fairlead is off {off.words()}; `fairlead on` ends that")
        if ignored:
            say(f"{ignored}; `fairlead on` removes it")
    return 1 if any(row["state"] in ("changed", "removed") for row in rows) else 0


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
        if isinstance(record, dict) and record.get("session") != SESSION:
            last[str(record.get("agent"))] = str(record.get("ts"))[:19].replace("T", " ")
    return last


def _tail(path: str) -> bytes:
    with open(path, "rb") as file:
        file.seek(max(0, os.path.getsize(path) - (1 << 20)))
        return file.read()


def _rows(session: Session, agent: str) -> list[dict[str, str]]:
    found = agent in found_agents(site_of("user"), shutil.which)
    rows = []
    for scope in ("user", "project"):
        site = site_of(scope)
        for path, state in _states(session, agent, site):
            if state != "not installed" or (found and scope == "user"):
                rows.append({"agent": agent, "scope": scope, "state": state, "path": path})
    return rows


def _states(session: Session, agent: str, site: Site) -> list[tuple[str, str]]:
    try:
        changes = changes_for(agent, site, client_of(session))
    except SettingsError:
        return []
    known = {entry.path for entry in ledger_of(session).of(agent, site.scope)}
    if changes[0].path not in known and not is_ours(files.read(changes[0].path) or b""):
        return [(changes[0].path, "not installed")]
    states = []
    for change in changes:
        current = files.read(change.path)
        if current is None or not is_ours(current):
            states.append((change.path, "removed" if change.path in known else "not installed"))
            continue
        try:
            right = applied(change, current) == current
        except SettingsError:
            right = False
        states.append((change.path, "installed" if right else "changed"))
    return states
