"""What the machine is taken to look like while one call is judged."""

from __future__ import annotations

from functools import lru_cache

from fairlead.model.installation import NOWHERE, Installation
from fairlead.model.value import Value, derived
from fairlead.shell.places.files_at_hand import FilesAtHand
from fairlead.shell.programs.lookup import SHIPPED, Programs

_NO_PROJECT = frozenset(
    ("", "/home", "/Users", "/root", "/etc", "/usr", "/var", "/opt", "/tmp", "/mnt", "/srv")  # noqa: S108
)


def _project_of(where: Surroundings) -> str:
    root, home = where.root.rstrip("/"), where.home
    return "" if root in _NO_PROJECT or root == home or home.startswith(root + "/") else root


@lru_cache(maxsize=16)
def _above_guard(guard: tuple[str, ...], installation: Installation) -> frozenset[str]:
    """Not those of what is made again when it is gone."""
    kept = {*guard, *installation.settings} - {*installation.passing}
    return frozenset(path[:end] or "/" for path in kept for end in range(len(path)) if path[end] == "/")


@lru_cache(maxsize=16)
def _inside(folders: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"{folder}/" for folder in folders)


class Surroundings(Value):
    """Its places, and what is known about its programs."""

    root: str
    home: str
    guard: tuple[str, ...] = ()
    """What is the guard's, wherever on this machine."""
    installation: Installation = NOWHERE
    ignores_case: bool = False
    """Whether the disk takes `.SSH` for `.ssh`."""
    programs: Programs = SHIPPED
    """What is known about programs, with what a person taught besides."""
    files: FilesAtHand | None = None
    """For the time of one reading that may look at the files which would run."""
    project: str = derived(_project_of)
    """The project root; empty where it is no project but the home or the system."""
    in_guard: tuple[str, ...] = derived(lambda where: _inside(where.guard))
    """How a path begins that is the guard's, with a slash behind it."""
    above_guard: frozenset[str] = derived(lambda where: _above_guard(where.guard, where.installation))
    """Every folder that something of the guard's lies in."""
    mark: int = derived(
        lambda where: hash(
            (where.root, where.home, where.guard, where.installation, where.ignores_case, id(where.programs))
        )
    )

    def __hash__(self) -> int:
        return self.mark  # asked for at every call
