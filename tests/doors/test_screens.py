"""What commands print at four widths, word for word: `REWRITE_SCREENS=1` writes the files anew, to read."""

import os
from pathlib import Path

import pytest

from fairlead.doors.cli.presentation.wrapping import cells
from kit import Machine

SCREENS = Path(__file__).parents[1] / "data" / "screens"
COMMANDS = {
    "help": ["--help"],
    "packs": ["packs", "list"],
    "coverage": ["coverage"],
    "coverage-claude": ["coverage", "claude"],
    "hooks": ["hooks", "list"],
    "check-block": ["check", "cd / && rm -rf *"],
    "check-key": ["check", 'for f in a b; do bash -c "cat /etc/shadow"; done'],
    "check-pass": ["check", "git status"],
    "check-unquoted": ["check", "rm", "-rf", "/"],
    "no-word": ["packs"],
    "no-command": ["chekc"],
    "wrong-option": ["check", "--agent", "clade", "ls"],
    "wrong-folder": ["check", "--cwd", "/nowhere/at-all", "ls"],
    "wrong-policy": ["replay", "--policy", "/nowhere/at-all"],
    "wrong-value": ["log", "--since", "soon"],
}


@pytest.mark.slow
@pytest.mark.parametrize("width", [40, 60, 80, 120])
@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_prints_what_was_looked_at(machine: Machine, name: str, width: int) -> None:
    shown = screen(machine, COMMANDS[name], width)
    file = SCREENS / f"{name}.{width}.txt"
    if os.environ.get("REWRITE_SCREENS"):
        file.write_text(shown)
    assert shown == file.read_text()


@pytest.mark.parametrize("file", sorted(SCREENS.glob("*.txt")), ids=lambda file: file.stem)
def test_every_screen_fits_but_for_single_words(file: Path) -> None:
    width = int(file.stem.rsplit(".", 1)[1])
    for line in file.read_text().splitlines():
        assert cells(line) <= width or len(line.split()) <= 2, line


def screen(machine: Machine, words: list[str], width: int) -> str:
    """Without what differs from machine to machine."""
    done = machine.fairlead(*words, environment={"COLUMNS": str(width), "HOME": "/home/no-one"})
    text = (done.stdout + done.stderr).decode() + f"[exit {done.returncode}]\n"
    return text.replace(os.path.expanduser("~"), "/home/no-one")


def test_no_color_and_force_color_are_heeded(machine: Machine) -> None:
    plain = machine.fairlead("check", "rm -rf /", environment={"NO_COLOR": "1", "FORCE_COLOR": "1"})
    coloured = machine.fairlead("check", "rm -rf /", environment={"FORCE_COLOR": "1"})
    assert b"\x1b[" not in plain.stdout and b"\x1b[" in coloured.stdout


def test_fairlead_alone_says_how_things_stand_and_what_to_do_next(machine: Machine) -> None:
    done = machine.fairlead(environment={"HOME": str(machine.home)})
    assert done.returncode == 0
    assert b"No coding agent was found" in done.stdout or b"not guarded" in done.stdout
    assert b"fairlead check 'rm -rf ~'" in done.stdout
