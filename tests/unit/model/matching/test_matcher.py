import pytest

from fairlead.errors import RegistrationError
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.matching.matcher import any_of, matcher_from, not_
from fairlead.model.tool_call import ToolCall, ToolKind

EVENT = Event(EventName.BEFORE_TOOL, root="/project", cwd="/project/sub")
SHELL = ToolCall("run_shell_command", {"command": "git push origin main"}, ToolKind.SHELL)
WRITE = ToolCall("Write", {"file_path": "../src/a.py", "content": ""}, ToolKind.WRITE)


@pytest.mark.parametrize(
    ("spec", "fits"),
    [
        (None, True),
        ("", True),
        ("*", True),
        ("run_shell_command", True),
        ("run_*", True),
        ("/^run_.+command$/", True),
        ("/shell/", True),
        ("shell", True),
        ("Bash", True),
        ("Read|Bash", True),
        ("Read, Bash", True),
        (["Read", "Bash"], True),
        ("Read", False),
        ("bash", False),
        ("run", False),
        ({"kind": "shell", "arguments": {"command": "git *"}}, True),
        ({"kind": "shell", "arguments": {"command": "ls*"}}, False),
        ({"arguments": {"missing": "*"}}, False),
        ({"not": "Bash"}, False),
        ({"tool": "Bash", "not": {"arguments": {"command": "/push/"}}}, False),
        (lambda call, state: call.kind is ToolKind.SHELL, True),
    ],
)
def test_a_specification_and_a_shell_call(spec, fits):
    assert matcher_from(spec).matches(SHELL, EVENT) is fits


@pytest.mark.parametrize(
    ("pattern", "fits"),
    [("src/*.py", True), ("/project/src/*", True), ("docs/*", False), ("/a\\.py$/", True)],
)
def test_a_path_is_seen_from_the_project_and_absolutely(pattern, fits):
    assert matcher_from({"path": pattern}).matches(WRITE, EVENT) is fits


def test_an_object_with_matches_is_a_matcher():
    class Mine:
        def matches(self, call, state):
            return call.name == "Write"

    assert matcher_from(Mine()).matches(WRITE, EVENT)


def test_any_of_and_not():
    assert any_of("Read", "Write").matches(WRITE, EVENT)
    assert not not_("Write").matches(WRITE, EVENT)


def test_an_event_without_a_tool_is_matched_by_its_subject():
    start = Event(EventName.SESSION_START, payload={"source": "resume"})
    assert matcher_from("startup|resume").matches(None, start)
    assert not matcher_from("startup").matches(None, start)
    assert not matcher_from({"path": "*"}).matches(None, start)


@pytest.mark.parametrize("wrong", ["/(/", 42, {"tol": "Bash"}])
def test_what_cannot_be_a_matcher_is_refused_with_a_hint(wrong):
    with pytest.raises(RegistrationError) as refused:
        matcher_from(wrong)
    assert refused.value.hint


def test_arguments_and_paths_match_no_event_without_a_tool():
    assert not matcher_from({"arguments": {"command": "*"}}).matches(None, EVENT)
    assert not matcher_from({"path": "*"}).matches(None, EVENT)


@pytest.mark.parametrize("spec", ["src/*.py", ["docs/*", "src/*.py"], ("src/*.py",)])
def test_paths_are_given_alone_or_in_a_list(spec):
    assert matcher_from({"path": spec}).matches(WRITE, EVENT)
    assert not matcher_from({"path": "docs/*"}).matches(WRITE, EVENT)


def test_a_path_that_ends_like_flags_is_a_path():
    index = ToolCall("Read", {"file_path": "/srv/i"}, ToolKind.READ)
    other = ToolCall("Read", {"file_path": "/x/SRV/y"}, ToolKind.READ)
    assert [matcher_from({"path": "/srv/i"}).matches(call, EVENT) for call in (index, other)] == [True, False]
