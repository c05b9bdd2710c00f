"""What `fairlead` alone says: the state that this machine is in, and what to do next."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence

from fairlead import __version__
from fairlead.assembly import policy_for
from fairlead.doors.cli.installation.agents_here import agents_here
from fairlead.doors.cli.installation.facts import INSTALLED, NOT_INSTALLED
from fairlead.doors.cli.output import Session
from fairlead.doors.cli.presentation.wrapping import fields, paragraph
from fairlead.doors.hook.root import git_root
from fairlead.policy.answers.questions import questions
from fairlead.policy.off import read_off

_NEXT = 3
_Row = Mapping[str, str]


def first_screen(session: Session) -> Iterator[str]:
    _, troubles, rows = agents_here(session)
    off = read_off(session.places)
    yield from paragraph(f"Fairlead {__version__}: one hook engine for AI agents and scripts")
    yield ""
    if off is not None:
        yield from paragraph(f"It is switched off {off.words()}.")
    yield from fields([(row["agent"], _standing(row)) for row in rows])
    if not rows:
        yield from paragraph("No coding agent was found on this machine.")
    yield ""
    yield "Next:"
    found = list(_next_steps(session, rows, troubled=bool(troubles), off=off is not None))
    yield from fields(found[:_NEXT])
    yield ""
    yield "`fairlead --help` lists all commands."


def _standing(row: _Row) -> str:
    if row["state"] == INSTALLED:
        return f"guarded, proved {row['proved']}" if row["proved"] else "guarded, not proved"
    return "not guarded" if row["state"] == NOT_INSTALLED else f"not guarded as it should be: {row['state']}"


def _next_steps(
    session: Session, rows: Sequence[_Row], *, troubled: bool, off: bool
) -> Iterator[tuple[str, str]]:
    """The most urgent first; more than are shown."""
    guarded = [row for row in rows if row["state"] == INSTALLED]
    if off:
        yield "fairlead on", "switch it on again"
    if troubled or any(row["state"] not in (INSTALLED, NOT_INSTALLED) for row in rows):
        yield "fairlead doctor --fix", "see what is wrong, and mend it"
    waiting = len(questions(session.places))
    if waiting:
        yield "fairlead approve", f"{waiting} of your agents' calls wait for an answer"
    if any(row["state"] == NOT_INSTALLED for row in rows):
        yield "fairlead install", "guard the agents of this machine; --audit only watches at first"
    if any(not row["proved"] for row in guarded):
        yield "fairlead doctor", "prove it: each agent makes a harmless and a forbidden call"
    if policy_for(session.places, git_root(os.getcwd()), "", ()).mode.audits:
        yield "fairlead stats --would", "see what audit let pass"
    yield "fairlead check 'rm -rf ~'", "see what a call would be answered, and why"
    if guarded:
        yield "fairlead log", "see what your agents did"
        yield "fairlead ui", "the same in a browser, live"
    yield "fairlead init", "write a policy for this project"
