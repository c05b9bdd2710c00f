"""Which kind a tool is that no dialect lists."""

import pytest

from fairlead.model.tool_call import ToolKind, call_named


@pytest.mark.parametrize(
    ("name", "kind"),
    [("open_file", ToolKind.READ), ("delete_file", ToolKind.OTHER), ("removeFiles", ToolKind.OTHER)],
)
def test_a_path_alone_is_read_unless_the_name_says_otherwise(name: str, kind: ToolKind) -> None:
    assert call_named(name, {"path": "a"}).kind is kind


def test_a_tool_of_a_server_is_known_by_its_name() -> None:
    call = call_named("mcp__git__git_log", {"path": "a"})
    assert (call.kind, call.mcp_server, call.mcp_tool) == (ToolKind.MCP, "git", "git_log")
