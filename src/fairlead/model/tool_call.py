"""A tool call, whoever makes it: the native name and input, and the kind that rules speak of."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum

from fairlead.model.failure import NOTHING
from fairlead.model.value import Value


class ToolKind(StrEnum):
    SHELL = "shell"
    READ = "read"
    WRITE = "write"
    EDIT = "edit"
    PATCH = "patch"
    DELETE = "delete"
    SEARCH = "search"
    LIST = "list"
    FETCH = "fetch"
    WEB_SEARCH = "websearch"
    MCP = "mcp"
    SUBAGENT = "subagent"
    SKILL = "skill"
    NOTEBOOK = "notebook"
    TODO = "todo"
    ASK_USER = "ask_user"
    OTHER = "other"


class ToolCall(Value):
    """What the agent wants to run. `input` is as the agent sent it; `facts_of` reads it for the guards."""

    name: str
    input: Mapping[str, object] = NOTHING
    kind: ToolKind = ToolKind.OTHER
    id: str = ""
    mcp_server: str = ""
    mcp_tool: str = ""


class ToolResult(Value):
    """What came of a tool call. `output` is as the agent sent it."""

    output: object = None
    ok: bool = True
    error: str = ""


CANONICAL_NAMES = {
    ToolKind.SHELL: "Bash",
    ToolKind.READ: "Read",
    ToolKind.WRITE: "Write",
    ToolKind.EDIT: "Edit",
    ToolKind.NOTEBOOK: "NotebookEdit",
    ToolKind.SEARCH: "Grep",
    ToolKind.LIST: "Glob",
    ToolKind.FETCH: "WebFetch",
    ToolKind.WEB_SEARCH: "WebSearch",
    ToolKind.SUBAGENT: "Agent",
    ToolKind.SKILL: "Skill",
}
"""The best-known name of each kind: a matcher or a hook that says `Bash` means every agent's shell."""

COMMON_TOOLS = {
    "Bash": ToolKind.SHELL,
    "PowerShell": ToolKind.SHELL,
    "Monitor": ToolKind.SHELL,
    "Read": ToolKind.READ,
    "Write": ToolKind.WRITE,
    "Edit": ToolKind.EDIT,
    "MultiEdit": ToolKind.EDIT,
    "NotebookRead": ToolKind.READ,
    "NotebookEdit": ToolKind.NOTEBOOK,
    "Glob": ToolKind.LIST,
    "LS": ToolKind.LIST,
    "Grep": ToolKind.SEARCH,
    "WebFetch": ToolKind.FETCH,
    "WebSearch": ToolKind.WEB_SEARCH,
    "Agent": ToolKind.SUBAGENT,
    "Task": ToolKind.SUBAGENT,
    "Skill": ToolKind.SKILL,
    "SlashCommand": ToolKind.SKILL,
    "TodoWrite": ToolKind.TODO,
    "TaskCreate": ToolKind.TODO,
    "TaskUpdate": ToolKind.TODO,
    "AskUserQuestion": ToolKind.ASK_USER,
}
"""Names that mean the same wherever they are used: those of Claude Code, which others took over."""

GEMINI_NAMES = {
    ToolKind.SHELL: "run_shell_command",
    ToolKind.READ: "read_file",
    ToolKind.WRITE: "write_file",
    ToolKind.EDIT: "replace",
    ToolKind.LIST: "glob",
    ToolKind.SEARCH: "grep_search",
    ToolKind.FETCH: "web_fetch",
    ToolKind.WEB_SEARCH: "google_web_search",
    ToolKind.SKILL: "activate_skill",
    ToolKind.TODO: "write_todos",
}
"""The same as Gemini CLI calls them, for hooks that were written for it."""

