"""What `fairlead install` leaves for the agents: the client that they start, and who answers it."""

from __future__ import annotations

import os

from fairlead.policy.places import Places
from fairlead.policy.record import read_record

CLIENT = "fairlead-hook"


def client_path(places: Places) -> str:
    return os.path.join(places.share, "bin", CLIENT)


def environments_folder(places: Places) -> str:
    """Where the environments that belong to Fairlead alone are kept."""
    return os.path.join(places.share, "env")


def is_private(interpreter: str, places: Places) -> bool:
    """Whether it is of one of those, the user's or the machine's."""
    return any(interpreter.startswith(f"{environments_folder(each)}/") for each in _both(places))


def placed(places: Places) -> Places:
    """Those whose client and interpreter count: the machine's, where `install --system` placed them."""
    return next((each for each in _both(places) if os.access(each.record, os.F_OK)), places)


def recorded_interpreter(places: Places) -> str:
    """The one that answers for the agents, if it can be run; else empty. A user cannot name another than the
    machine's."""
    interpreter = read_record(placed(places)).get("interpreter", "")
    return interpreter if interpreter and os.access(interpreter, os.X_OK) else ""


def _both(places: Places) -> tuple[Places, ...]:
    return (places.of_machine, places) if places.managed else (places,)
