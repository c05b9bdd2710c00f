"""The whole check-up, in the order in which one thing rests on another."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from fairlead.doors.cli.checkup.agents import installed_sites, look_at_settings
from fairlead.doors.cli.checkup.background import look_at_daemon, look_at_runtime_folder
from fairlead.doors.cli.checkup.canary import look_at_answers
from fairlead.doors.cli.checkup.finding import Finding, bad, guarded
from fairlead.doors.cli.checkup.fleet import look_at_fleet
from fairlead.doors.cli.checkup.installation import (
    Installation,
    installation_of,
    look_at_installation,
    look_at_ledger,
)
from fairlead.doors.cli.checkup.mcp_servers import has_doors, look_at_servers
from fairlead.doors.cli.checkup.others import look_at_path
from fairlead.doors.cli.checkup.rules import look_at_notices, look_at_policy
from fairlead.doors.cli.checkup.saves import look_at_saves
from fairlead.doors.cli.checkup.state import look_at_disk, look_at_journal, look_at_memory, look_at_off
from fairlead.doors.cli.installation.installing import site_of
from fairlead.doors.cli.output import Session, note
from fairlead.errors import FairleadError

_ROUNDS = 3
"""What is mended may show what was hidden behind it."""


def look(session: Session, agents: Sequence[str], *, calls: bool = True) -> list[Finding]:
    """Everything about Fairlead and about these agents; `calls`: ask the installed command itself, too."""
    installation = installation_of(session)
    found = look_at_fairlead(session, installation)
    for agent in agents:
        found += look_at_agent(session, agent, calls=calls and not installation.client_problem)
    if not agents and not has_doors(session):
        why = "`install` was not run here, or all of it was taken back"
        found.append(bad("agents", "no agent is guarded", why=why, fix="fairlead install"))
    return found


def look_at_fairlead(session: Session, installation: Installation) -> list[Finding]:
    root = site_of("user").project
    looks: dict[str, Callable[[], Iterator[Finding]]] = {
        "client": lambda: look_at_installation(session, installation),
        "ledger": lambda: look_at_ledger(session),
        "path": lambda: look_at_path(installation),
        "off": lambda: look_at_off(session),
        "state": lambda: look_at_disk(session),
        "journal": lambda: look_at_journal(session),
        "memory": lambda: look_at_memory(session),
        "undo": lambda: look_at_saves(session),
        "socket": lambda: look_at_runtime_folder(session),
        "daemon": lambda: look_at_daemon(session, installation),
        "policy": lambda: look_at_policy(session, root),
        "fleet": lambda: look_at_fleet(session),
        "notices": lambda: look_at_notices(session),
        "mcp": lambda: look_at_servers(session),
    }
    return [finding for id, one in looks.items() for finding in guarded(id, one)]


def look_at_agent(session: Session, agent: str, *, calls: bool) -> list[Finding]:
    sites = installed_sites(session, agent)
    if not sites:
        return [bad("settings", "not installed", fix=f"fairlead install {agent}").replace(agent=agent)]
    found = guarded("settings", lambda: look_at_settings(session, agent, sites))
    if calls:
        found += guarded("refuses", lambda: look_at_answers(session, agent, sites[0].project))
    return [finding.replace(agent=agent) for finding in found]


def mend(session: Session, agents: Sequence[str]) -> None:
    """Does what can be done safely, and says so."""
    for _ in range(_ROUNDS):
        repairs = {one.what: one for one in look(session, agents, calls=False) if one.repair is not None}
        if not repairs:
            break
        for finding in repairs.values():
            _repair(finding)


def _repair(finding: Finding) -> None:
    assert finding.repair is not None
    try:
        finding.repair()
    except (FairleadError, OSError) as error:
        note(f"could not mend: {finding.what}: {error}")
    else:
        note(f"mended: {finding.what}")
