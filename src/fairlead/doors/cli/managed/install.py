"""`fairlead install --system`: each agent's managed form with its lock, for every user of the machine."""

from __future__ import annotations

from collections.abc import Sequence

from fairlead.dialects.agent_registry import canonical_agent
from fairlead.dialects.managed.changes import managed_changes, possible_locks
from fairlead.dialects.managed.forms import TRIED
from fairlead.doors.cli.installation.shown_change import show_change
from fairlead.doors.cli.managed.program import machine_client, machine_places, place_program, plugins_folder
from fairlead.doors.cli.managed.standing import forms_here, has_second_line
from fairlead.doors.cli.managed.users import ordinary_user, reads_same, require_root
from fairlead.doors.cli.output import Session, note, say
from fairlead.errors import FairleadError, SettingsError, UsageError
from fairlead.platforms import here
from fairlead.policy.places import Places
from fairlead.settings import files
from fairlead.settings.change import Change, applied
from fairlead.settings.checks import problems_in
from fairlead.settings.formats.json_edit import value_in
from fairlead.settings.system_ledger import SystemLedger


def install_for_all(session: Session, names: Sequence[str], *, only: bool, second: bool | None) -> int:
    """`second` is whether the second line is wanted; None leaves it as it is."""
    if here.SYSTEM == "windows":
        hint = "install it in WSL; `fairlead coverage --managed` names the files of Windows"
        raise FairleadError("hooks of agents do not work on Windows", hint=hint)
    require_root("install for every user")
    if here.SYSTEM != "linux":
        note(f"managed settings were tried on Linux alone; {here.SYSTEM} has other places, by the sources")
    agents, places = managed_agents(names), machine_places(session)
    interpreter = place_program(places)
    note(f"client  {machine_client(places).path}")
    note(f"answers {interpreter} (for every user; only root writes it)")
    broken = 0
    for agent in agents:
        try:
            _install(agent, places, only=only, second=second)
        except SettingsError as error:
            broken += 1
            note(f"{agent}: {error.message}; {error.hint or 'nothing was changed'}")
    if not broken:
        note("next: fairlead doctor --system")
    return 1 if broken else 0


def show_for_all(session: Session, names: Sequence[str], *, only: bool, second: bool | None) -> int:
    """What would be changed; anybody may look."""
    broken = 0
    places = machine_places(session)
    for agent in managed_agents(names):
        try:
            for change in _changes(agent, places, only=only, second=_wanted(agent, second)):
                show_change(agent, change)
        except SettingsError as error:
            broken += 1
            note(f"{agent}: {error.message}")
    return 1 if broken else 0


def managed_agents(names: Sequence[str]) -> list[str]:
    """Those that were named, else all whose form was tried."""
    agents = [canonical_agent(name) for name in names]
    known_here = forms_here()
    without = [agent for agent in agents if agent not in known_here]
    if without:
        known = ", ".join(known_here)
        raise UsageError(f"{without[0]} has no managed settings that are known", hint=f"these have: {known}")
    return agents or [agent for agent in TRIED if agent in known_here]


def _install(agent: str, places: Places, *, only: bool, second: bool | None) -> None:
    managed, lined = forms_here()[agent], _wanted(agent, second)
    if not lined and has_second_line(agent):
        _take_back(agent, managed.second)
    for change in _changes(agent, places, only=only, second=lined):
        if change.path == managed.second:
            _refuse_to_replace_policies(managed.path)
        _refuse_unsound(agent, change)
        changed = SystemLedger().install(change, agent=agent, forced=possible_locks(agent))
        say(f"{agent:<12} {'installed' if changed else 'unchanged'}  {change.path}")
        _read_back(change.path)
    if only and not managed.only:
        note(f"{agent}: it has no lock that drops the users' own hooks, so they still run beside ours")
    if not managed.tried:
        note(f"{agent}: by its documentation alone; no real one was tried with these files")
    ways = [way.switch for way in managed.ways_round if not (lined and way.second_line_closes)]
    if ways:
        note(f"{agent}: it can still be started without its hooks, by {', '.join(ways)}")
    if managed.second and not lined:
        note(f"{agent}: `--second-line` would keep commands and changes of files from such a session")


def _wanted(agent: str, second: bool | None) -> bool:
    """Whether this agent is to have a second line: one that stands is kept until somebody says otherwise."""
    if not forms_here()[agent].second:
        return False
    return has_second_line(agent) if second is None else second


def _take_back(agent: str, path: str) -> None:
    """Before the hooks stop signing: until both are gone, calls would be denied."""
    ledger = SystemLedger()
    if path not in ledger.entries:
        raise SettingsError(f"{path} is ours, and nothing is known about it", hint=f"remove it: rm {path}")
    ledger.uninstall(path)
    say(f"{agent:<12} removed    {path}")


def _refuse_to_replace_policies(settings: str) -> None:
    """Gemini CLI leaves `adminPolicyPaths` aside as soon as there is a policy in the folder itself."""
    elsewhere = value_in(files.text_of(files.read(settings) or b"", settings), ("adminPolicyPaths",))
    if elsewhere:
        hint = "move those policies into its folder `policies` first, or leave out --second-line"
        raise SettingsError(f"{settings} names adminPolicyPaths, which would no longer count", hint=hint)


def _changes(agent: str, places: Places, *, only: bool, second: bool) -> list[Change]:
    return managed_changes(
        agent,
        machine_client(places),
        plugins=plugins_folder(places),
        only=only,
        second=second,
        system=here.SYSTEM,
    )


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
