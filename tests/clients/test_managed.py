"""Managed settings of real agents: installed by `fairlead install --system` alone on a machine of their own,
where an ordinary user tries every switch against them. Each run writes down what came of it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from clients_kit import CACHE, REAL_AGENTS, RIG
from fairlead.dialects.managed.forms import MANAGED
from managed_kit import OURS, Lab, why_no_lab
from managed_switches import CLOSED, COMMAND, OPEN, TRIES, Try

pytestmark = [
    *REAL_AGENTS,
    pytest.mark.skipif(bool(why_no_lab()), reason=f"NOT TESTED WITH MANAGED SETTINGS: {why_no_lab()}"),
]
MANAGED_SWITCH = "managed switch"
PLACED = "/opt/fairlead/bin/fairlead"
HARMLESS: dict[str, dict[str, str]] = {
    "shell": {"kind": "shell", "command": "touch /home/dev/treasure/ran"},
    "shell, of several commands": {
        "kind": "shell",
        "command": "cd /home/dev/project && echo a | cat > b; (true) && touch ../treasure/ran",
    },
    "write": {"kind": "write", "path": "/home/dev/project/ran", "content": "x"},
}


@pytest.fixture(scope="module")
def lab() -> Iterator[Lab]:
    made = Lab()
    made.root(f"{OURS} install --system")
    yield made
    made.close()


def started(lab: Lab, client: str, tried: Try | None = None, *, harmless: bool = False) -> dict[str, Any]:
    tried = tried or Try("", CLOSED)
    files = {name: text.replace(COMMAND, command_in(lab, client)) for name, text in tried.files.items()}
    given = {"files": files, "env": tried.env, "args": tried.args, "harmless": harmless}
    return lab.agent(client, clients=CACHE, rig=RIG, **given)


def command_in(lab: Lab, client: str) -> str:
    """As it has to stand within a string of JSON."""
    if client != "gemini":
        return ""
    hooks = json.loads(lab.root(f"cat {MANAGED[client].path}"))["hooks"]
    return json.dumps(hooks["BeforeTool"][0]["hooks"][0]["command"])[1:-1]


@pytest.mark.proves("off-switches")
@pytest.mark.parametrize("client", TRIES)
def test_an_ordinary_user_is_guarded_and_not_hindered(lab: Lab, client: str) -> None:
    refused = started(lab, client)
    assert refused["asked"] and not refused["ran"], refused
    assert "Blocked by Fairlead" in refused["told"], refused
    assert started(lab, client, harmless=True)["ran"]


@pytest.mark.proves("off-switches")
@pytest.mark.parametrize(
    ("client", "tried"),
    [
        pytest.param(client, tried, id=f"{client}-{tried.name}")
        for client, tries in TRIES.items()
        for tried in tries
    ],
)
def test_what_a_switch_does_to_managed_hooks_is_as_it_is_told(
    lab: Lab, client: str, tried: Try, record_property: Callable[[str, object], None]
) -> None:
    if tried.second:
        lab.root(f"{PLACED} install --system --second-line {client}")
    if tried.damage:
        lab.root(tried.damage)
    try:
        came = started(lab, client, tried)
    finally:
        if tried.damage or tried.second:
            lab.root(repair(client))
    state = OPEN if came["ran"] else CLOSED
    record_property(MANAGED_SWITCH, [client, tried.name, state if state == OPEN else f"{state}: {how(came)}"])
    assert state == tried.expected, came
    assert state == OPEN or not came["asked"] or "Fairlead" in came["told"], "somebody else refused it"


def how(came: dict[str, Any]) -> str:
    if came["asked"]:
        return "the call is refused"
    if came["exit"]:
        return f"it does not start (exit {came['exit']})"
    return "the prompt is refused" if "Fairlead" in came["said"] else "its tools are withheld"


def repair(client: str) -> str:
    """An administrator runs the command again, after a file that nobody can read any more was put aside."""
    path = MANAGED[client].path
    again = f"{PLACED} install --system --no-second-line {client}"
    back = "for each in /opt/fairlead/env /opt/fairlead/bin/fairlead-hook; do "
    back += "[ ! -e $each.aside ] || mv -T $each.aside $each; done; "
    return f"{back} rm -f {path} /etc/github-copilot/policy.d/a.json; {again}"


@pytest.mark.proves("off-switches")
@pytest.mark.parametrize("kind", ["shell", "shell, of several commands", "write"])
@pytest.mark.parametrize("client", ["gemini"])
def test_a_second_line_hinders_nobody_whose_hooks_answer(lab: Lab, client: str, kind: str) -> None:
    lab.root(f"{PLACED} install --system --second-line {client}")
    try:
        came = lab.agent(client, clients=CACHE, rig=RIG, deed=HARMLESS[kind])
    finally:
        lab.root(repair(client))
    assert came["ran"], came


@pytest.mark.proves("off-switches")
@pytest.mark.parametrize("client", ["gemini"])
def test_a_second_line_denies_the_writing_of_files_too(lab: Lab, client: str) -> None:
    lab.root(f"{PLACED} install --system --second-line {client}")
    moved = {"GEMINI_CLI_SYSTEM_SETTINGS_PATH": "/nonexistent"}
    try:
        came = lab.agent(client, clients=CACHE, rig=RIG, env=moved, deed=HARMLESS["write"])
    finally:
        lab.root(repair(client))
    assert came["asked"] and not came["ran"], came
    assert "Fairlead did not judge" in came["told"]
