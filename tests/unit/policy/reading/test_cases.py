from __future__ import annotations

from pathlib import Path

import pytest

from fairlead.model.decision import Decision
from fairlead.model.event_name import EventName
from fairlead.policy.reading.cases import find_case_files, read_cases

GOOD = """\
tests:
  - command: git push --force
    expect: block
    rule: git/force-push
  - name: a secret
    tool: Read
    input: {file_path: .env}
    agent: codex
    cwd: sub
    expect: ask
    hook: protect-sensitive-files
    reason: secrets
  - prompt: delete everything
    expect: pass
  - event: SessionStart
    expect: allow
"""


def cases_of(tmp_path: Path, text: str):
    path = tmp_path / "hook.test.yaml"
    path.write_text(text)
    return read_cases(str(path))


def test_a_case_is_a_command_a_tool_a_prompt_or_an_event(tmp_path: Path) -> None:
    cases, problems = cases_of(tmp_path, GOOD)
    assert problems == []
    command, tool, prompt, event = cases
    assert (command.name, command.line) == ("git push --force", 2)
    assert (command.tool, command.input) == ("Bash", {"command": "git push --force"})
    assert (command.expect, command.rule) == (Decision.BLOCK, "git/force-push")
    assert (tool.name, tool.agent, tool.cwd, tool.input) == (
        "a secret",
        "codex",
        "sub",
        {"file_path": ".env"},
    )
    assert (prompt.event, prompt.prompt) == (EventName.BEFORE_AGENT, "delete everything")
    assert (prompt.name, event.name) == ("delete everything", "SessionStart at line 15")
    assert event.event is EventName.SESSION_START


def test_a_plain_list_is_enough(tmp_path: Path) -> None:
    cases, problems = cases_of(tmp_path, "- command: ls\n  expect: pass\n")
    assert (len(cases), problems) == (1, [])


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("- command: ls\n  expcet: pass\n", "2:3", "unknown key 'expcet'"),
        ("- command: ls\n", "1:3", "`expect` is missing"),
        ("- command: ls\n  expect: perhaps\n", "2:11", "there is no decision 'perhaps'"),
        ("- expect: pass\n", "1:3", "nothing is asked"),
        ("- tool: Read\n  input: [1]\n  expect: pass\n", "2:10", "`input` is not a mapping"),
        ("- event: Sometime\n  expect: pass\n", "1:10", "there is no event 'Sometime'"),
        ("- just text\n", "1:3", "this is not a test"),
        ("tests: no\n", "1:8", "this is not a list of tests"),
        ("cases: []\n", "1:1", "unknown key 'cases'"),
        ("- [\n", "2:1", "this is not YAML"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(tmp_path: Path, text: str, place: str, message: str) -> None:
    cases, problems = cases_of(tmp_path, text)
    assert cases == []
    assert f"hook.test.yaml:{place}: " in str(problems[0])
    assert message in problems[0].message


def test_one_bad_test_leaves_its_neighbours_alone(tmp_path: Path) -> None:
    cases, problems = cases_of(tmp_path, GOOD + "  - command: x\n")
    assert (len(cases), len(problems)) == (4, 1)


def test_a_file_that_is_not_there_is_a_problem(tmp_path: Path) -> None:
    cases, problems = read_cases(str(tmp_path / "absent"))
    assert cases == []
    assert "cannot be read" in problems[0].message


def test_tests_are_found_beside_policies(tmp_path: Path) -> None:
    folder = tmp_path / "hooks" / "git" / "deep"
    folder.mkdir(parents=True)
    (folder / "hook.test.yaml").touch()
    (tmp_path / "hook.test.yaml").touch()
    assert find_case_files(str(tmp_path)) == [str(folder / "hook.test.yaml")]
    assert find_case_files(str(tmp_path / "absent")) == []
