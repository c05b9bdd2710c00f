"""The files that a shell pattern matches on the disk, within the bounds of one judgement."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from fairlead.packs.repository.limits import Budget, CannotTell
from fairlead.packs.repository.wildcards import ANY_DEPTH, name_matcher

_SIGN = re.compile(r"[*?\[]|[!+@]\(")
_ALTERNATIVES = re.compile(r"(?<!\\)[*?!+@]\(")
_PLAIN = re.compile(r"[\\*?\[]|[!+@](?=\()")


def is_pattern(path: str) -> bool:
    return _SIGN.search(path) is not None


def literal(path: str) -> str:
    """A pattern that stands for this path alone: `app/[id]` is a folder of many projects."""
    if not is_pattern(path):
        return path
    names = path.split("/")
    return "/".join(_PLAIN.sub(r"\\\g<0>", name) if is_pattern(name) else name for name in names)


def matching(path: str, budget: Budget) -> Iterator[str]:
    """Names that begin with a dot match as well: a shell may be told so."""
    if not is_pattern(path):
        if os.path.lexists(path):
            yield path
        return
    yield from _below("/", [name for name in path.split("/") if name], budget)


def _any_name(name: str) -> bool:
    return True


def _below(folder: str, names: list[str], budget: Budget) -> Iterator[str]:
    """`**` enters no links, or a link to a folder above would lead round for ever."""
    budget.step()
    name, rest = names[0], names[1:]
    if not is_pattern(name):
        path = os.path.join(folder, name)
        if os.path.lexists(path):
            yield from _below(path, rest, budget) if rest else (path,)
        return
    matcher = _any_name if _ALTERNATIVES.search(name) else name_matcher(name)
    if matcher is ANY_DEPTH and rest:
        yield from _below(folder, rest, budget)
    for entry in listed(folder):
        budget.step()
        if matcher is ANY_DEPTH:
            if not rest:
                yield entry.path
            elif entry.is_dir(follow_symlinks=False):
                yield from _below(entry.path, names, budget)
        elif matcher(entry.name) or entry.name == name:
            yield from _below(entry.path, rest, budget) if rest else (entry.path,)


def listed(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        raise CannotTell(f"{folder} cannot be listed") from error
