"""What a `find` finds, as targets for the command that it is found for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from itertools import pairwise

from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.places.targets import Place, Target, is_generated, resolve
from fairlead.shell.places.world import is_there
from fairlead.shell.script import Command, Word

_NAME_TESTS = ("-name", "-iname", "-path", "-ipath", "-wholename", "-regex", "-iregex")
_PRUNING = (("-prune", "-o"), ("-prune", "-or"))
_WORK = (Place.PROJECT, Place.PROJECT_ROOT)
_SETTINGS = (
    *("settings.json", "settings.local.json", "hooks.json", "config.toml", ".mcp.json"),
    *(".claude/settings.json", ".claude/settings.local.json", ".codex/config.toml", ".gemini/settings.json"),
    *(".cursor/hooks.json", ".github/copilot/settings.json", ".kiro/settings/mcp.json"),
)
"""Where agents keep their settings, from the project or from the folder that is theirs."""


def found_targets(command: Command, where: Surroundings) -> Iterator[Target]:
    """What a `find` would find, as targets: its starting points, narrowed by the names that it asks for."""
    starts, expression = _split(command.argv[1:])
    patterns = _patterns(expression)
    for word in starts or [Word(".")]:
        target = resolve(word, command, where)
        yield narrowed(target, patterns) if patterns else target
        if patterns and target.place in _WORK:
            yield from _settings_found(target, expression, command, where)


def _settings_found(
    start: Target, expression: Sequence[str], command: Command, where: Surroundings
) -> Iterator[Target]:
    """Settings of agents that are there, and that the names asked for take in."""
    for name in _SETTINGS:
        path = f"{start.path}/{name}"
        if is_there(path) and _passes(name, expression):
            yield resolve(Word(path), command, where)


def _passes(path: str, expression: Sequence[str]) -> bool:
    """Whether a file below the start fits all tests of its name; one of them where they are alternatives."""
    fits, pruned = [], False
    for index, (test, pattern) in enumerate(pairwise(expression)):
        if test not in _NAME_TESTS:
            continue
        by_name = test in ("-name", "-iname")
        whole = path.rsplit("/", 1)[-1] if by_name else f"./{path}"
        found = "regex" in test or fnmatchcase(whole, pattern) or fnmatchcase(f"{whole}/", f"{pattern}/*")
        if "-prune" in expression[index + 2 : index + 3]:
            pruned |= found or any(fnmatchcase(part, pattern) for part in path.split("/"))
            continue
        fits.append(found != (index > 0 and expression[index - 1] in ("!", "-not")))
    alternatives = any(word in ("-o", "-or") for word in expression) and not pruned
    return not pruned and bool(fits) and (any(fits) if alternatives else all(fits))


def narrowed(target: Target, patterns: Sequence[str]) -> Target:
    first = patterns[0].removeprefix("./").removeprefix("*/")
    if target.place is Place.TEMPORARY_ROOT:
        return target.replace(place=Place.TEMPORARY, pattern=first)
    generated = all(
        is_generated(pattern.strip("*/").removeprefix("./") or pattern) or _in_generated(pattern)
        for pattern in patterns
    )
    if generated and target.place in (Place.REMOTE, Place.REMOTE_ROOT):
        return target.replace(place=Place.TEMPORARY, pattern=first)
    if target.place not in (Place.PROJECT, Place.PROJECT_ROOT, Place.GENERATED):
        return target.replace(pattern=f"**/{first}")
    if generated:
        return target.replace(place=Place.GENERATED, pattern=first)
    if any(".git" in pattern.split("/") for pattern in patterns):
        return target.replace(place=Place.VCS, pattern=first)
    if any(pattern.strip("*./") == "" for pattern in patterns):
        return target
    place = Place.GENERATED if target.place is Place.GENERATED else Place.PROJECT
    return target.replace(place=place, pattern=f"**/{first}")


def _in_generated(pattern: str) -> bool:
    return any(is_generated(part) for part in pattern.split("/") if part.strip("*."))


def _split(words: Sequence[Word]) -> tuple[list[Word], list[str]]:
    starts: list[Word] = []
    for index, word in enumerate(words):
        if word.text.startswith(("-", "(", "!")) and word.text not in ("-H", "-L", "-P", "-O1", "-O2", "-O3"):
            return starts, [rest.text for rest in words[index:]]
        if not word.text.startswith("-"):
            starts.append(word)
    return starts, []


def _patterns(expression: Sequence[str]) -> list[str]:
    """The names asked for; none where they say what is left out: behind a negation, or pruned."""
    found: list[str] = []
    left_out = max((i for i, pair in enumerate(pairwise(expression)) if pair in _PRUNING), default=0)
    for index, text in enumerate(expression[:-1]):
        if text in _NAME_TESTS and index >= left_out:
            if index and expression[index - 1] in ("!", "-not"):
                continue
            found.append(expression[index + 1])
    return found
