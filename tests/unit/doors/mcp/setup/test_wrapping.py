"""What becomes of the text of a client's file: for every client, with the examples of the table."""

from __future__ import annotations

import json

import pytest

from fairlead.doors.mcp.setup.clients import Example, McpClient, known_clients
from fairlead.doors.mcp.setup.launches import Server
from fairlead.doors.mcp.setup.wrapping import Config, read_config, unwrapped, wrapped
from fairlead.errors import SettingsError

DOOR = "/home/me/.local/share/fairlead/bin/fairlead"
CLIENTS = known_clients()
EXAMPLES = [
    pytest.param(client, example, id=f"{client.id}-{at}")
    for client in CLIENTS.values()
    for at, example in enumerate(client.examples)
]


def config_of(client: McpClient, text: str) -> Config:
    return read_config((client.user or client.project)[0], text, client)


def wrap(client: McpClient, text: str, *command: str) -> str:
    return wrapped(config_of(client, text), command or (DOOR,), lambda server: server.environment)


def unwrap(client: McpClient, text: str, before: str) -> str:
    had = {server.pointer: _has_args(server) for server in config_of(client, before).servers}
    return unwrapped(config_of(client, text), lambda server: had.get(server.pointer, True))


def _has_args(server: Server) -> bool:
    return server.launch is not None and server.launch.args is not None


def vectors(client: McpClient, text: str) -> dict[str, tuple[str, ...]]:
    return {server.name: server.launch.words for server in config_of(client, text).servers if server.launch}


def after(example: Example) -> str:
    return example.after.replace("FAIRLEAD", DOOR)


@pytest.mark.parametrize("client", CLIENTS.values(), ids=CLIENTS)
def test_every_client_has_an_example_and_says_where_its_servers_are(client: McpClient) -> None:
    assert client.examples
    assert client.user or client.project
    assert client.title
    assert client.evidence in ("tried", "source", "documented")


@pytest.mark.parametrize(("client", "example"), EXAMPLES)
def test_the_door_stands_before_every_server_and_nothing_else_has_changed(
    client: McpClient, example: Example
) -> None:
    assert wrap(client, example.before) == after(example)


@pytest.mark.parametrize(("client", "example"), EXAMPLES)
def test_wrapping_twice_is_wrapping_once(client: McpClient, example: Example) -> None:
    assert wrap(client, after(example)) == after(example)


@pytest.mark.parametrize(("client", "example"), EXAMPLES)
def test_unwrapping_gives_every_byte_back(client: McpClient, example: Example) -> None:
    assert unwrap(client, after(example), example.before) == example.before


@pytest.mark.parametrize(("client", "example"), EXAMPLES)
def test_a_door_that_has_moved_is_changed_in_its_place_and_still_comes_out_whole(
    client: McpClient, example: Example
) -> None:
    moved = wrap(client, after(example), "/opt/x/bin/fairlead", "--home", "/srv/guard")
    assert all(
        words[:4] == ("/opt/x/bin/fairlead", "--home", "/srv/guard", "mcp")
        for words in vectors(client, moved).values()
    )
    assert unwrap(client, moved, example.before) == example.before
    assert wrap(client, moved) == after(example)


@pytest.mark.parametrize(("client", "example"), EXAMPLES)
def test_what_a_person_changes_elsewhere_in_the_meantime_stays(client: McpClient, example: Example) -> None:
    """By the same change to the text before and after."""
    edit = ("notes-mcp", "other-mcp") if "notes-mcp" in example.before else ("e", "e")
    edited = after(example).replace(*edit)
    assert unwrap(client, edited, example.before) == example.before.replace(*edit)


@pytest.mark.parametrize("line_end", ["\n", "\r\n"], ids=["unix", "windows"])
@pytest.mark.parametrize(("client", "example"), EXAMPLES)
def test_line_ends_stay_as_they_are(client: McpClient, example: Example, line_end: str) -> None:
    before = example.before.replace("\n", line_end)
    made = wrap(client, before)
    assert made == after(example).replace("\n", line_end)
    assert unwrap(client, made, before) == before


@pytest.mark.parametrize(
    "name", ["a b", "ä/ö", "--name", "x.y", "日本", 'with "quotes"', "back\\slash", "mcp", "tab\there"]
)
def test_odd_names_are_one_word_of_the_door(name: str) -> None:
    client = CLIENTS["claude-desktop"]
    before = json.dumps({"mcpServers": {name: {"command": "npx", "args": ["--", "x"]}}}, ensure_ascii=False)
    made = wrap(client, before)
    words = vectors(client, made)[name]
    assert words == (DOOR, "mcp", "--name", name, "--", "npx", "--", "x")
    assert wrap(client, made) == made
    assert unwrap(client, made, before) == before


@pytest.mark.parametrize("name", ["nul\0", "half \ud800", "--"], ids=["nul", "surrogate", "dashes"])
def test_a_name_that_no_program_can_be_given_is_refused(name: str) -> None:
    before = json.dumps({"mcpServers": {name: {"command": "npx"}}})
    with pytest.raises(SettingsError, match="cannot be the name of a server"):
        wrap(CLIENTS["claude-desktop"], before)


