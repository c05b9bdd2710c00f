import json
import os

import pytest

from fairlead.executors.command import Command
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.failure import FailureCode
from fairlead.model.hook import Hook, HookType, Outcome, Run, Shell
from fairlead.model.timeline import Stream

PAYLOAD = {"session_id": "s", "hook_event_name": "PreToolUse", "tool_name": "Bash"}


@pytest.fixture
def event(tmp_path):
    return Event(EventName.BEFORE_TOOL, agent="claude", root=str(tmp_path), payload=PAYLOAD)


def hook(target, **changes):
    made = Hook("guard", HookType.SAFETY, EventName.BEFORE_TOOL, Run("command", target))
    return made.replace(**changes)


def script(path, text):
    path.write_text(text)
    path.chmod(0o755)
    return str(path)


def test_a_program_gets_the_event_as_json_in_the_projects_root(tmp_path, event):
    capture = Command().run(hook(Shell("cat; echo; pwd")), event, ())
    said, where = capture.timeline.text(Stream.STDOUT).splitlines()
    assert json.loads(said) == {**PAYLOAD, "fairlead": {"config": {}, "previous_results": []}}
    assert where == str(tmp_path)
    assert capture.exit_code == 0


@pytest.mark.parametrize("protocol", ["claude", "gemini"])
def test_a_program_that_was_written_for_an_agent_is_told_what_that_agent_tells(event, protocol):
    written = hook(Shell("cat")).replace(run=Run("command", Shell("cat"), protocol=protocol))
    capture = Command(reading=lambda _: {"version": 1}).run(written, event, ())
    assert "fairlead" not in json.loads(capture.timeline.text(Stream.STDOUT))


def test_config_earlier_results_and_the_reading_of_the_call_are_told_along(event):
    told = hook(Shell("cat"), config={"team": "platform"})
    capture = Command(reading=lambda _: {"version": 1}).run(told, event, [Outcome(hook="first")])
    given = json.loads(capture.timeline.text(Stream.STDOUT))["fairlead"]
    assert (given["version"], given["config"]) == (1, {"team": "platform"})
    assert given["previous_results"][0]["id"] == "first"


def test_a_program_sees_only_the_environment_that_it_was_given(event):
    environment = {"PATH": os.environ["PATH"], "CLAUDE_PROJECT_DIR": "/p"}
    capture = Command(environment).run(hook(("env",)), event, ())
    given = dict(line.split("=", 1) for line in capture.timeline.text(Stream.STDOUT).splitlines())
    assert given == environment


def test_a_relative_path_is_taken_from_the_policys_directory_and_never_from_the_search_path(tmp_path, event):
    script(tmp_path / "true", "#!/bin/sh\necho mine\n")
    run = Run("command", "true", directory=str(tmp_path))
    assert Command().run(hook("true", run=run), event, ()).timeline.rendered() == ["1: mine"]


def test_a_program_that_is_missing_is_a_failure_that_names_it(event):
    failure = Command().run(hook("/nowhere/guard.sh"), event, ()).failure
    assert "/nowhere/guard.sh could not be started: No such file" in failure.message


def test_a_file_that_is_not_executable_is_a_failure_that_says_what_to_do(tmp_path, event):
    path = tmp_path / "guard.sh"
    path.write_text("#!/bin/sh\n")
    assert "chmod +x" in Command().run(hook(str(path)), event, ()).failure.message


def test_a_target_that_is_no_program_is_a_failure(event):
    assert "neither a path nor a list" in Command().run(hook(3), event, ()).failure.message


def test_a_hook_that_takes_too_long_is_a_timeout_that_shows_what_it_had_printed(event):
    capture = Command().run(hook(Shell("echo before; sleep 60"), timeout=0.2), event, ())
    assert capture.failure.code is FailureCode.TIMEOUT
    assert capture.failure.message == "no answer within 0.2 s; it had printed: before"


def test_a_hook_that_is_killed_is_a_failure_with_the_name_of_the_signal(event):
    capture = Command().run(hook(Shell("kill -SEGV $$")), event, ())
    assert capture.exit_code == -11
    assert "ended by SIGSEGV" in capture.failure.message


def test_a_non_zero_exit_code_is_left_for_the_contract(event):
    capture = Command().run(hook(Shell("exit 7")), event, ())
    assert (capture.exit_code, capture.failure) == (7, None)
