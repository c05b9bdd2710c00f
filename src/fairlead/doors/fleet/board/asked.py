"""What an address asks for, within bounds."""

from __future__ import annotations

from collections.abc import Mapping

from fairlead.errors import UsageError

HOUR = 3_600_000
DAY = 24 * HOUR
SPANS: Mapping[str, tuple[int, int]] = {
    "24h": (DAY, HOUR),
    "7d": (7 * DAY, 3 * HOUR),
    "30d": (30 * DAY, 12 * HOUR),
    "90d": (90 * DAY, DAY),
}
"""How long each is, and each of its bars, in milliseconds."""
MOST = 200
_LONGEST = 120


class Asked:
    """The query of an address."""

    def __init__(self, given: Mapping[str, str]) -> None:
        self._given = given

    def text(self, name: str) -> str:
        return self._given.get(name, "")[:_LONGEST].replace("\0", "").encode("utf-8", "replace").decode()

    def number(self, name: str, default: int = 0) -> int:
        text = self._given.get(name, "")
        if not text:
            return default
        try:
            found = int(float(text))
        except (ValueError, OverflowError):
            raise UsageError(f"{text[:40]!r} is no number") from None
        return min(max(found, 0), 1 << 52)

    def page(self) -> tuple[int, int]:
        """From which row on, and how many."""
        return self.number("offset"), min(max(self.number("limit", 100), 1), MOST)

    def span(self) -> tuple[int, int]:
        name = self.text("span") or "24h"
        if name not in SPANS:
            raise UsageError(f"{name!r} is no span", hint=f"one of {', '.join(SPANS)}")
        return SPANS[name]
