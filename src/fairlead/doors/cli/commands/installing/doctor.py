"""`fairlead doctor`: is everything there, does it really refuse, and if not, why?"""

from __future__ import annotations

import os
from itertools import groupby

import click

from fairlead.doors.cli.checkup.agents import guarded_agents
from fairlead.doors.cli.checkup.finding import Finding, Level, unproved
from fairlead.doors.cli.checkup.rounds import look, mend
from fairlead.doors.cli.given.agents import AGENT
from fairlead.doors.cli.given.together import refuse_idle
from fairlead.doors.cli.output import Session, count, note, say_lines, show_json
from fairlead.doors.cli.presentation.progress import progress
from fairlead.doors.cli.presentation.words import printable
from fairlead.doors.cli.presentation.wrapping import paragraph
from fairlead.errors import FairleadError

_MARKS = {
    Level.OK: click.style("ok  ", fg="green"),
    Level.UNPROVED: click.style("?   ", fg="yellow"),
    Level.NOTE: click.style("note", fg="yellow"),
    Level.BAD: click.style("BAD ", fg="red", bold=True),
}
_MARK = 5
"""Columns of a mark and the blank behind it."""


@click.command()
@click.argument("agents", nargs=-1, type=AGENT)
@click.option("--fix", is_flag=True, help="Mend what can be mended safely.")
@click.option("--quick", is_flag=True, help="Start no agent: only send calls through the installed command.")
@click.option("--system", is_flag=True, help="Prove the machine's managed settings, as an ordinary user.")
@click.option(
    "--as", "user", metavar="USER", help="With --system: which user; by default the one behind sudo."
)
@click.option("-v", "--verbose", is_flag=True, help="Show what is well, too, check by check.")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@click.pass_obj
def command(
    session: Session,
    agents: tuple[str, ...],
    *,
    fix: bool,
    quick: bool,
    system: bool,
    user: str | None,
    verbose: bool,
    as_json: bool,
) -> int:
    """Check Fairlead itself and the settings of AGENTS (all installed ones), and say what mends each fault.

    Then send a forbidden and a harmless call through the installed command, as each agent would, and let
    each agent that can run without a terminal make them itself: in a throw-away home with your hook settings,
    with a model that is played on this machine, without your sign-in and without the network. The forbidden
    call would do no harm. These calls are marked in the journal, and left out of `log`, `stats` and the like.
    Exit code 1 when something is wrong, or when one of AGENTS is not installed.

    \b
    Examples:
      fairlead doctor
      fairlead doctor claude --fix
      fairlead doctor --quick --json
      sudo fairlead doctor --system --as alice
    """
    _require_folder()
    refuse_idle({"--as": user is not None and not system}, hint="it is for --system")
    if system:
        from fairlead.doors.cli.managed.doctor import look_as_user

        refuse_idle({"--fix": fix}, hint="`fairlead install --system` mends them")
        findings = look_as_user(session, agents, user or "", quick=quick)
    else:
        findings = _own_findings(session, _chosen(session, agents), fix=fix, quick=quick)
    if as_json:
        show_json([finding.as_json() for finding in findings])
    else:
        _show(findings, verbose=verbose)
    return 0 if all(finding.ok for finding in findings) else 1


def _own_findings(session: Session, chosen: list[str], *, fix: bool, quick: bool) -> list[Finding]:
    if fix:
        mend(session, chosen)
    with progress("checking"):
        findings = look(session, chosen)
    return findings + (_kept(session, chosen) if quick else _live(session, chosen))


def _require_folder() -> None:
    """What is checked is how this project is guarded."""
    try:
        os.getcwd()
    except FileNotFoundError:
        raise FairleadError("the folder that this was run in is gone", hint="cd to your project") from None


def _chosen(session: Session, names: tuple[str, ...]) -> list[str]:
    from fairlead.doors.cli.installation.installing import chosen_agents, site_of

    return chosen_agents(names, site_of("user")) if names else guarded_agents(session)


def _live(session: Session, agents: list[str]) -> list[Finding]:
    from fairlead.doors.cli.live.proofs import drop_proof, keep_proof
    from fairlead.doors.cli.live.trial import try_live

    findings: list[Finding] = []
    tried = [agent for agent in guarded_agents(session) if agent in agents]
    with progress("trying agents", total=len(tried)) as told:
        for agent in told.over(tried):
            told.step(agent)
            found = list(try_live(session, agent))
            proved = all(finding.level is Level.OK for finding in found)
            keep_proof(session, agent) if proved else drop_proof(session, agent)
            findings += [finding.replace(agent=agent) for finding in found]
    return findings


def _kept(session: Session, agents: list[str]) -> list[Finding]:
    """What an earlier run has proved, and still holds."""
    from fairlead.doors.cli.live.proofs import standing_of

    findings = []
    for agent in guarded_agents(session):
        if agent in agents:
            standing = standing_of(session, agent)
            what = f"{agent} itself refused a forbidden call on {standing.proved}"
            found = Finding("live", what) if standing.proved else unproved("live", standing.why)
            findings.append(found.replace(agent=agent))
    return findings


def _show(findings: list[Finding], *, verbose: bool) -> None:
    """By subject. Of what is well one line tells, unless more are asked for."""
    ordered = sorted(findings, key=lambda finding: finding.agent)
    for agent, group in groupby(ordered, key=lambda finding: finding.agent):
        found = list(group)
        well = [finding for finding in found if finding.level is Level.OK]
        if well and not verbose:
            ids = ", ".join(dict.fromkeys(finding.id for finding in well))
            proved = all(finding.level is not Level.UNPROVED for finding in found)
            _show_marked(Level.OK if proved else Level.UNPROVED, f"{agent or 'fairlead'}: {ids}")
        for finding in found:
            if verbose or finding.level is not Level.OK:
                _show_one(finding)
    wrong = sum(not finding.ok for finding in findings)
    if wrong:
        can = any(finding.repair is not None for finding in findings)
        note(f"{wrong} of {count(len(findings), 'check')} need attention{_OFFER if can else ''}")
    else:
        note(f"{count(len(findings), 'check')}, nothing to mend")
    unsure = dict.fromkeys(finding.agent for finding in findings if finding.level is Level.UNPROVED)
    if unsure:
        note(f"not proved: {', '.join(unsure)}")


_OFFER = "; `fairlead doctor --fix` mends some of it"


def _show_one(finding: Finding) -> None:
    _show_marked(finding.level, f"{f'{finding.agent}: ' if finding.agent else ''}{_plain(finding.what)}")
    if finding.why:
        say_lines(paragraph(_plain(finding.why), first="     why: "))
    if finding.fix and finding.level is not Level.OK:
        say_lines(paragraph(_plain(finding.fix), first="     fix: "))


def _show_marked(level: Level, text: str) -> None:
    first, *more = paragraph(text, first=" " * _MARK)
    say_lines([f"{_MARKS[level]} {first.lstrip()}", *more])


def _plain(text: str) -> str:
    """On one line, and without what could steer a terminal: settings and policies may be anybody's."""
    return printable(" ".join(text.split()))
