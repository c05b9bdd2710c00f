"""Writes of which only the beginning is known, and that is a home: the rest may be anything in it."""

from __future__ import annotations

from fairlead.packs.rule import Scene
from fairlead.shell.effects.effect import Effect
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.paths import normal
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.places.targets import Place
from fairlead.shell.script import Word
from fairlead.shell.unknown import Unknown
from fairlead.shell.word_sets import names

_HOMES = (Place.HOME, Place.HOME_ROOT)
_VARIABLE_OF_ONE_NAME = lazy(
    r"\$\{?(?:\$|USER\b|LOGNAME\b|HOSTNAME\b|RANDOM\b|UID\b|EPOCHSECONDS\b|SECONDS\b|BASHPID\b)"
)
_PRINTING_ONE_NAME = names("date whoami hostname uname uuidgen id nproc basename seq mktemp")
_IN_GIT = names("rev-parse describe")
"""What holds or prints a date, a number or a name, and no path."""
_PROGRAMS = "/.local/bin/"
"""Where people put programs of every name."""


def may_be_protected(effect: Effect, scene: Scene) -> bool:
    """Whether the unknown rest can make the path one that the rules know: `~/$F`, but not `~/notes/$F.md`."""
    target = effect.target
    if target is None or target.word.known or target.place not in _HOMES or effect.name == "mkdir":
        return False
    begun = _beginning(target.word, effect.command.cwd)
    return begun != "" and _is_possible(begun, _ending(effect), target.word, scene.where)


def _beginning(word: Word, cwd: str | None) -> str:
    if word.prefix.startswith("/"):
        text = word.prefix
    elif cwd is None:
        return ""
    else:
        text = f"{cwd}/{word.prefix}"
    folder, _, name = text.rpartition("/")
    return f"{normal(folder or '/').rstrip('/')}/{name}"


def _ending(effect: Effect) -> str:
    """A file that is copied into a folder keeps its name."""
    assert effect.target is not None
    ending = effect.target.word.ending
    if not ending.endswith("/") or effect.name not in ("cp", "mv", "install"):
        return ending.rstrip("/")
    return ending + effect.detail.rstrip("/").rsplit("/", 1)[-1]


def _is_one_name(part: Unknown) -> bool:
    if not part.stages:
        return _VARIABLE_OF_ONE_NAME.match(part.name) is not None
    program, *words = part.stages[-1]
    if program == "git":
        return not _IN_GIT.isdisjoint(words[:1])
    given_path = program != "basename" and any("/" in word for word in words)
    return program in _PRINTING_ONE_NAME and not given_path


def _is_possible(begun: str, ending: str, word: Word, where: Surroundings) -> bool:
    from fairlead.shell.protected.spelled_paths import spelled_paths  # only where something is unknown

    one_name = word.opaque is not None and all(map(_is_one_name, word.opaque.parts()))
    shortest = len(begun) + len(ending)
    for path in spelled_paths(where).below(begun.rpartition("/")[0] or "/"):
        if path.startswith(begun) and path.endswith(ending) and len(path) >= shortest:
            unknown = path[len(begun) : len(path) - len(ending)]
            if _PROGRAMS not in path and not (one_name and "/" in unknown):
                return True
    return False
