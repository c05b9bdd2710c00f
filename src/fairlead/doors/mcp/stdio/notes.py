"""What the door tells a person on stderr, with an end."""

from __future__ import annotations

import sys
from contextlib import suppress

_MOST = 20


class Notes:
    """Of one server. What a client or a server makes the door say must not fill anybody's disk."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._told = 0

    def tell(self, text: str) -> None:
        self._told += 1
        if self._told > _MOST:
            return
        last = " (more of that is not told)" if self._told == _MOST else ""
        with suppress(OSError, ValueError):
            sys.stderr.write(f"fairlead mcp {self._name}: {text}{last}\n")
            sys.stderr.flush()
