"""Files that are harmless by their place, and run something by what stands in them: hooks in the front matter of an
agent's commands, skills and subagents; a command as the setting of a client."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from fairlead.model.decision import Decision
from fairlead.model.hook import Evidence, Outcome
from fairlead.packs.places.startup_files import commands_held
from fairlead.packs.rule import Scene
from fairlead.shell.effects.effect import Effect
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.places.targets import home_containing, resolve
from fairlead.shell.places.world import beginning_of
from fairlead.shell.script import Word

_DOCUMENT = lazy(
    r"/(?:\.claude|\.codex|\.gemini|\.qwen|\.copilot|\.github|\.cursor|\.factory|\.agents?|\.?opencode|\.kilo(?:code)?)/"
    r"(?:agents?|skills?|commands?|prompts|chatmodes|droids)/.+\.mdx?$",
    re.IGNORECASE,
)
"""What an agent reads as a command, a skill or a subagent; mostly text."""
_HOOKS = lazy(
    r"(?m)^[ \t]*[\"']?(?:hooks[\"']?[ \t]*:|permissionMode[\"']?[ \t]*:[ \t]*[\"']?(?:bypass|dontAsk))"
)
_COPYING = ("cp", "gcp", "mv", "gmv", "ln", "install")


def is_agent_document(path: str) -> bool:
    return path.endswith((".md", ".mdx")) and bool(_DOCUMENT.search(path))


def carries_hooks(text: str) -> bool:
    """Whether its front matter, the lines between the first `---` and the next, has hooks of its own."""
    parts = re.split(r"(?m)^[^\n]*---[\"']?[ \t]*$", text.replace("\\n", "\n"), maxsplit=2)
    return len(parts) > 1 and bool(_HOOKS.search(parts[1]))


def brings_hooks(effect: Effect, scene: Scene) -> bool:
    """Whether a command writes or copies such a document with hooks in it."""
    target = effect.target
    if target is None or not (is_agent_document(target.path) or is_agent_document(target.real)):
        return False
    return any(map(carries_hooks, _texts(effect, scene)))


def brings_a_command(effect: Effect, scene: Scene) -> bool:
    """Whether a command writes or copies settings that name a program to run."""
    target = effect.target
    for path in {target.path, target.real} - {""} if target is not None else ():
        home = home_containing(path, scene.where)
        held = commands_held(path, home) if home else ""
        if held and any(re.search(held, text) for text in _texts(effect, scene)):
            return True
    return False


def _texts(effect: Effect, scene: Scene) -> Iterator[str]:
    """What may end up in the target: what the line says, and what lies in the file that it copies."""
    yield scene.script.text.replace("\\n", "\n")
    if effect.name in _COPYING and effect.detail:
        source = resolve(Word(effect.detail), effect.command, scene.where)
        yield beginning_of(source.path) if source.path else ""


def found_in_document(paths: Iterable[str], text: str, where: Surroundings) -> Outcome | None:
    """For a file tool, which says what it writes where."""
    for path in paths:
        home = home_containing(path, where)
        held = commands_held(path, home) if home else ""
        if is_agent_document(path) and carries_hooks(text):
            return _outcome("self-protection/agent-settings", f"{path} brings hooks of its own")
        if held and re.search(held, text):
            return _outcome("self-protection/shell-startup", f"{path} names a program to run")
    return None


def _outcome(rule: str, what: str) -> Outcome:
    return Outcome(
        decision=Decision.BLOCK,
        reason=f"{what}, by itself and outside the guard; that is the person's to decide.",
        rule=rule,
        system_message="What is written there runs later, as you, unseen.",
        evidence=(Evidence(what),),
        alternative="Leave that part out, or show it to the person.",
    )
