"""Filters that keep the names of variables and drop their values: `cut -d= -f1 .env`."""

from __future__ import annotations

import re
from collections.abc import Mapping

from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.script import Command
from fairlead.shell.word_sets import names

_CUT = lazy(r"^(?:-s )?(?:-d ?= -f ?1|-f ?1 -d ?=|--delimiter[= ]= --fields[= ]1)(?: |$)")
_AWKS = names("awk gawk mawk")
_PROGRAMS: Mapping[str, re.Pattern[str]] = {
    **dict.fromkeys(
        ("grep", "egrep"),
        lazy(r"^\^(?:\[A-Za-z_\])?(?:\[\^= ?#?\]|\[[A-Za-z0-9_-]{1,20}\]|\\w)(?:[*+]|\\\+)=?$"),
    ),
    "sed": lazy(r"^s([/|#,@])\s?=\.[*+]\$?\1[^&\\/|#,@]{0,40}\1g?$"),
}
_OPTIONS: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(_AWKS, names("-F= -F =")),
    **dict.fromkeys(("grep", "egrep"), names("-o -oE -Eo -oP -Po -E -h -oh -ohE -hoE")),
    "sed": names("-E -r -e"),
}


_TEXT = lazy(r'"(?:[^"\\]|\\[nt"])*"')
_ASKED = lazy(
    r"\$2\s*(?:==|!=)\s*S|length\(\s*\$2\s*\)(?:\s*[<>=!]=?\s*\d+)?|\$1\s*(?:==|!=|!?~)\s*(?:S|/[^/{}|]*/)"
)
_NAMES_ALONE = lazy(
    r"(?:(?:!?/[^/{}]{0,80}/|NF|B)(?:\s*(?:&&|\|\|)\s*(?:!?/[^/{}]{0,80}/|NF|B))*)?\s*"
    r"\{\s*(?:if\s*\(B\)\s*)?printf?(?=[\s(])(?:\$1|[SB?:(),\s])+;?\s*\}\s*"
)


def _prints_names(program: str) -> bool:
    """Whether a program of awk prints the first field and its own texts, and whether there is a value."""
    plain = _ASKED.sub("B", _TEXT.sub("S", program))
    printed = plain.rpartition("print")[2].lstrip("f")
    return _NAMES_ALONE.fullmatch(plain) is not None and ("$1" in printed or "S" in printed)


def keeps_names(command: Command) -> bool:
    """Whether nothing of a value gets through, whoever prints the rest."""
    texts = [word.text for word in command.argv[1:]]
    if command.name == "cut":
        return bool(_CUT.match(" ".join(texts)))
    pattern = _PROGRAMS.get(command.name)
    if pattern is None and command.name not in _AWKS:
        return False
    options = [text for text in texts if text in _OPTIONS[command.name]]
    rest = [text for text in texts if text not in options]
    if command.name in _AWKS and rest and not any(text.startswith("-") for text in rest):
        return any("=" in option for option in options) and _prints_names(rest[0])
    told = command.name == "sed" or any("=" in option or "o" in option for option in options)
    plain = options.count("-e") < 2 and not any(text.startswith("-") for text in rest)
    return told and plain and bool(rest) and pattern is not None and bool(pattern.match(rest[0]))


_MASKING = lazy(r"s([/|#,@])\^\(\[([A-Za-z0-9_-]{1,20}|\^=)\][*+]\)=\.[*+]\$?\1\\1=?[^&\\/|#,@]{0,40}\1g?")


def masks_values(command: Command, held: str) -> bool:
    """`sed -E 's/^([A-Z_]+)=.*/\\1=***/' .env`, where every line of the file is one that it changes."""
    texts = [word.text for word in command.argv[1:] if word.known]
    found = _MASKING.fullmatch(texts[1]) if command.name == "sed" and len(texts) == 3 else None
    if found is None or texts[0] not in ("-E", "-r", "-Ee", "-re") or len(command.argv) != 4:
        return False
    changed = re.compile(rf"\s*(?:#.*)?|[{found[2]}]+=.*")
    return bool(held) and all(changed.fullmatch(line) for line in held.splitlines())
