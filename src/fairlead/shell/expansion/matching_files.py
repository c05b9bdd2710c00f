"""The files that a glob stands for, or of which an unknown path is one."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.shell.expansion.reading import Reading
from fairlead.shell.expansion.redirections import folder_names
from fairlead.shell.expansion.state import State
from fairlead.shell.language.glob_patterns import compile_pattern
from fairlead.shell.places.paths import absolute
from fairlead.shell.places.world import is_folder
from fairlead.shell.script import Word

MOST_FILES = 20
_MOST_FOLDERS = 100
_MOST_PATTERNS = 8
_DEEPEST = 6
_PASSED_OVER = frozenset({".git", "node_modules", ".venv", "__pycache__"})
_SIGNS = frozenset("*?[")


def matching_files(run: Reading, word: Word, state: State) -> list[str]:
    """At most so many paths; nothing for a word that is known, or of which nothing is."""
    found: dict[str, None] = {}
    left = [_MOST_FOLDERS]
    for pattern in _patterns(word)[:_MOST_PATTERNS]:
        full = absolute(pattern, state.cwd)
        for path in _matching(run, full.split("/")[1:], state, left) if full else ():
            found[path] = None
            if len(found) >= MOST_FILES:
                return list(found)
    return list(found)


def _patterns(word: Word) -> list[str]:
    if word.opaque is None:
        return [word.text] if word.glob else []
    before = after = ""
    for shown, why in word.pieces or ((word.prefix, None), ("", word.opaque)):
        if why is not None:
            after = ""
        elif before or after or shown != word.prefix:
            after += shown
        else:
            before = shown
    found: list[str] = []
    for root in word.opaque.roots():
        for pattern in root.patterns:
            found.append(f"{pattern}{after}")
            if before and not pattern.startswith((before, "/")):
                found.append(f"{before}{pattern}{after}")
    return found


def _matching(run: Reading, parts: list[str], state: State, left: list[int]) -> Iterator[str]:
    """Each path that fits, the nearest first."""
    folders = [""]
    for index, part in enumerate(parts):
        last = index == len(parts) - 1
        made: list[str] = []
        for folder in folders:
            if part == "**":
                made += _below(run, folder, state, left)
            elif _SIGNS.isdisjoint(part):
                made.append(f"{folder}/{part}")
            else:
                made += [f"{folder}/{name}" for name in _names(run, folder, state, left) if _fits(part, name)]
        if last:
            yield from made
        folders = made[:_MOST_FOLDERS]


def _below(run: Reading, top: str, state: State, left: list[int]) -> list[str]:
    """A folder and those below it."""
    found, level = [top], [top]
    for _ in range(_DEEPEST):
        level = [
            f"{folder}/{name}"
            for folder in level
            for name in _names(run, folder, state, left)
            if name not in _PASSED_OVER and ("." not in name[1:] or is_folder(f"{folder}/{name}"))
        ]
        found += level
    return found


def _names(run: Reading, folder: str, state: State, left: list[int]) -> list[str]:
    left[0] -= 1
    return folder_names(run, folder or "/", state) if left[0] >= 0 else []


def _fits(pattern: str, name: str) -> bool:
    if name.startswith(".") and not pattern.startswith("."):
        return False
    compiled = compile_pattern([(pattern, False)], len(name))
    return compiled is not None and compiled.fullmatch(name) is not None
