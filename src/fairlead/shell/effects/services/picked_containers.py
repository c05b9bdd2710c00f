"""Whether a list of containers or images is one that somebody picked, or all that there are."""

from __future__ import annotations

from itertools import pairwise

from fairlead.shell.effects.words.picking_stages import searches
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.script import program_name
from fairlead.shell.unknown import Stage, Unknown
from fairlead.shell.word_sets import names

_ENGINES = names("docker podman nerdctl docker-compose podman-compose finch")
_FILTER = lazy(r"-\w*f|--filter")
_FILTER_WITH_VALUE = lazy(r"(?:-\w*f|--filter=)\w+[!=]=?\S.*")
_REPOSITORY = lazy(r"[a-z\d][\w./:-]*")
_SHORT_OPTION = lazy(r"-\w+")


def is_picked(unknown: Unknown) -> bool:
    """Whether every part of it went through something that keeps only some of what there is."""
    return all(any(map(_picks, part.stages)) for part in unknown.roots())


def _picks(stage: Stage) -> bool:
    if program_name(stage[0]) in _ENGINES:
        return _filters(stage) or _names_a_repository(stage)
    return searches(stage)


def _filters(stage: Stage) -> bool:
    """`docker ps -q --filter name=web`."""
    return any(map(_FILTER_WITH_VALUE.fullmatch, stage)) or any(
        _FILTER.fullmatch(word) and bool(value.partition("=")[2]) for word, value in pairwise(stage)
    )


def _names_a_repository(stage: Stage) -> bool:
    """`docker images -q app`, however they are shown."""
    if "images" not in stage:
        return False
    words = [
        word
        for before, word in pairwise(stage[stage.index("images") :])
        if before != "--format" and not word.startswith("--format")
    ]
    named = [word for word in words if not word.startswith("-")]
    options = [word for word in words if word.startswith("-")]
    plain = all(map(_SHORT_OPTION.fullmatch, options))
    return plain and len(named) == 1 and _REPOSITORY.fullmatch(named[0]) is not None
