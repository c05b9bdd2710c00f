import pytest

from fairlead.contracts.directives import parse
from fairlead.contracts.effects import effects_of, may_set
from fairlead.contracts.modes import Flow, change_to, mode_for


def effects(*lines, environment=None, **options):
    asked = [each for number, line in enumerate(lines, 1) for each in parse(line, number)]
    return effects_of(asked, environment or {}, **options)


def test_variables_are_set_in_order():
    assert effects("A=1", "export B='2 3'", "env:A=4").variables == {"A": "4", "B": "2 3"}


def test_lists_are_appended_prepended_and_thinned():
    environment = {"TAGS": "a:b"}
    assert effects("env:TAGS+=c", environment=environment).variables == {"TAGS": "a:b:c"}
    assert effects("env:TAGS^=c", environment=environment).variables == {"TAGS": "c:a:b"}
    assert effects("env:TAGS-=a", "env:TAGS-=x", environment=environment).variables == {"TAGS": "b"}
    assert effects("env:NEW+=c").variables == {"NEW": "c"}


@pytest.mark.parametrize("value", ["a+=b", "a^=b", "a-=b", "a=b"])
def test_w20_a_value_may_contain_an_operator(value):
    assert effects(f"env:OPTS={value}").variables == {"OPTS": value}


@pytest.mark.parametrize(
    "name", ["PATH", "LD_PRELOAD", "IFS", "BASH_ENV", "PYTHONPATH", "ENV", "PS4", "GIT_SSH", "HOOKS_DIR"]
)
def test_w20_what_changes_how_programs_run_is_not_set(name):
    changed = effects(f"env:{name}=/evil")
    assert changed.variables == {}
    assert name in changed.warnings[0]


def test_an_allow_list_narrows_or_widens():
    assert may_set("ANY", None)
    assert not may_set("ANY", ["CI_*"])
    assert may_set("CI_X", ["CI_*"])
    assert may_set("PATH", ["PATH"])
    assert may_set("PATH", ["+PATH"])
    assert may_set("ANY", ["+PATH"])


def test_a_malformed_contract_is_a_warning_with_its_line():
    (warning,) = effects("A=1", "gibberish").warnings
    assert warning == "line 2: contract:gibberish is ignored: it is none of the known contracts"


def test_exit_and_route():
    assert effects("exit:7").flow == Flow(True, 7, result="exit")
    assert effects("route:/x.sh").flow == Flow(True, route="/x.sh", result="route")


@pytest.mark.parametrize(
    ("mode", "variables", "flow"),
    [
        ("dry", {"CI_MODE": "DRY", "DRY_RUN": "true"}, Flow(result="dry")),
        (
            "ok",
            {"CI_MODE": "OK", "__CI_MODE_TERMINATE": "true", "__CI_MODE_EXIT": "0"},
            Flow(True, 0, result="ok"),
        ),
        (
            "skip",
            {"CI_MODE": "SKIP", "__CI_MODE_TERMINATE": "true", "__CI_MODE_EXIT": "0"},
            Flow(True, 0, result="skip"),
        ),
        (
            "error:42",
            {"CI_MODE": "ERROR", "__CI_MODE_TERMINATE": "true", "__CI_MODE_EXIT": "42"},
            Flow(True, 42, result="error"),
        ),
        ("timeout:2", {"CI_MODE": "TIMEOUT", "CI_MODE_TIMEOUT": "2"}, Flow(timeout=2.0, result="timeout")),
        (
            "test:/t.sh",
            {"CI_MODE": "TEST", "__CI_MODE_TERMINATE": "true"},
            Flow(True, route="/t.sh", result="test"),
        ),
    ],
)
def test_each_mode_has_its_own_visible_result(mode, variables, flow):
    changed = effects(f"mode={mode}")
    assert (changed.variables, changed.flow) == (variables, flow)


@pytest.mark.parametrize("mode", ["bogus", "error:0", "error:x", "timeout", "timeout:x", "test", "dry:1"])
def test_a_mode_that_is_none_is_a_warning(mode):
    assert isinstance(change_to(mode), str)
    assert effects(f"mode={mode}").warnings


@pytest.mark.parametrize(
    ("environment", "mode"),
    [
        ({}, ""),
        ({"CI_SCRIPT_MODE": "EXEC"}, ""),
        ({"CI_SCRIPT_MODE": "DRY"}, "dry"),
        ({"HOOKS_FLOW_MODE": "SKIP"}, "skip"),
        ({"CI_SCRIPT_MODE": "DRY", "CI_SCRIPT_MODE_ci_20_compile": "OK"}, "ok"),
        ({"CI_SCRIPT_MODE": "ERROR"}, "error:1"),
        ({"CI_SCRIPT_MODE": "ERROR", "CI_SCRIPT_ERROR_CODE": "42"}, "error:42"),
        ({"HOOKS_FLOW_MODE": "ERROR", "HOOKS_FLOW_ERROR_CODE": "9"}, "error:9"),
        ({"CI_SCRIPT_MODE": "TIMEOUT:2"}, "timeout:2"),
        ({"CI_SCRIPT_MODE": "TEST:mock.sh"}, "test:mock.sh"),
        ({"HOOKS_FLOW_MODE": "/a/mock.sh"}, "test:/a/mock.sh"),
    ],
)
def test_the_mode_that_was_asked_for(environment, mode):
    assert mode_for("ci-20-compile", environment) == mode
