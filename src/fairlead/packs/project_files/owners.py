"""Whose a file is: the system's, somebody's who installed it, the person's own work, or written since.

Those of the system and installed ones are not followed, whatever they hold.
"""

from __future__ import annotations

import os
from typing import NamedTuple

from fairlead.shell.lazy_pattern import lazy

COMMITTED = "committed"
"""Its content is what the last commit has there."""
WRITTEN = "written"
"""Anybody may have written it since the last commit, the agent as well."""
FETCHED = "fetched"
"""The session fetched it from another machine."""


_SYSTEM = (
    "/usr/",
    "/bin/",
    "/sbin/",
    "/lib",
    "/etc/",
    "/nix/",
    "/snap/",
    "/System/",
    "/Library/",
    "/Applications/",
)
_BY_HAND = ("/usr/local/", "/opt/", "/home/linuxbrew/", "/gnu/")
_PACKAGES = lazy(
    r"/(?:node_modules|bower_components|site-packages|dist-packages|vendor/bundle|\.tox|\.nox|\.yarn|\.pnpm)/"
    r"|/\.?v?env(?:[._-][\w.-]+|\d*)/(?:bin|lib|lib64|Scripts)/|/\.(?:direnv|pyenv|rbenv|nodenv|virtualenv)/"
)
_AT_HOME = (
    "bin/",
    "go/bin/",
    "go/pkg/",
    "Library/",
    "snap/",
    "miniconda3/",
    "anaconda3/",
    "google-cloud-sdk/",
)
_OTHERS_MAY_WRITE = 0o022


class Bounds(NamedTuple):
    """The folders of the project and of the user."""

    project: str
    home: str


def is_system_file(path: str, status: os.stat_result, bounds: Bounds) -> bool:
    """Root's, and nobody else can change it. To root itself everything is root's: then its place decides."""
    if status.st_uid != 0 or status.st_mode & _OTHERS_MAY_WRITE or _is_below(path, *bounds):
        return False
    return path.startswith(_SYSTEM) if os.getuid() == 0 else True


def is_installed(path: str, bounds: Bounds) -> bool:
    """In a folder of packages or tools: what is in it was chosen when it was installed.

    A tool of the user's home (`~/.nvm`, `~/.local/bin`) is the user's: following it would tell what thousands
    of lines of somebody else could do at worst, and nothing of this call.
    """
    if _is_below(path, bounds.project):
        return bool(_PACKAGES.search(path[len(bounds.project) :]))
    if _is_below(path, bounds.home):
        inside = path[len(bounds.home.rstrip("/")) + 1 :]
        return inside.startswith((".", *_AT_HOME)) or bool(_PACKAGES.search(path))
    return path.startswith(_BY_HAND) or bool(_PACKAGES.search(path))


def _is_below(path: str, *folders: str) -> bool:
    return any(folder and path.startswith(f"{folder.rstrip('/')}/") for folder in folders)
