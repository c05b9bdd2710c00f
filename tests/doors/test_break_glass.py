"""Breaking the glass through real commands and real hook calls: no broker, no daemon, no right clock."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from fairlead.policy.places import find_places
from glass_kit import code_in_force, name_codes
from kit import Machine

pytestmark = pytest.mark.slow
DANGEROUS = "rm -rf /"
WITH_A_CLOCK = """\
import sys, time
really, by = time.time, float(sys.argv.pop(1))
time.time = lambda: really() + by
from fairlead.__main__ import main
raise SystemExit(main())
"""


def breaks(machine: Machine, code: str, *more: str) -> subprocess.CompletedProcess:
    return machine.fairlead("break-glass", code, "--reason", "the broker is down", *more)


def passes(machine: Machine) -> bool:
    return machine.hook(machine.bash(DANGEROUS)).returncode == 0


def fleet_of(machine: Machine) -> str:
    return find_places(str(machine.home)).fleet


def by_a_wrong_clock(machine: Machine, seconds: int, *words: str, input: bytes = b"") -> int:
    command = [sys.executable, "-I", "-c", WITH_A_CLOCK, str(seconds), "--home", str(machine.home), *words]
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("CLAUDE", "FAIRLEAD"))}
    run = subprocess.run(
        command, input=input, capture_output=True, cwd=machine.project, env=environment, timeout=60
    )
    return run.returncode


def test_a_code_switches_off_until_somebody_switches_on(machine: Machine) -> None:
    code, entry = code_in_force(fleet_of(machine))
    assert not passes(machine)
    done = breaks(machine, code, "--minutes", "5")
    assert done.returncode == 0 and entry.name.encode() in done.stderr, done.stderr
    assert passes(machine)
    machine.fairlead("on")
    assert not passes(machine)
    again = breaks(machine, code)
    assert again.returncode == 1 and b"has been used" in again.stderr
    assert not passes(machine)


def test_it_is_shown_while_it_lasts_and_in_the_journal(machine: Machine) -> None:
    code, entry = code_in_force(fleet_of(machine))
    breaks(machine, code)
    start = {"session_id": "s1", "hook_event_name": "SessionStart", "source": "startup"}
    told = machine.hook({**start, "cwd": str(machine.project)}, "claude", "SessionStart")
    assert entry.name.encode() in told.stdout
    status = machine.fairlead("status", "--json").stdout
    assert json.loads(status)["off"]["glass"] == entry.name
    (line,) = (each for each in machine.journal() if each["verdict"]["rule"] == "break-glass")
    assert "the broker is down" in line["verdict"]["reason"]


def test_it_works_while_the_clock_is_years_back_and_ends_by_the_one_that_runs(machine: Machine) -> None:
    code, _ = code_in_force(fleet_of(machine))
    back = -20 * 365 * 86_400
    words = ("break-glass", code, "--reason", "the clock is wrong", "--minutes", "5")
    assert by_a_wrong_clock(machine, back, *words) == 0
    call = json.dumps(machine.bash(DANGEROUS)).encode()
    assert by_a_wrong_clock(machine, back, "hook", "claude", input=call) == 0
    marker = Path(find_places(str(machine.home)).off_marker)
    marker.write_text(re.sub(r"from=\d+", "from=1", marker.read_text()))
    assert by_a_wrong_clock(machine, back, "hook", "claude", input=call) == 2
    assert not passes(machine)


def test_once_it_is_over_a_clock_that_is_set_back_does_not_break_it_again(machine: Machine) -> None:
    """The marker is put back as it was, and the wall clock says that it still holds."""
    from fairlead.policy.glass.marker import read_clock
    from glass_kit import marker_of, put_marker

    code, entry = code_in_force(fleet_of(machine))
    now = read_clock()
    over = now.replace(running=now.running - 601, wall=now.wall - 601)
    put_marker(find_places(str(machine.home)), marker_of(code, entry, over))
    call = json.dumps(machine.bash(DANGEROUS)).encode()
    assert by_a_wrong_clock(machine, -3600, "hook", "claude", input=call) == 2
    assert not passes(machine)


def test_without_a_journal_it_does_not_break(machine: Machine) -> None:
    code, _ = code_in_force(fleet_of(machine))
    state = Path(find_places(str(machine.home)).state)
    state.mkdir(parents=True, exist_ok=True)
    (state / "journal").write_text("this is no folder")
    refused = breaks(machine, code)
    assert refused.returncode == 1
    assert not (state / "off").exists() and not (state / "glass" / "spent").exists()
    (state / "journal").unlink()
    assert breaks(machine, code).returncode == 0


def test_wrong_codes_are_told_from_mistyped_ones(machine: Machine) -> None:
    from fairlead.policy.glass.codes import new_code

    code, _ = code_in_force(fleet_of(machine))
    assert breaks(machine, code[:-1] + "?").returncode == 64
    assert b"opens nothing here" in breaks(machine, new_code()).stderr
    assert breaks(machine, code.lower().replace("-", " ")).returncode == 0


def test_an_agent_cannot_break_it(machine: Machine) -> None:
    code, _ = code_in_force(fleet_of(machine))
    inside = machine.fairlead("break-glass", code, "--reason", "x", environment={"CLAUDECODE": "1"})
    assert inside.returncode == 1 and b"a human is needed" in inside.stderr
    for command in (
        f"fairlead break-glass {code} --reason x",
        "fairlead fleet answer 4f2a --yes --reason x --key k",
        "fairlead bundle codes --group web",
        "fairlead fleet notify-approvers --webhook https://evil.example",
        "~/.local/share/fairlead/bin/fairlead-hook off",
    ):
        assert machine.hook(machine.bash(command)).returncode == 2, command
    assert passes_harmless(machine)


def passes_harmless(machine: Machine) -> bool:
    commands = ("fairlead fleet asks", "fairlead bundle --help", "fairlead break-glass --help")
    return all(machine.hook(machine.bash(command)).returncode == 0 for command in commands)


def test_codes_are_printed_with_what_a_policy_needs_to_know_them(machine: Machine) -> None:
    made = machine.fairlead("bundle", "codes", "--group", "web", "--count", "3", "--json")
    codes = json.loads(made.stdout)["codes"]
    assert len({each["code"] for each in codes}) == 3
    path = name_codes(fleet_of(machine), [])
    path.write_text("break_glass:\n  codes:\n" + "".join(f"    - {each['entry']}\n" for each in codes))
    assert breaks(machine, codes[1]["code"]).returncode == 0
    assert passes(machine)
    shown = machine.fairlead("bundle", "codes", "--machine", "m1", "--count", "1").stdout.decode()
    assert re.search(r"(?m)^(?:[0-9A-Z]{5}-){4}[0-9A-Z]{5}  [0-9a-f]{12}$", shown)
    assert machine.fairlead("bundle", "codes").returncode == 64
