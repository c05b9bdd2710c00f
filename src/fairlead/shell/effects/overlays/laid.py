"""What laying a tree, an archive or a patch over a folder does: a write for each file, under its own name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from fairlead.shell.effects.effect import (
    LAID,
    LAID_CHANGING,
    LAID_FETCHED,
    LAID_UNSEEN,
    Action,
    Effect,
)
from fairlead.shell.effects.files.remote_copies import COPYING
from fairlead.shell.effects.overlays.copying import copied_trees
from fairlead.shell.effects.overlays.fetched_folders import fetched_trees
from fairlead.shell.effects.overlays.lister import Lister
from fairlead.shell.effects.overlays.listing.listed_names import Listing
from fairlead.shell.effects.overlays.made import Maker, links_made
from fairlead.shell.effects.overlays.overlay import Kind, Overlay
from fairlead.shell.effects.overlays.overlay_programs import PYTHONS, lays_files
from fairlead.shell.effects.overlays.patching import patched_files
from fairlead.shell.effects.overlays.picked import picked_paths
from fairlead.shell.effects.overlays.repositories import laid_by_git
from fairlead.shell.effects.overlays.stowing import stowed_trees
from fairlead.shell.effects.overlays.unpacking import UNPACKERS
from fairlead.shell.effects.program_effects import shown
from fairlead.shell.effects.together.feeding_commands import Sources
from fairlead.shell.places.paths import normal
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.places.targets import Place, Target, home_of, place_of, resolve
from fairlead.shell.places.world import folder_entries, is_folder, is_link, is_there
from fairlead.shell.script import Command, Word

_PASSING = frozenset(
    (
        *(Place.SINK, Place.REMOTE, Place.REMOTE_ROOT, Place.TEMPORARY, Place.TEMPORARY_ROOT),
        *(Place.GENERATED, Place.CACHE, Place.UNKNOWN),
    )
)
"""Places where a file of whatever name harms nobody."""
_LOOKED_AT = frozenset((Place.HOME, Place.PROJECT, Place.OUTSIDE, Place.LOCAL))
_MEANT = frozenset(("bin", "Library", "Cline"))
"""Folders without a dot in which names mean something to programs all the same."""
_MOST_ENTRIES = 200


def laid_effects(
    commands: Sequence[Command], effects: Sequence[Effect], sources: Sources, where: Surroundings
) -> Iterator[Effect]:
    lister, dotted = Lister(), any(map(_covers_hidden, commands))
    for command in commands:
        if lays_files(command, where.home):
            command = _with_hidden(command) if dotted else command
            maker, links = Maker(commands, effects, command), links_made(effects, command)
            for overlay in _overlays(command, sources, where):
                yield from _Laying(overlay, maker, links, where).effects(lister)


def _covers_hidden(command: Command) -> bool:
    """`shopt -s dotglob`, `setopt globdots`: from now on `*` stands for hidden names, too."""
    return command.name in ("shopt", "setopt", "set") and any(
        word.text.replace("_", "").lower() in ("dotglob", "globdots") for word in command.argv[1:]
    )


def _with_hidden(command: Command) -> Command:
    return command.replace(argv=tuple(map(_all_of, command.argv)))


def _all_of(word: Word) -> Word:
    """`x/.` for `x/*`."""
    is_all = word.glob and f"/{word.text}".endswith("/*")
    return word.replace(text=f"{word.text[:-1]}.", glob=False) if is_all else word


def _overlays(command: Command, sources: Sources, where: Surroundings) -> Iterator[Overlay]:
    name = command.name
    if name == "git":
        return laid_by_git(command, sources, where)
    if name in ("stow", "xstow"):
        return stowed_trees(command, where)
    if name in ("patch", "gpatch"):
        return patched_files(command, sources, where)
    if name in COPYING:
        return fetched_trees(command, where)
    unpacker = UNPACKERS.get("python" if name.startswith(PYTHONS) else name)
    return copied_trees(command, where) if unpacker is None else unpacker(command, sources, where)


def is_laid_into(effect: Effect, where: Surroundings) -> bool:
    """Whether the target is a folder that is there, with the guard's own somewhere below it: of what is laid
    into that, each file counts, and the folder itself stays."""
    target = effect.target
    return (
        target is not None
        and not target.pattern
        and effect.action in (Action.WRITE, Action.OVERWRITE)
        and target.place is Place.GUARD
        and _holds_guarded(target.path, where)
        and lays_files(effect.command, where.home)
        and not _replaces_folder(effect.command)
        and is_folder(target.path)
    )


def _replaces_folder(command: Command) -> bool:
    """`ln -sfn x ~/.local` and `mv -T x ~/.local` put something else in its place."""
    flags = {"-T", "--no-target-directory", "-n", "--no-dereference"}
    if command.name in ("cp", "gcp"):
        return False
    texts = {word.text for word in command.argv[1:]}
    bundled = any(t.startswith("-") and not t.startswith("--") and {"n", "T"} & set(t) for t in texts)
    return command.name in ("ln", "gln", "mv", "gmv") and (bool(texts & flags) or bundled)


def _holds_guarded(path: str, where: Surroundings) -> bool:
    return any(kept.startswith(f"{path}/") for kept in where.guard)


class _Laying:
    """One overlay, while its files are held against the disk."""

    def __init__(self, overlay: Overlay, maker: Maker, links: Mapping[str, str], where: Surroundings) -> None:
        self._overlay, self._maker, self._links, self._where = overlay, maker, links, where
        self._folders: dict[str, tuple[Target, bool]] = {}
        self._folder = self._target(self._followed(overlay.folder))

    def _followed(self, path: str) -> str:
        """Behind the links that the same line makes before."""
        for link, aim in self._links.items():
            if f"{path}/".startswith(f"{link}/"):
                return aim + path[len(link) :]
        return path

    def effects(self, lister: Lister) -> Iterator[Effect]:
        overlay = self._overlay
        if not self._matters():
            return
        listing = lister.listed(overlay.source)
        unseen = self._unseen(listing)
        if listing is not None:
            for name, path in picked_paths(overlay, listing):
                yield from self._written(name, path)
        if unseen and not overlay.plain and self._folder.place not in _PASSING:
            yield from self._unlisted(*unseen)

    def _unlisted(self, kind: str, why: str) -> Iterator[Effect]:
        folder, overlay = self._folder, self._overlay
        if folder.place is Place.PROJECT_ROOT and overlay.source.of_project:
            return
        if folder.place is Place.GUARD and _holds_guarded(folder.path, self._where):
            folder = folder.replace(place=Place.HOME)
        command = overlay.command
        yield Effect(Action.WRITE, kind, command, folder, what=shown(command), detail=why)

    def _matters(self) -> bool:
        """A new folder, or one among temporary files without a link in it, may be filled with anything."""
        folder = self._folder
        if self._overlay.leads_out or any(link.startswith(f"{folder.path}/") for link in self._links):
            return True
        if folder.place in _PASSING:
            entries = folder_entries(folder.path, _MOST_ENTRIES) if folder.path else None
            return any(entry.is_symlink() for entry in entries or ())
        return not self._is_fresh(folder)

    def _unseen(self, listing: Listing | None) -> tuple[str, str] | None:
        """Why files may be laid that were not listed."""
        source = self._overlay.source
        made = self._maker.makes(source.path, missing=listing is None)
        if listing is not None and listing.unseen:
            return LAID_FETCHED if source.network else LAID_UNSEEN, listing.unseen
        if made is None:
            is_home = home_of(self._folder.path, self._where) == self._folder.path
            return (LAID_CHANGING, "it is not there yet") if listing is None and is_home else None
        network, certain = made
        kind = LAID_FETCHED if network else LAID_UNSEEN if certain else LAID_CHANGING
        return kind, "it is made by the same line"

    def _written(self, name: str, path: str) -> Iterator[Effect]:
        path = self._followed(path)
        folder, fresh = self._folder_of(path)
        if fresh:
            return
        linked = folder.real != folder.path or is_link(path)
        target = self._target(path) if linked else Target(Word(path), path, place_of(path, self._where), path)
        if target.place in _PASSING or self._is_new_repository(target):
            return
        overlay = self._overlay
        origin = f"{name} in {overlay.source.path}" if overlay.source.path else name
        kind = "patch" if overlay.source.kind is Kind.PATCH else LAID
        command = overlay.command
        yield Effect(Action.WRITE, kind, command, target, what=shown(command), detail=origin)

    def _folder_of(self, path: str) -> tuple[Target, bool]:
        """The folder of a file, and whether it is new; most files share theirs with others."""
        name = path.rpartition("/")[0] or "/"
        if name not in self._folders:
            folder = self._target(name)
            self._folders[name] = folder, self._is_fresh(folder)
        return self._folders[name]

    def _is_new_repository(self, target: Target) -> bool:
        """A repository below the project that is not there yet comes with settings and hooks of its own."""
        if target.place is not Place.VCS:
            return False
        inside = f"{target.path}/".index("/.git/") if "/.git/" in f"{target.path}/" else -1
        top = target.path[:inside] if inside >= 0 else ""
        return bool(top) and top != self._where.project and not is_there(f"{top}/.git")

    def _is_fresh(self, folder: Target) -> bool:
        """Whether the folder is new, and not below one whose name means something to programs."""
        if folder.place not in _LOOKED_AT:
            return folder.place in _PASSING and not is_there(folder.path)
        path, where = folder.path, self._where
        inside = where.project and f"{path}/".startswith(f"{where.project}/")
        current = where.project if inside else home_of(path, where)
        for part in path[len(current) + 1 :].split("/"):
            if part.startswith(".") or part in _MEANT:
                return False
            current = f"{current}/{part}"
            if not is_there(current):
                return not _holds_guarded(current, where)
        return False

    def _target(self, path: str) -> Target:
        return resolve(Word(normal(path)), _NOWHERE, self._where)


_NOWHERE = Command((), None)
