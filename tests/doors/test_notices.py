"""What a person is told at once, by real hook calls and real programs."""

import json
import os
import pty
import re
import stat
import time
from pathlib import Path

import pytest

from fairlead.doors.hook.notices import notice_of
from fairlead.doors.hook.notifiers import desktop_command, terminal_sequence
from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.tool_call import call_named
from fairlead.model.verdict import Verdict

FORCE = "git push --force origin main"
TOKEN = "ghp_" + "a1B2" * 9


@pytest.fixture
def notifier(machine, tmp_path):
    """A program that keeps what it is told, and what it was started with."""
    program = tmp_path / "tell"
    program.write_text(
        '#!/bin/sh\ncd "$(dirname "$0")"\nenv >> env\nprintf "%s\\n" "$@" >> words\n'
        "{ cat; echo; } > telling.$$\ncat telling.$$ >> told\n"  # last; two may run at once
    )
    program.chmod(0o755)
    return program


def settings(machine, **fields):
    folder = machine.home / "config"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "notify.yaml").write_text(json.dumps(fields))


def told(program, count=1):
    """All notices, once there are so many."""
    file = program.parent / "told"
    end = time.monotonic() + 20
    while time.monotonic() < end:
        lines = file.read_text().splitlines() if file.exists() else []
        if len(lines) >= count:
            return [json.loads(line) for line in lines]
        time.sleep(0.02)
    raise AssertionError("nothing was told")


def told_of(program, occasions):
    """The notices by their occasion, once there is one of each."""
    end = time.monotonic() + 20
    while True:
        notices = {notice["occasion"]: notice for notice in told(program)}
        if occasions <= notices.keys():
            return notices
        assert time.monotonic() < end, f"told of {sorted(notices)} alone"
        time.sleep(0.02)


def test_nobody_is_told_anything_by_default(machine, notifier):
    machine.hook(machine.bash(FORCE))
    assert not (machine.home / "state" / "notices").exists()


def test_a_refusal_and_a_question_are_told_without_changing_the_answer(machine, notifier):
    before = machine.hook(machine.bash(FORCE)).stdout
    settings(machine, on=["ask", "block"], **{"with": [str(notifier), "--flag"]})
    assert machine.hook(machine.bash(FORCE)).stdout == before
    machine.hook(machine.bash("npm publish"))
    notices = told_of(notifier, {"block", "ask"})
    assert "git/force-push" in notices["block"]["body"] and "claude" in notices["block"]["title"]
    assert "npm publish" in notices["ask"]["body"]
    assert set((notifier.parent / "words").read_text().split()) == {"--flag"}


def test_what_ran_although_it_was_refused_is_told(machine, notifier):
    settings(machine, on=["ran"], **{"with": str(notifier)})
    refused = machine.bash(FORCE)
    machine.hook(refused)
    folder = machine.home / "state" / "notices"
    end = time.monotonic() + 20
    while not (folder.exists() and any(folder.iterdir())) and time.monotonic() < end:
        time.sleep(0.02)
    other = machine.bash("ls") | {"hook_event_name": "PostToolUse", "tool_response": "ok"}
    machine.hook(other)
    machine.hook(refused | {"hook_event_name": "PostToolUse", "tool_response": "ok"})
    assert [notice["occasion"] for notice in told(notifier)] == ["ran"]


def test_what_hostile_calls_say_stays_text(machine, notifier):
    settings(machine, on=["block"], **{"with": str(notifier)})
    command = (
        f"git push --force; --help $(touch {machine.project}/pwned) '; id' \x1b]0;x\x07 \u202e {TOKEN} <b>"
    )
    machine.hook(machine.bash(command))
    (notice,) = told(notifier)
    assert TOKEN not in json.dumps(notice)
    assert all(text.isprintable() for text in notice.values())
    assert not (machine.project / "pwned").exists()
    assert (notifier.parent / "words").read_text() == "\n"


def test_nothing_of_the_callers_environment_reaches_the_notifier(machine, notifier):
    settings(machine, on=["block"], **{"with": str(notifier)})
    machine.hook(machine.bash(FORCE), environment={"LD_PRELOAD": "", "EVIL": "1", "PATH": os.environ["PATH"]})
    told(notifier)
    names = {line.partition("=")[0] for line in (notifier.parent / "env").read_text().splitlines()}
    assert "EVIL" not in names and "LD_PRELOAD" not in names


def test_a_notifier_that_hangs_delays_nobody(machine, tmp_path):
    slow = tmp_path / "slow"
    slow.write_text(f"#!/bin/sh\ntouch {tmp_path}/begun\nsleep 1000\n")
    slow.chmod(0o755)
    settings(machine, on=["block"], **{"with": str(slow)})
    done = machine.hook(machine.bash(FORCE), timeout=30)
    assert done.returncode == 2


