"""What a release says of itself: its section of CHANGELOG.md."""

from __future__ import annotations

import re


def notes_for(changelog: str, version: str) -> str:
    """Without its heading; empty where there is no such section."""
    head = re.search(rf"^## {re.escape(version)}(?: [^\n]*)?$", changelog, re.MULTILINE)
    if head is None:
        return ""
    rest = changelog[head.end() :]
    following = re.search(r"^## ", rest, re.MULTILINE)
    text = (rest[: following.start()] if following else rest).strip()
    return f"{text}\n" if text else ""
