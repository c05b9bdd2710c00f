import os

import pytest

from fairlead.model.facts import Facts, PathFact, facts_of, quoted
from fairlead.model.tool_call import ToolCall, ToolKind, kind_by_shape


def paths(kind: ToolKind, **tool_input: object) -> list[tuple[str, str]]:
    facts = facts_of(ToolCall("t", tool_input, kind), "/p")
    return [(fact.operation, fact.path) for fact in facts.paths]


@pytest.mark.parametrize("key", ["command", "cmd", "command_line", "CommandLine", "commandLine"])
def test_a_shell_command_is_found_under_each_agents_name_for_it(key: str) -> None:
    assert facts_of(ToolCall("t", {key: "ls"}, ToolKind.SHELL), "/p").command == "ls"


def test_a_command_given_as_words_keeps_its_words_apart() -> None:
    call = ToolCall("t", {"command": ["bash", "-lc", "rm -rf 'a b'"]}, ToolKind.SHELL)
    assert facts_of(call, "/p").command == "bash -lc 'rm -rf '\"'\"'a b'\"'\"''"


def test_an_empty_word_stays_a_word() -> None:
    assert quoted("") == "''"


def test_a_command_runs_where_the_call_says() -> None:
    call = ToolCall("t", {"command": "rm -rf *", "workdir": "../etc"}, ToolKind.SHELL)
    assert facts_of(call, "/p").directory == "/etc"
    assert facts_of(ToolCall("t", {"command": "ls"}, ToolKind.SHELL), "/p").directory == "/p"


def test_relative_home_and_uri_paths_become_absolute() -> None:
    assert paths(ToolKind.READ, file_path="a/../b") == [("read", "/p/b")]
    assert paths(ToolKind.READ, file_path="file:///etc/passwd") == [("read", "/etc/passwd")]
    assert paths(ToolKind.READ, path="~/.ssh") == [("read", os.path.expanduser("~/.ssh"))]


def test_lists_of_files_are_all_named() -> None:
    assert paths(ToolKind.WRITE, files=["a", {"path": "b", "content": "x"}]) == [
        ("write", "/p/a"),
        ("write", "/p/b"),
    ]


def test_a_search_names_its_folder_and_its_files() -> None:
    assert paths(ToolKind.SEARCH, pattern="x", path="/etc", glob="*.conf") == [
        ("read", "/etc"),
        ("read", "/etc/*.conf"),
    ]
    assert paths(ToolKind.LIST, pattern="/root/*") == [("list", "/p"), ("list", "/root/*")]
    assert facts_of(ToolCall("t", {"pattern": "key"}, ToolKind.SEARCH), "/p").query == "key"


def test_a_patch_names_its_files_from_its_text() -> None:
    patch = "*** Begin Patch\n*** Update File: a\n@@\n-x\n+y\n*** Delete File: b\n*** End Patch"
    facts = facts_of(ToolCall("apply_patch", {"command": patch}, ToolKind.PATCH), "/p")
    assert facts.paths == (PathFact("/p/a", "write", "patch"), PathFact("/p/b", "delete", "patch"))
    assert facts.content == "y"


@pytest.mark.parametrize("kind", [ToolKind.MCP, ToolKind.OTHER])
def test_an_unlisted_tool_is_read_by_the_shape_of_its_input(kind: ToolKind) -> None:
    assert paths(kind, path="/etc/passwd", content="x") == [("write", "/etc/passwd")]
    call = ToolCall("mcp__sh__run", {"command": "rm -rf /", "cwd": "/"}, kind)
    assert facts_of(call, "/p").command == "rm -rf /"
    assert facts_of(call, "/p").directory == "/"


def test_files_that_are_given_with_their_contents_are_written() -> None:
    files = [{"path": "a.txt", "content": "one"}, {"path": "b.txt", "content": "two"}]
    facts = facts_of(ToolCall("push_files", {"files": files}, ToolKind.MCP), "/p")
    assert [(fact.path, fact.operation) for fact in facts.paths] == [
        ("/p/a.txt", "write"),
        ("/p/b.txt", "write"),
    ]
    assert facts.content == "one\ntwo"


def test_the_content_of_an_edit_is_what_it_puts_in() -> None:
    call = ToolCall("e", {"file_path": "a", "old_string": "x", "new_string": "y"}, ToolKind.EDIT)
    assert facts_of(call, "/p").content == "y"
    many = ToolCall("e", {"file_path": "a", "edits": [{"new_string": "1"}, {"newText": "2"}]}, ToolKind.EDIT)
    assert facts_of(many, "/p").content == "1\n2"


@pytest.mark.parametrize("command", ["view", "create", "str_replace", "insert"])
def test_the_command_of_an_editor_is_no_program(command: str) -> None:
    edit = {"command": command, "path": "a", "file_text": "x"}
    assert kind_by_shape(edit) is not ToolKind.SHELL
    assert kind_by_shape({"command": "create x"}) is ToolKind.SHELL


