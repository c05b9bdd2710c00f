"""The kit for authors of hooks, tried as an author would."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from fairlead.middleware_base import MiddlewareResult
from fairlead.model.answer import Ask, Block
from fairlead.testing import (
    PolicyUnderTest,
    assert_allows,
    assert_asks,
    assert_blocks,
    assert_broken,
    bash,
    event,
    load_middleware,
    play,
    tool_call,
)

pytest_plugins = ["pytester"]


@pytest.fixture
def guarded(tmp_path: Path) -> Iterator[PolicyUnderTest]:
    with PolicyUnderTest(home=str(tmp_path / "home")) as policy:
        yield policy


def test_a_policy_is_judged_without_an_agent(guarded: PolicyUnderTest) -> None:
    assert_blocks(guarded.check(bash("rm -rf /")))
    assert_allows(guarded.check(bash("ls")))
    assert_allows(guarded.check(event("SessionStart", source="startup")))


def test_assertions_read_every_kind_of_answer() -> None:
    assert_blocks(Block("never on Sundays"), "Sundays")
    assert_asks(Ask("sure?"))
    assert_allows(None)
    assert_allows(MiddlewareResult("continue"))
    assert_blocks({"decision": "block", "reason": "x"})
    with pytest.raises(AssertionError, match="expected a block, got allow"):
        assert_blocks(MiddlewareResult("allow", "fine"))
    with pytest.raises(AssertionError, match="expected no objection, got block: no"):
        assert_allows(Block("no"))
    with pytest.raises(AssertionError, match="is no answer of a hook"):
        assert_allows("yes")


def test_a_transcript_plays_as_written(guarded: PolicyUnderTest) -> None:
    text = "# files\n>> Bash ls -la\n<< pass\n\n>> Read README.md\n<< pass\n"
    assert play(text, guarded) == text
    assert "<< block" in play(">> Bash rm -rf /\n<< pass\n", guarded)


def test_a_middleware_file_is_loaded_without_leaving_bytecode(tmp_path: Path) -> None:
    file = tmp_path / "guard.py"
    file.write_text(
        "from middleware_base import MiddlewareResult\n"
        "def process(hook_input, config, previous_results):\n"
        "    return MiddlewareResult('block', 'because', {})\n"
    )
    assert_blocks(load_middleware(str(file))["process"]({}, {}, []), "because")
    assert list(tmp_path.iterdir()) == [file]


def test_the_kind_of_a_call_is_told_from_its_arguments() -> None:
    assert tool_call("whatever", file_path="a", content="b").kind == "write"


@pytest.mark.slow
def test_the_plugin_gives_fixtures(pytester: pytest.Pytester) -> None:
    hooks = pytester.mkdir(".fairlead").joinpath("hooks", "one")
    hooks.mkdir(parents=True)
    hooks.joinpath("hook.meta.yaml").write_text(
        "event: PreToolUse\nmiddleware:\n  - {id: own, type: safety, path: own.py}\n"
    )
    hooks.joinpath("own.py").write_text(
        "def process(hook_input, config, previous_results):\n"
        "    command = hook_input['tool_input'].get('command', '')\n"
        "    return {'decision': 'block', 'reason': 'no make'} if command == 'make' else None\n"
    )
    pytester.makepyfile(
        """
        from fairlead.testing import bash

        def test_own_rule(policy, assert_blocks, assert_allows, hook_event):
            assert_blocks(policy.check(bash("make")), "no make")
            assert_allows(policy.check(bash("ls")))
            assert hook_event("PreToolUse", call=bash("ls")).tool.name == "Bash"
        """
    )
    run = pytester.runpytest_subprocess("-p", "no:randomly", "-W", "error")
    run.assert_outcomes(passed=1)


def test_an_assertion_is_not_content_with_a_guard_that_breaks(tmp_path: Path) -> None:
    hooks = tmp_path / "rules" / "hooks" / "mine"
    hooks.mkdir(parents=True)
    (hooks / "hook.meta.yaml").write_text(
        "id: mine\nevent: PreToolUse\nmiddleware:\n  - {id: guard, type: safety, path: guard.py}\n"
    )
    guard = hooks / "guard.py"
    guard.write_text("def process(hook_input, config, previous_results):\n    return 1 / 0\n")
    with PolicyUnderTest(str(tmp_path / "rules"), home=str(tmp_path / "home")) as policy:
        for wrong in (assert_blocks, assert_allows, assert_asks):
            with pytest.raises(AssertionError, match="a hook broke"):
                wrong(policy.check(bash("ls")))
        assert_broken(policy.check(bash("ls")), "ZeroDivisionError")
        with pytest.raises(AssertionError, match="in the failure"):
            assert_broken(policy.check(bash("ls")), "another error")
    guard.write_text("def process(hook_input, config, previous_results):\n    return None\n")
    with PolicyUnderTest(str(tmp_path / "rules"), home=str(tmp_path / "home")) as policy:
        assert_allows(policy.check(bash("ls")))
        with pytest.raises(AssertionError, match="none did"):
            assert_broken(policy.check(bash("ls")))
    assert not Path(policy.root).exists()
