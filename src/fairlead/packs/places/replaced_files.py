"""Files that a command would replace: those of a home, and programs that everyone uses."""

from __future__ import annotations

from fairlead.packs.rule import Scene
from fairlead.shell.effects.effect import LAID, Effect
from fairlead.shell.effects.network.pinned_releases import is_pinned_release
from fairlead.shell.places.targets import Place, home_containing, home_of, is_generated
from fairlead.shell.places.world import is_file, is_there
from fairlead.shell.word_sets import names

_KEEPING = names("-n --no-clobber -b --backup -i --interactive")
"""Options of cp and mv that leave the old file, or ask."""


def replaces_a_file(effect: Effect, scene: Scene) -> bool:
    """By a command: what a file tool writes, the person sees before it does."""
    target = effect.target
    texts = {word.text for word in effect.command.argv[1:]}
    if target is None or not (effect.command.argv or effect.command.redirects) or texts & _KEEPING:
        return False
    name = target.path.rpartition("/")[2]
    return is_file(target.path) and not is_generated(name) and not _is_in_repository(target.path)


def _is_in_repository(path: str) -> bool:
    """Whether a `.git` stands beside it or further up: another project, whose files git may hold."""
    folder = path.rpartition("/")[0]
    while folder.count("/") > 1:
        if is_there(f"{folder}/.git"):
            return True
        folder = folder.rpartition("/")[0]
    return False


_COMMANDS = names(
    "ls cp mv rm cat sh bash zsh git sudo su python python3 node npm pip ssh scp curl wget grep sed awk find ps kill env "
    "make doas tar gzip chmod less man vi vim top passwd login ssh-add gpg docker kubectl "
    "claude codex gemini qwen copilot opencode kilo cline cursor-agent droid auggie kiro-cli kimi amp fairlead fairlead-hook"
)


_FOUND_FIRST = tuple(
    f"/{folder}" for folder in names(".local/bin bin .cargo/bin go/bin .npm-global/bin .bun/bin .deno/bin")
)
"""Folders of a home that stand before the system's in the path of most people."""
_OF_THE_SYSTEM = ("/usr/bin", "/bin", "/usr/local/bin", "/usr/sbin", "/sbin", "/opt/homebrew/bin")
_DISTRIBUTED = names("node npm python python3 pip docker kubectl vim vi")
"""Commands that people unpack into their home, with all that belongs to them."""


def is_known_command(path: str) -> bool:
    """By its name and the folder: a program that everyone calls by its bare name."""
    folder, _, name = path.rpartition("/")
    return name in _COMMANDS and folder.endswith("/bin")


def is_command(effect: Effect, scene: Scene) -> bool:
    """A program in a home's own `bin` is found before the system's of the same name."""
    path = effect.target.path if effect.target is not None else ""
    folder, _, name = path.rpartition("/")
    if effect.name == LAID:
        home = home_of(path, scene.where)
        found_first = folder in (f"{home}/bin", f"{home}/.local/bin", "/usr/local/bin", "/usr/local/sbin")
        return found_first and name in _COMMANDS - _DISTRIBUTED
    if name in _COMMANDS:
        return effect.target_place is Place.LOCAL or is_known_command(path)
    home = home_containing(path, scene.where)
    first = bool(home) and folder[len(home) :] in _FOUND_FIRST
    if first and not is_there(path) and is_pinned_release(effect.command, name):
        return False
    return first and any(is_there(f"{system}/{name}") for system in _OF_THE_SYSTEM)
