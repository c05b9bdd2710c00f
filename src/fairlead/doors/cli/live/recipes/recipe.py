"""What it takes to start an agent without a terminal, with a played model for its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from fairlead.doors.cli.live.played_model import Shells
from fairlead.doors.cli.live.stage import Document, Stage, about_hooks
from fairlead.model.failure import NOTHING
from fairlead.model.value import Value

KEY = "not-a-key"
"""What the played model is given in place of a key. It does not look at it."""
PROMPT = "Run the commands of this check."


class Recipe(Value):
    """All permissions are given: what is then refused, the hooks have refused."""

    words: Callable[[Stage], list[str]]
    environment: Callable[[Stage], Mapping[str, str]]
    shells: Shells
    settings: Callable[[Stage], Mapping[str, Document]] = lambda stage: {}
    service: Mapping[str, object] = NOTHING
    """What the vendor's service would answer beside the model, by the end of the address."""
    keeps: Callable[[str], bool] = about_hooks
    """Which parts of the user's settings count, by their name at the top."""


def command_input(**more: object) -> Callable[[str], Mapping[str, object]]:
    """The input of a shell tool that takes one `command`, and more beside it."""
    return lambda command: {"command": command, **more}
