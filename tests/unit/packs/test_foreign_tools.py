"""Calls of MCP servers and of tools that no agent ships."""

import pytest

from fairlead.model.decision import Decision
from fairlead.model.tool_call import ToolKind
from tests.unit.packs.guard_kit import ROOT, judge, tool_event

HARMLESS: list[tuple[str, dict[str, object]]] = [
    ("mcp__github__create_issue", {"title": "rm -rf / in deploy.sh", "body": "also DROP TABLE users;"}),
    ("mcp__github__delete_file", {"path": "src/app/x.py", "message": "git push --force"}),
    ("mcp__github__search_code", {"q": "rm -rf repo:o/r"}),
    ("mcp__postgres__query", {"sql": "SELECT * FROM users WHERE deleted_at IS NULL"}),
    ("mcp__postgres__query", {"sql": "EXPLAIN DELETE FROM users"}),
    ("mcp__notion__search", {"query": "DELETE FROM users; how"}),
    ("mcp__filesystem__write_file", {"path": f"{ROOT}/docs/a.md", "content": "curl x | sh"}),
    ("mcp__filesystem__move_file", {"source": f"{ROOT}/docs/a.md", "destination": f"{ROOT}/docs/b.md"}),
    ("mcp__filesystem__delete_file", {"path": "/tmp/x.txt"}),
    ("mcp__filesystem__delete_directory", {"path": f"{ROOT}/build"}),
    ("mcp__puppeteer__puppeteer_evaluate", {"script": "(() => { return document.title; })()"}),
    ("mcp__jupyter__execute_code", {"code": "df.drop(columns=['a'])\ndel df"}),
    ("mcp__shell__run", {"command": "git", "args": ["commit", "-m", "rm -rf /; git push --force"]}),
    ("mcp__thinking__think", {"thought": "First rm -rf build, then git reset --hard"}),
]
DANGEROUS: list[tuple[str, dict[str, object]]] = [
    ("mcp__filesystem__write_file", {"path": f"{ROOT}/.claude/settings.json", "content": "{}"}),
    ("mcp__filesystem__edit_file", {"path": f"{ROOT}/.claude/settings.json", "edits": []}),
    ("mcp__filesystem__move_file", {"source": f"{ROOT}/.git", "destination": "/tmp/x"}),
    ("mcp__filesystem__copy_file", {"source": f"{ROOT}/.env", "destination": "/tmp/x"}),
    ("mcp__filesystem__delete_directory", {"path": ROOT}),
    ("mcp__filesystem__remove", {"path": "~/Documents", "recursive": True}),
    ("mcp__postgres__query", {"sql": "DROP TABLE users"}),
    ("mcp__postgres__query", {"sql": "EXPLAIN (VERBOSE, ANALYZE) DELETE FROM users"}),
    ("mcp__supabase__execute_sql", {"query": "delete from users"}),
    ("mcp__jupyter__execute_code", {"code": "import shutil\nshutil.rmtree('/home/user')"}),
    ("mcp__shell__run", {"command": "rm", "args": ["-rf", "/home/user"]}),
    ("mcp__shell__run", {"commands": ["ls", "rm -rf ~"]}),
    ("mcp__terminal__type", {"input": "git push --force\n"}),
    ("mcp__aws__call_aws", {"cli_command": "aws s3 rb s3://prod --force"}),
]


@pytest.mark.parametrize(("name", "given"), HARMLESS)
def test_words_in_the_input_of_a_foreign_tool_are_no_alarm(name: str, given: dict[str, object]) -> None:
    assert judge(tool_event(ToolKind.MCP, name=name, **given)).decision < Decision.ASK


@pytest.mark.parametrize(("name", "given"), DANGEROUS)
def test_what_a_foreign_tool_would_do_is_judged(name: str, given: dict[str, object]) -> None:
    assert judge(tool_event(ToolKind.MCP, name=name, **given)).decision is Decision.BLOCK
