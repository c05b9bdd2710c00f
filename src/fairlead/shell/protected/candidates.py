"""What a glob may stand for: what it matches on the disk, and protected names that it could match.

The walk goes through the disk with the spelled-out names laid over it. A name that is on the disk counts
whatever the glob looks like. One that is only spelled out counts where the glob aims at names: `.ss*/*` does,
`*` and `*.json` do not, for nobody who writes `cat *` thinks of a key that is not there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from fairlead.model.value import Value
from fairlead.shell.places.paths import normal
from fairlead.shell.places.world import entries
from fairlead.shell.protected.name_patterns import WILD, NamePattern, letters_in, name_pattern
from fairlead.shell.protected.spelled_paths import SpelledPaths

_MOST_PATHS = 2_000
_MOST_FOLDERS = 64
_ENOUGH_LETTERS = 3
"""In a home or a project, `c*` is not written for `crush.json`, but `cru*` may be."""


class GlobOptions(Value):
    """How a glob is read. `look`: the shell expands it on this disk, one folder after another; `writes`: what
    it finds is changed; `dotted` and `ignore_case` are `dotglob`, and `nocaseglob` or a disk of that kind."""

    look: bool = True
    writes: bool = False
    dotted: bool = False
    ignore_case: bool = False


class Candidate(Value):
    """`certain`: no component of it was only assumed; `deep`: any number of them were, and only what is
    spelled out counts below it; `linked`: a link may lead from it to somewhere else."""

    path: str
    certain: bool = True
    linked: bool = False
    folder: bool = False
    deep: bool = False


def candidates(folder: str, pattern: str, spelled: SpelledPaths, options: GlobOptions) -> Iterator[Candidate]:
    """The paths that `pattern`, seen from `folder`, may stand for, within bounds."""
    components = [part for part in pattern.split("/") if part not in ("", ".")]
    found = [Candidate(normal(folder))]
    for before, component in zip(["", *components], components, strict=False):
        following = _deeper if component == "**" else _matching if WILD.search(component) else _named
        starts = found
        found = list(islice(following(found, component, spelled, options), _MOST_PATHS))
        if before == "**" and component != "**":
            found += islice(_far_below(starts, component, spelled, options), _MOST_PATHS)
    if components[-1:] == ["**"]:
        found += (Candidate(path, certain=False) for each in found[:1] for path in spelled.below(each.path))
    aimed = _aims(found_in=normal(folder), components=components, spelled=spelled, writes=options.writes)
    return (each for each in found if each.certain or aimed)


def _aims(*, found_in: str, components: Sequence[str], spelled: SpelledPaths, writes: bool) -> bool:
    """Whether the glob was written with names in mind.

    What is read has to be there, so only a glob that says part of a name is suspected of more. What is
    written need not be there: it is enough that the folder is one that holds nothing but such things.
    """
    if any(WILD.search(component) and letters_in(component) for component in components):
        return True
    named = any(not WILD.search(component) for component in components)
    return writes and (named or spelled.is_own_folder(found_in))


def _named(
    before: Sequence[Candidate], component: str, spelled: SpelledPaths, options: GlobOptions
) -> Iterator[Candidate]:
    for each in before:
        known = spelled.names_in(each.path)
        name = _as_spelled(component, known) if options.ignore_case else component
        if not each.deep or name in known:
            yield each.replace(path=normal(f"{each.path}/{name}"), linked=True, folder=False)


def _as_spelled(name: str, spelled: frozenset[str]) -> str:
    """The protected name that a disk which ignores case takes this one for."""
    return next((other for other in spelled if other.casefold() == name.casefold()), name)


def _matching(
    before: Sequence[Candidate], component: str, spelled: SpelledPaths, options: GlobOptions
) -> Iterator[Candidate]:
    fitting = name_pattern(component, dotted=options.dotted, ignore_case=options.ignore_case)
    letters = letters_in(component)
    for each, look in _looked_at(before, spelled, options):
        there = list(_on_disk(each, fitting)) if look else []
        yield from there
        yield from _spelled_out(each, fitting, spelled, letters)
        if not there and not each.deep:  # a glob that fits nothing stays as it is
            yield each.replace(path=f"{each.path.rstrip('/')}/{component}", folder=False)


def _looked_at(
    before: Sequence[Candidate], spelled: SpelledPaths, options: GlobOptions
) -> Iterator[tuple[Candidate, bool]]:
    """Each, and whether its folder is read: those that hold something protected, and the first others."""
    for index, each in enumerate(before):
        yield each, options.look and not each.deep and (index < _MOST_FOLDERS or spelled.has(each.path))


def _on_disk(each: Candidate, fitting: NamePattern) -> Iterator[Candidate]:
    above = each.path.rstrip("/")
    for entry in entries(each.path):
        if fitting.fits(entry.name):
            linked = each.linked or entry.is_symlink()
            is_folder = not linked and entry.is_dir(follow_symlinks=False)
            yield Candidate(f"{above}/{entry.name}", each.certain, linked, is_folder)


def _spelled_out(
    each: Candidate, fitting: NamePattern, spelled: SpelledPaths, letters: int
) -> Iterator[Candidate]:
    vague = each.path in spelled.tops and 0 < letters < _ENOUGH_LETTERS
    for name in sorted(spelled.names_in(each.path)):
        if fitting.fits(name) and not (vague and name[0] != "."):
            yield Candidate(f"{each.path.rstrip('/')}/{name}", certain=False, deep=each.deep)


_ANY = "*"


def _deeper(
    before: Sequence[Candidate], component: str, spelled: SpelledPaths, options: GlobOptions
) -> Iterator[Candidate]:
    """`**`: this folder, and each folder in it."""
    yield from before
    fitting = name_pattern(_ANY, dotted=options.dotted)
    for each, look in _looked_at(before, spelled, options):
        yield from _on_disk(each, fitting) if look else ()


def _far_below(
    starts: Sequence[Candidate], component: str, spelled: SpelledPaths, options: GlobOptions
) -> Iterator[Candidate]:
    """Behind `**`: what is spelled out of that name, however deep, below the folder before it."""
    fitting = name_pattern(component, dotted=options.dotted, ignore_case=options.ignore_case)
    for path in spelled.below(starts[0].path) if starts else ():
        if fitting.fits(path.rsplit("/", 1)[-1]):
            yield Candidate(path, certain=False, deep=True)


def in_other_letters(path: str, spelled: SpelledPaths) -> str:
    """A path as its protected names are spelled, for a disk that ignores case."""
    found = ""
    for component in path.split("/")[1:]:
        found += "/" + _as_spelled(component, spelled.names_in(found or "/"))
    return found
