"""Remembers of a call what its session's later calls are judged by."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from fairlead.errors import PolicyError
from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.hook import Outcome
from fairlead.model.tool_call import ToolCall
from fairlead.model.verdict import Verdict
from fairlead.packs.judging.call_effects import Call, read_call
from fairlead.packs.judging.guard_settings import remembered_days
from fairlead.packs.judging.placed import Placed
from fairlead.packs.noting.leaving import BRINGING_TOOLS, LOSING, WRITING, may_leave_something
from fairlead.packs.noting.secret_notes import secret_notes, shows_secret
from fairlead.sessions.memory import Memory
from fairlead.shell.programs.lookup import SHIPPED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fairlead.policy.reading.entry import Entry
    from fairlead.sessions.note import Note

_MOST = 256
"""Notes of each kind that one call leaves; no session keeps many more."""
_GUARDS = ("block-dangerous-commands", "protect-sensitive-files")


_NOTED = "noted"


_BEFORE = (EventName.BEFORE_TOOL, EventName.BEFORE_RESOURCE)


class Remembering:
    """Made once for each policy, with what its guards are told; `entries` say for how many days it counts."""

    def __init__(self, placed: Placed, entries: Iterable[Entry]) -> None:
        self._memories, self._installation = placed.memories, placed.installation
        self._programs = SHIPPED if placed.programs is None else placed.programs
        self._days = max(map(_days, entries), default=0.0)

    def __call__(self, event: Event, verdict: Verdict) -> str:
        """What went wrong, in words. A call that leaves nothing to remember touches no file."""
        if event.tool is None or not self._days or not event.session or event.canary:
            return ""
        if event.name is EventName.AFTER_TOOL:
            return self._after(event)
        if event.name not in _BEFORE or verdict.decision >= Decision.BLOCK:
            return ""
        return self._before(event, event.tool, verdict)

    def _before(self, event: Event, tool: ToolCall, verdict: Verdict) -> str:
        if verdict.updated_input is not None:
            event = event.replace(tool=tool.replace(input=verdict.updated_input))
        call = read_call(event, self._installation, self._programs)
        if call is None or not may_leave_something(tool, call, verdict):
            return ""
        memory = self._memories.judging(event, days=self._days)
        if call.kept is not None and call.kept.get(_NOTED) == (memory.state, verdict.decision):
            return ""  # the same files did the same, and nothing was noted since
        notes = _notes(event, call, verdict, memory)
        if verdict.decision is Decision.ASK:  # it may not run: what would excuse later calls does not count
            notes = (note for note in notes if note.tightens)
        wrong = self._memories.note(event, notes)
        if call.kept is not None:
            now = self._memories.of(event, days=self._days)
            call.kept[_NOTED] = (now.state, verdict.decision)
        return wrong

    def _after(self, event: Event) -> str:
        """What was fetched and has run by now was let through by a person: nobody is asked again."""
        memory = self._memories.of(event, days=self._days)
        if not memory.has_fetched():
            return ""
        from fairlead.packs.noting.consented_runs import consented_runs  # only after a download

        call = read_call(event, self._installation, self._programs)
        return self._memories.note(event, consented_runs(call, memory)) if call is not None else ""


def _days(entry: Entry) -> float:
    """What makes no sense counts for nothing here: the guard itself says so, and blocks."""
    if not entry.enabled or entry.builtin not in _GUARDS:
        return 0.0
    try:
        return remembered_days(entry.config)
    except PolicyError:
        return 0.0


def _is_about_running(outcome: Outcome) -> bool:
    return outcome.rule.startswith("sessions/run-")


def _notes(event: Event, call: Call, verdict: Verdict, memory: Memory) -> Iterator[Note]:
    tool = event.tool
    assert tool is not None
    if call.effects:
        from fairlead.packs.noting.file_notes import file_notes

        yield from islice(file_notes(call, memory), _MOST)
    if call.is_shell:
        yield from _notes_of_shell(call, memory)
    elif tool.kind in BRINGING_TOOLS:
        from fairlead.packs.noting.fetch_notes import tool_notes

        yield from tool_notes(tool.kind, call.content if call.is_address else "", tool.mcp_server)
    if any(effect.action in WRITING or effect.action in LOSING for effect in call.effects):
        from fairlead.packs.noting.secret_copies import secret_copies

        yield from secret_copies(call, memory)
    if verdict.decision < Decision.ASK and any(_is_about_running(each) for each in verdict.outcomes):
        from fairlead.packs.noting.consented_runs import consented_runs

        yield from consented_runs(call, memory)  # a person has answered the question
    if shows_secret(verdict):
        yield from secret_notes(call)


def _notes_of_shell(call: Call, memory: Memory) -> Iterator[Note]:
    from fairlead.packs.noting.code_notes import code_notes
    from fairlead.packs.noting.derived_notes import derived_notes, patch_notes
    from fairlead.packs.noting.fetch_notes import fetch_notes
    from fairlead.packs.noting.kept_files import kept_file_notes
    from fairlead.packs.noting.name_notes import name_notes
    from fairlead.packs.noting.named_outputs import output_notes

    found = (
        fetch_notes(call, memory),
        derived_notes(call, memory),
        patch_notes(call, memory),
        code_notes(call),
        name_notes(call),
        kept_file_notes(call),
        output_notes(call),
    )
    yield from (note for notes in found for note in islice(notes, _MOST))
