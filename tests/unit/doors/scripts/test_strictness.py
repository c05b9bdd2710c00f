"""What may be said about script hooks, and that no mistake in it reads as a success."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from fairlead.doors.scripts.script_hooks import ScriptHooks
from fairlead.errors import RegistrationError
from fairlead.model.timeline import Timeline


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"fail_fats": True}, "no option 'fail_fats'"),
        ({"timeot": 3}, "did you mean 'timeout'"),
        ({"timeout": -1}, "timeout cannot be -1"),
        ({"timeout": "5"}, "timeout cannot be '5'"),
        ({"retries": -1}, "retries cannot be -1"),
        ({"grace": True}, "grace cannot be True"),
        ({"exit_policy": "best"}, "'best' is not an exit policy"),
    ],
)
def test_an_option_that_cannot_be_is_refused_where_it_is_given(options: dict[str, Any], words: str) -> None:
    with pytest.raises(RegistrationError, match=words):
        ScriptHooks(**options)
    with pytest.raises(RegistrationError, match=words):
        ScriptHooks().declare("begin", **options)


@pytest.mark.parametrize(("answer", "code"), [(0, 0), (7, 7), (256, 1), (-1, 255), ("no", 1), (True, 1)])
def test_a_middlewares_answer_never_turns_into_a_success(answer: Any, code: int) -> None:
    hooks = ScriptHooks()
    hooks.declare("begin")
    hooks.function("begin", lambda: 3)
    hooks.middleware("begin", lambda *given: answer)
    assert hooks.do("begin").exit_code == code


def test_a_contract_of_ones_own_sets_only_what_can_be_a_variable(capsys: pytest.CaptureFixture[str]) -> None:
    class Reader:
        def read(self, timeline: Timeline, /) -> Mapping[str, object]:
            return {"GOOD": 1, "bad name": 2, "PATH": "/evil"}

    hooks = ScriptHooks()
    hooks.declare("begin")
    hooks.function("begin", lambda: 0)
    hooks.contract("begin", Reader())
    assert hooks.do("begin").variables == {"GOOD": "1"}
    warnings = capsys.readouterr().err
    assert "'bad name' cannot be the name of a variable" in warnings
    assert "hook:begin: a contract may not set PATH" in warnings


@pytest.mark.parametrize(
    ("asked", "result"),
    [("DRY", "dry"), ("ERROR", "error"), ("TIMEOUT:5", "timeout"), ("EXEC", ""), ("", "")],
)
def test_the_mode_that_someone_asked_for_is_a_hook(asked: str, result: str) -> None:
    hooks = ScriptHooks(environment={"CI_SCRIPT_MODE_compile_sh": asked, "CI_SCRIPT_ERROR_CODE": "9"})
    hooks.declare("begin")
    hooks.function("begin", hooks.mode)
    hooks.contract("begin")
    run = hooks.do("begin", "compile.sh")
    assert (run.flow.result, run.flow.exit_code) == (result, 9 if result == "error" else None)
