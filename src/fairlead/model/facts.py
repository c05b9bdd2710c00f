"""What a tool call is about, read from its input: the command, the paths, the address, the content."""

from __future__ import annotations

import os.path
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from fairlead.model.tool_call import (
    ASKED_KEYS,
    COMMAND_KEYS,
    COMMAND_LIST_KEYS,
    CONTENT_KEYS,
    LISTED_PATH_KEYS,
    LISTED_URL_KEYS,
    PATH_HOLDER_KEYS,
    PATH_KEYS,
    PATTERN_LIST_KEYS,
    TERMINAL_INPUT_KEYS,
    URL_KEYS,
    ToolCall,
    ToolKind,
    kind_by_shape,
)
from fairlead.model.value import Value


class PathFact(Value):
    """One path that the call names, absolute; `operation` is read, write, delete, execute or list."""

    path: str
    operation: str
    source: str = "argument"


class Facts(Value):
    command: str | None = None
    paths: tuple[PathFact, ...] = ()
    url: str | None = None
    content: str | None = None
    query: str | None = None
    """What a search looks for."""
    directory: str = ""
    """Where a command runs, absolute: the directory that the call asks for, else the agent's."""


_OPERATIONS = {
    ToolKind.WRITE: "write",
    ToolKind.EDIT: "write",
    ToolKind.NOTEBOOK: "write",
    ToolKind.PATCH: "write",
    ToolKind.DELETE: "delete",
    ToolKind.LIST: "list",
}

PATCH_KEYS = ("patch", "patchText", "patch_text", "diff", "input", "command", "cmd")
QUERY_KEYS = ("pattern", "Pattern", "query", "Query", "regex", "search", "searchTerm", "SearchQuery")
DIRECTORY_KEYS = ("workdir", "dir_path", "directory", "cwd", "Cwd", "working_directory", "workingDirectory")
ARGUMENT_KEYS = ("args", "arguments")
_BESIDE_COMMAND = (*ARGUMENT_KEYS, *COMMAND_LIST_KEYS, *TERMINAL_INPUT_KEYS)
_ALL_URL_KEYS = (*URL_KEYS, *LISTED_URL_KEYS)
NEW_TEXT_KEYS = (
    "new_string",
    "new_str",
    "newString",
    "new_text",
    "newText",
    "new_content",
    "replacement",
    "insert_text",
    "ReplacementContent",
    "CodeEdit",
    "diff",
)
_WRITTEN_KEYS = ("text", "code", "newCode", "newStr")
"""What is put in by a tool that writes; to any other they are words like all."""
_ALL_PATH_KEYS = (*PATH_KEYS, *LISTED_PATH_KEYS, *PATTERN_LIST_KEYS, *PATH_HOLDER_KEYS)
_ALL_TEXT_KEYS = (*CONTENT_KEYS, *NEW_TEXT_KEYS)
EDIT_LIST_KEYS = (
    "edits",
    "edit",
    "replacements",
    "ReplacementChunks",
    "str_replace_entries",
    "insert_line_entries",
)
_EDITED_KEYS = (*NEW_TEXT_KEYS, "new")


def facts_of(call: ToolCall, cwd: str) -> Facts:
    """Relative paths are taken from `cwd`, a leading `~` from the home of the user."""
    if call.kind is ToolKind.SHELL:
        return _shell_facts(call.input, cwd)
    if call.kind is ToolKind.PATCH:
        return _patch_facts(call.input, cwd)
    if call.kind in (ToolKind.MCP, ToolKind.OTHER):
        return _unlisted_facts(call, cwd)
    return _file_facts(call.input, call.kind, cwd)


def _shell_facts(tool_input: Mapping[str, object], cwd: str) -> Facts:
    asked = None if tool_input.keys().isdisjoint(DIRECTORY_KEYS) else _text(tool_input, DIRECTORY_KEYS)
    directory = _absolute(asked, cwd) if asked else cwd
    command = tool_input.get(COMMAND_KEYS[0])
    if not isinstance(command, str) or not tool_input.keys().isdisjoint(_BESIDE_COMMAND):
        command = _every_command(tool_input)
    return Facts(command=command, directory=directory)


