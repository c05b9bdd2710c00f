"""`fairlead install`: every change is shown, made in one step per file, and can be taken back."""

from __future__ import annotations

from datetime import date

import click

from fairlead.dialects.setup.installs import INSTALLS, changes_for
from fairlead.dialects.setup.site import Site
from fairlead.doors.cli.given.agents import AGENT
from fairlead.doors.cli.given.together import refuse_idle
from fairlead.doors.cli.installation.installing import (
    chosen_agents,
    client_of,
    ledger_of,
    place_client,
    site_of,
)
from fairlead.doors.cli.installation.shown_change import show_change
from fairlead.doors.cli.output import Session, note, say
from fairlead.errors import FairleadError, SettingsError, UsageError
from fairlead.model.hook import AUDIT
from fairlead.policy.human import require_human
from fairlead.policy.mode import own_mode, write_mode
from fairlead.policy.record import read_record
from fairlead.settings import files
from fairlead.settings.change import Change
from fairlead.settings.checks import problems_in
from fairlead.settings.ledger import Ledger


@click.command()
@click.argument("agents", nargs=-1, type=AGENT)
@click.option("--user", "scope", flag_value="user", default=True, help="For all projects (the default).")
@click.option("--project", "scope", flag_value="project", help="For this project only.")
@click.option(
    "--system", is_flag=True, help="For every user of this machine, in files that only root writes."
)
@click.option(
    "--managed-only",
    is_flag=True,
    help="With --system: run no hooks but these, where an agent has a lock for it.",
)
@click.option(
    "--second-line/--no-second-line",
    default=None,
    help="With --system: keep tools from a Gemini CLI whose hooks are off, or no longer.",
)
@click.option("--dry-run", is_flag=True, help="Show the changes, and make none.")
@click.option(
    "--passphrase", is_flag=True, help="Set a passphrase that everything which loosens then asks for."
)
@click.option(
    "--in-place",
    is_flag=True,
    help="Let this very interpreter answer, not a copy: for work on Fairlead itself.",
)
@click.option(
    "--audit", is_flag=True, help="Only watch for now: write down what would be stopped, and stop nothing."
)
@click.option(
    "--recover", is_flag=True, help="Save what a call would lose in a project, and let it pass then."
)
@click.option(
    "--client", "only_client", is_flag=True, help="Place only what agents call: their plugins do the rest."
)
@click.pass_obj
def command(
    session: Session,
    agents: tuple[str, ...],
    *,
    scope: str,
    system: bool,
    managed_only: bool,
    second_line: bool | None,
    dry_run: bool,
    passphrase: bool,
    in_place: bool,
    audit: bool,
    recover: bool,
    only_client: bool,
) -> int:
    """Put Fairlead into the settings of AGENTS: by default, of all that are found on this machine.

    Files keep their comments, their order and their layout. A copy of each is kept beside it, and
    `fairlead uninstall` gives every byte back. What agents call is a copy of Fairlead in an environment of
    its own, so that no upgrade, cache or clone can take it away: after an upgrade, run this again.

    \b
    Examples:
      fairlead install --dry-run
      fairlead install claude codex
      fairlead install --audit
      fairlead install --recover
      sudo fairlead install --system --dry-run
    """
    for_system = {"--managed-only": managed_only, "--second-line": second_line is not None}
    refuse_idle({name: given and not system for name, given in for_system.items()}, hint="it is for --system")
    if system:
        others = {"--project": scope != "user", "--passphrase": passphrase, "--in-place": in_place}
        others |= {"--audit": audit, "--recover": recover, "--client": only_client}
        refuse_idle(others, hint="--system is for every user: say the rest in /etc/fairlead")
        return _for_the_machine(session, agents, dry_run=dry_run, only=managed_only, second=second_line)
    if only_client:
        if agents or dry_run:
            raise UsageError("--client is for no agent", hint="fairlead install --client")
        _place(session, in_place=in_place)
        return 0
    site = site_of(scope)
    chosen = chosen_agents(agents, site)
    if not chosen:
        raise FairleadError("no agent was found on this machine", hint="name one: fairlead install claude")
    if not dry_run:
        for chosen_too, set_up in (
            (audit, _only_watch),
            (recover, _recover),
            (passphrase, _choose_passphrase),
        ):
            if chosen_too:
                set_up(session)
        _place(session, in_place=in_place)
    return _into_settings(session, chosen, site, scope=scope, dry_run=dry_run)


