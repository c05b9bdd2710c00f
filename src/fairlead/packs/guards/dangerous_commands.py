"""The middleware `block-dangerous-commands`: every pack but the one that guards secrets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.hook import Evidence, Outcome
from fairlead.model.installation import NOWHERE, Installation
from fairlead.model.matching.bounded_pattern import Deadline
from fairlead.packs.judging.call_effects import Call
from fairlead.packs.judging.file_evidence import files_told
from fairlead.packs.judging.guard_settings import Settings, finds_danger, read_settings
from fairlead.packs.judging.judge import judged, weighed
from fairlead.packs.judging.saving import NOBODY, Keeper, may_lose
from fairlead.packs.judging.session_files import call_in_session
from fairlead.sessions.memory import NO_MEMORIES, Memories, Memory
from fairlead.shell.programs.lookup import SHIPPED, Programs
from fairlead.shell.script import Command


def block_dangerous_commands(
    event: Event,
    config: Mapping[str, object],
    previous: Sequence[Outcome],
    installation: Installation = NOWHERE,
    programs: Programs = SHIPPED,
    memories: Memories = NO_MEMORIES,
    keeper: Keeper = NOBODY,
) -> Outcome | None:
    """Judges commands, and what file tools write, by their effects; then the policy's own patterns."""
    settings = read_settings(config)
    memory = memories.judging(event, days=settings.remember)
    call = call_in_session(event, installation, programs, follow=settings.follow, memory=memory)
    if call is None:
        return None
    if not memory.is_empty():
        from fairlead.packs.earlier.since_before import since_before  # only where something is remembered

        call = since_before(call, memory)
    found = _judged(call, settings, event, memory)
    if (settings.save and may_lose(call)) or (settings.recoverable and found is not None):
        found = _with_saves(found, call, settings, event=event, memory=memory, keeper=keeper)
    told = files_told(call) if call.files or call.script.unread else None
    if not told:
        return found
    said = found or Outcome()
    return said.replace(metrics={**said.metrics, **told})


def _with_saves(
    found: Outcome | None, call: Call, settings: Settings, *, event: Event, memory: Memory, keeper: Keeper
) -> Outcome | None:
    from fairlead.packs.judging.losses.recovering import (  # only where that is wanted
        after_saving,
        with_losses_saved,
    )

    if found is not None and settings.recoverable and found.decision.objects:
        found = after_saving(found, call, settings, event=event, memory=memory, keeper=keeper)
    blocks = found is not None and found.decision >= Decision.BLOCK
    if not settings.save or blocks or (found is not None and "undo" in found.metrics):
        return found
    return with_losses_saved(found, call, event=event, keeper=keeper)


def _judged(call: Call, settings: Settings, event: Event, memory: Memory) -> Outcome | None:
    found = judged(call, settings.dangers, settings, cwd=event.cwd, memory=memory)
    if found is not None and found.decision >= Decision.BLOCK:
        return found
    by_pattern = _by_pattern(call, settings) if settings.dangerous and call.is_shell else None
    return found if by_pattern is None else weighed(found, (by_pattern,), settings)


def _by_pattern(call: Call, settings: Settings) -> Outcome | None:
    deadline = Deadline()
    for form, start, end in _normal_forms(call):
        for pattern in settings.dangerous:
            if finds_danger(pattern, form, deadline):
                return Outcome(
                    decision=Decision.BLOCK,
                    reason=f"`{form[:200]}` matches {pattern!r}, which this policy forbids.",
                    rule="config/dangerous-pattern",
                    evidence=(Evidence(form, call.script.text, start, end, f"matches {pattern!r}"),),
                )
    return None


def _normal_forms(call: Call) -> Iterator[tuple[str, int, int]]:
    """Each command as it would run, with and without what runs it, then each pipeline."""
    for command in call.script.commands:
        plain = normal_form(command)
        yield plain, command.start, command.end
        if command.wrappers:
            outer = " ".join(word.text for wrapper in command.wrappers for word in wrapper.argv)
            yield f"{outer} {plain}", command.start, command.end
    for pipeline in call.script.pipelines:
        yield pipeline, 0, len(call.script.text.encode())


def normal_form(command: Command) -> str:
    """Words and redirections, one space between them."""
    words = [word.text or "?" for word in command.argv]
    words += [f"{redirect.operator} {redirect.target.text}" for redirect in command.redirects]
    return " ".join(words)
