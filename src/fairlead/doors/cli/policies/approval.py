"""`fairlead check --approve`: which part of a call keeps it from being approved."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.assembly import placed_for
from fairlead.doors.cli.output import painted, say_lines, show_json
from fairlead.doors.cli.presentation.wrapping import paragraph
from fairlead.doors.hook.systems import Compiled
from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.verdict import Verdict
from fairlead.packs.approval.obstacles import Obstacle
from fairlead.packs.guards.safe_operations import what_prevents
from fairlead.packs.judging.guard_settings import ALL
from fairlead.packs.judging.session_files import call_in_session
from fairlead.policy.reading.approvals import GUARD
from fairlead.policy.reading.entry import Entry
from fairlead.sessions.memory import Memories
from fairlead.shell.programs.lookup import SHIPPED

_MOST = 12


def show_approval(
    text: str, event: Event, verdict: Verdict, compiled: Compiled, memories: Memories, *, as_json: bool
) -> int:
    found = list(dict.fromkeys(_found(event, verdict, compiled, memories)))
    approved = verdict.decision is Decision.APPROVE
    if as_json:
        parts = [{"part": each.part, "why": each.why} for each in found]
        show_json({"approved": approved, "decision": verdict.decision.word, "obstacles": parts})
        return 0 if approved else 1
    head, *more = paragraph(text, first=f"{'approve' if approved else 'not approved'}  ", rest="       ")
    word, _, rest = head.partition("  ")
    say_lines([f"{painted(verdict.decision, word)}  {rest}", *more])
    told = [f"{f'`{each.part}`: ' if each.part else ''}{each.why}" for each in found[:_MOST]]
    told += [f"and {len(found) - _MOST} more"] if len(found) > _MOST else []
    say_lines(line for part in told for line in paragraph(part, first="       "))
    return 0 if approved else 1


def _found(event: Event, verdict: Verdict, compiled: Compiled, memories: Memories) -> Iterator[Obstacle]:
    entry = _approving(compiled)
    if entry is None:
        yield Obstacle("", "no policy here has `approve: [starter/read-only, starter/git]` or the like")
        return
    if verdict.decision.objects:
        yield Obstacle("", f"it is {verdict.decision.word}: {verdict.rule or verdict.hook}")
    placed = placed_for(compiled.policy, memories)
    memory = memories.judging(event)
    programs = placed.programs or SHIPPED
    call = call_in_session(event, placed.installation, programs, follow=ALL, memory=memory)
    if call is not None:
        yield from what_prevents(event, call, entry.config, memory)


def _approving(compiled: Compiled) -> Entry | None:
    for entry in compiled.policy.entries:
        if entry.id == GUARD and entry.enabled:
            return entry
    return None
