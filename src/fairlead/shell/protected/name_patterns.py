"""One component of a glob, as bash reads it: which names it can stand for."""

from __future__ import annotations

import re
from functools import lru_cache

from fairlead.model.value import Value
from fairlead.shell.language.glob_patterns import bracket, bracket_end
from fairlead.shell.lazy_pattern import lazy

WILD = lazy(r"[*?\[]|[!@+]\(")
_GROUP = lazy(r"([?*+@!])\(([^()]*)\)")
_NESTED = lazy(r"[?*+@!]\(.*\)", re.S)
_MOST_SPELLINGS = 32
_LONGEST = 200


class NamePattern(Value):
    """What fits ordinary names, and what fits names that begin with a dot."""

    ordinary: re.Pattern[str]
    hidden: re.Pattern[str]

    def fits(self, name: str) -> bool:
        return (self.hidden if name[:1] == "." else self.ordinary).fullmatch(name) is not None


@lru_cache(maxsize=256)
def name_pattern(component: str, *, dotted: bool = False, ignore_case: bool = False) -> NamePattern:
    """`dotted`: a star stands for a leading dot, too, as with `dotglob`. What is too long may be anything."""
    spellings = _spellings(component) if len(component) <= _LONGEST else ["*"]
    flags = re.S | (re.I if ignore_case else 0)
    ordinary = "|".join(map(_expression, spellings))
    begun = [text for text in spellings if dotted or text.startswith(".")]
    hidden = "|".join(map(_expression, begun)) if begun else r"(?!)"
    return NamePattern(re.compile(ordinary, flags), re.compile(hidden, flags))


def _spellings(component: str) -> list[str]:
    """Without groups: one text for each choice. A group that repeats, excludes or nests may be anything."""
    done, waiting = [], [component]
    while waiting:
        text = waiting.pop()
        group = _GROUP.search(text)
        if group is None:
            done.append(_NESTED.sub("*", text))
            continue
        choices = ["*"] if group[1] in "*+!" else group[2].split("|")
        choices += [""] if group[1] == "?" else []
        if len(done) + len(waiting) + len(choices) > _MOST_SPELLINGS:
            choices = ["*"]
        waiting += [f"{text[: group.start()]}{choice}{text[group.end() :]}" for choice in choices]
    return done


def _expression(text: str) -> str:
    """Each star takes as little as it can and gives nothing back: no text makes it slow."""
    first, *others = [_fixed(part) for part in _split_at_stars(text)]
    if not others:
        return first
    *middle, last = others
    return first + "".join(f"(?>.*?{part})" for part in middle if part) + ".*" + last


def _split_at_stars(text: str) -> list[str]:
    parts, pos, begun = [], 0, 0
    while pos < len(text):
        if text[pos] == "[":
            close = bracket_end(text, pos + 1)
            pos = close + 1 if close > 0 else pos + 1
        elif text[pos] == "*":
            parts.append(text[begun:pos])
            pos = begun = pos + 1
        else:
            pos += 1
    return [*parts, text[begun:]]


def _fixed(text: str) -> str:
    pieces, pos = [], 0
    while pos < len(text):
        char = text[pos]
        pos += 1
        close = bracket_end(text, pos) if char == "[" else -1
        if close > 0:
            pieces.append(_class(text[pos:close]))
            pos = close + 1
        else:
            pieces.append("." if char == "?" else re.escape(char))
    return "".join(pieces)


def _class(inner: str) -> str:
    """A class that no regular expression takes may be any letter."""
    expression = bracket(inner)
    try:
        re.compile(expression)
    except re.error:
        return "."
    return expression


_WILDCARDS = lazy(r"[*?]|\[[!^][^\]]*\]|\[:\w+:\]|[.()|@!+\[\]-]")
_ENDING = lazy(r"^[*?]+\.(?:\w{1,6}|@\([\w|]*\))$")


def letters_in(component: str) -> int:
    """How many letters of a name it says: `.ss*` two, `[i]d*` two, but `*`, `.??*` and `*.json` none."""
    return 0 if _ENDING.match(component) else len(_WILDCARDS.sub("", component))
