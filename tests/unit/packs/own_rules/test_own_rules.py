"""Rules that a policy writes down without code."""

from pathlib import Path

import pytest

from fairlead.errors import PolicyError
from fairlead.model.decision import Decision
from fairlead.model.tool_call import ToolKind
from fairlead.packs.own_rules.apply_rule import apply_rule
from tests.unit.packs.guard_kit import ROOT, shell_event, tool_event

PUSH = {"id": "no-push", "program": "git", "subcommand": "push", "branch": "main"}


def judged(rule: dict, event) -> Decision:
    outcome = apply_rule(event, {"rule": rule}, ())
    return outcome.decision if outcome else Decision.CONTINUE


def stops(rule: dict, command: str, **where: str) -> bool:
    return judged(rule, shell_event(command, **where)).objects


@pytest.mark.parametrize(
    "command",
    [
        "git push origin main",
        "cd x && git push origin main",
        "git -C app push origin main",
        "git -c user.name=x --no-pager push -u origin main",
        "sudo git push --force origin main",
        "sh -c 'git push origin HEAD:main'",
        "git push origin +main",
        "git push origin refs/heads/main",
        "git push origin topic:refs/heads/main",
        "git push origin :main",
        "git push --all",
        "B=main; git push origin $B",
        "env -i git push origin main | cat",
        "echo main | xargs git push origin",
    ],
)
def test_a_push_to_main_is_stopped_in_any_spelling(command: str) -> None:
    assert stops(PUSH, command)


@pytest.mark.parametrize(
    "command",
    [
        "git push origin topic", "git push origin main:topic", "git pull origin main", "git log main",
        "echo git push origin main", "git push origin maintenance", "git commit -m 'git push origin main'",
    ],
)  # fmt: skip
def test_what_is_no_push_to_main_passes(command: str) -> None:
    assert not stops(PUSH, command)


def test_a_push_without_a_branch_is_one_of_the_branch_that_it_is_on(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "sub").mkdir()
    head = tmp_path / ".git" / "HEAD"
    for branch, stopped in (("main", True), ("topic", False)):
        head.write_text(f"ref: refs/heads/{branch}\n")
        for command in ("git push", "git push origin HEAD", "git push origin", "cd sub && git push"):
            assert stops(PUSH, command, root=str(tmp_path)) is stopped, command
    commit = {"id": "x", "program": "git", "subcommand": "commit", "branch": "topic"}
    assert stops(commit, "git commit -m x", root=str(tmp_path))


@pytest.mark.parametrize(
    ("rule", "stopped", "passed"),
    [
        ({"program": "terraform", "subcommand": ["apply", "destroy"]}, "terraform -chdir=x apply", "ls"),
        ({"program": "kubectl", "subcommand": "rollout undo"}, "kubectl -n p rollout undo x", "ls"),
        ({"program": "docker*", "argument": "--privileged*"}, "docker run --privileged=1 x", "docker run x"),
        ({"argument": "/prod(uction)?-/i"}, "deploy PROD-eu", "deploy staging-eu"),
        ({"effect": "delete", "path": "migrations/*"}, "rm migrations/001.sql", "rm build/x"),
        ({"effect": ["delete", "overwrite"], "place": "home"}, "rm ~/notes", "rm notes"),
        ({"program": "rm", "effect": "delete", "place": "project"}, "rm src/a.py", "unlink src/a.py"),
        ({"effect": "rewrite-history/push-force"}, "git push --force origin topic", "git push origin topic"),
        ({"tool": "shell", "program": "npm"}, "npm publish", "yarn publish"),
    ],
)  # fmt: skip
def test_each_key_says_what_a_rule_is_about(rule: dict, stopped: str, passed: str) -> None:
    assert stops({"id": "x", **rule}, stopped)
    assert not stops({"id": "x", **rule}, passed)


def test_file_tools_are_seen_as_well() -> None:
    rule = {"id": "x", "tool": "write", "path": "infra/*"}
    write = tool_event(ToolKind.WRITE, file_path=f"{ROOT}/infra/main.tf", content="")
    assert judged(rule, write) is Decision.BLOCK
    assert judged({**rule, "tool": "read"}, write) is Decision.CONTINUE
    assert judged({"id": "x", "tool": "write"}, write) is Decision.BLOCK


def test_a_rule_may_be_for_some_agents_and_may_ask() -> None:
    rule = {**PUSH, "agent": ["codex"], "decision": "ask"}
    event = shell_event("git push origin main")
    assert judged(rule, event) is Decision.CONTINUE
    assert judged(rule, event.replace(agent="codex")) is Decision.ASK


def test_the_answer_has_the_rules_own_words() -> None:
    words = {"reason": "No `{what}`.", "person": "Somebody pushes.", "alternative": "Open a pull request."}
    outcome = apply_rule(shell_event("cd x && git push origin main"), {"rule": {**PUSH, **words}}, ())
    assert outcome is not None
    assert outcome.reason == "No `git push origin main`."
    assert (outcome.system_message, outcome.alternative) == ("Somebody pushes.", "Open a pull request.")
    assert outcome.rule == "rules/no-push"
    (evidence,) = outcome.evidence
    assert b"cd x && git push origin main"[evidence.start : evidence.end] == b"git push origin main"


def test_an_exception_of_a_person_holds_for_a_rule() -> None:
    config = {"rule": PUSH, "excused": ["rules/no-push"]}
    outcome = apply_rule(shell_event("git push origin main"), config, ())
    assert outcome is not None
    assert outcome.decision is Decision.CONTINUE
    assert outcome.metrics["excused"] == ["rules/no-push"]


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ({"id": "x", "effect": "delte"}, "did you mean 'delete'?"),
        ({"id": "x", "place": "hom"}, "did you mean 'home'?"),
    ],
)
def test_a_word_that_means_nothing_breaks_the_rule(rule: dict, said: str) -> None:
    with pytest.raises(PolicyError) as caught:
        apply_rule(shell_event("ls"), {"rule": rule}, ())
    assert said in caught.value.hint
