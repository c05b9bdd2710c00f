"""Commands that people said yes to, and the tightest pattern that covers those of one kind."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from fairlead.packs.approval.pattern import read_pattern
from fairlead.policy.places import home_of_user
from fairlead.secrets.redact import redact_text
from fairlead.shell.normal_form import texts_text
from fairlead.shell.reader import read_script

Words = tuple[str, ...]
VARIANTS = 3
"""How many different words have stood in one place before it is taken for a place of its own."""
_LONGEST = 300
_PLAIN = re.compile(r"[A-Za-z0-9_@%+=:,./-]+")
_NAMEABLE = re.compile(r"[^\s*?\[\]'\"\\$`;|&<>(){}!#~]+")
"""A word that means itself in a pattern."""
_NOTHING_OF_THEIR_OWN = ("cd", "pushd", "popd")


def learnable_words(line: str, cwd: str) -> Words | None:
    """The words of the one command that a line runs, besides a change of folder. None for any other line, for
    one of which a part is not known, and for one that holds a secret or what no pattern should be made of."""
    if len(line) > _LONGEST or "[redacted:" in line or not line.isprintable() or redact_text(line) != line:
        return None
    script = read_script(line, cwd=cwd or "/", home=home_of_user())
    if script.opaque or script.code:
        return None
    commands = [command for command in script.commands if command.name not in _NOTHING_OF_THEIR_OWN]
    if len(commands) != 1:
        return None
    (command,) = commands
    beside = command.wrappers or command.via or command.assignments or command.redirects
    if beside or command.stdin.kind != "inherit" or not command.argv:
        return None
    if not all(word.known and not word.glob for word in command.argv) or not _is_below(command.cwd, cwd):
        return None
    words = tuple(word.text for word in command.argv)
    return words if "/" not in words[0] and all(map(_NAMEABLE.fullmatch, words)) else None


def _is_below(folder: str | None, top: str) -> bool:
    return folder is not None and f"{folder}/".startswith(f"{top.rstrip('/')}/")


_read = lru_cache(maxsize=64)(read_pattern)


def fits(pattern: str, words: Sequence[str]) -> bool:
    return _read(pattern).fits(words)


def exact_pattern(words: Words) -> str:
    return texts_text(words)


def common_patterns(commands: Iterable[Words]) -> Iterator[tuple[str, list[Words]]]:
    """For commands that are alike but for one word, which is no option: a pattern, and what it is made of."""
    alike: dict[tuple[int, Words, Words], list[Words]] = {}
    for words in commands:
        for place in range(1, len(words)):
            if _PLAIN.fullmatch(words[place]) and not words[place].startswith("-"):
                alike.setdefault((place, words[:place], words[place + 1 :]), []).append(words)
    for (place, before, after), found in alike.items():
        varying = sorted({words[place] for words in found})
        word = _common_word(varying)
        if len(varying) >= VARIANTS and word:
            yield texts_text((*before, word, *after)), found


def _common_word(words: Sequence[str]) -> str:
    """For files of one kind in one folder: what their names have in common around a `*`. Nothing for other
    words: what they have in common is only what somebody happened to say."""
    start = _shared_start(words)
    start = start[: start.rfind("/") + 1]
    turned = _shared_start([word[len(start) :][::-1] for word in words])[::-1]
    end = turned[turned.find(".") :] if "." in turned else ""
    if any(".." in word for word in words) or not (start and end):
        return ""
    return f"{start}*{end}"


def _shared_start(words: Sequence[str]) -> str:
    first, last = min(words), max(words)
    same = (index for index, (one, other) in enumerate(zip(first, last, strict=False)) if one != other)
    return first[: next(same, min(len(first), len(last)))]
