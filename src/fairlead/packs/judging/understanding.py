"""What Fairlead reads in a call, for hooks of others: the field `fairlead` of their input.

Plain JSON, with words that stay: commands in normal form and where they run, what they do to which targets,
and the facts of file tools. `docs/middleware.md` is its page.
"""

from __future__ import annotations

from fairlead.model.event import Event
from fairlead.model.facts import facts_of
from fairlead.packs.judging.call_effects import read_call
from fairlead.shell.effects.effect import Effect
from fairlead.shell.normal_form import command_text
from fairlead.shell.script import Command
from fairlead.shell.unknown_text import describe

VERSION = 1
_MOST = 500
"""Commands and effects that a hook is told of; `more` says that there are others."""


def understood(event: Event) -> dict[str, object]:
    """The reading of the event's call; only `version` where there is none."""
    told: dict[str, object] = {"version": VERSION}
    call = read_call(event)
    if call is None or event.tool is None:
        return told
    facts = facts_of(event.tool, event.cwd)
    return told | {
        "kind": str(event.tool.kind),
        "commands": [_command(command) for command in call.script.commands[:_MOST]],
        "pipelines": list(call.script.pipelines[:_MOST]),
        "effects": [_effect(effect) for effect in call.effects[:_MOST]],
        "paths": [{"path": fact.path, "operation": fact.operation} for fact in facts.paths[:_MOST]],
        "url": facts.url,
        "unknown": [describe(part.unknown) for part in call.script.opaque[:_MOST]],
        "more": len(call.script.commands) > _MOST or len(call.effects) > _MOST,
    }


def _command(command: Command) -> dict[str, object]:
    """`words` has None for what only running it would tell; `directory` likewise."""
    return {
        "text": command_text(command),
        "program": command.name,
        "words": [word.text if word.known else None for word in command.argv],
        "directory": command.cwd,
        "run_by": [wrapper.name for wrapper in command.wrappers],
        "elsewhere": next((wrapper.place for wrapper in command.wrappers if wrapper.place), ""),
    }


def _effect(effect: Effect) -> dict[str, object]:
    target = effect.target
    return {
        "action": str(effect.action),
        "name": effect.name,
        "what": effect.what,
        "target": target.path if target else "",
        "place": target.place.name.lower().replace("_", "-") if target else "",
        "recursive": effect.recursive,
        "forced": effect.forced,
    }
