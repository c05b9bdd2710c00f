"""The agents of this machine, as they are guarded now."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping

from fairlead.dialects.setup.installs import INSTALLS, found_agents
from fairlead.doors.cli.installation.facts import (
    INSTALLED,
    NOT_INSTALLED,
    AgentSettings,
    Installation,
    Trouble,
    look_at_installation,
    settings_of,
)
from fairlead.doors.cli.installation.installing import came_with_us, client_of, ledger_of, site_of
from fairlead.doors.cli.live.proofs import Standing, standing_of
from fairlead.doors.cli.managed.here import machine_settings
from fairlead.doors.cli.output import Session
from fairlead.journal.reader import segment_paths

BROKEN, OUTDATED = "broken", "outdated"
"""The settings are as they were written, and what they call is not."""


def agents_here(session: Session) -> tuple[Installation, list[Trouble], list[dict[str, str]]]:
    """What is installed, what is wrong with that, and a row for each file of settings."""
    installation = look_at_installation(session.places, came_with_us())
    settings = [one for agent in INSTALLS for one in _settings(session, agent)]
    machine = list(machine_settings(session.places))
    guarded = {one.agent for one in machine}
    settings = [one for one in settings if one.state != NOT_INSTALLED or one.agent not in guarded]
    installed = any(one.state != NOT_INSTALLED for one in settings)
    troubles = list(installation.troubles()) if installed else []
    last = _last_calls(session)
    there = {one.agent for one in settings if one.state == INSTALLED}
    standings = {agent: standing_of(session, agent) for agent in there}
    rows = [_row(one, troubles, last.get(one.agent, ""), standings) for one in settings]
    rows += [_row(one, [], last.get(one.agent, ""), {one.agent: _BY_ROOT}) for one in machine]
    return installation, troubles, rows


_BY_ROOT = Standing(why="`sudo fairlead doctor --system` proves it")


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
