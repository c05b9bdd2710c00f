"""Texts in code: taken out where calls are looked for, read where they are statements."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fairlead.shell.lazy_pattern import lazy

_SAID = lazy(
    r"'(?:\\.|[^'\\\n]){0,500}'|\"(?:\\.|[^\"\\\n]){0,500}\"|(?m:(?:^|\s)(?:#|//)[^\n]*)|\b(?:def|function|fn)\s+\w+"
)
"""Texts, comments and names that are only given: none of them is a call."""
_LITERAL = lazy(
    r"(?:'''|\"\"\")(.{0,4000}?)(?:'''|\"\"\")|'((?:\\.|[^'\\]){0,4000})'|\"((?:\\.|[^\"\\]){0,4000})\"|`((?:\\.|[^`\\]){0,4000})`",
    re.DOTALL,
)
_STATEMENT = lazy(r"\s*(?:DROP|TRUNCATE|DELETE|UPDATE|ALTER|MERGE|MATCH|INSERT\s+OVERWRITE)\s+\S", re.I)


def without_texts(text: str) -> str:
    return _SAID.sub("''", text)


_LONG_TEXT = lazy(
    r"\"\"\"(?:[^\"\\]|\\.|\"(?!\"\")){40,5000}\"\"\"|\"(?:[^\"\\\n{}]|\\.){40,5000}\"|'(?:[^'\\\n{}]|\\.){40,5000}'"
)
"""A text that is no name and holds no expression: what it says, the code does not do."""


def without_long_texts(text: str) -> str:
    return _LONG_TEXT.sub("''", text)


def statements_in(text: str) -> Iterator[str]:
    """The texts in code that read as a statement which changes a database."""
    for found in _LITERAL.finditer(text):
        said = next((group for group in found.groups() if group), "")
        if _STATEMENT.match(said):
            yield said.replace("\\n", "\n")
