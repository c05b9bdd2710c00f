"""Which files of agents `install` wrote to. Light to import: every system asks for it when it is built."""

from __future__ import annotations

import json


def written_files(ledger: str) -> tuple[str, ...]:
    """The paths in the ledger; none where it is missing or cannot be read, which `Ledger` itself reports."""
    try:
        with open(ledger, "rb") as file:
            rows = json.load(file)["files"]
        return tuple(row["path"] for row in rows if isinstance(row["path"], str))
    except (OSError, ValueError, KeyError, TypeError):
        return ()
