"""`fairlead uninstall`."""

from __future__ import annotations

import os
import shutil

import click

from fairlead.dialects.setup.installs import INSTALLS, changes_for
from fairlead.doors.cli.given.agents import AGENT
from fairlead.doors.cli.given.together import refuse_idle
from fairlead.doors.cli.installation.installing import client_of, ledger_of, site_of
from fairlead.doors.cli.mcp.uninstall import take_out, wrapped_files
from fairlead.doors.cli.output import Session, count, note, say
from fairlead.errors import SettingsError, UsageError
from fairlead.policy.human import require_human
from fairlead.settings import files
from fairlead.settings.change import is_ours


@click.command()
@click.argument("agents", nargs=-1, type=AGENT)
@click.option(
    "--user", "scope", flag_value="user", default=True, help="From the user's settings (the default)."
)
@click.option("--project", "scope", flag_value="project", help="From this project's settings.")
@click.option("--system", is_flag=True, help="From the files of this machine that only root writes.")
@click.option("--purge", is_flag=True, help="Everywhere, and everything else that Fairlead keeps with it.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.pass_obj
def command(
    session: Session, agents: tuple[str, ...], *, scope: str, system: bool, purge: bool, yes: bool
) -> int:
    """Take Fairlead out of the settings of AGENTS (all of them by default).

    A file that nobody has changed since is as it was, byte for byte. From one that was changed, only what is
    ours goes. What Fairlead keeps beside that stays, and is named; `--purge` removes it too: the client, its
    environment, the journal and your policies, and the doors before the servers of MCP clients, which
    `fairlead mcp uninstall` takes out alone. Agents that run read their settings when they start: start them
    anew.

    \b
    Examples:
      fairlead uninstall
      fairlead uninstall codex --project
      fairlead uninstall --purge
      sudo fairlead uninstall --system
    """
    if system:
        refuse_idle({"--project": scope == "project", "--purge": purge}, hint="--system is for every user")
        from fairlead.doors.cli.managed.uninstall import uninstall_for_all

        return uninstall_for_all(session, agents, yes=yes)
    if purge and agents:
        raise UsageError("--purge is for everything", hint="leave the agents out, or --purge")
    refuse_idle({"--project": purge and scope == "project"}, hint="--purge is for everything")
    found = _everywhere(session) if purge else _in_scope(session, agents, scope)
    wrapped = wrapped_files(session) if purge else []
    kept = [folder for folder in _folders(session) if os.path.isdir(folder)]
    if not found and not (purge and (kept or wrapped)):
        note("nothing is installed there")
        return 0
    action = f"take Fairlead out of {count(len(found) + len(wrapped), 'settings file')}"
    require_human(session.places, f"{action} and remove {', '.join(kept)}" if purge else action, yes=yes)
    if not _take_out(session, found) or not take_out(session, wrapped):
        return 1
    if purge:
        _remove(session, kept)
        return 0
    for agent in dict.fromkeys(agent for agent, _ in found):
        _keep_other(session, agent, "project" if scope == "user" else "user")
    if kept and not ledger_of(session).entries:
        note(f"these stay: {', '.join(kept)}; `fairlead uninstall --purge` removes them")
    return 0


def _take_out(session: Session, found: list[tuple[str, str]]) -> bool:
    """Whether all of it went."""
    whole = True
    for agent, path in found:
        try:
            ledger_of(session).uninstall(path)
            say(f"{agent:<12} removed  {path}")
        except SettingsError as error:
            whole = False
            note(f"{agent}: {error}")
    return whole


def _folders(session: Session) -> tuple[str, ...]:
    places = session.places
    return places.config, places.state, places.share, places.run


def _remove(session: Session, folders: list[str]) -> None:
    """The daemon first: it would write on. Then the saves, with the refs that keep their commits in other
    repositories: once the saves are gone, nobody knows where those are."""
    from fairlead.doors.cli.undoing import store_of
    from fairlead.doors.daemon import control
    from fairlead.undo.limits import NotSavedError

    control.stop(session.places)
    try:
        store_of(session).prune()
    except (NotSavedError, OSError) as error:
        note(f"refs may stay in repositories: {error}; `git for-each-ref refs/fairlead` shows them")
    for folder in folders:
        _remove_folder(folder)
        say(f"{'':<12} removed  {folder}")
    note("agents that are running find nothing to ask any more, and refuse: start them anew")


def _remove_folder(folder: str) -> None:
    """Under another name first: a call that is being answered would still write into it."""
    aside = f"{folder}.{os.getpid()}.gone"
    os.rename(folder, aside)
    shutil.rmtree(aside)


def _in_scope(session: Session, agents: tuple[str, ...], scope: str) -> list[tuple[str, str]]:
    return [(agent, path) for agent in _agents(agents) for path in _paths(session, agent, scope)]


def _everywhere(session: Session) -> list[tuple[str, str]]:
    """Every project that the ledger knows, too."""
    here = [pair for scope in ("user", "project") for pair in _in_scope(session, (), scope)]
    known = [(entry.agent, entry.path) for entry in ledger_of(session).entries.values()]
    return list({path: (agent, path) for agent, path in [*known, *here]}.values())


def _keep_other(session: Session, agent: str, scope: str) -> None:
    """One file can serve both scopes: what the other one needs of it is put back."""
    if not ledger_of(session).of(agent, scope):
        return
    for change in changes_for(agent, site_of(scope), client_of(session)):
        ledger_of(session).install(change, agent=agent, scope=scope)


def _agents(names: tuple[str, ...]) -> list[str]:
    return list(names) or list(INSTALLS)


def _paths(session: Session, agent: str, scope: str) -> list[str]:
    """Where the ledger says, and wherever else our mark stands."""
    known = [entry.path for entry in ledger_of(session).of(agent, scope)]
    try:
        usual = [change.path for change in changes_for(agent, site_of(scope), client_of(session))]
    except SettingsError:
        usual = []
    marked = [path for path in usual if is_ours(files.read(path) or b"")]
    return list(dict.fromkeys([*known, *marked]))
