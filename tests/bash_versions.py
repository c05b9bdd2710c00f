"""Which bash the tests of the bash door run, and which others there are.

`make bashes` fetches them into a folder for each version. FAIRLEAD_BASH names such a folder: its bash is then
the one of all these tests, and of the hooks in them.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

VERSIONS = ("4.4", "5.0", "5.1", "5.2", "5.3")
"""From the oldest that the door works with; the last two numbers of a version change nothing for it."""

PLACE = Path(os.environ.get("FAIRLEAD_BASHES") or Path.home() / ".cache" / "fairlead-bashes")
_OWN = "/usr/local/bin:/usr/bin:/bin"


def search_path(folder: Path | str = "") -> str:
    """Where scripts in tests find programs: `bash` in this folder, if it is given."""
    folder = folder or os.environ.get("FAIRLEAD_BASH", "")
    programs = str(Path(sys.executable).parent)
    return f"{folder}:{programs}:{_OWN}" if folder else f"{programs}:{_OWN}"


def version_of(bash: str) -> str:
    said = subprocess.run([bash, "--version"], capture_output=True, text=True, check=False).stdout
    found = re.search(r"version (\d+\.\d+)", said)
    return found[1] if found else ""


def own_version() -> str:
    bash = shutil.which("bash", path=search_path())
    return version_of(bash) if bash else ""


def folder_of(version: str) -> Path | None:
    """A folder with a `bash` of this version."""
    folder = PLACE / version
    return folder if version_of_file(folder / "bash") == version else None


def version_of_file(bash: Path) -> str:
    return version_of(str(bash)) if bash.exists() else ""
