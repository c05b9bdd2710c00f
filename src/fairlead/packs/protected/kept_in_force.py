"""Whether an effect touches what keeps the guard in force: settings, start-up files, the guard's own files."""

from __future__ import annotations

from fairlead.packs.places.agent_settings import (
    is_agent_folder,
    is_agent_settings,
    is_beside,
    is_editor_settings,
)
from fairlead.packs.places.secret_paths import is_secret_directory
from fairlead.packs.places.startup_files import leads_to_such, runs_by_itself, stands_for_such
from fairlead.packs.protected.carried_commands import brings_a_command, brings_hooks
from fairlead.packs.protected.folders_above import reaches_guard, replaces_a_folder
from fairlead.packs.protected.server_lists import is_projects_list, loses_a_door
from fairlead.packs.rule import Scene
from fairlead.shell.effects.effect import LAID_UNSEEN, Action, Effect
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.targets import Place, Target, home_containing

_WRITES = (Action.WRITE, Action.OVERWRITE)
_OWN_NAMES = ("settings.local.json", ".mcp.json")
"""Names that nothing but an agent's settings have."""
_CUSTOMIZED = lazy(r"/(?:usercustomize|sitecustomize)\.py$|/[\w-]+\.pth$")
"""Wherever they lie, every Python that starts runs them."""
_EVERY_PYTHON = lazy(r"/(?:site|dist)-packages/(?:usercustomize|sitecustomize)\.py$")
_OWN_FOLDER = lazy(r"^\$\{?XDG_\w+\}?/fairlead(?:/|$)")
_HOME_PLACES = (Place.HOME, Place.SYSTEM, Place.HOME_ROOT)


def _paths(effect: Effect) -> set[str]:
    target = effect.target
    if target is None:
        return set()
    if not target.pattern:
        return {target.path, target.real} - {""}
    wanted = target.pattern.removeprefix("**/")
    named = (target.pattern, f".claude/{wanted}") if wanted in _OWN_NAMES else (target.pattern,)
    return {f"{path}/{name}" for path in (target.path, target.real) if path for name in named}


def _names_guard(target: Target) -> bool:
    """`~/bin/fairlead*`, `$XDG_STATE_HOME/fairlead`, or a path that a command finds out:
    `$(python3 -c 'import fairlead …')/x.py`."""
    if target.place is Place.UNKNOWN and _OWN_FOLDER.search(target.word.text):
        return True
    mentioned = target.word.opaque.mentions() if target.word.opaque is not None else ()
    return target.pattern.removeprefix("**/").startswith("fairlead") or any(
        "fairlead" in each for each in mentioned
    )


def is_own(effect: Effect, scene: Scene) -> bool:
    target = effect.target
    if target is None or target.place is Place.GUARD:
        return target is not None
    return bool(target.pattern) and reaches_guard(target, scene.where)


def changes_settings(effect: Effect, scene: Scene) -> bool:
    path = effect.target.path if effect.target else ""
    if effect.name in ("mkdir", "touch") and is_agent_folder(path):
        return False
    if effect.target and _names_guard(effect.target):
        return True
    if any(_decides(each, effect, scene) for each in _paths(effect)):
        return True
    return effect.action in _WRITES and not is_editor_settings(path) and brings_hooks(effect, scene)


def _decides(path: str, effect: Effect, scene: Scene) -> bool:
    """Whether what stands at this path decides about an agent, and would no longer say the same."""
    where = scene.where
    editors = is_editor_settings(path) and effect.action is not Action.DELETE
    if editors or is_projects_list(path, where):
        return loses_a_door(path, effect, scene)
    installed = where.installation
    return is_agent_settings(path) or is_beside(path, installed.settings) or path in installed.servers


def changes_projects_servers(effect: Effect, scene: Scene) -> bool:
    return any(is_projects_list(path, scene.where) for path in _paths(effect))


def changes_startup(effect: Effect, scene: Scene) -> bool:
    if effect.action is Action.CHANGE_PERMISSIONS or effect.name == "mkdir":
        return False
    if effect.target and _EVERY_PYTHON.search(effect.target.path):
        return True
    if effect.target_place is Place.UNKNOWN and effect.target:
        return bool(_CUSTOMIZED.search(effect.target.word.text))
    if effect.target_place not in _HOME_PLACES:
        return False
    homes = [(path, home_containing(path, scene.where)) for path in _paths(effect)]
    if any(home and runs_by_itself(path, home) for path, home in homes):
        return True
    if effect.target and effect.target.pattern and _globs_such(effect.target, scene):
        return True
    known = effect.target is not None and effect.target.word.known
    if (
        known
        and replaces_a_folder(effect)
        and any(home and leads_to_such(path, home) for path, home in homes)
    ):
        return True
    return effect.action in _WRITES and brings_a_command(effect, scene)


def _globs_such(target: Target, scene: Scene) -> bool:
    homes = ((path, home_containing(f"{path}/x", scene.where)) for path in {target.path, target.real})
    return any(home and stands_for_such(path, target.pattern, home) for path, home in homes)


def _is_own_difference(effect: Effect, scene: Scene) -> bool:
    """`diff -u a b > p; patch -p1 < p`: what the line itself found to differ."""
    if effect.command.name not in ("patch", "git"):
        return False
    return any(
        each.name == "diff" or (each.name == "git" and "diff" in [word.text for word in each.argv[1:3]])
        for each in scene.script.commands
    )


def covers_the_kept(effect: Effect, scene: Scene) -> bool:
    """A home, what holds the guard's own files or keys; the project, if it does not come from elsewhere."""
    if effect.target is None:
        return False
    path, place = effect.target.path, effect.target_place
    if place is Place.PROJECT_ROOT:
        return effect.name == LAID_UNSEEN and not _is_own_difference(effect, scene)
    holds = any(kept.startswith(f"{path}/") for kept in scene.where.guard)
    return place is Place.HOME_ROOT or holds or is_secret_directory(path)
