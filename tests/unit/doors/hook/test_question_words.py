"""What a person reads of a call before saying yes to it."""

from __future__ import annotations

import pytest

from fairlead.doors.hook.question_words import words_of
from fairlead.model.tool_call import call_named


@pytest.mark.parametrize(
    ("tool", "given", "words"),
    [
        ("Bash", {"command": "npm publish"}, "Bash npm publish"),
        (
            "Bash",
            {"description": "Go on", "command": "npm publish"},
            'Bash npm publish description="Go on"',
        ),
        ("Write", {"file_path": "a.txt", "content": "one\ntwo"}, 'Write file_path=a.txt content="one\\ntwo"'),
        (
            "mcp__db__insert",
            {"row": {"a": 1, "b": [2, None]}, "n": 5},
            'mcp__db__insert row={"a": 1, "b": [2, null]} n=5',
        ),
        ("Task", {"command": [{"a": 1}], "x": ""}, 'Task command=[{"a": 1}] x=""'),
        ("Stop", {}, "Stop"),
    ],
)
def test_every_field_is_shown_and_none_as_python_writes_it(
    tool: str, given: dict[str, object], words: str
) -> None:
    assert words_of(call_named(tool, given)) == words
