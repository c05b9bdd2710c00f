"""The middleware `approve-safe-operations`: what a policy lists under `approve:`. Off unless one does, or names it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from fairlead.errors import PolicyError
from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.hook import HookType, Outcome
from fairlead.model.installation import NOWHERE, Installation
from fairlead.model.tool_call import ToolKind
from fairlead.packs.approval.obstacles import INSIDE, Obstacle, objections, obstacles
from fairlead.packs.approval.pattern import Patterns
from fairlead.packs.approval.starter_sets import READ_ONLY, READING, patterns_of
from fairlead.packs.identity_memory import once_for_each
from fairlead.packs.judging.call_effects import Call
from fairlead.packs.judging.guard_settings import ALL
from fairlead.packs.judging.session_files import call_in_session
from fairlead.sessions.memory import NO_MEMORIES, Memories, Memory
from fairlead.shell.programs.lookup import SHIPPED, Programs

KEY = "commands"
RULE = "approve/listed"
_APPROVED = Outcome(
    decision=Decision.APPROVE,
    reason="Each of its commands is listed under `approve`.",
    type=HookType.AUTHORIZATION,
    rule=RULE,
)
_READING_TOOLS = frozenset((ToolKind.READ, ToolKind.SEARCH, ToolKind.LIST))


def approve_safe_operations(
    event: Event,
    config: Mapping[str, object],
    previous: Sequence[Outcome],
    installation: Installation = NOWHERE,
    programs: Programs = SHIPPED,
    memories: Memories = NO_MEMORIES,
) -> Outcome | None:
    """APPROVE where every part of the call is listed and nothing could mean more; no opinion on anything else."""
    memory = memories.judging(event)
    call = call_in_session(event, installation, programs, follow=ALL, memory=memory)
    if call is None or next(what_prevents(event, call, config, memory), None) is not None:
        return None
    return _APPROVED


def what_prevents(
    event: Event, call: Call, config: Mapping[str, object], memory: Memory
) -> Iterator[Obstacle]:
    """Why the call is not approved, part by part."""
    if call.is_shell:
        yield from obstacles(call, listed_patterns(config), memory)
        return
    tool = event.tool
    if tool is None or tool.kind not in _READING_TOOLS or READ_ONLY not in _items(config):
        yield Obstacle(
            tool.name if tool else "", "only commands are listed, and with starter/read-only reading tools"
        )
        return
    if not call.effects or any(effect.target_place not in INSIDE for effect in call.effects):
        yield Obstacle(tool.name, "it reads outside the project")
    yield from objections(call, memory)


@once_for_each(8)
def listed_patterns(config: Mapping[str, object]) -> Patterns:
    """Raises PolicyError for an item that means nothing."""
    return Patterns(patterns_of(_items(config)))


def _items(config: Mapping[str, object]) -> Sequence[object]:
    items = config.get(KEY, READING)
    if not isinstance(items, list | tuple):
        raise PolicyError(f"{KEY}: must be a list", hint=f"{KEY}: [{READ_ONLY}]")
    return items
