"""Which contents of files a program shows, hands on or runs; what it only uses stays where it was."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Iterable

from fairlead.shell.effects.code.python.running.thing import Origin, Thing, deep_origins
from fairlead.shell.word_sets import names

_QUIET = names(
    """
    str len dict list set tuple sorted zip map filter enumerate isinstance bool any all hash int float iter
    next frozenset reversed type repr bytes max min sum open getattr hasattr setattr
    append extend add update setdefault get startswith endswith join replace format split partition match
    search fullmatch findall sub strip lstrip rstrip index find count loads load putenv StringIO BytesIO
    splitlines read readlines readline items keys values pop insert sha256 md5 sha1 compile issubset remove
    """
)
"""Calls that look at a text or make another of it, and tell nobody."""
_TELLING = names(
    """
    print echo secho pprint write writelines log info debug warning error critical exception send sendall
    post put dump display style exit
    """
)


def is_told(name: str) -> bool:
    """Whether a call hands on what it is given: of the library, all but the quiet; of others, by name."""
    method = name.rpartition(".")[2]
    if method in _QUIET or name.startswith("os.environ"):
        return False
    return method in _TELLING or not _is_foreign(name)


def _is_foreign(name: str) -> bool:
    head, dot, _ = name.partition(".")
    return bool(dot and head) and head not in sys.stdlib_module_names and not hasattr(builtins, head)


def files_in(things: Iterable[Thing]) -> set[str]:
    return {path for thing in things for kind, path in deep_origins(thing) if kind == "file"}


_HELD = {"file": "held", "variable": "kept"}


def through_library(origins: frozenset[Origin], name: str) -> frozenset[Origin]:
    """What a foreign library makes of a content is not that content any more, but holds it."""
    if not origins or not _is_foreign(name) or name.startswith("dotenv"):
        return origins
    return frozenset((_HELD.get(kind, kind), which) for kind, which in origins if kind != "secret")


_NAMES = ("known_hosts",)
"""Files in which the first part of a line is what counts."""


def without_values(thing: Thing) -> Thing:
    """The part of a line before its `=`, the keys of settings."""
    kept = frozenset(each for each in thing.origins if each[0] != "file" or each[1].endswith(_NAMES))
    return thing.replace(origins=kept) if kept != thing.origins else thing