def _for_the_machine(
    session: Session, agents: tuple[str, ...], *, dry_run: bool, only: bool, second: bool | None
) -> int:
    from fairlead.doors.cli.managed.install import install_for_all, show_for_all

    act = show_for_all if dry_run else install_for_all
    return act(session, agents, only=only, second=second)


def _into_settings(session: Session, agents: list[str], site: Site, *, scope: str, dry_run: bool) -> int:
    broken = 0
    for agent in agents:
        try:
            changes = changes_for(agent, site, client_of(session))
            for change in changes:
                show_change(agent, change) if dry_run else _make(session, agent, scope, change)
        except SettingsError as error:
            broken += 1
            note(f"{agent}: {error}")
            continue
        if not dry_run and INSTALLS[agent].note:
            note(f"{agent}: {INSTALLS[agent].note}")
    if scope == "project" and not dry_run:
        note("these files name a path on this machine: keep them out of version control")
    if not dry_run and not broken:
        note("next: fairlead doctor")
    return 1 if broken else 0


def _place(session: Session, *, in_place: bool) -> None:
    note(f"client  {place_client(session, in_place=in_place)}")
    interpreter = read_record(session.places)["interpreter"]
    why = "as it is: what happens to it happens to the agents" if in_place else "a copy that stays"
    note(f"answers {interpreter} ({why})")


def _only_watch(session: Session) -> None:
    """The first time there is nothing to loosen; later there is, so a human must be there."""
    own = own_mode(session.places.config)
    if own.audits:
        return
    if Ledger(session.places.installed).entries:
        require_human(session.places, "only watch from now on, and stop nothing but attacks on Fairlead")
    path = write_mode(session.places.config, own.replace(mode=AUDIT, since=date.today().isoformat()))
    note(f"audit   {path}: nothing is stopped but what would loosen Fairlead itself")
    note("        `fairlead stats --would` shows what would have been; `fairlead promote --all` enforces it")


def _recover(session: Session) -> None:
    """As with audit: the first time there is nothing to loosen."""
    own = own_mode(session.places.config)
    if own.recover == "pass":
        return
    if Ledger(session.places.installed).entries:
        require_human(session.places, "let a loss in a project pass once it is saved")
    path = write_mode(session.places.config, own.replace(recover="pass"))
    note(f"recover {path}: what a call would lose in a project is saved first, and passes then")
    note("        `fairlead undo` brings it back, `fairlead undo --list` shows what is saved")


def _choose_passphrase(session: Session) -> None:
    """Read from the terminal, twice. To replace one takes the old one; to set the first takes a person, or an
    agent could set one that it knows."""
    from fairlead.policy.human import Terminal, has_passphrase, set_passphrase

    another = "another" if has_passphrase(session.places) else "a"
    require_human(session.places, f"choose {another} passphrase", yes=True)
    terminal = Terminal()
    chosen = terminal.ask_secret("New Fairlead passphrase: ")
    if chosen != terminal.ask_secret("The same passphrase: "):
        raise FairleadError("the two were not the same", hint="nothing was changed; try again")
    set_passphrase(session.places, chosen)


def _make(session: Session, agent: str, scope: str, change: Change) -> None:
    changed = ledger_of(session).install(change, agent=agent, scope=scope)
    say(f"{agent:<12} {'installed' if changed else 'unchanged'}  {change.path}")
    for problem in problems_in(agent, change.path, files.read(change.path) or b""):
        note(f"{agent}: {problem}")
