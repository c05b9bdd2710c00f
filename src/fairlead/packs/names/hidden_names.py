"""Names that a glob, an unknown folder or other letters would hide: each effect is judged for what it may hit.

Rules know protected things by their names and places. An effect on a glob says neither, so it is judged again
for every protected thing that the glob may stand for, as if that had been written: no rule has to know globs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from fairlead.packs.places.agent_settings import is_agent_settings
from fairlead.packs.places.replaced_files import is_known_command
from fairlead.packs.places.secret_paths import is_secret, is_secret_directory
from fairlead.packs.places.startup_files import runs_by_itself
from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.paths import normal
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.places.targets import Place, Target, exact_target
from fairlead.shell.protected.candidates import GlobOptions, candidates, in_other_letters
from fairlead.shell.protected.name_patterns import WILD
from fairlead.shell.protected.spelled_paths import spelled_paths
from fairlead.shell.script import Command, Script
from fairlead.shell.word_sets import names

_READING = (Action.READ, Action.READ_SECRET, Action.SEND_DATA)
_KEPT = (Place.GUARD, Place.VCS)
_MOST_TARGETS = 64
_MOST_LOOKED_AT = 24
"""Globs of one line that are held against the disk; all are held against the spelled-out names."""
_TREE_READERS = names("rg ag ack ugrep tar rsync")
_TREE = lazy(r"^-[a-zA-Z]*[rR]|^--(?:dereference-)?recursive$")
_GREPS = names("grep egrep fgrep zgrep ggrep")


def variants(effects: Iterable[Effect], script: Script, where: Surroundings) -> Iterator[Effect]:
    """The same effects on each protected thing that their targets may be."""
    options = _glob_options(script, where)
    seen: set[tuple[object, ...]] = set()
    for effect in effects:
        target = effect.target
        key = (effect.action, effect.name, target and (target.path, target.pattern, target.word.text))
        if key not in seen:  # a line that says the same a hundred times is looked at once
            seen.add(key)
            look = options.look and len(seen) <= _MOST_LOOKED_AT
            yield from _variants(effect, options if look else options.replace(look=False), where)


def _variants(effect: Effect, options: GlobOptions, where: Surroundings) -> Iterator[Effect]:
    seen: set[str] = set()
    for target in _targets(effect, options, where):
        if target.path not in seen:
            seen.add(target.path)
            yield effect.replace(target=target)
        if len(seen) >= _MOST_TARGETS:
            return


def _targets(effect: Effect, options: GlobOptions, where: Surroundings) -> Iterator[Target]:
    target = effect.target
    assert target is not None
    if not target.path or (target.word.opaque and not target.pattern):
        yield from _in_unknown_folder(target, where)
    if not target.path:
        if target.word.glob and target.word.known:
            yield target.replace(path=where.root, real=where.root, pattern=target.word.text)
            yield from _matched(effect, where.root, target.word.text, options.replace(look=False), where)
        return
    folders, pattern = {target.path, target.real or target.path}, target.pattern
    if not pattern and (effect.action not in _READING or "/" in target.word.text):
        folder, pattern = _split(target.path)
        folders = {folder}
    if pattern:
        if not _stands_for_its_folder(effect):
            for folder in sorted(folders):
                yield from _matched(effect, folder, pattern, options, where)
    elif where.ignores_case:
        other = in_other_letters(target.path, spelled_paths(where))
        if other != target.path:
            yield exact_target(target.word, other, where)


def _split(path: str) -> tuple[str, str]:
    """A glob that was quoted, or came out of a variable: the program that is given it may expand it itself."""
    path = _CHOICE.sub(lambda match: f"@({match[1].replace(',', '|')})", path)
    wild = WILD.search(path)
    if wild is None:
        return path, ""
    fixed = path[: wild.start()].rpartition("/")[0]
    return fixed or "/", path[len(fixed) + 1 :]


_CHOICE = lazy(r"\{([^{}/]*,[^{}/]*)\}")
"""Braces that were quoted: curl and others make several addresses of them."""


def _stands_for_its_folder(effect: Effect) -> bool:
    """`grep -r x ~/.config/*` reads what `grep -r x ~/.config` does, and is judged as that."""
    target, command = effect.target, effect.command
    assert target is not None
    if effect.action not in _READING or not target.everything:
        return False
    if effect.recursive or effect.name == "git-add" or command.name in _TREE_READERS:
        return True
    return command.name in _GREPS and any(_TREE.match(word.text) for word in command.argv[1:])


def _matched(
    effect: Effect, folder: str, pattern: str, options: GlobOptions, where: Surroundings
) -> Iterator[Target]:
    target = effect.target
    assert target is not None
    reads = effect.action in _READING
    look = options.look and _is_expanded_here(effect)
    found_paths = candidates(
        folder, pattern, spelled_paths(where), options.replace(look=look, writes=not reads)
    )
    for each in found_paths:
        if reads and target.everything and each.folder:
            continue
        if each.linked or not each.certain or _is_worth_a_look(each.path, len(folder)):
            found = exact_target(target.word, each.path, where)
            if _counts(found, target, reads=reads):
                yield found


def _is_expanded_here(effect: Effect) -> bool:
    """Whether the shell expands the glob, and not a tool that searches by itself."""
    return bool(effect.command.argv or effect.command.redirects) and effect.name != "include"


def matched_on_disk(effect: Effect, script: Script, where: Surroundings) -> Iterator[str]:
    """All that the glob of an effect finds, protected or not."""
    target = effect.target
    if target is not None and target.pattern and target.path and _is_expanded_here(effect):
        options = _glob_options(script, where)
        found = candidates(target.path, target.pattern, spelled_paths(where), options)
        yield from (each.path for each in found if each.certain)


def _is_worth_a_look(path: str, known: int) -> bool:
    return path.find("/.", known) >= 0 or "fairlead" in path or is_protected_name(path)


def _counts(found: Target, target: Target, *, reads: bool) -> bool:
    if found.real != found.path and (found.place > target.place or _is_named(found.real, reads=reads)):
        return True
    return _is_named(found.path, reads=reads) or (found.place in _KEPT and not reads)


def _is_named(path: str, *, reads: bool) -> bool:
    return is_secret_name(path) or (not reads and is_protected_name(path))


def _in_unknown_folder(target: Target, where: Surroundings) -> Iterator[Target]:
    """What is said of its name counts as it would in the part that is known, or else in the project:
    `cat ~/$X/id_rsa`, `cd "$X" && cat id_rsa`."""
    for name in _known_endings(target):
        path = normal(f"{target.path or where.root}/{name}")
        found = exact_target(target.word, path, where)
        if found.place in _KEPT or is_protected_name(path):
            yield found.replace(place=found.place if found.place in _KEPT else target.place, real=path)


def _known_endings(target: Target) -> tuple[str, ...]:
    """The end of a path whose beginning is not known; what stands right behind the unknown part may be a name
    of its own, or the end of one."""
    word = target.word
    if word.known:
        return (word.text,) if word.text and "\0" not in word.text else ()
    known = word.ending
    if not known.strip("/") or "\0" in known:
        return ()
    return (known,) if known.startswith("/") else (known, f"x{known}")


@lru_cache(maxsize=4096)
def is_protected_name(path: str) -> bool:
    """Whether any rule that goes by the name would know this path."""
    return is_secret_name(path) or is_agent_settings(path) or runs_by_itself(path) or is_known_command(path)


@lru_cache(maxsize=4096)
def is_secret_name(path: str) -> bool:
    return is_secret(path) or is_secret_directory(path)


_OPTIONS = {
    "dotglob": "dotted",
    "globdots": "dotted",
    "nocaseglob": "ignore_case",
    "nocasematch": "ignore_case",
}


def _glob_options(script: Script, where: Surroundings) -> GlobOptions:
    """What the script says about globs, wherever it says it."""
    told = {
        _OPTIONS[word.text]
        for each in script.commands
        if _sets(each)
        for word in each.argv
        if word.text in _OPTIONS
    }
    return GlobOptions(dotted="dotted" in told, ignore_case=where.ignores_case or "ignore_case" in told)


def _sets(command: Command) -> bool:
    return command.name in ("shopt", "setopt", "set", "bash")
