"""From what a call does, as the guard reads it, to what has to be saved before it runs."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from itertools import pairwise

from fairlead.model.value import Value
from fairlead.packs.judging.call_effects import Call
from fairlead.packs.judging.saving import LOSING
from fairlead.packs.repository.disk_matches import is_pattern, literal, matching
from fairlead.packs.repository.git_folder import find_repository
from fairlead.packs.repository.limits import Budget, CannotTell
from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.effects.git.scratch_repositories import DISCARDING, TRANSPARENT, points_elsewhere
from fairlead.shell.places.targets import Place
from fairlead.shell.script import Command, stands_before
from fairlead.shell.word_sets import names
from fairlead.undo.gathering import Wanted
from fairlead.undo.git.needs import WHOLE_STATE, changes_repository, need_of_command, need_of_effect
from fairlead.undo.git.record import GitNeed
from fairlead.undo.limits import NotSavedError
from fairlead.undo.saving import Losses

_WHOLE = frozenset((Action.DELETE, Action.MOVE_AWAY))
_INTO = frozenset((Action.OVERWRITE, Action.WRITE))
_CONTENT = frozenset((Action.DELETE, Action.MOVE_AWAY, Action.TRUNCATE, Action.OVERWRITE, Action.WRITE))
_OWN_PLACES = frozenset((Place.PROJECT, Place.PROJECT_ROOT))
_LATER = names("sleep wait watch at batch crontab inotifywait entr watchexec nodemon until read systemd-run")
"""Behind them, a file may be another by the time that it is lost."""
_LINKING = names("ln link mount")
_NAME_TESTS = names("-name -iname -path -ipath -wholename -regex -iregex")
_AT_ONCE = TRANSPARENT | {"find"}
"""They run a command now, and on this machine."""
_KEPT = ("/.git", "/.fairlead")
_MOST_GIT_FILES = 5_000
_AN_OBJECT = "0a" * 19


class _Here(Value):
    """The project, with its links followed, and what was asked of the disk so far."""

    root: str
    call: Call
    budget: Budget


def losses_of(call: Call, needed: Iterable[Effect], *, root: str) -> Losses:
    """All that the call would lose in the project. Raises NotSavedError where not all of what is `needed` is
    known; what else cannot be known is left as it is today."""
    here = _Here(root, call, Budget())
    due = list(needed)
    if due:
        _check_moment(call, due)
    wanted: dict[str, Wanted] = {}
    need: GitNeed | None = None
    folder = ""
    for effect in _effects(call):
        is_due = any(effect is each for each in due)
        try:
            if effect.action in DISCARDING:
                folder, more = _git_need(effect, here, folder)
                need = more if need is None else need.joined(more)
                continue
            for each in _wanted(effect, here):
                known = wanted.get(each.path)
                wanted[each.path] = each if known is None else _wider(known, each)
        except (NotSavedError, CannotTell, OSError) as error:
            if is_due or (due and _carries_in(effect)):
                raise NotSavedError(str(error)) from error
    for command in call.script.commands:
        quiet = need_of_command(command)
        if quiet is not None and _runs_here(command, here):
            folder = folder or str(command.cwd)
            need = quiet if need is None else need.joined(quiet)
    need = _with_company(need, call) if need is not None else None
    return Losses(tuple(wanted.values()), folder, need, exact=bool(due))


def _with_company(need: GitNeed, call: Call) -> GitNeed:
    """What else the line does may put work into a commit or a stash first, and have it lost with that; and it
    may change what git ignores."""
    changes = sum(map(changes_repository, call.script.commands))
    if changes > 1:
        need = need.joined(WHOLE_STATE)
    others = any(effect.action not in DISCARDING for effect in _effects(call))
    assigned = any(command.name == "git" and command.assignments for command in call.script.commands)
    return need.replace(ignored=need.ignored or (need.untracked and (changes > 1 or others or assigned)))


def _effects(call: Call) -> Iterator[Effect]:
    return (effect for effect in call.effects if effect.action in LOSING)


def _carries_in(effect: Effect) -> bool:
    """Whether it takes something along that is not in the project, so that what is lost there later may be
    more than what is there now."""
    return effect.action in _WHOLE and (effect.target is None or effect.target.place is not Place.TEMPORARY)


def _check_moment(call: Call, due: list[Effect]) -> None:
    if any(command.name in _LATER for command in call.script.commands):
        raise NotSavedError("it waits before it does that, and files may be others by then")
    if "symlink" in call.script.text.lower() or _links_before(call, due):
        raise NotSavedError("it makes a link first, and another path may lead elsewhere then")
    for effect in due:
        if effect.command.cwd_else:
            raise NotSavedError("the folder that it runs in cannot be known")
        if any(wrapper.name not in _AT_ONCE for wrapper in effect.command.wrappers):
            raise NotSavedError("another program decides where and when it runs")


def _links_before(call: Call, due: list[Effect]) -> bool:
    links = [command for command in call.script.commands if command.name in _LINKING]
    return any(stands_before(link, effect.command) for link in links for effect in due)


def _wider(one: Wanted, other: Wanted) -> Wanted:
    return one.replace(whole=one.whole or other.whole, content=one.content or other.content)


def _wanted(effect: Effect, here: _Here) -> Iterator[Wanted]:
    target = effect.target
    if target is None or target.place not in _OWN_PLACES:
        if target is not None and target.place is Place.GENERATED:
            return
        raise NotSavedError("it is not in the project")
    if target.word.opaque is not None or not target.path:
        raise NotSavedError("its target cannot be known before it runs")
    whole = effect.action in _WHOLE and (effect.recursive or effect.action is Action.MOVE_AWAY)
    content = effect.action in _CONTENT
    for path, narrowed in _paths(effect, here):
        is_folder = os.path.isdir(path) and not os.path.islink(path)
        if is_folder and effect.action in _INTO and not _is_searched(effect.command):
            continue  # something is put into it, and that has a target of its own
        recursive = whole or narrowed or effect.recursive or (content and effect.name != "rmdir")
        keeps_git = narrowed or effect.name == "git-rm"
        yield Wanted(path, whole=recursive, content=content, without_git=keeps_git)
        if os.path.islink(path) and _goes_through(effect):
            yield from _behind_link(path, here, whole=recursive, content=content)


def _is_searched(command: Command) -> bool:
    """Whether its target stands for what a search finds below it."""
    ways = (*(wrapper.name for wrapper in command.wrappers), *command.via)
    return any(way.startswith("find") for way in ways)


def _goes_through(effect: Effect) -> bool:
    """Whether it works on what a link leads to; to delete or to move takes the link itself."""
    slash = effect.target is not None and effect.target.word.text.endswith("/")
    searched = effect.command.name == "find" or _is_searched(effect.command)
    return effect.action not in _WHOLE or effect.name == "shred" or slash or searched


def _behind_link(path: str, here: _Here, *, whole: bool, content: bool) -> Iterator[Wanted]:
    """What is written or set through a link changes where that leads."""
    real = os.path.realpath(path)
    if real.startswith(f"{here.root}/"):
        yield Wanted(_placed(real, here), whole=whole, content=content)


def _paths(effect: Effect, here: _Here) -> Iterator[tuple[str, bool]]:
    """What is there, with the links on the way followed; and whether only some of what is in it is meant."""
    target = effect.target
    assert target is not None
    if target.pattern.startswith("**/"):
        _check_search(effect, here)
        yield _placed(target.path, here), True
    elif target.pattern:
        hidden = target.pattern.startswith(".") or "glob" in here.call.script.text.lower()
        for path in matching(f"{literal(target.path)}/{target.pattern}", here.budget):
            if path.endswith(_KEPT) and not hidden:  # a star takes no hidden names
                continue
            if effect.recursive or os.path.islink(path) or not os.path.isdir(path):
                yield _placed(path, here), False
    else:
        yield _placed(target.path, here), False


def _placed(path: str, here: _Here) -> str:
    """Raises NotSavedError for what is not the project's own, or is the repository itself."""
    parent, name = os.path.split(path.rstrip("/"))
    full = os.path.join(os.path.realpath(parent), name)
    if full != here.root and not full.startswith(f"{here.root}/"):
        raise NotSavedError(f"{path} is not in the project")
    if ".git" in full[len(here.root) :].split("/") or ".fairlead" in full[len(here.root) :].split("/"):
        raise NotSavedError(f"{path} is kept by git or by the guard")
    return full


