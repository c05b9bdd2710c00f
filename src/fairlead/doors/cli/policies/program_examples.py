"""The examples in a file of programs, judged as calls of a shell. Nothing of them runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.hook import Outcome
from fairlead.model.tool_call import call_named
from fairlead.packs.guards.dangerous_commands import block_dangerous_commands
from fairlead.packs.guards.sensitive_files import protect_sensitive_files
from fairlead.shell.programs.lookup import Programs
from fairlead.shell.programs.source import Source

_GUARDS = (block_dangerous_commands, protect_sensitive_files)
_SHOULD = {"stops": True, "passes": False}


def examples_that_fail(
    sources: Iterable[Source], programs: Programs, root: str
) -> Iterator[tuple[Source, str, str]]:
    """For each example that turns out otherwise: whose it is, the line, and what is wrong."""
    for source in sources:
        for key, stopped in _SHOULD.items():
            for line in getattr(source, key):
                if is_stopped(line, programs, root) is not stopped:
                    yield source, line, "it passes" if stopped else "it is stopped"


def is_stopped(line: str, programs: Programs, root: str) -> bool:
    return any(True for _ in outcomes_of(line, programs, root))


def outcomes_of(
    line: str, programs: Programs, root: str, *, cwd: str = "", level: str = "standard"
) -> Iterator[Outcome]:
    """What the guards object to in a line."""
    event = shell_call(line, root, cwd)
    for guard in _GUARDS:
        outcome = guard(event, {"level": level}, (), programs=programs)
        if outcome is not None and outcome.decision.objects:
            yield outcome


def shell_call(line: str, root: str, cwd: str = "") -> Event:
    tool = call_named("Bash", {"command": line})
    place = cwd or root
    return Event(EventName.BEFORE_TOOL, agent="generic", session="check", root=root, cwd=place, tool=tool)
