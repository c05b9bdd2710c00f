"""Which commands lay a tree, an archive or a patch over a folder: a quick test before any other."""

from __future__ import annotations

from fairlead.shell.effects.files.remote_copies import COPYING
from fairlead.shell.script import Command
from fairlead.shell.word_sets import names

COPIERS = names("cp gcp")
MOVERS = names("mv gmv")
MIRRORS = names("rsync scp")
MERGERS = names("ditto lndir cpdup robocopy xcopy")
LINKERS = names("ln gln install ginstall")
TARS = names("tar gtar bsdtar star pax jar")
PYTHONS = ("python", "pypy")
_OTHERS = names(
    "stow xstow unzip 7z 7za 7zz 7zr p7zip rar unrar unar dtrx aunpack ouch cpio bsdcpio dpkg dpkg-deb "
    "unsquashfs patch gpatch"
)
_ALWAYS = MOVERS | MIRRORS | MERGERS | LINKERS | TARS | _OTHERS
_FETCHING = names(
    "cp mv copy copyto sync rsync mirror clone checkout co export pull get dfs fs transfer bisync"
)
_OF_GIT = names("clone worktree apply am checkout-index")


def lays_files(command: Command, home: str) -> bool:
    """Whether it may lay more files over a folder than its words name."""
    name = command.name
    if name in _ALWAYS:
        return True
    if name in COPIERS:
        return any(word.glob or _means_trees(word.text) for word in command.argv[1:])
    if name in COPYING:
        return any(word.text in _FETCHING for word in command.argv[1:4])
    if name == "git":
        return _is_told_where(command, home)
    return name.startswith(PYTHONS) and any(word.text in ("zipfile", "tarfile") for word in command.argv[1:4])


def _means_trees(text: str) -> bool:
    """`-r`, `-a`, `-dR`, `--recursive`, `--archive` and how they may be shortened."""
    if text.startswith("--"):
        return text.startswith(("--r", "--a", "--p"))
    return text.startswith("-") and not {"r", "R", "a"}.isdisjoint(text)


def _is_told_where(command: Command, home: str) -> bool:
    """git lays files over its own work tree all day long; this is about another one, a new one, or a home."""
    if command.cwd == home or "GIT_WORK_TREE" in command.assignments:
        return True
    words = [word.text for word in command.argv[1:]]
    return any(text in _OF_GIT or text.startswith(("--work-tree", "-C")) for text in words)
