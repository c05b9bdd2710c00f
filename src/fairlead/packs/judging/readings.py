"""What a shell text means and would do, with the files that it runs; remembered as long as that holds."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import partial

from fairlead.model.value import Value
from fairlead.packs.names.hiding import with_hidden_names
from fairlead.shell.effects.effect import Effect
from fairlead.shell.effects.script_effects import effects_of
from fairlead.shell.places.files_at_hand import FilesAtHand
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.places.world import (
    Identity,
    Look,
    identity_of,
    is_settled,
    is_there,
    looks,
    names_in,
    note_looks,
    same_answers,
)
from fairlead.shell.reader import read_script
from fairlead.shell.script import FileReader, NoText, Script

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fairlead.packs.project_files.committed_files import Head
    from fairlead.packs.project_files.sight import FileRead, Sight

_NONE: frozenset[str] = frozenset()


class Understood(Value):
    """A script, what it would do, and the files that were read for it; `left` are those that were left alone,
    since they are the system's or came with a package."""

    script: Script
    effects: tuple[Effect, ...] = ()
    files: tuple[FileRead, ...] = ()
    left: tuple[str, ...] = ()
    kept: dict[object, object] | None = None
    """What was made of it, as long as it holds; None where it does not hold for the next call."""


class _Followed(Value):
    """What was understood with the help of the disk, and all that the disk said."""

    understood: Understood
    identities: tuple[tuple[str, Identity | None], ...]
    heads: tuple[Head, ...]
    looks: tuple[Look, ...]

    def holds(self) -> bool:
        """Whether all files are the same, and the commits that they were compared with."""
        from fairlead.packs.project_files.committed_files import still_at

        return (
            all(identity_of(path) == identity for path, identity in self.identities)
            and all(map(still_at, self.heads))
            and same_answers(self.looks)
        )


_Key = tuple[str, str, str, Surroundings, bool, frozenset[str]]
_SHORT, _REMEMBERED = 1024, 256
_harmless: dict[_Key, Understood] = {}
"""Commands that do nothing which any rule could mind, by text and where they run: agents repeat them all day.

Only those that were understood without a look at the disk, whatever is on it.
"""
_followed: dict[_Key, _Followed] = {}
"""Commands that run files, as long as these are the same."""
_MOST_FOLLOWED, _MOST_COMMANDS = 64, 4000


class _Files:
    """Opens the room that reads files when the first one is asked for: most calls run none."""

    __slots__ = ("_also", "_versions", "_where", "sight")

    def __init__(
        self, where: Surroundings, also: frozenset[str], versions: Mapping[str, bytes] | None = None
    ) -> None:
        self._where = where
        self._also = also
        self._versions = versions or {}
        self.sight: Sight | None = None

    def __call__(self, path: str) -> bytes | NoText | None:
        if path in self._versions:
            return self._versions[path]
        if self.sight is None:
            from fairlead.packs.project_files.owners import Bounds
            from fairlead.packs.project_files.sight import Sight

            self.sight = Sight(Bounds(self._where.project, self._where.home), self._also)
        return self.sight(path)


def understood(
    text: str,
    cwd: str,
    where: Surroundings,
    *,
    home: str = "",
    follow: bool = True,
    also: frozenset[str] = _NONE,
) -> Understood:
    """What a command means, and what it would do; `home` is the shell's, if that is another one. `follow`:
    with what the files do that it runs, `also` those that would be left alone, or that no word names."""
    home = home or where.home
    key = (text, cwd, home, where, follow, also)
    known = _harmless.get(key)
    if known is not None:
        return known
    followed = _followed.get(key)
    if followed is not None and followed.holds():
        return followed.understood
    files = _Files(where, also) if follow else None
    noted: list[Look] = []
    before = looks()
    note_looks(noted)
    try:
        found = _read(text, cwd, where, home, files, also)
    finally:
        note_looks(None)
    if files is not None and files.sight is not None:
        found = found.replace(files=tuple(files.sight.files.values()), left=tuple(files.sight.left))
        found = _remember_followed(key, found, files.sight, noted)
    elif not found.effects and looks() == before and len(text) <= _SHORT:
        if len(_harmless) >= _REMEMBERED:
            _harmless.clear()
        _harmless[key] = found
    return found


def _read(
    text: str, cwd: str, where: Surroundings, home: str, files: FileReader | None, also: frozenset[str]
) -> Understood:
    variables = {"HOME": home, "PWD": cwd, "TMPDIR": "/tmp"}  # noqa: S108
    top = partial(_top, where.root) if files is not None or "--show-toplevel" in text else ""
    folders = names_in if files is not None else None
    script = read_script(
        text, cwd=cwd, home=home, top=top, environment=variables, files=files, folders=folders, own=also
    )
    at_hand = FilesAtHand(files, folders, top) if files is not None and script.code else None
    effects = tuple(effects_of(script, where if at_hand is None else where.replace(files=at_hand)))
    if at_hand is not None:
        script = at_hand.noted_in(script)
    return Understood(script, with_hidden_names(effects, script, where) if effects else ())


def effects_with(
    text: str, cwd: str, where: Surroundings, versions: Mapping[str, bytes]
) -> tuple[Effect, ...]:
    """What a command would do if these files held something else."""
    return understood_with(text, cwd, where, _Files(where, _NONE, versions)).effects


def understood_with(text: str, cwd: str, where: Surroundings, files: FileReader) -> Understood:
    """What a command means, and what it would do, if it found these files; nothing of it is remembered."""
    return _read(text, cwd, where, where.home, files, _NONE)


def _top(root: str) -> str:
    """The top of the repository, for a text that asks git for it."""
    return root.rstrip("/") if is_there(os.path.join(root, ".git")) else ""


def _remember_followed(key: _Key, found: Understood, sight: Sight, noted: list[Look]) -> Understood:
    """Not what has just been written: it may change again within the same moment of the disk's clock."""
    identities = tuple(sight.identities.items())
    own = len(found.script.commands)
    if len(key[0]) > _SHORT or own > _MOST_COMMANDS:
        return found
    if not all(is_settled(identity) for _, identity in identities):
        return found
    size = own + sum([len(f.understood.script.commands) for f in _followed.values()])
    if size > _MOST_COMMANDS or len(_followed) >= _MOST_FOLLOWED:
        _followed.clear()
    heads = tuple(sight.committed.heads.values())
    found = found.replace(kept={})
    _followed[key] = _Followed(found, identities, heads, tuple(dict.fromkeys(noted)))
    return found
