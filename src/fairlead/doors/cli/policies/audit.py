"""What the commands say about audit: what is in it, since when, and what it kept back."""

from __future__ import annotations

import time
from collections.abc import Sequence

from fairlead.doors.cli.output import count
from fairlead.doors.cli.presentation.tables import Column, table
from fairlead.doors.cli.presentation.words import ago, printable
from fairlead.doors.cli.presentation.wrapping import cut
from fairlead.policy.audited_parts import audited_parts
from fairlead.policy.policy import Policy
from fairlead.store.would_have import KeptBack

_MOST = 8
_EXAMPLE = 60


def audit_words(policy: Policy, found: Sequence[KeptBack]) -> list[str]:
    """One line for what is in audit, one for what that kept back in the last days; nothing without audit."""
    what = watched_parts(policy)
    if not what:
        return []
    calls = sum(each.calls for each in found)
    lines = [f"audit: {what}; in the last week {count(calls, 'call')} would have been stopped"]
    return [*lines, *filter(None, (policy.mode.reminder(),))]


def watched_parts(policy: Policy) -> str:
    """What is in audit, in words; empty where nothing is."""
    parts = [part.name for part in audited_parts(policy)]
    if policy.mode.audits:
        since = f" since {policy.mode.since}" if policy.mode.since else ""
        but = f" but {', '.join(policy.mode.enforce)}" if policy.mode.enforce else ""
        return f"everything{but} is only watched{since}"
    shown = [*parts[:_MOST], *([f"and {len(parts) - _MOST} more"] if len(parts) > _MOST else [])]
    return f"{', '.join(shown)} {'are' if len(parts) > 1 else 'is'} only watched" if parts else ""


def kept_back_table(found: Sequence[KeptBack]) -> list[str]:
    now = time.time()
    rows = []
    for each in found:
        example = printable(each.example)
        short = cut(example, _EXAMPLE)
        counts = [f"{each.calls:,}", f"{each.sessions:,}", f"{ago(each.last, now)} ago"]
        rows.append([each.decision, *counts, printable(each.rule), short])
    return table(_KEPT_BACK, rows)


_KEPT_BACK = (
    Column("WOULD"),
    Column("CALLS", right=True),
    Column("SESSIONS", right=True, spare=1),
    Column("LAST", right=True, spare=2),
    Column("RULE"),
    Column("FOR EXAMPLE", prose=True),
)
