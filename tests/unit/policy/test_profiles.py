"""`profile:` in a policy: for a single program, never a default, and never in silence."""

import json

import pytest

from fairlead.assembly import BUILTINS, build
from fairlead.model.decision import Decision
from fairlead.policy.places import find_places
from fairlead.policy.policy import load_policy
from fairlead.testing import shell_event


def policy(folder, *, event="BeforeTool", project=False, **entry):
    home, root = folder / "home", folder / "project"
    place = (root / ".fairlead" if project else home / "config") / "hooks" / "one"
    place.mkdir(parents=True)
    (place / "guard").write_text("#!/bin/sh\n")
    (place / "guard").chmod(0o755)
    file = {k: entry.pop(k) for k in ("profile_of_file", "providers") if k in entry}
    if "profile_of_file" in file:
        file["profile"] = file.pop("profile_of_file")
    given = {"id": "mine", "path": "guard", "type": "safety", "profile": "gemini", **entry}
    text = {"event": event, "middleware": [{k: v for k, v in given.items() if v is not None}], **file}
    (place / "hook.meta.yaml").write_text(json.dumps(text))
    return load_policy(find_places(str(home)), str(root), builtin_names=frozenset(BUILTINS))


def test_using_one_is_a_warning_that_says_what_it_costs(tmp_path):
    loaded = policy(tmp_path)
    (problem,) = loaded.problems
    assert (problem.severity, problem.line) == ("warning", 1)
    assert "profile 'gemini'" in problem.message and "timeout" in problem.hint


def test_strict_may_be_said_and_is_nothing_to_warn_of(tmp_path):
    assert policy(tmp_path, profile="strict").problems == ()


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({"profile": "claude"}, "profile"),
        ({"on_error": "block"}, "decides itself what a failure means"),
        ({"protocol": "claude"}, "knows one protocol"),
        ({"matcher": ["a", "b"]}, "one regular expression"),
        ({"event": "PermissionRequest"}, "has no event"),
    ],
)
def test_what_its_original_does_not_know_breaks_the_entry(entry, message, tmp_path):
    loaded = policy(tmp_path, **entry)
    assert any(message in problem.message for problem in loaded.errors)
    mine = next(each for each in loaded.entries if each.id == "mine")
    assert mine.broken is not None


@pytest.mark.parametrize(
    "entry", [{"path": None, "url": "https://guard.example"}, {"path": "guard", "id": "x"}]
)
def test_an_address_cannot_have_one_and_a_program_can(entry, tmp_path):
    loaded = policy(tmp_path, **entry)
    hook = build(loaded).get_all_hooks()[-1]
    assert (hook.broken is not None) is ("url" in entry)


def test_a_built_in_cannot_have_one(tmp_path):
    loaded = policy(tmp_path, id="block-dangerous-commands", path=None)
    verdict = build(loaded).fire(shell_event("ls"))
    assert verdict.decision is Decision.BLOCK and "only a program" in verdict.reason


@pytest.mark.parametrize(
    "file", [{"profile_of_file": "gemini"}, {"providers": {"gemini": {"profile": "gemini"}}}]
)
def test_a_policy_cannot_make_one_the_default(file, tmp_path):
    loaded = policy(tmp_path, profile=None, **file)
    assert any("unknown key 'profile'" in problem.message for problem in loaded.errors)
    assert all(hook.run.profile == "strict" for hook in build(loaded).get_all_hooks())


def test_a_project_that_nobody_trusts_runs_nothing_under_one(tmp_path):
    loaded = policy(tmp_path, project=True)
    assert all(entry.profile == "strict" for entry in loaded.entries)
    assert any("would run code" in problem.message for problem in loaded.problems)


def test_the_matcher_is_kept_as_it_is_written(tmp_path):
    """`/x/` would be a regular expression of ours, and an invalid one an error."""
    loaded = policy(tmp_path, matcher="/(?<n>/")
    assert loaded.errors == ()


def test_a_matcher_that_we_cannot_follow_breaks_the_entry_and_does_not_switch_it_off(tmp_path):
    loaded = policy(tmp_path, matcher="(?<=a+)b")
    verdict = build(loaded).fire(shell_event("ls"))
    assert verdict.decision is Decision.BLOCK
    assert "looks backwards at texts of varying length" in verdict.reason