def command_of(**tool_input: object) -> str | None:
    return facts_of(ToolCall("run", tool_input, ToolKind.SHELL), "/work").command


def test_a_list_with_one_command_is_that_command() -> None:
    assert command_of(commands=["echo hello"]) == "echo hello"
    assert command_of(commands="echo hello") == "echo hello"


def test_commands_of_a_list_do_not_see_each_others_directory() -> None:
    assert command_of(commands=["cd /tmp", "rm -rf *"]) == "bash -c 'cd /tmp'\nbash -c 'rm -rf *'"


def test_a_program_with_its_words_may_stand_in_a_list_of_commands() -> None:
    assert command_of(commands=[{"command": "rm", "args": ["-rf", "a b"]}]) == "rm -rf 'a b'"


def test_lines_of_a_here_document_in_a_list_are_also_read_together() -> None:
    lines = (command_of(commands=["sh <<X", "ls", "X"]) or "").split("\n", 3)
    assert lines[3] == "bash -c 'sh <<X\nls\nX'"


def test_a_command_beside_a_list_of_commands_hides_neither() -> None:
    assert command_of(command="ls", commands=["id"]) == "bash -c ls\nbash -c id"
    assert command_of(command="ls", input_text="id") == "bash -c ls\nbash -c id"


def test_what_is_typed_into_a_terminal_is_read_as_a_command() -> None:
    assert command_of(terminal_id=1, input_text="git push --force\n") == "git push --force\n"


def test_every_address_of_a_list_is_read() -> None:
    given = {"requests": [{"url": "https://a.example", "prompt": "x"}, {"url": "https://b.example"}]}
    facts = facts_of(ToolCall("fetch", given, ToolKind.FETCH), "/work")
    assert facts.url == "https://a.example\nhttps://b.example"


def test_the_content_of_a_file_has_many_names() -> None:
    given = {"path": "a", "file_content": "text"}
    assert facts_of(ToolCall("save-file", given, ToolKind.WRITE), "/work").content == "text"


def facts(name: str, kind: ToolKind = ToolKind.MCP, **tool_input: object) -> Facts:
    return facts_of(ToolCall(name, tool_input, kind), "/p")


@pytest.mark.parametrize("name", ["mcp__Puppeteer__evaluate", "mcp__x__browser_run", "mcp__chrome__do"])
def test_a_script_for_a_web_page_is_no_command(name: str) -> None:
    assert facts(name, script="rm -rf /").command is None
    assert facts(name, script="x", command="ls").command == "ls"


def test_any_other_script_is_a_command() -> None:
    assert facts("mcp__x__run", script="rm -rf /").command == "rm -rf /"


@pytest.mark.parametrize("name", ["mcp__My-Terminal__send", "mcp__x__run_command", "mcp__x__exec"])
def test_what_is_typed_is_read_under_each_of_its_names(name: str) -> None:
    assert facts(name, lines=["cd /", "ls"]) == Facts("cd /\nls", directory="/p")
    assert facts(name, line="ls").command == "ls"
    assert facts(name, lines=["ls", 1]).command is None
    assert facts(name, lines=[]).command is None
    assert facts("mcp__x__note", lines=["ls"]).command is None


def test_a_command_that_is_no_text_is_none() -> None:
    assert command_of(commands=[1]) is None
    assert command_of(commands=["ls", None]) is None
    assert command_of(command=[]) is None
    assert command_of(command=["ls", 1]) is None
    assert command_of(command="ls", args="x") == "ls x"
    assert command_of(command="rm", args=["-rf", 1, "a b"]) == "rm -rf 'a b'"
    assert command_of(command="rm", arguments=["x"]) == "rm x"


def test_an_unlisted_patch_is_read_as_one() -> None:
    patch = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"
    found = facts("mcp__x__apply", patch=patch, path="y")
    assert found.paths == (PathFact("/p/x", "write", "patch"), PathFact("/p/y", "write"))
    assert found.content == "b"


def test_a_patch_that_adds_nothing_is_its_own_content() -> None:
    assert facts("apply_patch", ToolKind.PATCH, patch="nothing of a patch").content == "nothing of a patch"
    assert facts("apply_patch", ToolKind.PATCH).content is None


def test_only_a_search_has_a_query() -> None:
    asked = {"query": "a", "queries": ["b", 1, "c"]}
    for kind in (ToolKind.SEARCH, ToolKind.LIST, ToolKind.WEB_SEARCH):
        assert facts("t", kind, **asked).query == "a\nb\nc"
    assert facts("t", ToolKind.SEARCH, queries="b").query == "b"
    assert facts("t", ToolKind.SEARCH).query is None
    assert facts("t", ToolKind.READ, **asked).query is None


