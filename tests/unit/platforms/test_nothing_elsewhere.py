"""What only one system has is used in the room of the systems alone."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import fairlead

SOURCE = Path(fairlead.__file__).parent
MODULES = {"fcntl", "pwd", "grp", "msvcrt", "winreg", "resource"}
NAMES = {
    *(
        "O_PATH",
        "O_DIRECT",
        "SO_PEERCRED",
        "LOCAL_PEERCRED",
        "epoll",
        "kqueue",
        "pidfd_open",
        "pidfd_send_signal",
    ),
    *("memfd_create", "splice", "pipe2", "killpg", "getpwuid", "setns", "copy_file_range"),
}
FOLDER = "/proc/"
ALONE = {
    "doors/client.py": "it imports nothing of ours, and asks for the system itself",
    "doors/bash/bridge.py": "hooks.bash holds its text, and it ends elsewhere",
    "doors/bash/recorded.py": "the other half of it",
    "doors/scripts/deadline.py": "its watcher is a file that runs alone",
    "doors/daemon/large_pages.py": "Linux alone, and it says so first",
}
READS_COMMANDS = ("shell/", "packs/")
"""There `/proc` is what commands speak of."""


def files() -> Iterator[tuple[str, ast.Module]]:
    for path in sorted(SOURCE.rglob("*.py")):
        name = path.relative_to(SOURCE).as_posix()
        if not name.startswith("platforms/") and name not in ALONE:
            yield name, ast.parse(path.read_text())


def of_one_system(name: str, tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in MODULES)
        elif isinstance(node, ast.ImportFrom):
            yield from (alias.name for alias in node.names if alias.name in NAMES or node.module in MODULES)
        elif isinstance(node, ast.Attribute) and node.attr in NAMES:
            yield node.attr
        elif (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and not name.startswith(READS_COMMANDS)
        ):
            yield from [node.value] if node.value.startswith(FOLDER) else []


def test_nothing_of_one_system_is_used_outside_the_room() -> None:
    found = {f"{name}: {what}" for name, tree in files() for what in of_one_system(name, tree)}
    assert found == set()


@pytest.mark.parametrize(
    "text",
    [
        "import fcntl",
        "from fcntl import flock",
        "import os\nos.killpg(1, 9)",
        "from os import pidfd_open",
        "open(f'/proc/{pid}/stat')",
        "import select\nselect.epoll()",
    ],
)
def test_the_search_finds_what_it_is_for(text: str) -> None:
    assert list(of_one_system("doors/any.py", ast.parse(text)))


def test_what_stands_alone_is_still_there() -> None:
    assert [name for name in ALONE if not (SOURCE / name).is_file()] == []
