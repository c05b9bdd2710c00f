"""Files that one command lays over a folder: where they come from, where they go, which of them."""

from __future__ import annotations

from enum import StrEnum

from fairlead.model.value import Value
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.places.targets import resolve
from fairlead.shell.places.world import matching_paths
from fairlead.shell.script import Command, Word
from fairlead.shell.unknown import Kind as UnknownKind
from fairlead.shell.unknown import Unknown

WILD = lazy(r"[*?\[]")


class Kind(StrEnum):
    TREE = "tree"
    ARCHIVE = "archive"
    PATCH = "patch"
    NAMES = "names"
    """The names are known, and there is nothing to list."""
    UNSEEN = "unseen"


class Source(Value):
    """Where the files come from. `unseen` says of one that cannot be listed why; `network`: it comes from
    another machine; `of_project`: it is made of what the project holds."""

    kind: Kind
    path: str = ""
    text: str | None = None
    names: tuple[str, ...] = ()
    unseen: str = ""
    network: bool = False
    of_project: bool = False
    follows: bool = False
    prefix: str = ""
    """What the names in a tree begin with."""


class Overlay(Value):
    """`folder` is absolute. `strip` and `flat` say what is cut off the names, `dotted` that `dot-x` becomes
    `.x`, `only` and `without` which names are meant; `plain`: none of them is hidden at its top; `leads_out`:
    names may lead out of the folder.
    """

    command: Command
    folder: str
    source: Source
    strip: int | None = 0
    """None where a program finds out itself how much to cut off."""
    flat: bool = False
    dotted: bool = False
    only: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    whole_names: bool = False
    """What is left out is named as a whole, not by a part of its path."""
    plain: bool = False
    leads_out: bool = False


def path_of(word: Word, command: Command, where: Surroundings) -> str:
    """The path that a word names on this machine; empty where that is not known. Of a glob it is the first
    that it stands for."""
    if word.opaque:
        return ""
    target = resolve(word.replace(glob=False) if word.glob else word, command, where)
    if not target.real and any(wrapper.place for wrapper in command.wrappers):
        return ""
    if word.glob and WILD.search(target.path):
        return next(iter(matching_paths(target.path, 1)), target.path)
    return target.path


def in_loop(word: Word) -> Word:
    """What a loop over a glob gives to its commands, as the glob that it is."""
    is_each = word.opaque == Unknown(UnknownKind.MATCH, word.text, patterns=(word.text,))
    return word.replace(opaque=None, prefix="", glob=True) if is_each else word


def here(command: Command, where: Surroundings) -> str:
    """The folder in which a command runs; empty where that is not known, or not on this machine."""
    return path_of(Word("."), command, where) if command.cwd is not None else ""


def unseen(why: str, *, network: bool = False, of_project: bool = False) -> Source:
    return Source(Kind.UNSEEN, unseen=why, network=network, of_project=of_project)