def test_a_search_without_a_folder_is_one_of_where_the_agent_is() -> None:
    assert facts_of(ToolCall("t", {"query": "x"}, ToolKind.SEARCH), "/p").paths == (PathFact("/p", "read"),)
    assert facts_of(ToolCall("t", {"query": "x"}, ToolKind.SEARCH), "").paths == ()
    found = facts("t", ToolKind.SEARCH, directory="a", path="b", include="*.c").paths
    assert [each.path for each in found] == ["/p/b", "/p/a", "/p/a/*.c"]
    assert found[2].source == "pattern"


def test_an_address_that_is_none_is_left_out() -> None:
    assert facts("t", ToolKind.FETCH, urls=[1, None]).url is None
    assert (
        facts("t", ToolKind.FETCH, requests=[{"url": "http://a"}, "http://b", 1]).url == "http://a\nhttp://b"
    )
    assert facts("t", ToolKind.FETCH, url="http://a", urls="http://b").url == "http://a\nhttp://b"
    assert facts("t", ToolKind.FETCH).url is None


def test_contents_are_read_wherever_they_stand() -> None:
    assert (
        facts("t", ToolKind.WRITE, files=["a", {"path": "b", "content": "1"}, {"content": 2}]).content == "1"
    )
    assert facts("t", ToolKind.EDIT, path="a", new_str_1="x", new_str_2="y", old_str_1="z").content == "x\ny"
    assert facts("t", ToolKind.EDIT, path="a", edits=["x", {"new_str": "1"}, {"old_str": "2"}]).content == "1"
    assert facts("t", ToolKind.EDIT, path="a", edits={"new_str": "1"}).content == "1"
    assert facts("t", ToolKind.WRITE, path="a", content=7).content is None
    assert facts("t", ToolKind.WRITE, path="a", content="").content == ""


def test_a_path_is_named_once_and_an_empty_one_not_at_all() -> None:
    assert paths(ToolKind.DELETE, path="a", file_path="/p/a", paths="b") == [
        ("delete", "/p/a"),
        ("delete", "/p/b"),
    ]
    assert paths(ToolKind.READ, path="") == []
    assert paths(ToolKind.READ, paths=[1, {"path": "c"}]) == [("read", "/p/c")]
    assert facts_of(ToolCall("t", {"path": "a"}, ToolKind.READ), "").paths == (PathFact("/a", "read"),)


@pytest.mark.parametrize(
    "given",
    [
        {"operations": [{"mode": "Line", "path": "a"}]},
        {"replacements": [{"filePath": "a", "newString": "x"}]},
        {"include": ["a"]},
        {"targetFile": "a"},
        {"target_notebook": "a"},
        {"File": "a"},
        {"directory_path": "a"},
    ],
    ids=str,
)
def test_a_path_is_found_wherever_an_agent_puts_it(given: dict[str, object]) -> None:
    assert paths(ToolKind.READ, **given) == [("read", "/p/a")]


def test_a_filter_of_a_search_and_the_name_of_an_operation_are_no_paths() -> None:
    assert paths(ToolKind.OTHER, include="*.py", operations=["delete"]) == []


@pytest.mark.parametrize(
    "given",
    [
        {"text": "new"},
        {"code": "new"},
        {"newCode": "new"},
        {"newStr": "new"},
        {"edit": {"old": "x", "new": "new"}},
        {"edit": [{"old": "x", "new": "new"}]},
        {"insert_line_entries": [{"insert_line": 1, "new_str": "new"}]},
    ],
    ids=str,
)
def test_what_is_written_is_found_wherever_an_agent_puts_it(given: dict[str, object]) -> None:
    assert facts_of(ToolCall("t", {"path": "a", **given}, ToolKind.EDIT), "/p").content == "new"


def test_words_of_a_tool_that_writes_nothing_are_no_content() -> None:
    assert facts_of(ToolCall("find", {"path": "a", "text": "word"}, ToolKind.MCP), "/p").content is None


def test_addresses_are_found_among_the_words_that_say_what_to_fetch() -> None:
    asked = {"prompt": "Compare https://a.example/x with <https://b.example>, please."}
    assert (
        facts_of(ToolCall("t", asked, ToolKind.FETCH), "/p").url == "https://a.example/x\nhttps://b.example"
    )
    assert facts_of(ToolCall("t", asked, ToolKind.SUBAGENT), "/p").url is None


def test_programs_with_their_words_are_typed_into_a_terminal_too() -> None:
    given = [{"command": "rm", "args": ["-r", "a b"]}]
    assert facts("mcp__terminal__send", commands=given).command == "rm -r 'a b'"


def test_a_long_run_of_letters_is_no_address_and_takes_no_long_look() -> None:
    asked = {"prompt": "a" * 300_000 + " file:///etc/shadow"}
    assert facts_of(ToolCall("t", asked, ToolKind.FETCH), "/p").url == "file:///etc/shadow"
