"""Windows, and whatever else there is: the engine needs nothing of this room, and all else says why not."""

from __future__ import annotations

import sys
from typing import Any

from fairlead.errors import FairleadError

SYSTEM = "windows"
HAS_DAEMON = False
EXACT_CAPTURE = False


def __getattr__(name: str) -> Any:
    why = f"hooks of agents and scripts do not work on {sys.platform}"
    raise FairleadError(why, hint="on Windows, install Fairlead inside WSL")