def _every_command(tool_input: Mapping[str, object]) -> str | None:
    """Under whatever keys: which of them its tool would run, is not for its input to decide."""
    found = (_command(tool_input), _listed_commands(tool_input), _text(tool_input, TERMINAL_INPUT_KEYS))
    lines = [line for line in found if line is not None]
    return "\n".join(_each_alone(lines)) if len(lines) > 1 else next(iter(lines), None)


def _patch_facts(tool_input: Mapping[str, object], cwd: str) -> Facts:
    from fairlead.model.patch import files_of

    patch = _text(tool_input, PATCH_KEYS) or ""
    files = files_of(patch)
    paths = [PathFact(_absolute(file.path, cwd), file.operation, "patch") for file in files]
    paths += [PathFact(_absolute(path, cwd), "write") for path in _paths(tool_input)]
    added = [file.added for file in files if file.added]
    return Facts(paths=tuple(dict.fromkeys(paths)), content="\n".join(added) if added else patch or None)


def _unlisted_facts(call: ToolCall, cwd: str) -> Facts:
    """An MCP server or an unknown tool may run commands and write files as well as any other."""
    on_page, in_terminal = _where_it_works(call.name)
    given = {k: v for k, v in call.input.items() if k != "script"} if on_page else call.input
    kind = kind_by_shape(given)
    if kind is ToolKind.PATCH:
        return _patch_facts(given, cwd)
    facts = _file_facts(given, kind, cwd)
    started = _started_program(given) or (None if on_page else _listed_commands(given))
    if started is not None and kind is not ToolKind.SHELL:
        return facts.replace(command=started, directory=_shell_facts(given, cwd).directory)
    if kind is ToolKind.SHELL:
        shell = _shell_facts(given, cwd)
        return facts.replace(command=shell.command, directory=shell.directory)
    return facts.replace(command=_typed(given), directory=cwd) if in_terminal else facts


@lru_cache(maxsize=64)
def _where_it_works(name: str) -> tuple[bool, bool]:
    """In a web page, in a terminal: tools have the same few names all day long."""
    page = re.search(PAGES, name, re.IGNORECASE)
    terminal = re.search(_TERMINALS, name, re.IGNORECASE)
    return page is not None, terminal is not None


PAGES = "puppeteer|playwright|browser|chrome|selenium|webdriver|evaluate"
"""Tools whose scripts run in a web page."""
_TERMINALS = (
    "shell|bash|terminal|(?<![a-z])term_|console|ssh|tmux|zellij|kitty|wezterm|iterm|konsole|(?<![a-z])screen_|warp_|expect|(?<![a-z])pty|(?<![a-z])tty"
    "|send_?(?:keys|input|text_to)|write_?to_?process"
    "|(?:run|exec|execute)_?(?:command|process|lines?)|__exec$"
)
TYPED_KEYS = (
    *("commands", "cmdline", "input", "line", "lines", "keys"),
    *("send", "text", "data", "chars", "string", "content"),
    *TERMINAL_INPUT_KEYS,
)
PROGRAM_KEYS = ("program", "executable", "binary", "exe")


def _started_program(tool_input: Mapping[str, object]) -> str | None:
    """`{"argv": ["rm", "-rf", "x"]}`, or a program beside its words."""
    words = tool_input.get("argv")
    if isinstance(words, list) and words and all(isinstance(word, str) for word in words):
        return " ".join(map(quoted, words))
    program = _text(tool_input, PROGRAM_KEYS)
    given = _arguments(tool_input)
    return " ".join(map(quoted, (program, *given))) if program and given else None


def _typed(tool_input: Mapping[str, object]) -> str | None:
    """What is typed into a terminal under another name than a command."""
    for key in TYPED_KEYS:
        value = tool_input.get(key)
        lines = value if isinstance(value, list) else [value]
        texts = [line for line in lines if isinstance(line, str)]
        if texts and len(texts) == len(lines):
            pressed = (_pressed(texts),) if key == "keys" and len(texts) > 1 else ()
            return "\n".join((*texts, *pressed)).replace("\\n", "\n")
    return _typed_in_steps(tool_input) or _listed_commands(tool_input)


