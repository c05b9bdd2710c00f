"""What a reader of one subcommand of git is."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from fairlead.shell.arguments import Arguments
from fairlead.shell.effects.effect import Action
from fairlead.shell.script import Command

Found = Iterator[tuple[Action, str, str]]
"""Action, name, and the detail that a reason shows."""

Subcommand = Callable[[Command, Arguments], Found]
