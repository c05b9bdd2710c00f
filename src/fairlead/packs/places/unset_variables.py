"""Deletions that a variable which nothing sets turns into a disaster."""

from __future__ import annotations

from fairlead.packs.rule import Scene
from fairlead.shell.effects.effect import Effect
from fairlead.shell.places.targets import Place, resolve
from fairlead.shell.script import Word, stands_before
from fairlead.shell.unknown import Kind
from fairlead.shell.word_sets import names

_DISASTERS = (Place.ROOT, Place.SYSTEM, Place.HOME_ROOT)
_EVERYTHING = names("* . ./ ./* .* ** ./** ..")


def fatal_if_unset(effect: Effect, scene: Scene) -> bool:
    """Whether an empty variable makes it delete the system, the home or the project."""
    if effect.target is None or not effect.recursive:
        return False
    word = effect.target.word
    if effect.command.cwd is None and word.known and word.text in _EVERYTHING:
        return _follows_unset_move(effect, scene)
    if not _is_unset(word):
        return False
    left = "".join(text for text, unknown in word.pieces if unknown is None)
    emptied = word.replace(text=left, opaque=None, prefix="", pieces=())
    return resolve(emptied, effect.command, scene.where).place in _DISASTERS


def _is_unset(word: Word) -> bool:
    """Whether all that is unknown of it are variables that the text never sets."""
    unknown = word.opaque
    return (
        bool(word.pieces) and unknown is not None and all(each.kind == Kind.UNSET for each in unknown.roots())
    )


def _follows_unset_move(effect: Effect, scene: Scene) -> bool:
    """`cd $DIR && rm -rf *`: without a folder `cd` goes home, and with an empty one it stays."""
    commands, here = scene.script.commands, effect.command
    moves = [c for c in commands if c.name in ("cd", "pushd") and stands_before(c, here)]
    return bool(moves) and any(_is_unset(word) for word in moves[-1].argv[1:])
