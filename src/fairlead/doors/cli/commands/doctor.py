"""`fairlead doctor`: is everything there, and does it really refuse?"""

from __future__ import annotations

import click

from fairlead.doors.cli.checkup import Finding, guarded_agents, look
from fairlead.doors.cli.output import Session, note, say, show_json


@click.command()
@click.argument("agents", nargs=-1)
@click.option("--fix", is_flag=True, help="Mend what can be mended safely.")
@click.option("--quick", is_flag=True, help="Start no agent: only send calls through the installed command.")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@click.pass_obj
def command(session: Session, agents: tuple[str, ...], *, fix: bool, quick: bool, as_json: bool) -> int:
    """Check interpreter, client, daemon, policy, journal and the settings of AGENTS (all installed ones).

    Then send a forbidden and a harmless call through the installed command, as each agent would, and let
    each agent that can run without a terminal make them itself: in a throw-away home with your hook settings,
    with a model that is played on this machine, without your sign-in and without the network. The forbidden
    call would do no harm. Exit code 1 when something is wrong.

    \b
    Examples:
      fairlead doctor
      fairlead doctor claude --fix
      fairlead doctor --quick
    """
    from fairlead.dialects.table import canonical_agent

    chosen = [canonical_agent(agent) for agent in agents] or guarded_agents(session)
    findings = list(look(session, chosen))
    mended = [finding for finding in findings if fix and finding.repair is not None]
    for finding in mended:
        assert finding.repair is not None
        finding.repair()
        note(f"mended: {finding.what}")
    if mended:
        findings = list(look(session, chosen))
    if not quick:
        findings += _live(session, chosen)
    if as_json:
        show_json([{"ok": one.ok, "what": one.what, "fix": one.fix} for one in findings])
    else:
        _show(findings)
    return 0 if all(finding.ok for finding in findings) else 1


def _live(session: Session, agents: list[str]) -> list[Finding]:
    from fairlead.doors.cli.live.trial import try_live

    findings: list[Finding] = []
    for agent in guarded_agents(session):
        if agent in agents:
            note(f"trying {agent} itself ...")
            findings += try_live(session, agent)
    return findings


def _show(findings: list[Finding]) -> None:
    for finding in findings:
        mark = click.style("ok  ", fg="green") if finding.ok else click.style("BAD ", fg="red", bold=True)
        say(f"{mark} {finding.what}")
        if not finding.ok and finding.fix:
            say(f"     fix: {finding.fix}")
    bad = sum(not finding.ok for finding in findings)
    note(f"{bad} of {len(findings)} need attention" if bad else f"{len(findings)} checks, nothing to mend")