def test_a_server_that_was_renamed_gets_its_new_name_and_keeps_what_a_person_added() -> None:
    client = CLIENTS["cursor"]
    args = ["mcp", "--name", "old", "--grace", "9", "--no-such", "--env", "BY_HAND", "--", "npx"]
    before = json.dumps({"mcpServers": {"new": {"command": DOOR, "args": args, "env": {"KEY": "v"}}}})
    words = vectors(client, wrap(client, before))["new"]
    added = ("--grace", "9", "--env", "KEY", "--env", "BY_HAND")
    assert words == (DOOR, "mcp", "--name", "new", *added, "--", "npx")


def test_a_door_of_another_program_becomes_ours() -> None:
    client = CLIENTS["cursor"]
    before = '{"mcpServers": {"n": {"command": "fairlead", "args": ["mcp", "--name", "n", "--", "npx"]}}}'
    assert vectors(client, wrap(client, before))["n"][0] == DOOR


def test_a_disabled_server_is_wrapped_too() -> None:
    client = CLIENTS["cline"]
    before = '{"mcpServers": {"n": {"disabled": true, "command": "npx"}}}'
    assert vectors(client, wrap(client, before))["n"][0] == DOOR


def test_an_address_stays_as_it_is() -> None:
    for id, key in {
        "claude-code": "url",
        "windsurf": "serverUrl",
        "gemini": "httpUrl",
        "goose": "uri",
    }.items():
        client = CLIENTS[id]
        inner = {"x": {key: "https://example.com/mcp", "headers": {"Authorization": "Bearer x"}}}
        top = "extensions" if id == "goose" else "mcpServers"
        before = json.dumps({top: inner})
        assert wrap(client, before) == before
        assert config_of(client, before).servers[0].url == "https://example.com/mcp"


def test_a_client_that_rewrote_the_file_in_its_own_layout_is_unwrapped_by_meaning() -> None:
    client = CLIENTS["claude-code"]
    before = '{"mcpServers": {"a": {"command": "npx", "args": []}, "b": {"command": "uvx", "args": ["x"]}}}'
    rewritten = json.dumps({**json.loads(wrap(client, before)), "numStartups": 8}, indent=2)
    assert json.loads(unwrap(client, rewritten, before)) == {**json.loads(before), "numStartups": 8}


@pytest.mark.parametrize(
    ("path", "text", "words"),
    [
        ("x.json", '{"mcpServers": {"a": {"command": "x"}, "a": {"command": "y"}}}', "'a' stands twice"),
        ("x.json", '{"mcpServers": {"a": {"command": "x", "command": "y"}}}', "'command' stands twice"),
        ("x.json", '{"mcpServers": {"b": {"command": "x"}}, "mcpServers": {}}', "'mcpServers' stands twice"),
        ("x.json", '{"mcpServers": {"a": {"command": "x"}}, "mcpServers": {"b": {"command": "x"}}}', "twice"),
        ("x.json", '{"mcpServers": {', "belongs here"),
        ("x.json", '{"mcpServers": {"a": ' + '{"x": ' * 300, "nested deeper"),
        ("x.toml", "[mcpServers.a]\ncommand = ", "not TOML"),
        ("x.toml", "[mcpServers.a]\n[mcpServers.a]\n", "not TOML"),
        ("x.yaml", "mcpServers: {a: {command: x}\n", "not YAML"),
        ("x.yaml", "mcpServers: {a: {command: x}, a: {command: y}}\n", "'a' stands twice"),
        ("x.yaml", "a: 1\n---\nb: 2\n", "not YAML"),
        ("x.yaml", "mcpServers:\n  a: &one {command: x, args: [y]}\n  b: *one\n", "in place"),
    ],
)
def test_what_cannot_be_understood_is_refused(path: str, text: str, words: str) -> None:
    client = CLIENTS["claude-desktop"]
    with pytest.raises(SettingsError, match=words):
        wrapped(read_config(path, text, client), [DOOR], lambda server: ())


def test_a_file_with_nothing_in_it_has_no_servers() -> None:
    for path in ("x.json", "x.toml", "x.yaml"):
        assert read_config(path, "", CLIENTS["codex"]).servers == ()


def test_entries_that_start_nothing_are_left_alone() -> None:
    client = CLIENTS["zed"]
    before = '{"context_servers": {"e": {"source": "extension"}, "n": 1, "a": {"command": 3}}}'
    assert wrap(client, before) == before


@pytest.mark.parametrize("home", [[], ["--home", "/h"]])
@pytest.mark.parametrize("url", [["--url", "https://example.org/mcp"], ["--url=https://example.org/mcp"]])
def test_a_door_before_an_address_gets_no_second_one(home: list[str], url: list[str]) -> None:
    client = CLIENTS["cursor"]
    entry = {"command": DOOR, "args": [*home, "mcp", "--name", "tickets", *url]}
    text = json.dumps({"mcpServers": {"tickets": entry}})
    assert wrap(client, text) == text
    assert unwrap(client, text, text) == text
