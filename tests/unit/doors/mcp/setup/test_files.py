"""Files of clients on disk: found, changed in one step, given back, and never destroyed."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from fairlead.doors.mcp.setup import files as setup_files
from fairlead.doors.mcp.setup.clients import Scope, ServerFile, Site, clients_named, files_of, known_clients
from fairlead.doors.mcp.setup.files import BACKUP, files_in, unwrap_file, wrap_file
from fairlead.doors.mcp.setup.ledger import ServerLedger
from fairlead.doors.mcp.setup.standing import Row, State, standings
from fairlead.errors import SettingsError, UsageError
from fairlead.packs.places.agent_settings import is_agent_settings, is_editor_settings
from fairlead.settings import files

CLIENTS = known_clients()
BARE = '{"mcpServers": {"notes": {"command": "sh", "env": {"KEY": "v"}}}}\n'


class Desk:
    """A home, a project, a program that stands for the door, and what Fairlead keeps."""

    def __init__(self, folder: Path) -> None:
        self.home, self.project = folder / "home", folder / "project"
        self.home.mkdir()
        self.project.mkdir()
        program = folder / "share" / "fairlead"
        program.parent.mkdir()
        program.write_text("#!/bin/sh\n")
        program.chmod(0o755)
        self.command = [str(program)]
        self._state = folder / "state"
        self._state.mkdir()

    @property
    def ledger(self) -> ServerLedger:
        return ServerLedger(str(self._state / "mcp-servers.json"))

    @property
    def site(self) -> Site:
        return Site(str(self.home), str(self.project), {}, "linux")

    def file(self, client: str, path: Path, content: str | bytes, scope: Scope = "user") -> ServerFile:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return ServerFile(CLIENTS[client], scope, str(path), str(self.project))

    def cursor(self, content: str | bytes = BARE) -> ServerFile:
        return self.file("cursor", self.home / ".cursor" / "mcp.json", content)

    def wrap(self, file: ServerFile) -> None:
        wrap_file(file, self.ledger, self.command)

    def unwrap(self, file: ServerFile) -> None:
        unwrap_file(file, self.ledger)

    def rows(self) -> list[Row]:
        return list(standings(self.site, self.ledger, self.command))


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


@pytest.mark.parametrize("platform", ["linux", "darwin"])
@pytest.mark.parametrize("client", CLIENTS)
def test_every_place_of_the_table_is_one_of_this_persons(client: str, platform: str) -> None:
    site = Site("/home/me", "/home/me/p", {}, platform)
    for pattern in CLIENTS[client].user:
        path = site.path_of(pattern)
        assert path.startswith("/home/me/")
        assert "{" not in path


def test_variables_move_files_as_they_do_for_the_client() -> None:
    variables = {"XDG_CONFIG_HOME": "/c", "CODEX_HOME": "/x", "CLAUDE_CONFIG_DIR": "/d"}
    site = Site("/home/me", "/p", variables, "linux")
    assert site.path_of(CLIENTS["codex"].user[0]) == "/x/config.toml"
    assert site.path_of(CLIENTS["claude-code"].user[0]) == "/d/.claude.json"
    assert site.path_of(CLIENTS["claude-desktop"].user[0]) == "/c/Claude/claude_desktop_config.json"
    assert site.replace(platform="darwin").path_of(CLIENTS["claude-desktop"].user[0]) == (
        "/home/me/Library/Application Support/Claude/claude_desktop_config.json"
    )


def test_files_are_found_where_they_are_and_each_once(desk: Desk) -> None:
    desk.cursor()
    desk.file("vscode", desk.home / ".config/Code/User/profiles/ab1/mcp.json", "{}")
    desk.file("copilot", desk.project / ".mcp.json", BARE)
    everyone = list(CLIENTS.values())
    assert [file.client.id for file in files_of(everyone, desk.site, "user")] == ["vscode", "cursor"]
    assert [file.client.id for file in files_of(everyone, desk.site, "project")] == ["claude-code"]


def test_a_client_that_nobody_knows_is_named() -> None:
    with pytest.raises(UsageError, match="'curser'") as told:
        clients_named(["curser"])
    assert told.value.hint == "did you mean 'cursor'?"


@pytest.mark.parametrize("name", CLIENTS)
def test_real_files_are_the_same_byte_for_byte_after_wrapping_and_unwrapping(desk: Desk, name: str) -> None:
    client = CLIENTS[name]
    for at, example in enumerate(client.examples):
        path = desk.home / str(at) / os.path.basename(client.user[0])
        file = desk.file(name, path, example.before)
        path.chmod(0o640)
        desk.wrap(file)
        assert path.read_text() == example.after.replace("FAIRLEAD", desk.command[0])
        assert Path(f"{path}{BACKUP}").read_text() == example.before
        assert path.stat().st_mode & 0o777 == 0o640
        desk.unwrap(file)
        assert path.read_text() == example.before
        assert sorted(path.parent.iterdir()) == [path]


def test_the_bytes_come_back_also_where_the_list_of_arguments_was_written_oddly(desk: Desk) -> None:
    odd = '{"mcpServers": {"notes": {"args": [ /* none */ ], "command": "\\u0073h"}, "b": {"command":"sh"}}}'
    file = desk.cursor(odd)
    desk.wrap(file)
    desk.wrap(file)
    desk.unwrap(file)
    assert Path(file.path).read_text() == odd


def test_a_server_that_was_added_in_the_meantime_stays_and_the_door_goes(desk: Desk) -> None:
    file = desk.cursor()
    desk.wrap(file)
    document = json.loads(Path(file.path).read_text())
    document["mcpServers"]["new"] = {"command": "env"}
    Path(file.path).write_text(json.dumps(document, indent=4))
    desk.unwrap(file)
    back = json.loads(Path(file.path).read_text())
    assert back == {"mcpServers": {**json.loads(BARE)["mcpServers"], "new": {"command": "env"}}}
    assert desk.ledger.files == {}


def test_wrapping_what_was_added_later_still_gives_everything_back(desk: Desk) -> None:
    file = desk.cursor()
    desk.wrap(file)
    edited = Path(file.path).read_text().replace("}}}", '}, "b": {"command": "env"}}}')
    Path(file.path).write_text(edited)
    desk.wrap(file)
    desk.unwrap(file)
    assert Path(file.path).read_text() == BARE.replace("}}}", '}, "b": {"command": "env"}}}')


def test_without_the_ledger_the_door_is_found_by_what_stands_in_the_file(desk: Desk) -> None:
    file = desk.cursor()
    desk.wrap(file)
    desk.ledger.forget(file.path)
    desk.unwrap(file)
    assert json.loads(Path(file.path).read_text())["mcpServers"]["notes"] == {
        **json.loads(BARE)["mcpServers"]["notes"],
        "args": [],
    }


def test_somebody_who_writes_the_file_at_the_same_moment_is_not_overwritten(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As Claude Code does, which keeps its counters in the same file."""
    file = desk.cursor()
    real = files.replace
    others = iter([BARE.replace("{", '{"n": 1, ', 1), BARE.replace("{", '{"n": 2, ', 1)])

    def meanwhile(path: str, before: bytes | None, after: bytes) -> tuple[str, ...]:
        told = next(others, None)
        if told is not None:
            Path(path).write_text(told)
        return real(path, before, after)

    monkeypatch.setattr(setup_files.files, "replace", meanwhile)
    desk.wrap(file)
    document = json.loads(Path(file.path).read_text())
    assert document["n"] == 2
    assert document["mcpServers"]["notes"]["command"] == desk.command[0]


