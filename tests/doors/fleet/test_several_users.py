"""Root's agent on a machine of its own with two real users: whose decisions arrive, and what one of them can
do to root, and to the other."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from fleet_broker import needs_broker
from fleet_workshop import eventually

from fairlead.fleet.telling.privacy import Privacy
from machine_of_several import PEOPLE
from managed_kit import OURS, Lab, why_no_lab

pytestmark = [
    pytest.mark.slow,
    needs_broker,
    pytest.mark.skipif(bool(why_no_lab()), reason=f"NOT TESTED WITH SEVERAL USERS: {why_no_lab()}"),
]
TESTS = Path(__file__).parents[2]
CENTRE = "/var/lib/centre"
AS_EVE = "cd /; setpriv --reuid 4343 --regid 4343 --clear-groups env HOME=/home/eve"
JOURNAL = ".local/state/fairlead/journal"
EVES = f"/home/eve/{JOURNAL}"


class Machine:
    """Dev and Eve are ordinary users of it. Root's agent runs, and both have made a call before it began."""

    def __init__(self) -> None:
        self.lab = Lab()
        self.lab.root(
            "echo eve:x:4343:4343::/home/eve:/bin/bash >> /etc/passwd; install -d -o 4343 -g 4343 /home/eve"
        )
        self.lab.root(f"{OURS} install --system claude; mkdir -p {CENTRE}")
        self.dev("ls")
        self.eve("ls")
        path = f"{TESTS}:{TESTS}/doors"
        words = f"{OURS.parent}/python3 {TESTS}/machine_of_several.py {CENTRE} {OURS}"
        self.lab.root(f"PYTHONPATH={path} setsid {words} > {CENTRE}/log 2>&1 < /dev/null &")
        eventually(lambda: self.lab.ask("root", line="ls /var/lib/fairlead/fleet/spool/begun")["code"] == 0)

    def dev(self, command: str) -> None:
        self.lab.user(f"cd /home/dev/project; {call(command)}", code=None)

    def eve(self, command: str) -> None:
        self.lab.root(f"{AS_EVE} bash -c {quoted(call(command))}", code=None)

    def eve_does(self, line: str) -> None:
        self.lab.root(f"{AS_EVE} bash -c {quoted(line)}")

    def decisions(self, user: str) -> list[str]:
        """That arrived under the pseudonym of this user."""
        lines = [each["line"] for each in self._messages()]
        name = Privacy(people=PEOPLE).pseudonym("user", user)
        return [line["verdict"]["decision"] for line in lines if line.get("user") == name]

    def ids(self) -> list[str]:
        return [each["line"]["id"] for each in self._messages()]

    def status(self) -> str:
        return self.lab.root("cat /var/lib/fairlead/fleet/status.json", code=None)

    def _messages(self) -> list[dict]:
        text = self.lab.root(f"cat {CENTRE}/messages.json", code=None)
        return json.loads(text) if text.startswith("[") else []


def call(command: str) -> str:
    payload = {
        "session_id": "s",
        "cwd": "/",
        "hook_event_name": "PreToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": command},
    }
    return f"printf %s {quoted(json.dumps(payload))} | /opt/fairlead/bin/fairlead-hook claude PreToolUse"


def quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


@pytest.fixture(scope="module")
def machine() -> Iterator[Machine]:
    made = Machine()
    yield made
    made.lab.close()


def test_the_decisions_of_each_user_arrive_under_a_pseudonym_of_their_own(machine: Machine) -> None:
    before = len(machine.decisions("dev")), len(machine.decisions("eve"))
    machine.dev("rm -rf /")
    machine.eve("ls")
    machine.eve("pwd")
    eventually(lambda: machine.decisions("dev")[before[0] :] == ["block"])
    eventually(lambda: machine.decisions("eve")[before[1] :] == ["continue", "continue"])
    assert "dev" not in {*machine.decisions("nobody")}


ATTACKS = {
    "a pipe that nobody writes to": "mkfifo $J/journal.000001.jsonl",
    "a pipe in place of the journal": "mv $J/journal.jsonl $J/aside; mkfifo $J/journal.jsonl",
    "a link to the other's journal": "ln -sf /home/dev/$B/journal.jsonl $J/journal.000002.jsonl",
    "a link to a file of root's": "ln -sf /etc/shadow $J/journal.000003.jsonl",
    "a folder in place of a journal": "mkdir $J/journal.000004.jsonl",
    "a line without an end": "truncate -s 3G $J/journal.000005.jsonl",
    "a deep document": "python3 -c 'print(\"[\" * 200000)' > $J/journal.000006.jsonl",
    "the folder is a link to the other's": "mv $J $J.aside; ln -s /home/dev/$B $J",
    "the folder above is a link to the other's": (
        "cd ~/.local; mv state state.aside; ln -s /home/dev/.local/state state"
    ),
    "a file in place of the folder": "mv $J $J.aside; touch $J",
    "no folder at all": "mv $J $J.aside",
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_what_one_user_puts_there_neither_stops_the_other_nor_makes_root_read_or_write_elsewhere(
    machine: Machine, attack: str
) -> None:
    before = len(machine.decisions("dev")), len(machine.decisions("eve"))
    machine.eve_does(f"J={EVES}; B={JOURNAL}; {ATTACKS[attack]}")
    try:
        machine.dev("rm -rf /")
        eventually(lambda: len(machine.decisions("dev")) == before[0] + 1)
        assert len(machine.decisions("eve")) == before[1], "what is the other's, or root's, under this name"
        assert len(set(machine.ids())) == len(machine.ids())
        assert machine.lab.root("find /home -user root") in ("", "/home\n")
    finally:
        back = f"cd ~; rm -rf $J.{os.getpid()}; rm -f ~/.local/state 2>/dev/null; "
        back += "[ ! -e ~/.local/state.aside ] || mv -T ~/.local/state.aside ~/.local/state; "
        back += "[ -d $J -a ! -L $J ] || rm -f $J; [ ! -e $J.aside ] || mv -T $J.aside $J; "
        back += "rm -rf $J/journal.0*; [ ! -e $J/aside ] || mv -f $J/aside $J/journal.jsonl"
        machine.eve_does(f"J={EVES}; {back}")
    machine.eve("ls")
    eventually(lambda: len(machine.decisions("eve")) == before[1] + 1)
