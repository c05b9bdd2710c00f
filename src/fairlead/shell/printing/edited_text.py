"""What an edit in place leaves of a text: that of sed or perl, or a patch."""

from __future__ import annotations

import re
from collections.abc import Sequence

from fairlead.shell.expansion.reading import Reading
from fairlead.shell.language.lexer import UNREAD_OPEN
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.printing.line_filters import substitution
from fairlead.shell.unknown import Stage

ADD, SED, SED_EXTENDED, PERL = "add", "sed", "sed -E", "perl"
"""What an edit is, by its first word: the second is the text or the script."""
_PLACE = r"(?:\d{1,9}|\$|/(?:\\.|[^/\\\n])*/I?)"
_ADDRESS = lazy(rf"\s*(?:{_PLACE}(?:\s*,\s*[+~]?{_PLACE})?\s*!?)?\s*")
_INSERTED = lazy(r"[aic](?:\\\n|\\|\s)?\s*(?P<text>[^\n]*(?:\\\n[^\n]*)*)")
_SUBSTITUTED = lazy(
    r"s(?P<sign>[^\w\s\\])(?:\\.|(?!(?P=sign)).)*(?P=sign)(?:\\.|(?!(?P=sign)).)*(?P=sign)[gI]*", re.DOTALL
)
_REMOVED = lazy(r"[dDpP]")
_END = lazy(r"[\s;}]*")
_LONGEST_SCRIPT = 2000
_LONGEST_TEXT = 64 * 1024
_LONGEST_LINE = 1000


def edited_text(run: Reading, edit: Stage, text: str) -> str | None:
    """All that may stand there afterwards, so that it can be judged; None where that is not known. What an
    edit takes out, or changes in some lines only, stays beside what it puts in."""
    kind, script = edit
    if kind == ADD:
        return f"{text}\n{script}\n"
    if len(script) > _LONGEST_SCRIPT or len(text) > _LONGEST_TEXT:
        return None
    run.budget.spend(len(text) // 100)
    changes, added = _commands(script, kind)
    if changes is None:
        return None
    lines = text.splitlines(keepends=True)
    if changes and any(len(line) > _LONGEST_LINE for line in lines):
        return None
    made, kept = lines, False
    for pattern, replacement, count, everywhere in changes:
        kept |= not everywhere
        try:
            made = [pattern.sub(replacement, line, count=count) for line in made]
        except (re.error, IndexError):
            return None
    both = ["".join(lines), "\n"] if kept else []
    return "".join([*both, *made, *(f"\n{each}\n" for each in added)])


_Change = tuple[re.Pattern[str], str, int, bool]


def _commands(script: str, kind: str) -> tuple[Sequence[_Change] | None, list[str]]:
    """The substitutions of a script, with whether each is for all lines, and the texts that it inserts."""
    changes: list[_Change] = []
    added: list[str] = []
    place = 0
    while place < len(script):
        address = _ADDRESS.match(script, place)
        assert address is not None
        if UNREAD_OPEN in address[0]:
            return None, []
        place = address.end()
        if match := _SUBSTITUTED.match(script, place):
            if kind == PERL and re.search(r"[$@&]", match[0].split(match["sign"])[2]):
                return None, []
            if UNREAD_OPEN in match[0].split(match["sign"])[1]:
                return None, []
            found = substitution(match[0], extended=kind != SED)
            if found is None:
                return None, []
            changes.append((*found, not address[0].strip()))
        elif kind != PERL and (match := _INSERTED.match(script, place)):
            added.append(match["text"].replace("\\\n", "\n"))
        elif kind == PERL or not (match := _REMOVED.match(script, place)):
            return None, []
        end = _END.match(script, match.end())
        assert end is not None
        place = end.end()
    return changes, added