def test_a_file_that_never_stands_still_is_left_alone(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    file = desk.cursor()
    real, count = files.replace, iter(range(100))

    def meanwhile(path: str, before: bytes | None, after: bytes) -> tuple[str, ...]:
        Path(path).write_text(BARE.replace("{", f'{{"n": {next(count)}, ', 1))
        return real(path, before, after)

    monkeypatch.setattr(setup_files.files, "replace", meanwhile)
    with pytest.raises(SettingsError, match="was changed by somebody else"):
        desk.wrap(file)
    assert desk.command[0] not in Path(file.path).read_text()


BROKEN = {
    "not JSON": (b'{"mcpServers": {', "belongs here"),
    "not UTF-8": (b'{"mcpServers": {"\xff": {"command": "x"}}}', "not UTF-8"),
    "huge": (b" " * (files.LIMIT + 1), "more than"),
    "twice": (b'{"mcpServers": {"a": {"command": "x"}, "a": {"command": "y"}}}', "'a' stands twice"),
    "a list": (b'["mcpServers"]', ""),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_file_that_cannot_be_understood_is_named_and_left_as_it_is(desk: Desk, name: str) -> None:
    content, words = BROKEN[name]
    file = desk.cursor(content)
    if words:
        with pytest.raises(SettingsError, match=words) as told:
            desk.wrap(file)
        assert file.path in told.value.message
        assert told.value.hint
    else:
        desk.wrap(file)
    assert Path(file.path).read_bytes() == content
    assert not os.path.exists(f"{file.path}{BACKUP}")


@pytest.mark.parametrize("kind", ["a folder", "a pipe", "no rights"])
def test_what_is_no_file_that_can_be_read_is_named_and_left_alone(desk: Desk, kind: str) -> None:
    if kind == "no rights" and os.geteuid() == 0:
        pytest.skip("NOT TESTED: root may read everything")
    file = desk.cursor()
    path = Path(file.path)
    if kind == "no rights":
        path.chmod(0)
    else:
        path.unlink()
        path.mkdir() if kind == "a folder" else os.mkfifo(path)
    with pytest.raises(SettingsError) as told:
        desk.wrap(file)
    assert file.path in told.value.message


def test_a_persons_own_link_is_followed_and_a_projects_is_not(desk: Desk) -> None:
    kept = desk.home / "dotfiles.json"
    kept.write_text(BARE)
    own, theirs = desk.home / ".cursor" / "mcp.json", desk.project / ".mcp.json"
    own.parent.mkdir()
    own.symlink_to(kept)
    theirs.symlink_to(kept)
    with pytest.raises(SettingsError, match="is a link") as told:
        desk.wrap(ServerFile(CLIENTS["claude-code"], "project", str(theirs), str(desk.project)))
    assert str(kept) in told.value.hint
    assert kept.read_text() == BARE
    file = ServerFile(CLIENTS["cursor"], "user", str(own), str(desk.project))
    desk.wrap(file)
    assert own.is_symlink()
    assert desk.command[0] in kept.read_text()
    desk.unwrap(file)
    assert kept.read_text() == BARE


def test_the_names_of_a_file_of_variables_are_passed_on(desk: Desk) -> None:
    (desk.project / ".env").write_text("# mine\nexport ONE=1\nTWO = 2\n")
    entry = '{"servers": {"n": {"command": "sh", "envFile": "${workspaceFolder}/.env"}}}'
    file = desk.file("vscode", desk.project / ".vscode" / "mcp.json", entry, "project")
    desk.wrap(file)
    words = json.loads(Path(file.path).read_text())["servers"]["n"]["args"]
    assert words == ["mcp", "--name", "n", "--env", "ONE", "--env", "TWO", "--", "sh"]


def test_the_ledger_knows_files_of_other_projects(desk: Desk) -> None:
    other = desk.file("claude-code", desk.home / "elsewhere" / ".mcp.json", BARE, "project")
    desk.wrap(other)
    assert [file.path for file in files_in(desk.ledger, str(desk.project))] == [other.path]


def test_a_ledger_that_cannot_be_read_is_named(desk: Desk) -> None:
    path = desk.home.parent / "state" / "mcp-servers.json"
    path.write_text("{")
    with pytest.raises(SettingsError, match=r"mcp-servers\.json cannot be read"):
        _ = desk.ledger


def states(desk: Desk) -> dict[str, State]:
    return {row.server: row.state for row in desk.rows()}


def test_status_tells_what_is_wrapped_unwrapped_and_remote(desk: Desk) -> None:
    file = desk.cursor()
    assert states(desk) == {"notes": State.UNWRAPPED}
    desk.wrap(file)
    assert states(desk) == {"notes": State.WRAPPED}
    desk.cursor('{"mcpServers": {"far": {"url": "https://example.com/mcp"}}}')
    assert states(desk) == {"far": State.REMOTE}


def test_status_tells_what_lost_its_door(desk: Desk) -> None:
    desk.wrap(desk.cursor())
    desk.cursor(BARE)
    [row] = desk.rows()
    assert row.state is State.CHANGED
    assert "taken away" in row.detail


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (('"notes": ', '"other": '), "calls it 'notes'"),
        (('"--name", ', '"--no-such", "--name", '), "told more"),
        (('{"KEY": "v"}', '{"KEY": "v", "MORE": "w"}'), "does not pass on MORE"),
    ],
)
def test_status_tells_when_the_door_no_longer_fits_its_entry(
    desk: Desk, edit: tuple[str, str], words: str
) -> None:
    file = desk.cursor()
    desk.wrap(file)
    Path(file.path).write_text(Path(file.path).read_text().replace(*edit))
    [row] = desk.rows()
    assert row.state is State.CHANGED
    assert words in row.detail
    desk.wrap(file)
    assert [row.state for row in desk.rows()] == [State.WRAPPED]


