"""Single words of a line: what they hide, and whether they lead out of the project."""

from __future__ import annotations

import os
from functools import lru_cache

from fairlead.packs.places.secret_paths import is_secret
from fairlead.shell.script import Word
from fairlead.shell.unknown import Kind

_GLOBS = "*?[{"


def word_obstacle(word: Word) -> str:
    """Why nobody can tell what a word stands for; empty where one can, and for names of files that begin with
    a folder, and for the number that the last command ended with."""
    if is_vague(word):
        begins = word.prefix or word.text
        return f"`{word.text}` may stand for an option" if begins[:1] in (*_GLOBS, "-", "") else ""
    if word.known or (
        word.opaque is not None and word.opaque.kind == Kind.PER_RUN and word.opaque.name == "$?"
    ):
        return ""
    return f"`{word.text}` cannot be known"


def is_vague(word: Word) -> bool:
    """Whether it stands for whatever files there are."""
    return word.glob or (word.opaque is not None and word.opaque.kind == Kind.MATCH)


def outside_word(text: str, directory: str, root: str) -> bool:
    """Whether a word is a path that leads out of the project, also one behind `=` or an option's letter."""
    if "/" not in text and ".." not in text and "~" not in text:
        return False
    return any(
        _is_outside(part, directory, root)
        for part in (text, text.partition("=")[2], text[text.find("/") :] if text.startswith("-") else "")
    )


def _is_outside(part: str, directory: str, root: str) -> bool:
    if not part.startswith(("/", "..", "~")) and "/../" not in part and not part.endswith("/.."):
        return False
    if part == root or (part.startswith(f"{root.rstrip('/')}/") and ".." not in part):
        return False
    if part.startswith("/") and not os.path.lexists("/" + part[1:].partition("/")[0]):
        return False  # a pattern such as `/api/v1`, not a path
    path = os.path.normpath(os.path.join(directory, part))
    return path not in (root, "/dev/null") and not path.startswith(f"{root.rstrip('/')}/")


@lru_cache(maxsize=2048)
def names_secret(text: str, directory: str) -> bool:
    """Whether a word is a file of secrets, also one behind `=` or, for git, behind `:`."""
    parts = {text, text.partition("=")[2], text.rpartition(":")[2]} - {""}
    return any(is_secret(os.path.normpath(os.path.join(directory, part))) for part in parts)


def in_other_repository(directory: str, root: str) -> bool:
    """Whether git would find another repository on its way up to the project's: also one without a work tree,
    which is only a folder with the right files in it, and can come with a clone."""
    while directory.startswith(f"{root.rstrip('/')}/"):
        if os.path.lexists(f"{directory}/.git"):
            return True
        if all(os.path.lexists(f"{directory}/{name}") for name in ("HEAD", "objects", "refs")):
            return True
        directory = os.path.dirname(directory)
    return False