def _pressed(keys: list[str]) -> str:
    """Keys one after the other are one text."""
    named = {"Enter": "\n", "C-m": "\n", "Space": " ", "Return": "\n"}
    return "".join(named.get(key, key) for key in keys)


def _typed_in_steps(tool_input: Mapping[str, object]) -> str | None:
    """What is typed step by step: `[{"expect": "password:", "send": "…"}]`."""
    steps = (step for given in tool_input.values() if isinstance(given, list) for step in given)
    lines = [_text(step, TYPED_KEYS) for step in steps if isinstance(step, Mapping)]
    return "\n".join(line for line in lines if line is not None) or None


def _listed_commands(tool_input: Mapping[str, object]) -> str | None:
    """A line for each command of a list, so that none sees the directory or the variables of another."""
    for key in COMMAND_LIST_KEYS:
        given = tool_input.get(key)
        lines = [_one_command(one) for one in (given if isinstance(given, list) else [given])]
        known = [line for line in lines if line is not None]
        if known and len(known) == len(lines):
            return known[0] if len(known) == 1 else "\n".join(_each_alone(known))
    return None


def _one_command(given: object) -> str | None:
    """A line for a shell, or a program with its words."""
    if isinstance(given, Mapping):
        return _command(given)
    return given if isinstance(given, str) else None


def _each_alone(lines: list[str]) -> Iterator[str]:
    """Lines that a here-document holds together are also read as one: agents that take a list join them."""
    for line in lines:
        yield f"bash -c {quoted(line)}"
    if any("<<" in line for line in lines):
        yield f"bash -c {quoted(chr(10).join(lines))}"


def _file_facts(tool_input: Mapping[str, object], kind: ToolKind, cwd: str) -> Facts:
    operation = _OPERATIONS.get(kind, "read")
    named = []
    if not tool_input.keys().isdisjoint(_ALL_PATH_KEYS):
        named = [PathFact(_absolute(path, cwd), operation) for path in _paths(tool_input)]
    searches = kind in (ToolKind.SEARCH, ToolKind.LIST)
    if searches:
        named += _searched(tool_input, operation, cwd)
    return Facts(
        paths=tuple(dict.fromkeys(named)) if len(named) > 1 else tuple(named),
        url=_addresses(tool_input, kind),
        content=_content(tool_input, operation),
        query=_query(tool_input) if searches or kind is ToolKind.WEB_SEARCH else None,
    )


def _query(tool_input: Mapping[str, object]) -> str | None:
    """One, or each of a list in a line of its own."""
    listed = tool_input.get("queries")
    asked = listed if isinstance(listed, list) else [listed]
    lines = [line for line in (_text(tool_input, QUERY_KEYS), *asked) if isinstance(line, str)]
    return "\n".join(lines) if lines else None


def _searched(tool_input: Mapping[str, object], operation: str, cwd: str) -> Iterator[PathFact]:
    """The folder that is searched, and the files that a pattern reaches: `Glob` takes absolute ones."""
    asked = _text(tool_input, DIRECTORY_KEYS) or _text(tool_input, PATH_KEYS)
    base = _absolute(asked, cwd) if asked else cwd
    if base:
        yield PathFact(base, operation)
    pattern = _text(tool_input, ("pattern",)) if operation == "list" else None
    wanted = pattern or _text(tool_input, ("glob", "include"))
    if wanted:
        yield PathFact(_absolute(wanted, base), operation, "pattern")


def _command(tool_input: Mapping[str, object]) -> str | None:
    for key in COMMAND_KEYS:
        value = tool_input.get(key)
        if isinstance(value, str):
            return " ".join((value, *map(quoted, _arguments(tool_input))))
        if isinstance(value, list) and value and all(isinstance(word, str) for word in value):
            return " ".join(quoted(word) for word in value)
    return None