def _check_search(effect: Effect, here: _Here) -> None:
    """A search by names may find some in the folder of the repository, of which nothing is saved."""
    patterns = []
    searches = [command.argv for command in here.call.script.commands if command.name == "find"]
    searches += [wrapper.argv for wrapper in effect.command.wrappers if wrapper.name == "find"]
    for argv in searches:
        words = [word.text for word in argv]
        if not {"-L", "-follow"}.isdisjoint(words):
            raise NotSavedError("it follows links")
        patterns += [after for test, after in pairwise(words) if test in _NAME_TESTS]
    for name in _git_names(here):
        if not patterns or any(fnmatchcase(name, pattern.rsplit("/", 1)[-1]) for pattern in patterns):
            raise NotSavedError("it may find files of the repository itself")


def _git_names(here: _Here) -> Iterator[str]:
    count = 0
    for folder, folders, files in os.walk(os.path.join(here.root, ".git")):
        if "objects" in folders and folder.endswith("/.git"):
            folders.remove("objects")
            yield _AN_OBJECT
        count += len(files)
        if count > _MOST_GIT_FILES:
            raise NotSavedError("the repository is too large to look through")
        yield from (*files, *folders)


def _git_need(effect: Effect, here: _Here, folder: str) -> tuple[str, GitNeed]:
    command = effect.command
    if not _runs_here(command, here):
        raise NotSavedError("it is about another repository than the project's")
    if folder and find_repository(folder, here.budget) != find_repository(str(command.cwd), here.budget):
        raise NotSavedError("it is about several repositories")
    repository = find_repository(str(command.cwd), here.budget)
    need = need_of_effect(effect, repository.top) if repository is not None else None
    if need is None:
        raise NotSavedError("what it takes away cannot be kept")
    return str(command.cwd), need


def _runs_here(command: Command, here: _Here) -> bool:
    """Whether it is about the repository of the project, or one in it, and nothing else."""
    if command.cwd is None or is_pattern(command.cwd) or command.cwd_else:
        return False
    if points_elsewhere(here.call.script):
        return False
    try:
        repository = find_repository(command.cwd, here.budget)
    except (CannotTell, OSError):
        return False
    return repository is not None and f"{repository.top}/".startswith(f"{here.root}/")