COMMAND_KEYS = (
    "command",
    "cmd",
    "command_line",
    "CommandLine",
    "commandLine",
    "script",
    "shell_command",
    "bash_command",
    "cli_command",
    "cmdString",
)
COMMAND_LIST_KEYS = ("commands",)
"""Several commands, each of which gets a shell of its own."""
TERMINAL_INPUT_KEYS = ("input_text", "Input")
"""What is typed into a terminal that already runs something."""
PATH_KEYS = (
    "file_path",
    "path",
    "filePath",
    "notebook_path",
    "absolute_path",
    "AbsolutePath",
    "TargetFile",
    "file",
    "filename",
    "target_file",
    "targetFile",
    "target_notebook",
    "File",
    "directory_path",
    "DirectoryPath",
    "SearchPath",
    "SearchDirectory",
    "relative_path",
)
LISTED_PATH_KEYS = ("files", "paths", "file_paths", "filePaths")
"""Several paths, or things that have one each."""
PATH_HOLDER_KEYS = ("operations", "replacements")
"""Things that may have a path each; a text among them is none."""
PATTERN_LIST_KEYS = ("include",)
"""A list of what is read; as a text it is a filter of a search."""
CONTENT_KEYS = ("content", "file_text", "file_content", "contents", "new_source", "CodeContent")
EDIT_KEYS = ("old_string", "new_string", "old_str", "new_str", "oldString", "newString", "edits")
URL_KEYS = ("url", "uri", "Url")
LISTED_URL_KEYS = ("urls", "requests")
ASKED_KEYS = ("prompt",)
"""Words for whoever fetches, with the addresses among them."""


_EDITOR_COMMANDS = ("view", "create", "str_replace", "insert", "undo_edit")
"""What an editor tool calls its commands: none is a program."""


def _holds_contents(files: object) -> bool:
    """Whether these are files with what shall stand in them: `[{"path": …, "content": …}]`."""
    listed = files if isinstance(files, list) else []
    return any(isinstance(file, Mapping) and any(key in file for key in CONTENT_KEYS) for file in listed)


def call_named(
    name: str, tool_input: Mapping[str, object], *, kind: ToolKind | None = None, id: str = ""
) -> ToolCall:
    """A call as every door reads it: what kind of tool this is, is decided here and nowhere else.

    `kind` is what the door knows of its own tools, by a dialect's table or a program's word.
    """
    server, tool = mcp_parts(name)
    if tool:
        return ToolCall(name, tool_input, ToolKind.MCP, id, server, tool)
    return ToolCall(name, tool_input, kind or COMMON_TOOLS.get(name) or kind_of(name, tool_input), id)


def mcp_parts(name: str) -> tuple[str, str]:
    """`mcp__server__tool` in two; a server's name may hold single underscores, a tool's may hold any."""
    if not name.startswith("mcp__"):
        return "", ""
    server, _, tool = name.removeprefix("mcp__").partition("__")
    return server, tool


_CHANGING = "delete|remove|unlink|trash|move|rename|write|edit|create|save|update|replace"


def kind_of(name: str, tool_input: Mapping[str, object]) -> ToolKind:
    """The kind of a tool that nobody listed. A path alone looks like reading; a name that says otherwise is
    for the guards to weigh."""
    kind = kind_by_shape(tool_input)
    return ToolKind.OTHER if kind is ToolKind.READ and re.search(_CHANGING, name, re.IGNORECASE) else kind


def kind_by_shape(tool_input: Mapping[str, object]) -> ToolKind:
    """The kind of a tool that nobody listed, from the names of its arguments."""
    given = tool_input.keys()
    edits = tool_input.get("command") in _EDITOR_COMMANDS
    if not given.isdisjoint(COMMAND_KEYS) and not edits:
        return ToolKind.SHELL
    has_path = not given.isdisjoint(PATH_KEYS) or "files" in given or "paths" in given
    if has_path and not given.isdisjoint(EDIT_KEYS):
        return ToolKind.EDIT
    if has_path and (not given.isdisjoint(CONTENT_KEYS) or _holds_contents(tool_input.get("files"))):
        return ToolKind.WRITE
    if not given.isdisjoint(("patch", "patchText", "diff")):
        return ToolKind.PATCH
    if not given.isdisjoint(URL_KEYS):
        return ToolKind.FETCH
    if has_path:
        return ToolKind.READ
    return ToolKind.OTHER
