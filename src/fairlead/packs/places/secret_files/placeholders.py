"""New files of variables that hold no secret: names without values, and values that stand for others."""

from __future__ import annotations

import os.path
import re

from fairlead.packs.places.secret_files.unshown_secrets import VARIABLES
from fairlead.packs.rule import Scene
from fairlead.shell.effects.effect import Effect
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.script import Command, Word, printing_programs
from fairlead.shell.word_sets import names

_LINE = lazy(r"\s*(?:#.*|(?:export\s+)?([A-Z][A-Z0-9_]*)=(.*))?")
_HARMLESS = lazy(
    r"|<[^<>$`]{0,40}>|\*+|x{3,}|\d{1,6}(?:\.\d{1,6})?|true|false|yes|no|on|off|null|none|\.{3}"
    r"|(?:your|my|some|insert|put|add|enter|set|change|replace)[-_. ]?[a-z_. -]{0,40}|change-?me|todo|tbd|placeholder|example|dummy|fake|secret|password"
    r"|[\w-]{0,30}(?:change|replace)[-_]?me[\w-]{0,30}|[\w-]{0,20}(?:placeholder|dummy|insecure)[\w-]{0,20}"
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


LIVE = lazy(r"prod|staging|live", re.IGNORECASE)
"""Names of files that running systems are set up with."""
_GENERATORS = names("openssl uuidgen date pwgen hostname whoami head base64 tr cut xxd od")
"""Programs that make a value out of nothing, and those through which it goes; a file of secrets that they are
given counts by itself."""
_MADE = "generated"


def makes_placeholders(effect: Effect, scene: Scene) -> bool:
    """Whether a file of variables is made that was not there, out of nothing that is worth keeping."""
    target = effect.target
    if target is None or not scene.where.project or not VARIABLES.search(target.path):
        return False
    if LIVE.search(target.path) or not os.path.isdir(scene.where.project):
        return False
    inside = target.path.startswith(f"{scene.where.project}/")
    if not inside or os.path.lexists(target.path) or target.real not in ("", target.path):
        return False
    text = scene.content if effect.name == "tool-write" else written_text(effect.command)
    return bool(text) and all(_is_harmless(line) for line in text.splitlines())


def _is_harmless(line: str) -> bool:
    found = split_line(line)
    return found is not None and not steers(found[0]) and is_harmless_value(found[1])


def split_line(line: str) -> tuple[str, str] | None:
    """The name and the value of a variable without its quotes, both empty for a comment; None for any other line."""
    found = _LINE.fullmatch(line)
    if found is None:
        return None
    value = (found[2] or "").strip()
    if value[:1] in ("'", '"') and value[-1:] == value[:1]:
        value = value[1:-1]
    return found[1] or "", value


def steers(name: str) -> bool:
    return _STEERING.match(name) is not None


def is_harmless_value(value: str) -> bool:
    """Whether it stands for another, or is one that everybody uses at home."""
    return _HARMLESS.fullmatch(value) is not None


def written_text(command: Command, *, generated: bool = False) -> str:
    """What the command itself says that it writes; empty where it cannot be told. `generated`: a part may be made by a program that
    makes values."""
    if command.name in ("cat", "tee"):
        return command.stdin.text or "" if command.name == "tee" or len(command.argv) == 1 else ""
    words = command.argv[1:]
    if command.name not in ("echo", "printf") or not all(
        word.known or (generated and _is_made(word)) for word in words
    ):
        return ""
    texts = [
        "".join(shown if unknown is None else _MADE for shown, unknown in word.pieces) or word.text
        for word in words
    ]
    if command.name == "printf":
        return _formatted(texts) if texts else ""
    return " ".join(texts) if texts and not texts[0].startswith("-") else ""


def _is_made(word: Word) -> bool:
    return bool(word.pieces) and printing_programs(word.opaque) <= _GENERATORS


def _formatted(texts: list[str]) -> str:
    """What printf makes of plain `%s`."""
    form = texts[0].replace("\\n", "\n")
    if form.count("%") != form.count("%s") or form.count("%s") != len(texts) - 1 or "\\" in form:
        return ""
    for text in texts[1:]:
        form = form.replace("%s", text.replace("%", ""), 1)
    return form
