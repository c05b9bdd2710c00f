"""Which real agent a run of CI drives beside Claude Code: another one each day.

`python -m benchmarks.agents.rotation [DAY]` prints it.
"""

from __future__ import annotations

import sys
from datetime import date

from benchmarks.agents.clients import CLIENTS

ALWAYS = "claude"
OTHERS = tuple(client for client in CLIENTS if client != ALWAYS)


def other_on(day: date) -> str:
    """All have had their turn after as many days as there are of them, whenever one begins to count."""
    return OTHERS[day.toordinal() % len(OTHERS)]


if __name__ == "__main__":
    print(other_on(date.fromisoformat(sys.argv[1]) if sys.argv[1:] else date.today()))
