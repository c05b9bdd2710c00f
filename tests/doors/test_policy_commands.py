"""The commands that look at policies and change them, as real processes, with and without a terminal."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from fairlead.policy.human import set_passphrase
from fairlead.policy.layering.trust import trust
from fairlead.policy.places import find_places
from kit import PASSPHRASE, Machine, at_terminal

RULE = """\
event: PreToolUse
middleware:
  - id: own
    type: safety
    path: own.py
    {line}
"""


@pytest.fixture
def guarded(machine: Machine) -> Machine:
    """A machine whose owner set a passphrase: tests may run inside an agent, where nothing else would do."""
    set_passphrase(find_places(str(machine.home)), PASSPHRASE)
    return machine


def write_rule(machine: Machine, line: str = "matcher: Bash") -> Path:
    folder = machine.project / ".fairlead" / "hooks" / "one"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "hook.meta.yaml").write_text(RULE.format(line=line))
    (folder / "own.py").write_text("def process(hook_input, config, previous_results): ...\n")
    return folder


@pytest.mark.slow
def test_init_writes_a_policy_a_rule_and_a_test_that_passes(machine: Machine) -> None:
    answer = machine.fairlead("init")
    assert answer.returncode == 0
    assert answer.stdout.decode().splitlines() == [
        "wrote  .fairlead/hooks/pre-tool-use/hook.meta.yaml",
        "wrote  .fairlead/hooks/pre-tool-use/no_direct_push.py",
        "wrote  .fairlead/hooks/pre-tool-use/hook.test.yaml",
        "wrote  tests/test_fairlead_hooks.py",
    ]
    pytest_run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:randomly", "tests"],
        cwd=machine.project,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "2 passed" in pytest_run.stdout
    found = sorted(path.name for path in (machine.project / ".fairlead").rglob("*") if path.is_file())
    assert found == ["hook.meta.yaml", "hook.test.yaml", "no_direct_push.py"]


@pytest.mark.slow
def test_what_init_writes_is_listed_and_tested_once_it_is_trusted(machine: Machine) -> None:
    machine.fairlead("init")
    before = machine.fairlead("hooks", "list")
    rows = json.loads(machine.fairlead("hooks", "list", "--json").stdout)
    assert [row["state"] for row in rows if row["id"] == "no-direct-push"] == ["not trusted"]
    assert b"not trusted" in before.stdout and b"`fairlead trust`" in before.stderr
    failed = machine.fairlead("test")
    assert failed.returncode == 1 and b"this project is not trusted" in failed.stderr
    trust(find_places(str(machine.home)), str(machine.project))
    assert machine.fairlead("test").stdout.decode().splitlines()[0] == "3 of 3 tests passed"
    after = json.loads(machine.fairlead("hooks", "list", "--json").stdout)
    assert [row["state"] for row in after if row["id"] == "no-direct-push"] == ["on"]


def test_init_overwrites_nothing(machine: Machine) -> None:
    machine.fairlead("init")
    rule = machine.project / ".fairlead/hooks/pre-tool-use/no_direct_push.py"
    rule.write_text("mine")
    answer = machine.fairlead("init")
    assert {line[:5] for line in answer.stdout.decode().splitlines()} == {"kept "}
    assert rule.read_text() == "mine"


def test_policy_check_names_every_mistake_and_its_exit_code_says_so(machine: Machine) -> None:
    folder = machine.user_policy(
        "event: PreToolUse\nmiddleware:\n  - {id: a, type: saftey}\n  - {id: b, tiemout: 3}\n"
    )
    answer = machine.fairlead("policy", "check")
    assert answer.returncode == 1
    text = answer.stdout.decode()
    assert f"{folder}/hook.meta.yaml:3:19: 'type' cannot be 'saftey'\n  hint: did you mean 'safety'?" in text
    assert f"{folder}/hook.meta.yaml:4:13: unknown key 'tiemout'\n  hint: did you mean 'timeout'?" in text
    data = json.loads(machine.fairlead("policy", "check", "--json").stdout)
    assert data["ok"] is False
    assert {(problem["line"], problem["column"]) for problem in data["problems"]} >= {(3, 19), (4, 13)}


def test_policy_check_names_hooks_that_wait_for_each_other(machine: Machine) -> None:
    machine.user_policy(
        "event: Stop\nmiddleware:\n"
        "  - {id: a, type: safety, path: a.py, before: b}\n"
        "  - {id: b, type: safety, path: a.py, before: a}\n"
    ).joinpath("a.py").write_text("")
    answer = machine.fairlead("policy", "check")
    assert "hooks wait for each other: a -> b -> a" in answer.stdout.decode()
    assert answer.returncode == 1


def test_policy_check_is_content_with_an_untrusted_project_but_says_what_is_left_out(
    machine: Machine,
) -> None:
    write_rule(machine)
    data = json.loads(machine.fairlead("policy", "check", "--json").stdout)
    assert data["trust"] == "untrusted"
    assert any("would run code" in problem["message"] for problem in data["problems"])


def test_hooks_list_shows_layers_and_speaks_json(machine: Machine) -> None:
    machine.user_policy("event: PreToolUse\nmiddleware:\n  - {id: log-operations, enabled: true}\n")
    hooks = json.loads(machine.fairlead("hooks", "list", "--event", "BeforeTool", "--json").stdout)
    by_id = {hook["id"]: hook for hook in hooks}
    assert (by_id["log-operations"]["layer"], by_id["log-operations"]["state"]) == ("user", "on")
    assert (by_id["emit-metrics"]["layer"], by_id["emit-metrics"]["state"]) == ("built-in", "off")
    assert "EVENT" in machine.fairlead("hooks", "list").stdout.decode()


@pytest.mark.parametrize(
    "words",
    [
        ("hooks", "enable", "nothing-like-it"),
        ("hooks", "list", "--event", "Nothing"),
        ("hooks", "frobnicate"),
        ("policy",),
        ("trust", "--nonsense"),
    ],
)
def test_wrong_usage_exits_with_64_and_never_with_2(machine: Machine, words: tuple[str, ...]) -> None:
    assert machine.fairlead(*words).returncode == 64


def test_an_observer_is_turned_on_without_asking_anybody(machine: Machine) -> None:
    assert machine.fairlead("hooks", "enable", "log-operations").returncode == 0
    hooks = json.loads(machine.fairlead("hooks", "list", "--json").stdout)
    assert {hook["state"] for hook in hooks if hook["id"] == "log-operations"} == {"on"}


@pytest.mark.parametrize(
    "words",
    [
        ("trust", "--yes"),
        ("untrust", "--yes"),
        ("hooks", "disable", "block-dangerous-commands", "--yes"),
        ("hooks", "enable", "approve-safe-operations", "--yes"),
    ],
)
def test_law_9_nothing_loosens_without_a_human(machine: Machine, words: tuple[str, ...]) -> None:
    write_rule(machine)
    answer = machine.fairlead(*words, start_new_session=True)
    assert answer.returncode == 1
    assert b"a human is needed" in answer.stderr
    assert not (machine.home / "state" / "trust").exists()
    assert not (machine.home / "config").exists()


@pytest.mark.slow
def test_law_9_trust_with_the_passphrase_and_a_change_takes_it_back(guarded: Machine) -> None:
    folder = write_rule(guarded)
    code, shown = at_terminal(guarded, "trust", "--yes")
    assert (code, "trusted: 2 files" in shown) == (0, True)
    assert _trust(guarded) == "trusted"
    (folder / "own.py").write_text("changed")
    assert _trust(guarded) == "changed"
    code, _ = at_terminal(guarded, "untrust", "--yes")
    assert code == 0
    assert _trust(guarded) == "untrusted"


@pytest.mark.slow
def test_a_wrong_passphrase_changes_nothing(guarded: Machine) -> None:
    write_rule(guarded)
    code, shown = at_terminal(guarded, "trust", "--yes", secret="guessed it")
    assert (code, "the passphrase is wrong" in shown) == (1, True)
    assert _trust(guarded) == "untrusted"


@pytest.mark.slow
def test_a_trusted_projects_hook_is_switched_in_its_own_file_and_stays_trusted(guarded: Machine) -> None:
    folder = write_rule(guarded, "enabled: true # since Monday")
    at_terminal(guarded, "trust", "--yes")
    code, shown = at_terminal(guarded, "hooks", "disable", "own", "--yes")
    assert code == 0, shown
    assert "enabled: false # since Monday" in (folder / "hook.meta.yaml").read_text()
    assert _trust(guarded) == "trusted"


def _trust(machine: Machine) -> str:
    data = json.loads(machine.fairlead("policy", "check", "--json").stdout)
    return str(data["trust"])


def test_trust_show_says_what_would_run_and_pins_nothing(machine: Machine) -> None:
    folder = write_rule(machine)
    data = json.loads(machine.fairlead("trust", "--show", "--json").stdout)
    assert [(entry["id"], entry["runs"], entry["target"]) for entry in data["entries"]] == [
        ("own", "python", str(folder / "own.py"))
    ]
    assert data["files"] == ["hooks/one/hook.meta.yaml", "hooks/one/own.py"]
    assert _trust(machine) == "untrusted"


@pytest.mark.slow
def test_policy_check_flags_a_pattern_that_can_never_match(machine: Machine) -> None:
    folder = machine.project / ".fairlead" / "hooks" / "guard"
    folder.mkdir(parents=True)
    (folder / "hook.meta.yaml").write_text(
        "event: PreToolUse\nmiddleware:\n  - id: block-dangerous-commands\n    type: safety\n"
        "    config:\n      dangerous_patterns: ['rm  -rf']\n"
    )
    answer = machine.fairlead("policy", "check")
    assert "'rm  -rf' can never match" in answer.stdout.decode()
    assert "warning" in answer.stdout.decode()


@pytest.mark.parametrize(
    ("matcher", "said"),
    [
        ("bash", b"write Bash"),
        ("Bsah", b"did you mean Bash?"),
        ("^Bash$", b"put it between slashes: /^Bash$/"),
        ("Bash.*", b"write Bash* or /Bash.*/"),
        ("/unclosed", b"write /unclosed/"),
        ("/^bash$/", b"small and capital letters count"),
        ("{kind: shel}", b"did you mean 'shell'?"),
    ],
)
def test_a_matcher_that_never_fits_is_an_error_with_the_right_spelling(
    machine: Machine, matcher: str, said: bytes
) -> None:
    hooks = machine.home / "config" / "hooks" / "mine"
    hooks.mkdir(parents=True)
    written = matcher if matcher.startswith("{") else f"'{matcher}'"
    entry = f"  - {{id: protect-sensitive-files, type: safety, matcher: {written}}}\n"
    (hooks / "hook.meta.yaml").write_text(f"id: mine\nevent: PreToolUse\nmiddleware:\n{entry}")
    checked = machine.fairlead("policy", "check")
    assert checked.returncode == 1
    assert said in checked.stdout
    assert b"hook.meta.yaml:4:" in checked.stdout
    listed = json.loads(machine.fairlead("hooks", "list", "--json").stdout)
    states = {one["id"]: one["state"] for one in listed if one["event"] == "BeforeTool"}
    assert states["protect-sensitive-files"] in ("never matches", "broken")


def write_user_policy(machine: Machine, text: str, **files: str) -> None:
    hooks = machine.home / "config" / "hooks" / "mine"
    hooks.mkdir(parents=True)
    (hooks / "hook.meta.yaml").write_text(f"id: mine\nevent: PreToolUse\n{text}")
    for name, content in files.items():
        (hooks / f"{name}.py").write_text(content)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("middleware:\n  - {id: block-dangerous-commands, enabled: false}\n", b"is off"),
        ("middleware:\n  - {id: block-dangerous-commands, matcher: Bash}\n", b"no longer sees every call"),
        ("middleware:\n  - {id: block-dangerous-commands, on_error: allow}\n", b"says allow when it breaks"),
        (
            "middleware:\n  - {id: block-dangerous-commands, config: {packs: {disable: [git]}}}\n",
            b"without git",
        ),
        ("middleware:\n  - {id: protect-sensitive-files, type: safety, path: ok.py}\n", b"no longer runs"),
    ],
)
def test_a_policy_that_guards_less_than_the_built_in_one_is_told_so(
    machine: Machine, text: str, said: bytes
) -> None:
    write_user_policy(machine, text, ok="def process(hook_input, config, previous_results): ...\n")
    done = machine.fairlead("policy", "check")
    assert done.returncode == 0
    assert said in done.stdout
    assert b"warning: " in done.stdout


def test_a_provider_without_any_guard_is_told_so(machine: Machine) -> None:
    entries = "".join(f"  - id: {name}\n" for name in ("block-dangerous-commands", "protect-sensitive-files"))
    write_user_policy(machine, f"middleware:\n{entries}providers: {{gemini: {{enabled: false}}}}\n")
    done = machine.fairlead("policy", "check")
    assert b"no guard is left that looks at the tool calls of gemini" in done.stdout


@pytest.mark.parametrize(
    ("source", "said"), [("def process(", b"bad.py:1:1: SyntaxError"), ("x = 1\n", b"no function `process`")]
)
def test_a_python_file_that_cannot_be_a_hook_is_an_error(machine: Machine, source: str, said: bytes) -> None:
    write_user_policy(machine, "middleware:\n  - {id: mine, type: safety, path: bad.py}\n", bad=source)
    done = machine.fairlead("policy", "check")
    assert done.returncode == 1
    assert said in done.stdout


def test_the_schema_is_printed_for_editors(machine: Machine) -> None:
    printed = json.loads(machine.fairlead("policy", "schema").stdout)
    assert "middleware" in printed["properties"]
    path = machine.fairlead("policy", "schema", "--path").stdout.decode().strip()
    assert json.loads(Path(path).read_text()) == printed


RULES = """\
rules:
  - id: no-push-to-main
    program: git
    subcommand: push
    branch: main
    reason: Push to main through a pull request.
    stops: ["cd x && git push origin main", "git -C . push origin HEAD:main"]
    passes: ["git push origin topic"]
