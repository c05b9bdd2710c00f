"""Single words of a line: what they hide, and whether they lead out of the project."""

from __future__ import annotations

import os
import re
from functools import lru_cache
from glob import iglob
from itertools import chain, islice
from stat import S_ISLNK

from fairlead.packs.places.secret_paths import is_secret
from fairlead.shell.script import Word
from fairlead.shell.unknown import Kind

_GLOBS = "*?[{"
_MOST_FITTING = 500
_NO_NAME = re.compile(r"[\s$(){}|;'\"*]")
"""What hardly a file is called: a text, an expression, a pattern."""
_MAY_HOLD_TOKENS = (".npmrc", ".yarnrc.yml")
"""Settings of a project that mostly hold none; who looks at them is asked."""


def word_obstacle(word: Word, directory: str | None) -> str:
    """Why nobody can tell what a word stands for; empty where one can, and for names of files that begin with
    a folder, and for the number that the last command ended with."""
    if word.glob and "(" in word.text:
        return f"`{word.text}` is code to some shells"
    if is_vague(word):
        begins = word.prefix or word.text
        if begins[:1] not in (*_GLOBS, "-", "") or (word.glob and _fits_no_option(word.text, directory)):
            return ""
        return f"`{word.text}` may stand for an option"
    if word.known or (
        word.opaque is not None and word.opaque.kind == Kind.PER_RUN and word.opaque.name == "$?"
    ):
        return ""
    return f"`{word.text}` cannot be known"


def _fits_no_option(pattern: str, directory: str | None) -> bool:
    """Whether it is about certain names of that folder, none of which begins as an option does."""
    if directory is None or len(pattern) < 2 or pattern[0] not in "*?[":
        return False
    try:
        return not any(name.startswith("-") for name in os.listdir(directory))
    except OSError:
        return False


def are_own_files(word: Word, directory: str, root: str) -> bool:
    """Whether all files that its patterns fit lie in the project, links followed, and none holds secrets."""
    unknown = word.opaque
    if unknown is None or unknown.kind != Kind.MATCH or not unknown.patterns:
        return False
    patterns = [os.path.join(directory, pattern) for pattern in unknown.patterns]
    found = list(islice(chain.from_iterable(map(iglob, patterns)), _MOST_FITTING))
    inside = all(pattern.startswith(f"{root}/") and "/.." not in pattern for pattern in patterns)
    return inside and len(found) < _MOST_FITTING and not any(_is_foreign(path, root) for path in found)


def fits_outside(word: Word, directory: str, root: str) -> bool:
    """Whether a link that leads out of the project is among what its patterns fit."""
    patterns = word.opaque.patterns if word.opaque is not None else (word.text,)
    found = chain.from_iterable(iglob(os.path.join(directory, pattern)) for pattern in patterns)
    return any(leads_outside(path, root) for path in islice(found, _MOST_FITTING))


def _is_foreign(path: str, root: str) -> bool:
    return leads_outside(path, root) or names_secret(path, root)


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


def leads_outside(folder: str, root: str) -> bool:
    """Whether a link on the way to it does."""
    if folder == root:
        return False
    real, home = os.path.realpath(folder), os.path.realpath(root)
    return real != home and not real.startswith(f"{home}/")


def links_outside(text: str, directory: str, root: str) -> bool:
    """Whether a word names what is there and lies elsewhere, links followed, also behind `=` or before `::`."""
    if "=" in text and _links_outside(text.partition("=")[2], directory, root):
        return True
    return _links_outside(text, directory, root)


def _links_outside(part: str, directory: str, root: str) -> bool:
    """Most words name nothing, which is seen at one look; of the folder it is known already."""
    if not part or part[0] == "-" or part == os.devnull:
        return False
    path = os.path.join(directory, part.partition("::")[0])
    try:
        is_link = S_ISLNK(os.lstat(path).st_mode)
    except (OSError, ValueError):
        return False
    return (is_link or _has_link(part, directory)) and leads_outside(path, root)


def _has_link(path: str, directory: str) -> bool:
    """Whether a link may be on the way to it."""
    if path[0] == "/" or ".." in path:
        return True
    place = path.find("/")
    while place >= 0:
        if os.path.islink(f"{directory}/{path[:place]}"):
            return True
        place = path.find("/", place + 1)
    return False


def names_secret(text: str, directory: str) -> bool:
    """Whether a word is a file of secrets or a link to one, also behind `=` or, for git, behind `:`."""
    if _names_secret(text, directory):
        return True
    if text.startswith("-") or _NO_NAME.search(text):
        return False
    path = os.path.join(directory, text)
    return os.path.islink(path) and is_secret(os.path.realpath(path))


@lru_cache(maxsize=2048)
def _names_secret(text: str, directory: str) -> bool:
    if os.path.basename(text) in _MAY_HOLD_TOKENS or os.path.join(directory, text).endswith("/.git/config"):
        return True
    parts = {text, text.partition("=")[2], text.rpartition(":")[2]} - {""}
    return any(is_secret(os.path.normpath(os.path.join(directory, part))) for part in parts)
