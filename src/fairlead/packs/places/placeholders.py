"""New files of variables that hold no secret: names without values, and values that stand for others."""

from __future__ import annotations

import os.path
import re

from fairlead.packs.places.unshown_secrets import VARIABLES
from fairlead.packs.rule import Scene
from fairlead.shell.effects.effect import Effect
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.script import Command

_LINE = lazy(r"\s*(?:#.*|(?:export\s+)?([A-Z][A-Z0-9_]*)=(.*))?")
_HARMLESS = lazy(
    r"|<[^<>$`]{0,40}>|\*+|x{3,}|\d{1,6}(?:\.\d{1,6})?|true|false|yes|no|on|off|null|none|\.{3}"
    r"|(?:your|my|some|insert|put|add|enter|set|change|replace)[-_. ]?[a-z_. -]{0,40}|change-?me|todo|tbd|placeholder|example|dummy|fake|secret|password"
    r"|development|dev|test|testing|local|debug|info|warn|error|app|postgres|redis|sqlite"
    r"|(?:https?|postgres(?:ql)?|mysql|redis|amqp|mongodb|ws)://(?:(?:\w{1,12}:\w{1,12}@)?(?:localhost|127\.0\.0\.1|0\.0\.0\.0|db|redis|postgres)"
    r"|(?:[\w.-]+\.)?example\.(?:com|org|net))(?::\d+)?(?:/[\w./-]{0,40})?",
    re.IGNORECASE,
)
_STEERING = lazy(
    r"^(?:PATH|LD_|DYLD_|NODE_OPTIONS|PYTHON|PERL|RUBY|BASH_|ENV$|GIT_|SSH_|HOME$|SHELL|PS\d|IFS|PROMPT_COMMAND|.*_PROXY$"
    r"|JAVA_|MAVEN_|GRADLE_|COMPOSE_|DOCKER_|KUBECONFIG|AWS_|.*EDITOR|PAGER|.*PRELOAD|NPM_CONFIG|PIP_)"
)
"""Variables by which programs load and run other programs, or go elsewhere."""


_LIVE = lazy(r"prod|staging|live", re.IGNORECASE)


def makes_placeholders(effect: Effect, scene: Scene) -> bool:
    """Whether a file of variables is made that was not there, out of nothing that is worth keeping."""
    target = effect.target
    if target is None or not scene.where.project or not VARIABLES.search(target.path):
        return False
    if _LIVE.search(target.path) or not os.path.isdir(scene.where.project):
        return False
    inside = target.path.startswith(f"{scene.where.project}/")
    if not inside or os.path.lexists(target.path) or target.real not in ("", target.path):
        return False
    text = scene.content if effect.name == "tool-write" else _printed(effect.command)
    return bool(text) and all(_is_harmless(line) for line in text.splitlines())


def _is_harmless(line: str) -> bool:
    found = _LINE.fullmatch(line)
    if found is None:
        return False
    name, value = found[1] or "", (found[2] or "").strip()
    if value[:1] in ("'", '"') and value[-1:] == value[:1]:
        value = value[1:-1]
    return not _STEERING.match(name) and _HARMLESS.fullmatch(value) is not None


def _printed(command: Command) -> str:
    """What the command itself says that it writes."""
    if command.name == "cat" and len(command.argv) == 1:
        return command.stdin.text or ""
    words = command.argv[1:]
    if command.name not in ("echo", "printf") or not all(word.known for word in words):
        return ""
    texts = [word.text for word in words]
    if command.name == "printf":
        return texts[0].replace("\\n", "\n") if len(texts) == 1 and "%" not in texts[0] else ""
    return " ".join(texts) if texts and not texts[0].startswith("-") else ""
