"""The only place that knows where the guard's parts are: what they make of a line, in plain values.

Whoever moves a module or renames a field mends this file and nothing else. The words that it returns have to
stay, because dumps of older trees hold them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from benchmarks.guard.judge import event_of
from benchmarks.guard.lines import HOME, PROJECT, Line
from fairlead.assembly import hook_of, policy_for, shipped_parts
from fairlead.engine.system import HookSystem
from fairlead.model.installation import Environment, Installation
from fairlead.model.verdict import Verdict
from fairlead.packs.judging.call_effects import read_call
from fairlead.packs.judging.placed import Placed
from fairlead.policy.places import Places
from fairlead.shell.effects.effect import Effect
from fairlead.shell.normal_form import command_text
from fairlead.shell.places.targets import Target
from fairlead.shell.script import Command, Script, Stdin, Word
from fairlead.shell.unknown_text import describe

Parts = dict[str, object]

_TOOL = f"{HOME}/.local/share/uv/tools/fairlead"
INSTALLATION = Installation(
    kept=(f"{HOME}/.config/fairlead", f"{HOME}/.local/state/fairlead", _TOOL, f"{HOME}/.local/bin/fairlead"),
    environments=(Environment(_TOOL, f"{_TOOL}/bin", own=True),),
    settings=(f"{HOME}/.claude/settings.json",),
    named=(_TOOL,),
)
"""Where the guard is taken to live: where it really lives differs from tree to tree."""


@cache
def _system() -> HookSystem:
    """The guard with its default policy, in the project of the corpus."""
    places = Places(*(f"/nowhere/{name}" for name in ("config", "state", "run", "share", "system")))
    policy = policy_for(places, PROJECT, "claude")
    hooks = [hook_of(entry, Placed(INSTALLATION)) for entry in policy.entries]
    return HookSystem(hooks, shipped_parts(), defaults=policy.default_decisions)


def parts_of(line: Line) -> Parts:
    """Everything that the guard makes of the line."""
    event = event_of(line, PROJECT)
    call = read_call(event, INSTALLATION)
    script = call.script if call else Script("")
    effects = call.effects if call else ()
    return {
        "commands": [_command(command) for command in script.commands],
        "code": [[each.language, each.text, command_text(each.command)] for each in script.code],
        "opaque": [[each.start, each.end, each.executed, each.network] for each in script.opaque],
        "pipelines": list(script.pipelines),
        "prose": _prose(script),
        "effects": [_effect(effect) for effect in effects],
        "verdict": _verdict(_system().fire(event)),
    }


def decision_of(parts: Parts) -> str:
    verdict = parts["verdict"]
    return str(verdict["decision"]) if isinstance(verdict, Mapping) else ""


def rules_of(parts: Parts) -> list[str]:
    verdict = parts["verdict"]
    return list(verdict["rules"]) if isinstance(verdict, Mapping) else []


def _prose(script: Script) -> list[str]:
    """Why something is not known: text for people, apart from everything else, so that it may be reworded."""
    words = [word for command in script.commands for word in _words(command)]
    found = [word.opaque for word in words if word.opaque]
    found += [reason for word in words for _, reason in word.pieces if reason]
    found += [command.stdin.opaque for command in script.commands if command.stdin.opaque]
    found += [code.opaque for code in script.code if code.opaque]
    return [describe(each) for each in (*found, *(each.unknown for each in script.opaque))]


def _words(command: Command) -> list[Word]:
    words = [*command.argv, *(redirect.target for redirect in command.redirects)]
    words += [word for wrapper in command.wrappers for word in wrapper.argv]
    return [*words, *command.assignments.values(), *([command.stdin.path] if command.stdin.path else [])]


def _word(word: Word) -> object:
    if word.known and not word.glob:
        return word.text
    pieces = [[text, bool(reason), bool(reason and reason.network)] for text, reason in word.pieces]
    return [word.text, bool(word.opaque), word.prefix, word.glob, pieces]


def _command(command: Command) -> Parts:
    """Without what is empty."""
    told: Parts = {
        "argv": [_word(word) for word in command.argv],
        "cwd": command.cwd,
        "cwd_else": list(command.cwd_else),
        "assignments": [[name, _word(word)] for name, word in command.assignments.items()],
        "redirects": [[each.operator, each.descriptor, _word(each.target)] for each in command.redirects],
        "wrappers": [
            [each.name, [_word(word) for word in each.argv], each.place] for each in command.wrappers
        ],
        "stdin": _stdin(command.stdin) if command.stdin.kind != "inherit" else None,
        "via": list(command.via),
        "position": [command.pipeline, command.position, command.start, command.end],
    }
    return {name: value for name, value in told.items() if value}


def _stdin(stdin: Stdin) -> list[object]:
    return [stdin.kind, stdin.text, _word(stdin.path) if stdin.path else None, bool(stdin.opaque)]


def _effect(effect: Effect) -> Parts:
    told: Parts = {
        "action": str(effect.action),
        "name": effect.name,
        "target": _target(effect.target) if effect.target else None,
        "recursive": effect.recursive,
        "forced": effect.forced,
        "what": effect.what,
        "detail": effect.detail,
        "command": command_text(effect.command),
        "position": [effect.start, effect.end],
    }
    return {name: value for name, value in told.items() if value}


def _target(target: Target) -> list[object]:
    place = target.place.name.lower().replace("_", "-")
    return [_word(target.word), target.path, place, target.real, target.everything, target.pattern]


def _verdict(verdict: Verdict) -> Mapping[str, object]:
    failures = [*verdict.failures, *(outcome.failure for outcome in verdict.outcomes if outcome.failure)]
    return {
        "decision": verdict.decision.name.lower(),
        "rules": [outcome.rule for outcome in verdict.outcomes if outcome.rule],
        "reason": verdict.reason,
        "evidence": [[each.text, each.start, each.end, each.detail] for each in verdict.evidence],
        "alternative": verdict.alternative,
        "message": verdict.system_message,
        "failures": [failure.message for failure in failures],
    }
