"""A search of whole folders whose pattern fits what stands in files of secrets, and that comes upon such files."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from fairlead.packs.places.secret_paths import is_secret

_SEARCHES = frozenset(("grep", "egrep", "fgrep"))
_RECURSIVE = re.compile(
    r"-[A-Za-z]*[rR][A-Za-z0-9]*|--recursive|--dereference-recursive|--directories=recurse"
)
_TAKES_NUMBER = re.compile(r"-[A-Za-z]*[ABCm]|--(?:max-count|context|after-context|before-context)")
_SHOWS_ALL = re.compile(r"-[A-Za-z]*[vfd]\b.*|-f.*|--invert-match|--file.*")
_LINES = (
    "API_KEY=sk-abc123",
    "DATABASE_URL=postgres://user:pass@host:5432/db",
    "aws_secret_access_key = AKIA/abc+123",
    '"password": "hunter2",',
    "SECRET_TOKEN: xyz",
    "-----BEGIN RSA PRIVATE KEY-----",
    "export GITHUB_TOKEN='ghp_x'",
)
_PASSED_OVER = frozenset((".git", "node_modules", ".venv", "venv", "target", "dist", "build"))
_MOST_FOLDERS = 200


def shows_secrets(words: Sequence[str], directory: str) -> bool:
    if words[0] not in _SEARCHES or not any(map(_RECURSIVE.fullmatch, words[1:])):
        return False
    if any(word.startswith("--include=") and ".env" not in word for word in words):
        return False
    operands = list(_operands(words))
    named = [words[place + 1] for place, word in enumerate(words[:-1]) if word in ("-e", "--regexp")]
    patterns = named or operands[:1]
    folders = (operands if named else operands[1:]) or ["."]
    everything = any(map(_SHOWS_ALL.fullmatch, words[1:]))
    if not everything and patterns and not any(map(_is_revealing, patterns)):
        return False
    return any(_holds_secrets(os.path.join(directory, folder)) for folder in folders)


def _operands(words: Sequence[str]) -> Iterator[str]:
    for before, word in pairwise(words):
        if (
            not word.startswith("-")
            and not _TAKES_NUMBER.fullmatch(before)
            and before not in ("-e", "--regexp")
        ):
            yield word


def _is_revealing(pattern: str) -> bool:
    """Whether it fits a line as it stands in such files. Where it is no expression that is understood, it may."""
    plain = pattern.replace("\\|", "|").replace("\\(", "(").replace("\\)", ")")
    try:
        expression = re.compile(plain, re.IGNORECASE)
    except re.error:
        return True
    return any(expression.search(line) for line in _LINES)


def _holds_secrets(top: str) -> bool:
    """Whether a file of secrets lies below; in doubt it does."""
    for number, (folder, folders, files) in enumerate(os.walk(top)):
        if number >= _MOST_FOLDERS or any(is_secret(os.path.join(folder, name)) for name in files):
            return True
        folders[:] = [name for name in folders if name not in _PASSED_OVER]
    return False