@pytest.mark.parametrize("way", ["/no/such/program", "/etc/passwd", "/"])
def test_a_notifier_that_is_none_changes_nothing(machine, way):
    settings(machine, on=["block"], **{"with": way})
    assert machine.hook(machine.bash(FORCE)).returncode == 2


def test_no_more_is_told_than_is_wanted_in_a_minute(machine, notifier):
    settings(machine, on=["block"], at_most=2, **{"with": str(notifier)})
    for _ in range(5):
        machine.hook(machine.bash(FORCE))
    told(notifier, 2)
    slots = list((machine.home / "state" / "notices").glob("told-*"))
    assert len({slot.name.split("-")[1] for slot in slots}) * 2 >= len(slots)
    assert stat.S_IMODE((machine.home / "state" / "notices").stat().st_mode) == 0o700


def test_a_project_cannot_have_anybody_told(machine, notifier):
    for folder in (machine.project / ".fairlead", machine.project):
        folder.mkdir(exist_ok=True)
        (folder / "notify.yaml").write_text(json.dumps({"on": ["block"], "with": str(notifier)}))
    machine.hook(machine.bash(FORCE))
    assert not (machine.home / "state" / "notices").exists()


@pytest.mark.parametrize(
    "text",
    [
        "on: ask",
        "on: [asks]",
        "on: [ask]\nwith: tell",
        "on: [ask]\nat_most: 0",
        "on: [ask]\nwhit: x",
        "[",
        "- a",
    ],
)
def test_settings_that_make_no_sense_are_said_and_tell_nobody(machine, text):
    (machine.home / "config").mkdir(parents=True)
    (machine.home / "config" / "notify.yaml").write_text(text)
    done = machine.fairlead("notify")
    assert done.returncode == 1 and b"notify.yaml" in done.stderr
    assert machine.hook(machine.bash(FORCE)).returncode == 2


def test_the_command_shows_the_settings_and_tries_them(machine, notifier):
    assert b"nothing" in machine.fairlead("notify").stdout
    settings(machine, on=["ask"], **{"with": str(notifier)})
    assert json.loads(machine.fairlead("notify", "--json").stdout)["on"] == ["ask"]
    assert machine.fairlead("notify", "--try").returncode == 0
    assert told(notifier)[0]["title"] == "Fairlead: a try"


def test_the_file_works_as_the_first_page_shows_it(machine):
    page = (Path(__file__).parents[2] / "docs" / "ask-less.md").read_text()
    (shown,) = re.findall(r"```yaml\n(on: .*?)```", page, re.DOTALL)
    (machine.home / "config").mkdir(parents=True)
    (machine.home / "config" / "notify.yaml").write_text(shown)
    found = json.loads(machine.fairlead("notify", "--json").stdout)
    assert (found["on"], found["with"], found["at_most"]) == (["ask", "block", "ran"], "notify-send", 6)


def test_the_terminal_of_the_person_gets_a_sequence_that_steers_nothing_else(machine):
    ours, theirs = pty.openpty()
    settings(machine, on=["block"], **{"with": "terminal"})
    machine.hook(machine.bash(f"{FORCE} \x1b]52;c;AAAA\x07"), environment={"SSH_TTY": os.ttyname(theirs)})
    shown = os.read(ours, 4096)
    os.close(ours)
    os.close(theirs)
    assert shown.startswith(b"\x1b]9;Fairlead: claude was refused")
    assert shown.count(b"\x1b]") == 2 and b"\x1b]52" not in shown and b"\x07" not in shown


def test_no_text_ends_its_own_sequence():
    tool = call_named("Bash", {"command": "a\x1b\\b\x9c;c\nd\x07"})
    event = Event(EventName.BEFORE_TOOL, agent="x\x1b", root="/p", tool=tool)
    sequence = terminal_sequence(notice_of("block", event, Verdict(Decision.BLOCK, rule="r")))
    assert sequence.count(b"\x1b") == 4 and b"\n" not in sequence and "\x9c".encode() not in sequence


def test_the_desktop_gets_words_and_neither_options_nor_markup():
    tool = call_named("Bash", {"command": "--hint=x <a href='http://x'>& rm -rf /"})
    event = Event(EventName.BEFORE_TOOL, agent="claude", root="/p", tool=tool)
    command = desktop_command(notice_of("ask", event, Verdict(Decision.ASK, rule="r")))
    assert command.index("--") == 2 and len(command) == 5
    assert "<" not in command[4] and command[4].startswith("--hint=x &lt;a")


def test_an_agent_cannot_change_what_the_person_is_told(machine):
    done = machine.fairlead("check", f"echo 'on: []' > {machine.home}/config/notify.yaml")
    assert done.returncode == 2 and b"self-protection" in done.stdout
