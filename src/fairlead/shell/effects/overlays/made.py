"""Whether a source is made or changed by the line that lays it: then what is on the disk now says little."""

from __future__ import annotations

from collections.abc import Sequence

from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.effects.program_effects import is_asked
from fairlead.shell.effects.together.run_downloads import FETCHING
from fairlead.shell.places.world import is_folder
from fairlead.shell.script import Command, stands_before
from fairlead.shell.word_sets import names

_MAKING = frozenset((Action.WRITE, Action.OVERWRITE, Action.TRUNCATE, Action.MOVE_AWAY))
_LOOKING = names(
    """
    cd pushd popd echo printf ls test [ [[ true false : set export pwd cat grep egrep rg head tail wc which
    command type date sleep stat file du df find fd mkdir rmdir rm chmod sha256sum md5sum diff cmp env id
    whoami uname basename dirname realpath readlink mktemp trap read sort uniq
    """
)
"""Programs that make no file, or only under names that their effects tell."""
_FROM_ELSEWHERE = FETCHING | names(
    "git gh glab svn hg aws gsutil gcloud az rclone docker podman ssh kubectl npm"
)


def links_made(effects: Sequence[Effect], before: Command) -> dict[str, str]:
    """The links that a line makes before a command, each with where it leads."""
    links: dict[str, str] = {}
    aim = ""
    for effect in effects:
        if effect.name != "ln" or effect.target is None or not stands_before(effect.command, before):
            continue
        path = effect.target.path
        if effect.action is Action.READ:
            aim = path
        elif aim:
            links[f"{path}/{aim.rpartition('/')[2]}" if is_folder(path) else path] = aim
    return links


class Maker:
    """The commands before one that lays files."""

    def __init__(self, commands: Sequence[Command], effects: Sequence[Effect], command: Command) -> None:
        self._command = command
        self._before = [c for c in commands if c is not command and not stands_before(command, c)]
        self._effects = effects

    def makes(self, path: str, *, missing: bool) -> tuple[bool, bool] | None:
        """Whether that comes off the network, and whether it is certain; None where nothing makes it."""
        if not path:
            return None
        if missing and "python" in self._command.via:  # the code may have made it in ways that are not read
            return False, True
        feeding = self._command.pipeline if self._command.position else None
        makers = [c for c in self._before if c.argv and c.name not in _LOOKING and c.pipeline != feeding]
        network = any(c.name in _FROM_ELSEWHERE for c in makers)
        name = path.rpartition("/")[2]
        if any(self._makes(effect, path) for effect in self._effects) or any(
            name in word.text for c in makers for word in c.argv[1:] if self._is_unread(c)
        ):
            return network, True
        if any(map(self._is_unread, makers)):
            return network, missing
        return None

    def _makes(self, effect: Effect, path: str) -> bool:
        command, target = effect.command, effect.target
        if effect.action not in _MAKING or effect.name == "mkdir" or target is None:
            return False
        if stands_before(self._command, command) or command.argv is self._command.argv:
            return False
        return (
            not target.path or f"{target.path}/".startswith(f"{path}/") or path.startswith(f"{target.path}/")
        )

    @staticmethod
    def _is_unread(command: Command) -> bool:
        return not is_asked("named-files", command.name)
