"""Files that a command would replace: those of a home, and programs that everyone uses."""

from __future__ import annotations

from fairlead.packs.rule import Scene
from fairlead.shell.effects.effect import Effect
from fairlead.shell.tables import names
from fairlead.shell.targets import Place, is_generated
from fairlead.shell.world import is_file, is_there

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
    "make doas tar gzip chmod less man vi vim top passwd login ssh-add gpg docker kubectl"
)


def is_command(effect: Effect, scene: Scene) -> bool:
    """A program in a home's own `bin` is found before the system's."""
    path = effect.target.path if effect.target is not None else ""
    folder, _, name = path.rpartition("/")
    return name in _COMMANDS and (effect.target_place is Place.LOCAL or folder.endswith("/bin"))
