"""`fairlead install --system`: each agent's managed form with its lock, for every user of the machine."""

from __future__ import annotations

from collections.abc import Sequence

from fairlead.dialects.agent_registry import canonical_agent
from fairlead.dialects.managed.changes import managed_changes, possible_locks
from fairlead.dialects.managed.forms import MANAGED, TRIED
from fairlead.doors.cli.installation.shown_change import show_change
from fairlead.doors.cli.managed.program import machine_client, machine_places, place_program, plugins_folder
from fairlead.doors.cli.managed.users import ordinary_user, reads_same, require_root
from fairlead.doors.cli.output import Session, note, say
from fairlead.errors import FairleadError, SettingsError, UsageError
from fairlead.platforms import here
from fairlead.policy.places import Places
from fairlead.settings import files
from fairlead.settings.change import Change, applied
from fairlead.settings.checks import problems_in
from fairlead.settings.system_ledger import SystemLedger


def install_for_all(session: Session, names: Sequence[str], *, only: bool) -> int:
    require_root("install for every user")
    if not here.HAS_DAEMON:
        raise FairleadError(
            "managed settings were tried on Linux only", hint="docs/managed.md names the files"
        )
    agents, places = managed_agents(names), machine_places(session)
    interpreter = place_program(places)
    note(f"client  {machine_client(places).path}")
    note(f"answers {interpreter} (for every user; only root writes it)")
    broken = 0
    for agent in agents:
        try:
            _install(agent, places, only=only)
        except SettingsError as error:
            broken += 1
            note(f"{agent}: {error.message}; {error.hint or 'nothing was changed'}")
    if not broken:
        note("next: fairlead doctor --system")
    return 1 if broken else 0


def show_for_all(session: Session, names: Sequence[str], *, only: bool) -> int:
    """What would be changed; anybody may look."""
    broken = 0
    places = machine_places(session)
    for agent in managed_agents(names):
        try:
            for change in _changes(agent, places, only=only):
                show_change(agent, change)
        except SettingsError as error:
            broken += 1
            note(f"{agent}: {error.message}")
    return 1 if broken else 0


def managed_agents(names: Sequence[str]) -> list[str]:
    """Those that were named, else all whose form was tried."""
    agents = [canonical_agent(name) for name in names]
    without = [agent for agent in agents if agent not in MANAGED]
    if without:
        known = ", ".join(MANAGED)
        raise UsageError(f"{without[0]} has no managed settings that are known", hint=f"these have: {known}")
    return agents or list(TRIED)


def _install(agent: str, places: Places, *, only: bool) -> None:
    managed = MANAGED[agent]
    for change in _changes(agent, places, only=only):
        _refuse_unsound(agent, change)
        changed = SystemLedger().install(change, agent=agent, forced=possible_locks(agent))
        say(f"{agent:<12} {'installed' if changed else 'unchanged'}  {change.path}")
        _read_back(change.path)
    if only and not managed.only:
        note(f"{agent}: it has no lock that drops the users' own hooks, so they still run beside ours")
    if not managed.tried:
        note(f"{agent}: by its documentation alone; no real one was tried with these files")
    if managed.ways_round:
        switches = ", ".join(way.switch for way in managed.ways_round)
        note(f"{agent}: it can still be started without its hooks, by {switches}")


def _changes(agent: str, places: Places, *, only: bool) -> list[Change]:
    return managed_changes(agent, machine_client(places), plugins=plugins_folder(places), only=only)


def _refuse_unsound(agent: str, change: Change) -> None:
    """Before anything is written: what the agent could not read would close it for everybody, or open it."""
    after = applied(change, files.read(change.path))
    problems = problems_in(agent, change.path, after)
    if problems:
        raise SettingsError(problems[0], hint="mend that first; nothing was changed")


def _read_back(path: str) -> None:
    user = ordinary_user()
    if not reads_same(user, path, files.read(path) or b""):
        raise SettingsError(f"{user.name} cannot read {path}", hint=f"ls -ld the folders above {path}")
