"""Whatever servers a file has and however it is written: the door goes in, is the same the second time, and
comes out again without a trace."""

from __future__ import annotations

import json
from typing import Any

import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from fairlead.doors.mcp.setup.clients import known_clients
from fairlead.doors.mcp.setup.launches import Server
from fairlead.doors.mcp.setup.wrapping import read_config, unwrapped, wrapped
from fairlead.settings.formats.notation import quoted

DOOR = "/home/me/.local/share/fairlead/bin/fairlead"
CLIENTS = known_clients()
WORDS = st.one_of(
    st.sampled_from(
        ["-y", "--", "x", "${VAR}", "${input:key}", "$V", "mcp", "--name", "a, b", "#", "'", ": "]
    ),
    st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=12),
)
NAMES = st.one_of(
    st.sampled_from(["notes", "a b", "x.y", "-n"]), WORDS.filter(lambda word: word not in ("", "--"))
)
ENTRIES = st.fixed_dictionaries(
    {"command": WORDS.filter(bool)},
    optional={
        "args": st.lists(WORDS, max_size=4),
        "env": st.dictionaries(st.sampled_from(["KEY", "TOKEN", "Ä"]), WORDS, max_size=3),
        "disabled": st.booleans(),
        "timeout": st.integers(0, 9000),
        "nested": st.just({"command": "not this", "args": ["one"]}),
    },
)
DOCUMENTS = st.dictionaries(NAMES, ENTRIES, max_size=4)


def _json(servers: dict[str, Any], indent: int | str | None, *, comments: bool) -> str:
    text = json.dumps({"first": 1, "mcpServers": servers, "last": [1]}, indent=indent, ensure_ascii=False)
    return text.replace("{\n", "{ // mine\n").replace("[\n", "[ /* here */\n") if comments else text


def _toml(servers: dict[str, Any], *, inline: bool) -> str:
    lines = ["first = 1 # mine", ""]
    for name, entry in servers.items():
        if inline:
            lines.append(f"mcpServers.{quoted(name)} = {_toml_value(entry)} # {len(name)}")
            continue
        lines.append(f"[mcpServers.{quoted(name)}] # here")
        lines += [f"{key} = {_toml_value(value)} # mine" for key, value in entry.items()]
    return "\n".join([*lines, ""])


def _toml_value(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{quoted(key)} = {_toml_value(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml_value, value)) + "]"
    return quoted(value) if isinstance(value, str) else json.dumps(value)


_BREAKS = frozenset("\x85\u2028\u2029")
"""They end a line of YAML and of nothing else; its own writer does not write them for its reader."""


def _yamls(servers: dict[str, Any]) -> list[str]:
    document = {"first": 1, "mcpServers": servers}
    return [
        "# mine\n" + yaml.safe_dump(document, default_flow_style=flow, allow_unicode=True, sort_keys=False)
        for flow in (None, False, True)
    ]


def texts(servers: dict[str, Any]) -> dict[str, list[str]]:
    plain = [_json(servers, indent, comments=False) for indent in (None, 1, 2, 4, "\t")]
    return {
        "x.json": [*plain, *(_json(servers, indent, comments=True) for indent in (2, "\t"))],
        "x.toml": [_toml(servers, inline=inline) for inline in (False, True)],
        "x.yaml": [] if _BREAKS & set(json.dumps(servers, ensure_ascii=False)) else _yamls(servers),
    }


@settings(max_examples=60)
@given(DOCUMENTS)
def test_the_door_goes_in_once_and_comes_out_without_a_trace(servers: dict[str, Any]) -> None:
    client = CLIENTS["claude-desktop"]
    for path, each in texts(servers).items():
        for text in each:
            config = read_config(path, text, client)
            made = wrapped(config, [DOOR], lambda server: server.environment)
            again = read_config(path, made, client)
            assert wrapped(again, [DOOR], lambda server: server.environment) == made
            assert {s.name: s.launch.words for s in again.servers if s.launch} == {
                name: (DOOR, *_wanted(name, entry)) for name, entry in servers.items()
            }
            back = unwrapped(again, lambda server: "args" in servers[server.name])
            assert back == text or (path == "x.yaml" and yaml.safe_load(back) == yaml.safe_load(text))


def _wanted(name: str, entry: dict[str, Any]) -> tuple[str, ...]:
    names = [word for variable in entry.get("env", {}) for word in ("--env", variable)]
    return ("mcp", "--name", name, *names, "--", entry["command"], *entry.get("args", []))


@settings(max_examples=60)
@given(DOCUMENTS, DOCUMENTS)
def test_a_file_that_its_client_rewrote_loses_the_door_and_keeps_its_meaning(
    servers: dict[str, Any], more: dict[str, Any]
) -> None:
    client = CLIENTS["claude-desktop"]
    text = _json(servers, 2, comments=False)
    made = json.loads(wrapped(read_config("x.json", text, client), [DOOR], lambda server: ()))
    made["mcpServers"] |= {name: entry for name, entry in more.items() if name not in servers}

    def had_args(server: Server) -> bool:
        return "args" in servers.get(server.name, {"args": []})

    for indent in (None, 2, "\t"):
        rewritten = read_config("x.json", json.dumps(made, indent=indent), client)
        back = json.loads(unwrapped(rewritten, had_args))
        assert back["mcpServers"] == {**more, **servers}
