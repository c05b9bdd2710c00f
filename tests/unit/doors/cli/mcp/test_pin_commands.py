"""`fairlead mcp pins`, `diff`, `pin` and `unpin`: what a person sees, and what only a person may do."""

import json

import pytest
from click.testing import CliRunner

from fairlead.doors.cli.mcp import diff, pin, pins, unpin
from fairlead.doors.cli.output import Session
from fairlead.doors.mcp.pins.pins import Pins
from fairlead.doors.mcp.pins.server_identity import ServerIdentity
from fairlead.doors.mcp.pins.server_record import ServerKey
from fairlead.doors.mcp.pins.store import PinStore
from fairlead.errors import TrustError, UsageError
from fairlead.policy.places import find_places
from kit import Machine

SERVER = ServerIdentity(("server",), program="/usr/bin/server")


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path / "home"


@pytest.fixture
def person(monkeypatch):
    """Somebody at the keyboard who says yes; what they were asked."""
    asked = []
    for command in (pin, unpin):
        monkeypatch.setattr(command, "require_human", lambda _, action, **__: asked.append(action))
    return asked


def tool(description="Adds."):
    return {"name": "add", "description": description, "inputSchema": {}}


def door(home, *tools, name="notes", scope="", identity=SERVER):
    made = Pins(PinStore(find_places(str(home))), ServerKey(name, scope), identity)
    made.seen(tools, complete=True)
    return made


def run(home, command, *words):
    done = CliRunner().invoke(command.command, words, obj=Session(str(home)), standalone_mode=False)
    if done.exception is not None:
        raise done.exception
    return done


def test_all_servers_are_listed_with_what_waits(home):
    door(home, tool())
    door(home, tool("Other."))
    door(home, tool(), name="other")
    shown = run(home, pins).stdout
    assert shown == "notes  1 tool; 1 waits\nother  1 tool\n"


def test_of_one_server_it_is_said_who_pinned_what(home):
    door(home, tool())
    shown = run(home, pins, "notes").stdout
    assert "tool add  first sight, 20" in shown and "server (/usr/bin/server)" in shown
    assert "tool add: pinned at first sight" in run(home, pins, "notes", "--history").stdout


def test_a_change_is_shown_with_every_letter_and_let_through_by_a_person(home, person):
    door(home, tool())
    made = door(home, tool("Adds.\u200b More."))
    shown = run(home, diff, "notes", "add").stdout
    assert "- Adds.\n" in shown and "+ Adds.⟨U+200B ZERO WIDTH SPACE⟩ More.\n" in shown
    assert made.blocked("add")
    done = run(home, pin, "notes", "add")
    assert shown in done.stdout and person == ["let through 1 definition of notes"]
    assert made.blocked("add") == ""
    assert run(home, diff).stderr == "nothing waits: everything is as it was pinned\n"


def test_another_command_is_let_through_with_the_whole_server_alone(home, person):
    door(home, tool())
    other = door(home, tool(), identity=ServerIdentity(("other",), program="/usr/bin/other"))
    assert "    + other (/usr/bin/other)" in run(home, diff).stdout
    run(home, pin, "notes", "add")
    assert other.blocked("add") and person == []
    run(home, pin, "notes")
    assert other.blocked("add") == "" and person == ["let through another command of notes"]


def test_what_is_forgotten_is_seen_for_the_first_time(home, person):
    door(home, tool())
    run(home, unpin, "notes")
    assert door(home, tool("Other.")).blocked("add") == "" and person == ["forget all of notes"]


@pytest.mark.parametrize(
    ("command", "words"), [(pin, ["notes"]), (unpin, ["notes"]), (unpin, ["notes", "add"])]
)
def test_without_a_person_nothing_is_let_through_and_nothing_forgotten(home, command, words, monkeypatch):
    monkeypatch.setenv("CLAUDECODE", "1")
    door(home, tool())
    made = door(home, tool("Other."))
    with pytest.raises(TrustError, match="a human is needed"):
        run(home, command, *words, "--yes")
    assert made.blocked("add")


def test_the_server_of_this_project_comes_before_the_users_own(home, tmp_path):
    door(home, tool(), scope=str(tmp_path))
    door(home, tool(), tool() | {"name": "b"})
    assert run(home, pins, "notes").stdout.startswith(f"notes in {tmp_path}  1 tool\n")


def test_the_only_server_of_a_name_is_found_wherever_it_is(home):
    door(home, tool(), scope="/elsewhere")
    assert run(home, pins, "notes").stdout.startswith("notes in /elsewhere")
    door(home, tool(), scope="/other")
    with pytest.raises(UsageError, match="/elsewhere, /other"):
        run(home, pins, "notes")
    assert "/other" in run(home, pins, "notes", "--in", "/other").stdout


def test_a_name_that_is_nobodys_gets_the_nearest(home):
    door(home, tool())
    with pytest.raises(UsageError) as error:
        run(home, diff, "nodes")
    assert "did you mean 'notes'?" in error.value.hint
    with pytest.raises(UsageError) as error:
        run(home, diff, "notes", "ad")
    assert "did you mean 'add'?" in error.value.hint


def test_programs_get_the_same_as_json(home):
    door(home, tool())
    door(home, tool("Other."))
    (one,) = json.loads(run(home, diff, "--json").stdout)
    assert one["items"][0]["changes"] == [{"where": "description", "before": "Adds.", "after": "Other."}]
    (listed,) = json.loads(run(home, pins, "--json").stdout)
    assert listed["items"][0]["waits"] == ["changed"] and listed["commands"] == ["server (/usr/bin/server)"]


def test_pins_that_cannot_be_read_are_named_and_can_be_forgotten(home, person):
    door(home, tool())
    store = PinStore(find_places(str(home)))
    with open(store.path(ServerKey("notes")), "w") as file:
        file.write("{")
    assert store.path(ServerKey("notes")) in run(home, pins).stderr
    run(home, unpin, "notes")
    assert door(home, tool()).blocked("add") == ""


@pytest.fixture(scope="module")
def machine(tmp_path_factory):
    return Machine(tmp_path_factory.mktemp("machine"))


@pytest.mark.parametrize(
    "command",
    [
        "fairlead mcp pin notes",
        "fairlead mcp pin --yes notes add",
        "fairlead mcp unpin notes",
        "python -m fairlead --home /x mcp pin notes",
        "W=pin; fairlead mcp $W notes",
        "rm -rf ~/.local/state/fairlead/mcp/pins",
        "echo '{}' > ~/.local/state/fairlead/mcp/pins/0.json",
        "sed -i s/a/b/ ~/.local/state/fairlead/mcp/pins/*",
    ],
)
def test_an_agent_can_neither_let_through_nor_change_pins(machine, command):
    done = machine.fairlead("check", command)
    assert done.returncode == 2 and b"self-protection/" in done.stdout


@pytest.mark.parametrize("command", ["fairlead mcp pins", "fairlead mcp diff notes add", "fairlead mcp env"])
def test_an_agent_may_look_at_pins(machine, command):
    assert machine.fairlead("check", command).returncode == 0