"""


def test_a_rule_without_code_is_in_force_checked_and_explained(machine: Machine) -> None:
    write_user_policy(machine, RULES)
    assert machine.fairlead("policy", "check").returncode == 0
    refused = machine.hook(machine.bash("cd x && git push origin main"))
    assert refused.returncode == 2
    assert b"Push to main through a pull request." in refused.stderr + refused.stdout
    assert machine.hook(machine.bash("git push origin topic")).returncode == 0
    assert b"rules/no-push-to-main" in machine.fairlead("check", "git push origin main").stdout


def test_an_untrusted_projects_rules_count(machine: Machine) -> None:
    hooks = machine.project / ".fairlead" / "hooks" / "x"
    hooks.mkdir(parents=True)
    (hooks / "hook.meta.yaml").write_text(f"id: x\nevent: PreToolUse\n{RULES}")
    assert machine.hook(machine.bash("git push origin main")).returncode == 2


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("branch: main", "branch: trunk", b"does not stop its example"),
        ('passes: ["git push origin topic"]', 'passes: ["git push origin main"]', b"stops its example"),
        ("program: git", "porgram: git", b"did you mean 'program'?"),
        ("branch: main", "effect: delte", b"did you mean 'delete'?"),
        ("decision: block", "", b""),
    ],
)
def test_a_rule_that_is_not_what_its_examples_say_is_an_error(
    machine: Machine, before: str, after: str, said: bytes
) -> None:
    write_user_policy(machine, RULES.replace(before, after))
    done = machine.fairlead("policy", "check")
    assert said in done.stdout
    assert done.returncode == (1 if said else 0)
