"""`fairlead uninstall`."""

from __future__ import annotations

import click

from fairlead.dialects.installs import INSTALLS, changes_for
from fairlead.doors.cli.installing import client_of, ledger_of, site_of
from fairlead.doors.cli.output import Session, note, say
from fairlead.errors import SettingsError
from fairlead.policy.human import require_human
from fairlead.settings import files
from fairlead.settings.change import is_ours


@click.command()
@click.argument("agents", nargs=-1)
@click.option(
    "--user", "scope", flag_value="user", default=True, help="From the user's settings (the default)."
)
@click.option("--project", "scope", flag_value="project", help="From this project's settings.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.pass_obj
def command(session: Session, agents: tuple[str, ...], scope: str, yes: bool) -> int:
    """Take Fairlead out of the settings of AGENTS (all of them by default).

    A file that nobody has changed since is as it was, byte for byte. From one that was changed, only what is
    ours goes.
    """
    found = [(agent, path) for agent in _agents(agents) for path in _paths(session, agent, scope)]
    if not found:
        note("nothing is installed there")
        return 0
    require_human(session.places, f"take Fairlead out of {len(found)} settings files", yes=yes)
    failed = 0
    for agent, path in found:
        try:
            ledger_of(session).uninstall(path)
            say(f"{agent:<12} removed  {path}")
        except SettingsError as error:
            failed += 1
            note(f"{agent}: {error}")
    for agent in dict.fromkeys(agent for agent, _ in found):
        _keep_other(session, agent, "project" if scope == "user" else "user")
    return 1 if failed else 0


def _keep_other(session: Session, agent: str, scope: str) -> None:
    """One file can serve both scopes: what the other one needs of it is put back."""
    if not ledger_of(session).of(agent, scope):
        return
    for change in changes_for(agent, site_of(scope), client_of(session)):
        ledger_of(session).install(change, agent=agent, scope=scope)


def _agents(names: tuple[str, ...]) -> list[str]:
    from fairlead.dialects.table import canonical_agent

    return [canonical_agent(name) for name in names] or list(INSTALLS)


def _paths(session: Session, agent: str, scope: str) -> list[str]:
    """Where the ledger says, and wherever else our mark stands."""
    known = [entry.path for entry in ledger_of(session).of(agent, scope)]
    try:
        usual = [change.path for change in changes_for(agent, site_of(scope), client_of(session))]
    except SettingsError:
        usual = []
    marked = [path for path in usual if is_ours(files.read(path) or b"")]
    return list(dict.fromkeys([*known, *marked]))
