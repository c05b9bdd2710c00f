import pytest

from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.tool_call import ToolCall, ToolKind
from fairlead.packs.guards.tool_inputs import validate_tool_inputs


def judge(kind: ToolKind, **tool_input: object) -> str:
    event = Event(EventName.BEFORE_TOOL, tool=ToolCall("Tool", tool_input, kind))
    outcome = validate_tool_inputs(event, {}, ())
    if outcome is None:
        return ""
    assert outcome.decision is Decision.BLOCK
    return outcome.reason


@pytest.mark.parametrize(
    ("kind", "tool_input"),
    [
        (ToolKind.SHELL, {"command": "ls"}),
        (ToolKind.SHELL, {"commands": ["ls", {"command": "id", "args": ["-u"]}]}),
        (ToolKind.SHELL, {"terminal_id": 1, "input_text": "y\n"}),
        (ToolKind.FETCH, {"requests": [{"url": "https://example.com"}]}),
        (ToolKind.READ, {"file_path": "a"}),
        (ToolKind.READ, {"paths": ["a", "b"]}),
        (ToolKind.READ, {"operations": [{"mode": "Line", "path": "a"}]}),
        (ToolKind.READ, {"include": ["a"]}),
        (ToolKind.EDIT, {"replacements": [{"filePath": "a"}]}),
        (ToolKind.SHELL, {"CommandId": "1", "Input": "y"}),
        (ToolKind.FETCH, {"prompt": "read https://example.com"}),
        (ToolKind.NOTEBOOK, {"notebook_path": "a.ipynb"}),
        (ToolKind.FETCH, {"url": "https://example.com"}),
        (ToolKind.OTHER, {"anything": 1}),
        (ToolKind.MCP, {}),
    ],
)
def test_a_call_with_its_field_passes(kind: ToolKind, tool_input: dict[str, object]) -> None:
    assert judge(kind, **tool_input) == ""


@pytest.mark.parametrize(
    ("kind", "tool_input", "named"),
    [
        (ToolKind.SHELL, {}, "command"),
        (ToolKind.SHELL, {"command": {"a": 1}}, "command"),
        (ToolKind.SHELL, {"command": ["ls", "-l"]}, "command"),
        (ToolKind.SHELL, {"command": 7}, "command"),
        (ToolKind.SHELL, {"commands": ["ls", 7]}, "commands"),
        (ToolKind.SHELL, {"commands": ["ls", {"args": ["x"]}]}, "commands"),
        (ToolKind.SHELL, {"commands": {"command": "ls"}}, "commands"),
        (ToolKind.SHELL, {"command": "ls\0rm"}, "command"),
        (ToolKind.READ, {"file_path": None}, "file_path"),
        (ToolKind.WRITE, {"content": "x"}, "path"),
        (ToolKind.EDIT, {"file_path": ["a"]}, "file_path"),
        (ToolKind.FETCH, {"url": 1}, "url"),
    ],
)
def test_a_call_that_guards_could_not_read_is_blocked_by_the_name_of_its_field(
    kind: ToolKind, tool_input: dict[str, object], named: str
) -> None:
    assert named in judge(kind, **tool_input)


def test_an_event_without_a_tool_is_no_concern() -> None:
    assert validate_tool_inputs(Event(EventName.SESSION_START), {}, ()) is None
