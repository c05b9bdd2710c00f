"""What is asked of real servers; what they answer is the same every time."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

from mcp.client.client import Client

Case = Callable[[Client, Path], Awaitable[Any]]


def tool(name: str, **arguments: object) -> Case:
    async def case(client: Client, folder: Path) -> Any:
        filled = {key: _filled(value, folder) for key, value in arguments.items()}
        return await client.call_tool(name, filled)

    return case


def _filled(value: object, folder: Path) -> object:
    return value.replace("FOLDER", str(folder)) if isinstance(value, str) else value


async def _progress(client: Client, folder: Path) -> Any:
    seen: list[Any] = []

    async def note(*words: Any) -> None:
        seen.append(words)

    arguments = {"duration": 0.3, "steps": 3}
    result = await client.call_tool("trigger-long-running-operation", arguments, progress_callback=note)
    return [result, seen]


async def _pages(client: Client, folder: Path) -> Any:
    return [await client.list_tools(), await client.list_tools(cursor="no such cursor")]


COMMON: Mapping[str, Case] = {
    "who it is": lambda client, _: _constant(
        [client.protocol_version, client.server_info, client.server_capabilities, client.instructions]
    ),
    "tools": lambda client, _: client.list_tools(),
    "a cursor that nobody gave": _pages,
    "prompts": lambda client, _: client.list_prompts(),
    "resources": lambda client, _: client.list_resources(),
    "templates": lambda client, _: client.list_resource_templates(),
    "ping": lambda client, _: client.send_ping(),
    "a resource that is not there": lambda client, _: client.read_resource("nothing://at/all"),
    "a prompt that is not there": lambda client, _: client.get_prompt("nothing"),
}


async def _constant(value: Any) -> Any:
    return value


OWN: Mapping[str, Mapping[str, Case]] = {
    "everything": {
        "echo": tool("echo", message="größe \u2028 \x7f \u0000"),
        "a sum": tool("get-sum", a=2, b=3.5),
        "a wrong argument": tool("get-sum", a="x"),
        "an image": tool("get-tiny-image"),
        "structured content": tool("get-structured-content", location="New York"),
        "annotations": tool("get-annotated-message", messageType="debug", includeImage=True),
        "links": tool("get-resource-links", count=2),
        "a reference": tool("get-resource-reference", resourceType="Text", resourceId=1),
        "progress": _progress,
        "a prompt": lambda client, _: client.get_prompt("simple-prompt"),
        "a prompt with arguments": lambda client, _: client.get_prompt("args-prompt", {"city": "Bern"}),
        "a resource": lambda client, _: client.read_resource(
            "demo://resource/static/document/architecture.md"
        ),
        "the log level": lambda client, _: client.set_logging_level("debug"),
    },
    "filesystem": {
        "a file": tool("read_text_file", path="FOLDER/notes.txt"),
        "a folder": tool("list_directory", path="FOLDER/sub"),
        "a tree": tool("directory_tree", path="FOLDER/sub"),
        "a file elsewhere": tool("read_text_file", path="/usr/share/nothing"),
        "a search": tool("search_files", path="FOLDER", pattern="*.md"),
        "a change that is only shown": tool(
            "edit_file", path="FOLDER/notes.txt", edits=[{"oldText": "two", "newText": "2"}], dryRun=True
        ),
    },
    "memory": {
        "an entity": tool(
            "create_entities", entities=[{"name": "x", "entityType": "t", "observations": ["o"]}]
        ),
        "the graph": tool("read_graph"),
        "a search": tool("search_nodes", query="x"),
        "a resource": lambda client, _: client.read_resource("memory://knowledge-graph"),
    },
    "git": {
        "status": tool("git_status", repo_path="FOLDER"),
        "log": tool("git_log", repo_path="FOLDER"),
        "diff": tool("git_diff_unstaged", repo_path="FOLDER"),
        "no repository": tool("git_status", repo_path="FOLDER/sub/nothing"),
    },
    "time": {
        "a time": tool("convert_time", source_timezone="UTC", time="12:00", target_timezone="Asia/Tokyo"),
        "no time": tool("convert_time", source_timezone="UTC", time="x", target_timezone="UTC"),
    },
    "sqlite": {
        "a table": tool("create_table", query="CREATE TABLE IF NOT EXISTS t (a TEXT)"),
        "a row": tool("write_query", query="INSERT INTO t VALUES ('x')"),
        "rows": tool("read_query", query="SELECT * FROM t"),
        "a wrong query": tool("read_query", query="SELECT * FROM nothing"),
        "a resource": lambda client, _: client.read_resource("memo://insights"),
        "a prompt": lambda client, _: client.get_prompt("mcp-demo", {"topic": "ships"}),
    },
}