def _arguments(tool_input: Mapping[str, object]) -> list[str]:
    """The words beside a program: `{"command": "rm", "args": ["-rf", "x"]}`."""
    words = tool_input.get("args", tool_input.get("arguments"))
    if isinstance(words, str):
        return words.split()
    return [word for word in words if isinstance(word, str)] if isinstance(words, list) else []


_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:@%+,")


def quoted(word: str) -> str:
    """One word of a shell line that means exactly `word`."""
    if word and _PLAIN.issuperset(word):
        return word
    return "'" + word.replace("'", "'\"'\"'") + "'"


def _text(tool_input: Mapping[str, object], keys: Iterable[str]) -> str | None:
    for key in keys:
        value = tool_input.get(key)
        if isinstance(value, str):
            return value
    return None


def _paths(tool_input: Mapping[str, object]) -> Iterator[str]:
    for key in PATH_KEYS:
        value = tool_input.get(key)
        if isinstance(value, str) and value:
            yield value
    for key in LISTED_PATH_KEYS:
        values = tool_input.get(key)
        if isinstance(values, str):
            yield values
        elif isinstance(values, list):
            yield from _listed_paths(values)
    for key in PATTERN_LIST_KEYS:
        values = tool_input.get(key)
        if isinstance(values, list):
            yield from _listed_paths(values)
    for key in PATH_HOLDER_KEYS:
        values = tool_input.get(key)
        if isinstance(values, list):
            yield from _listed_paths([value for value in values if isinstance(value, Mapping)])


_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]{1,15}://[^\s<>\"']+", re.IGNORECASE)
"""With a bound: a long run of letters is looked at once, not once for each of them."""


def _addresses(tool_input: Mapping[str, object], kind: ToolKind) -> str | None:
    """One, or each in a line of its own: of a list, or of the words that say what to fetch."""
    if tool_input.keys().isdisjoint(_ALL_URL_KEYS):
        asked = _text(tool_input, ASKED_KEYS) if kind is ToolKind.FETCH else None
        return "\n".join(_ADDRESS.findall(asked)) or None if asked else None
    found: list[object] = [_text(tool_input, URL_KEYS)]
    for key in LISTED_URL_KEYS:
        values = tool_input.get(key)
        for value in values if isinstance(values, list) else [values]:
            found.append(_text(value, URL_KEYS) if isinstance(value, Mapping) else value)
    named = [address for address in found if isinstance(address, str)]
    return "\n".join(named) if named else None


def _listed_paths(values: list[object]) -> Iterator[str]:
    for value in values:
        if isinstance(value, str):
            yield value
        elif isinstance(value, Mapping):
            yield from _paths(value)


def _content(tool_input: Mapping[str, object], operation: str) -> str | None:
    texts = []
    for key in (*_ALL_TEXT_KEYS, *_WRITTEN_KEYS) if operation == "write" else _ALL_TEXT_KEYS:
        if key in tool_input:
            texts.append(tool_input[key])
    for key in tool_input:
        if key.startswith("new_str_"):
            texts.append(tool_input[key])
    for key in EDIT_LIST_KEYS:
        edits = tool_input.get(key)
        if isinstance(edits, Mapping):
            edits = [edits]
        if isinstance(edits, list):
            texts += [
                edit[new]
                for edit in edits
                if isinstance(edit, Mapping)
                for new in _EDITED_KEYS
                if new in edit
            ]
    for key in LISTED_PATH_KEYS:
        files = tool_input.get(key)
        if isinstance(files, list):
            texts += [
                file[new]
                for file in files
                if isinstance(file, Mapping)
                for new in CONTENT_KEYS
                if new in file
            ]
    if not texts:
        return None
    said = [text for text in texts if isinstance(text, str)]
    return "\n".join(said) if said else None


def _absolute(path: str, cwd: str) -> str:
    if path.startswith("file://"):
        path = path.removeprefix("file://")
    if path.startswith("~"):
        path = os.path.expanduser(path)
    return os.path.normpath(path if path.startswith("/") else os.path.join(cwd or "/", path))
