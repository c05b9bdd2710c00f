"""Times in documents of the fleet: RFC 3339 in UTC to the second, and nothing else."""

from __future__ import annotations

import re
from datetime import UTC, datetime

_FORM = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", re.ASCII)
DAY = 86_400


def read_moment(text: str) -> int:
    """Epoch seconds. Raises ValueError for any other spelling."""
    if not _FORM.fullmatch(text):
        raise ValueError(f"{text!r} is no time such as 2026-11-19T08:00:00Z")
    return int(datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC).timestamp())


def write_moment(seconds: float) -> str:
    return datetime.fromtimestamp(int(seconds), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
