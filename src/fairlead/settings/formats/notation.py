"""How the formats of settings spell what is changed in place: JSON with comments, TOML and YAML."""

from __future__ import annotations

import re
from collections.abc import Callable

from fairlead.model.value import Value
from fairlead.settings.formats import json_text, toml_tree, yaml_tree
from fairlead.settings.formats.text_tree import Node

_SHORT = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_UNSEEN = re.compile('["\\\\\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff]')


class Notation(Value):
    """`between` stands between a key and its value, `brackets` around members that may stand on one line."""

    parse: Callable[[str], Node]
    key: Callable[[str], str]
    between: str
    moves: re.Pattern[str]
    """Scalars that mean the same in any place."""


def quoted(word: str) -> str:
    """A string with the escapes that all of them have."""
    inside = _UNSEEN.sub(lambda found: _SHORT.get(found[0]) or f"\\u{ord(found[0]):04x}", word)
    return f'"{inside}"'


def moved(notation: Notation, literal: str, word: str) -> str:
    """The text of a string as it can stand elsewhere in the file, which is as it was wherever it can be."""
    return literal if notation.moves.fullmatch(literal) else quoted(word)


_ANY = re.compile(r".*", re.DOTALL)
_JSON = Notation(json_text.parse, quoted, ": ", _ANY)
_TOML = Notation(toml_tree.parse, str, " = ", _ANY)
_IN_BRACKETS_TOO = re.compile(r"""[\w./~@+](?:[\w./~@+=:-]*[\w./~@+=-])?|"[^"\n]*"|'[^'\n]*'""")
_YAML = Notation(yaml_tree.parse, str, ": ", _IN_BRACKETS_TOO)


def notation_of(path: str) -> Notation:
    """By the ending of the file's name."""
    if path.endswith((".yaml", ".yml")):
        return _YAML
    return _TOML if path.endswith(".toml") else _JSON
