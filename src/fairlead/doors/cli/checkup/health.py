"""What `fairlead status` finds, row by row, for the dashboard. Nothing is changed, and no call is made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fairlead.assembly import policy_for
from fairlead.doors.cli.fleet_standing import fleet_facts, fleet_words, is_well
from fairlead.doors.cli.installation.agents_here import agents_here
from fairlead.doors.cli.installation.facts import INSTALLED, NOT_INSTALLED
from fairlead.doors.cli.mcp.status import mcp_rows
from fairlead.doors.cli.output import Session
from fairlead.doors.dashboard.sources import HealthRow
from fairlead.doors.mcp.setup.standing import FAULTS


def health_of(session: Session, root: str) -> list[HealthRow]:
    return list(_rows(session, root))


def _rows(session: Session, root: str) -> Iterator[HealthRow]:
    _, troubles, agents = agents_here(session)
    for trouble in troubles:
        yield HealthRow("installation", trouble.what, False, fix=trouble.fix)
    if not agents:
        yield HealthRow("agents", "none was found", True, "on this machine", "fairlead install AGENT")
    for agent in agents:
        yield _agent(agent)
    for server in mcp_rows(session):
        if server.state in FAULTS:
            yield HealthRow(
                f"MCP server {server.server}", str(server.state), False, server.detail, "fairlead mcp status"
            )
    fleet = fleet_facts(session)
    for line in fleet_words(fleet):
        yield HealthRow("fleet", line.removeprefix("fleet: "), is_well(fleet), "", "fairlead status")
    errors = policy_for(session.places, root, "", ()).errors
    if errors:
        state = f"{len(errors)} error{'s' if len(errors) > 1 else ''}"
        yield HealthRow("policy", state, False, str(errors[0]), "fairlead policy check")
    else:
        yield HealthRow("policy", "read without errors", True)


def _agent(row: Mapping[str, str]) -> HealthRow:
    if row["state"] == NOT_INSTALLED:
        return HealthRow(row["agent"], "not guarded", True, row["path"], f"fairlead install {row['agent']}")
    if row["state"] != INSTALLED:
        return HealthRow(row["agent"], row["state"], False, row["path"], "fairlead doctor --fix")
    if row["proved"]:
        return HealthRow(row["agent"], f"guarded, proved {row['proved']}", True, row["path"])
    return HealthRow(row["agent"], "guarded, not proved", True, row["not_proved"], "fairlead doctor")
