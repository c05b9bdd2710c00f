"""Exceptions in words."""

from __future__ import annotations

from time import time

from fairlead.doors.cli.presentation.words import printable
from fairlead.policy.answers.grants import Grant


def shown(grant: Grant) -> str:
    """One exception in words: what it is bound to, and what not."""
    what = f"{grant.rule} for `{grant.command}`" if grant.command else grant.rule
    place = grant.cwd or grant.scope
    where = f"in {place}" if place else "everywhere"
    whose = f"for {grant.agent}" if grant.agent else "for every agent"
    how_long = "once" if grant.once else "until it is taken back"
    if grant.until:
        how_long = f"{'once, ' if grant.once else ''}for {max(grant.until - time(), 0) / 60:.0f} minutes"
    used = " (used up)" if grant.used_by else ""
    within = f" in session {grant.session}," if grant.session else ""
    return printable(f"{what} {where}, {whose},{within} {how_long}{used}")
