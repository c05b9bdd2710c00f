"""Where this guard lives: facts about one installation, which the packs hold targets against."""

from __future__ import annotations

from fairlead.model.value import Value, derived


class Environment(Value):
    """A Python that the guard runs with."""

    prefix: str
    programs: str
    """The folder of its interpreter, as that was started: a link there leads to a Python that others use."""
    own: bool = False
    """Made for the guard alone; else others install into it, too."""


class Installation(Value):
    """Every path is absolute, and is given with its links followed as well, where that is another one."""

    kept: tuple[str, ...] = ()
    """Files, and folders with all that is in them, that only the person may change."""
    free: tuple[str, ...] = ()
    """Folders inside of those that are none of the guard's."""
    passing: tuple[str, ...] = ()
    """Those of `kept` that the guard makes again when they are gone."""
    environments: tuple[Environment, ...] = ()
    settings: tuple[str, ...] = ()
    """Files of agents that `install` wrote to, wherever the agents keep them."""
    servers: tuple[str, ...] = ()
    """Files of MCP clients in which the door stands before servers."""
    named: tuple[str, ...] = ()
    """Folders that hardly anything but the guard has a reason to name."""
    mark: int = derived(lambda made: hash((made.kept, made.free, made.settings, made.servers)))

    def __hash__(self) -> int:
        return self.mark  # asked for at every call


NOWHERE = Installation()
"""Nothing is known but what every installation has in common."""