def test_status_tells_when_another_program_stands_for_the_door(desk: Desk) -> None:
    file = desk.cursor()
    desk.wrap(file)
    other = desk.home / "fairlead"
    other.write_text("#!/bin/sh\n")
    other.chmod(0o755)
    Path(file.path).write_text(Path(file.path).read_text().replace(desk.command[0], str(other)))
    [row] = desk.rows()
    assert (row.state, str(other) in row.detail) == (State.CHANGED, True)


def test_status_tells_what_cannot_be_started(desk: Desk) -> None:
    file = desk.cursor(BARE.replace('"sh"', '"/nowhere/server"'))
    desk.wrap(file)
    [row] = desk.rows()
    assert (row.state, row.detail) == (State.DEAD, "/nowhere/server is missing")
    desk.wrap(desk.cursor())
    os.unlink(desk.command[0])
    assert [row.state for row in desk.rows()] == [State.DEAD]


@pytest.mark.parametrize("program", ["${HOME}/x", "$X", "./x", "{env:X}"])
def test_a_program_that_only_its_client_can_find_is_not_called_dead(desk: Desk, program: str) -> None:
    desk.wrap(desk.cursor(BARE.replace('"sh"', f'"{program}"')))
    assert [row.state for row in desk.rows()] == [State.WRAPPED]


def test_a_file_that_cannot_be_read_is_one_row_of_its_own(desk: Desk) -> None:
    desk.cursor("{")
    [row] = desk.rows()
    assert (row.server, row.state) == ("", State.UNREADABLE)
    assert row.as_json()["client"] == "cursor"


@pytest.mark.parametrize("platform", ["linux", "darwin"])
@pytest.mark.parametrize("name", CLIENTS)
def test_every_file_of_the_table_is_protected_from_agents(name: str, platform: str) -> None:
    site = Site("/home/no-one", "/home/no-one/p", {}, platform)
    client = CLIENTS[name]
    paths = [*map(site.path_of, client.user), *(f"{site.project}/{each}" for each in client.project)]
    assert [each for each in paths if not (is_agent_settings(each) or is_editor_settings(each))] == []
