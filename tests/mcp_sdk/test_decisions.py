"""The official client meets a policy: asked, refused, redacted, rewritten, in both eras."""

from __future__ import annotations

import sys

import pytest

pytest.importorskip("mcp_types", reason="`make test-mcp` has the official client and the servers")

import anyio
import mcp_types as types
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from mcp_real_servers import prepare, vector

MODES = ("legacy", "auto")
POLICY = """
id: repository
event: BeforeTool
rules:
  - id: ask-about-branches
    tool: mcp__git__git_branch
    decision: ask
    reason: Branches are secret.
    stops: [{tool: mcp__git__git_branch, input: {branch_type: local}}]
  - id: no-log
    tool: mcp__git__git_log
    reason: The past is past.
    stops: [{tool: mcp__git__git_log, input: {repo_path: .}}]
"""


MORE = {"git_log": {}, "git_branch": {"branch_type": "local"}}


async def call(tmp_path, mode, tool, elicit=None):
    folder = tmp_path / "home" / "config" / "hooks" / "repository"
    folder.mkdir(parents=True)
    (folder / "hook.meta.yaml").write_text(POLICY)
    project = tmp_path / "project"
    project.mkdir()
    prepare(project)
    options = ["--home", str(tmp_path / "home"), "mcp", "--name", "git"]
    words = ["-m", "fairlead", *options, "--", *vector("git", project)]
    parameters = StdioServerParameters(command=sys.executable, args=words, cwd=str(project))
    async with Client(
        stdio_client(parameters), mode=mode, elicitation_callback=elicit, read_timeout_seconds=60
    ) as client:
        assert (client.protocol_version == "2026-07-28") is (mode == "auto")
        result = await client.call_tool(tool, {"repo_path": str(project), **MORE[tool]})
        other = await client.call_tool("git_status", {"repo_path": str(project)})
        assert not other.is_error, "the session goes on"
        return result


def said(result):
    return "".join(block.text for block in result.content if block.type == "text")


@pytest.mark.parametrize("mode", MODES)
def test_a_refusal_reaches_the_model_as_a_result(mode, tmp_path):
    result = anyio.run(call, tmp_path, mode, "git_log")
    assert result.is_error
    assert "The past is past." in said(result)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("action", "content", "goes_on"),
    [("accept", {"allow": True}, True), ("accept", {"allow": False}, False), ("decline", None, False)],
)
def test_the_person_decides(mode, action, content, goes_on, tmp_path):
    asked = []

    async def elicit(_, params):
        asked.append(params.message)
        return types.ElicitResult(action=action, content=content)

    result = anyio.run(call, tmp_path, mode, "git_branch", elicit)
    (question,) = asked
    assert "Branches are secret." in question
    assert result.is_error is not goes_on
    assert ("main" in said(result)) is goes_on


@pytest.mark.parametrize("mode", MODES)
def test_a_question_that_was_put_aside_leaves_the_code(mode, tmp_path):
    async def elicit(_, params):
        return types.ElicitResult(action="cancel")

    result = anyio.run(call, tmp_path, mode, "git_branch", elicit)
    assert result.is_error
    assert "fairlead approve" in said(result)


@pytest.mark.parametrize("mode", MODES)
def test_who_cannot_ask_tells_how_the_person_can_approve(mode, tmp_path):
    result = anyio.run(call, tmp_path, mode, "git_branch")
    assert result.is_error
    assert "fairlead approve" in said(result)
