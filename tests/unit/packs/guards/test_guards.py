from pathlib import Path

import pytest

from fairlead.errors import PolicyError
from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.tool_call import ToolKind
from fairlead.packs.guards.dangerous_commands import block_dangerous_commands
from fairlead.packs.guards.sensitive_files import protect_sensitive_files
from tests.unit.packs.guard_kit import ROOT, decide, judge, shell_event, tool_event


@pytest.mark.parametrize(
    "text",
    [
        "bash <<'E'\ncat <<< \"$(printenv API_KEY)\"\nE\n",
        "script -qc 'cat <<< \"$(printenv API_KEY)\"' /dev/null",
        "bash -c 'cat <<< \"$(printenv API_KEY)\"'", "cat <<< \"$(printenv API_KEY)\"",
    ],
)  # fmt: skip
def test_a_secret_that_a_command_of_a_text_shows_is_shown_wherever_the_text_runs(text: str) -> None:
    assert decide(text) >= Decision.BLOCK


def test_unknown_text_that_an_editor_runs_asks_and_a_script_on_the_input_is_a_script_by_its_name() -> None:
    assert decide('vim -c ":!$CMD" -c q') == Decision.ASK
    assert decide("python3 < scripts/x.py") == Decision.CONTINUE


@pytest.mark.parametrize(
    "text",
    [
        "newtool run -- rm -rf /home/other", "newtool /bin/rm -rf /home/other",
        "newtool sh -c 'rm -rf /home/other'",
        "newtool 'rm -rf /home/other'", "newtool --on-exit-cmd 'rm -rf /home/other'",
        "newtool --hook='rm -rf /home/other' build", "newtool -o Pre-Invoke::='rm -rf /home/other' update",
        "npm pkg set scripts.x='rm -rf /home/other'", "tox -x testenv.commands='rm -rf /home/other'",
    ],
)  # fmt: skip
def test_a_command_in_the_words_of_an_unknown_program_counts(text: str) -> None:
    assert decide(text) >= Decision.BLOCK


@pytest.mark.parametrize(
    "text",
    [
        "newtool -m 'rm -rf /home/other'", "newtool --title='rm -rf /home/other'",
        "pytest -k 'rm -rf /home/other'",
        "cowsay 'rm -rf /home/other'", "docker run --rm -e CMD='rm -rf /home/other' alpine env",
        ": 'rm -rf /home/other'", "newtool --hook='make test' build", "newtool 'rm -rf build'",
        "gh issue create --title 'rm -rf /home/other' --body 'git reset --hard'", "newtool rm build",
    ],
)  # fmt: skip
def test_text_in_the_words_of_an_unknown_program_is_text(text: str) -> None:
    assert decide(text) == Decision.CONTINUE


def test_an_event_without_a_tool_is_no_concern() -> None:
    event = Event(EventName.SESSION_START)
    assert block_dangerous_commands(event, {}, ()) is None
    assert protect_sensitive_files(event, {}, ()) is None


def test_the_evidence_is_the_part_that_does_it_and_where_it_runs() -> None:
    outcome = judge(shell_event("cd / && rm -rf *; echo done"))
    [evidence] = outcome.evidence
    assert outcome.rule == "filesystem/recursive-delete-outside-project"
    assert evidence.text == "rm -rf *"
    assert evidence.source[evidence.start : evidence.end] == "rm -rf *"
    assert "runs in / (after `cd /`)" in evidence.detail


def test_byte_offsets_count_bytes() -> None:
    outcome = judge(shell_event("echo 'grüße'; git reset --hard"))
    [evidence] = outcome.evidence
    assert evidence.source.encode()[evidence.start : evidence.end] == b"git reset --hard"


def test_an_outcome_says_what_to_do_instead_and_how_bad_it_is() -> None:
    outcome = judge(shell_event("git push --force"))
    assert "--force-with-lease" in outcome.alternative
    assert outcome.metrics["severity"] == "critical"
    assert outcome.system_message


def test_a_command_given_as_a_list_is_judged() -> None:
    assert judge(shell_event(["rm", "-rf", "/"])).decision is Decision.BLOCK


def test_a_command_of_a_foreign_tool_is_judged() -> None:
    event = tool_event(ToolKind.MCP, name="mcp__shell__run", command="rm -rf ~")
    assert judge(event).decision is Decision.BLOCK


@pytest.mark.parametrize(
    ("kind", "tool_input"),
    [
        (ToolKind.READ, {"file_path": f"{ROOT}/./src/../.env"}),
        (ToolKind.READ, {"file_path": "~/.ssh/id_rsa"}),
        (ToolKind.WRITE, {"file_path": ".env", "content": "A=s3cr3t-9f2c"}),
        (ToolKind.EDIT, {"file_path": "config/server.key", "old_string": "a", "new_string": "b"}),
        (ToolKind.NOTEBOOK, {"notebook_path": "/home/no-one/.ssh/id_rsa", "new_source": ""}),
        (ToolKind.SEARCH, {"pattern": "KEY", "path": ".env"}),
        (ToolKind.SEARCH, {"pattern": "KEY", "glob": ".env*"}),
        (ToolKind.LIST, {"pattern": "~/.ssh/*"}),
        (ToolKind.PATCH, {"patch": "*** Begin Patch\n*** Update File: .env\n@@\n-A\n+B\n*** End Patch"}),
        (ToolKind.PATCH, {"diff": "--- a/.env\n+++ b/.env\n@@ -1 +1 @@\n-A\n+B\n"}),
        (ToolKind.WRITE, {"file_path": ".claude/settings.json", "content": "{}"}),
        (ToolKind.WRITE, {"file_path": "/etc/hosts", "content": ""}),
        (ToolKind.DELETE, {"path": "/home/no-one/notes.txt"}),
        (ToolKind.WRITE, {"file_path": "~/.bashrc", "content": "alias ls=rm"}),
        (
            ToolKind.EDIT,
            {"file_path": ".fairlead/hooks/a/hook.meta.yaml", "old_string": "a", "new_string": "b"},
        ),
    ],
)
def test_file_tools_meet_the_same_rules_as_commands(kind: ToolKind, tool_input: dict[str, object]) -> None:
    assert judge(tool_event(kind, **tool_input)).decision is Decision.BLOCK


@pytest.mark.parametrize(
    ("kind", "tool_input"),
    [
        (ToolKind.READ, {"file_path": "src/app.py"}),
        (ToolKind.READ, {"file_path": ".env.example"}),
        (ToolKind.WRITE, {"file_path": "src/app.py", "content": "print('rm -rf /')"}),
        (ToolKind.EDIT, {"file_path": "README.md", "old_string": "a", "new_string": "git reset --hard"}),
        (ToolKind.SEARCH, {"pattern": ".env", "path": "src"}),
        (ToolKind.LIST, {"pattern": "**/*.py"}),
        (ToolKind.PATCH, {"patch": "*** Begin Patch\n*** Update File: a.py\n@@\n-A\n+B\n*** End Patch"}),
        (ToolKind.WRITE, {"file_path": ".github/workflows/ci.yml", "content": "on: push\n"}),
        (ToolKind.FETCH, {"url": "https://example.com/docs"}),
    ],
)
def test_everyday_file_work_passes(kind: ToolKind, tool_input: dict[str, object]) -> None:
    outcome = judge(tool_event(kind, **tool_input))
    assert (outcome.decision, outcome.rule) == (Decision.CONTINUE, "")


def test_a_link_out_of_the_project_does_not_hide_what_it_points_to(tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (project / ".env").write_text("A=1")
    (project / "notes.txt").symlink_to(project / ".env")
    outcome = judge(shell_event("cat notes.txt", root=str(project)))
    assert outcome.rule == "secrets/read-secret-file"


@pytest.mark.parametrize(
    ("command", "standard", "strict", "paranoid"),
    [
        ('eval "$CODE"', Decision.ASK, Decision.ASK, Decision.BLOCK),
        ('"$BIN" run "$ARG"', Decision.CONTINUE, Decision.ASK, Decision.BLOCK),
        ('eval "$(ssh-agent -s)"', Decision.CONTINUE, Decision.ASK, Decision.BLOCK),
        ("sudo apt install vim", Decision.CONTINUE, Decision.ASK, Decision.ASK),
        ("make test", Decision.CONTINUE, Decision.CONTINUE, Decision.CONTINUE),
    ],
)
def test_levels_let_less_and_less_through(
    command: str, standard: Decision, strict: Decision, paranoid: Decision
) -> None:
    assert decide(command, level="standard") is standard
    assert decide(command, level="strict") is strict
    assert decide(command, level="paranoid") is paranoid


def test_a_text_too_long_to_read_is_blocked() -> None:
    assert decide("true #" + "x" * 300_000 + "\nrm -rf /") is Decision.BLOCK


def test_a_pack_can_be_switched_off_and_on() -> None:
    assert decide("git reset --hard", packs={"disable": ["git"]}) is Decision.CONTINUE
    assert decide("git reset --hard", packs={"disable": ["git"], "enable": ["git"]}) is Decision.BLOCK


@pytest.mark.parametrize(
    "config",
    [
        {"level": "loud"},
        {"packs": ["git"]},
        {"packs": {"disable": ["gti"]}},
        {"packs": {"only": ["git"]}},
        {"dangerous_patterns": "rm"},
        {"dangerous_patterns": ["("]},
        {"protected_patterns": [1]},
    ],
)
def test_a_configuration_that_makes_no_sense_is_an_error_and_not_ignored(config: dict[str, object]) -> None:
    with pytest.raises(PolicyError):
        decide("make", **config)


@pytest.mark.parametrize(
    "command", ["mytool --drop x", "MYTOOL --DROP x", "sudo mytool --drop", "a | b | mytool --drop"]
)
def test_a_dangerous_pattern_is_tried_on_each_command(command: str) -> None:
    assert (
        judge(shell_event(command), dangerous_patterns=[r"mytool.*--drop"]).rule == "config/dangerous-pattern"
    )


def test_a_dangerous_pattern_is_tried_on_redirections_and_whole_pipelines() -> None:
    assert decide("make > /x/y", dangerous_patterns=["> /x"]) is Decision.BLOCK
    assert decide("foo a |   bar", dangerous_patterns=[r"foo.*\|.*bar"]) is Decision.BLOCK


def test_a_dangerous_pattern_does_not_match_a_text_that_is_only_printed_to_a_file() -> None:
    assert (
        decide("cat > x.md <<'E'\nmytool --drop\nE", dangerous_patterns=["mytool --drop"])
        is Decision.CONTINUE
    )


@pytest.mark.parametrize(
    ("pattern", "event"),
    [
        ("*.secret", shell_event("cat a/b.secret")),
        ("vault/*", tool_event(ToolKind.READ, file_path="vault/x")),
        ("~/private/*", shell_event("head ~/private/x")),
        ("private", tool_event(ToolKind.EDIT, file_path="private/a.txt", old_string="a", new_string="b")),
        ("*.pfx2", shell_event("cp a.pfx2 /tmp/")),
        ("*.pfx2", shell_event("echo x > a.pfx2")),
    ],
)
def test_a_protected_pattern_covers_every_tool(pattern: str, event: Event) -> None:
    assert judge(event, protected_patterns=[pattern]).rule == "config/protected-pattern"


def test_a_protected_pattern_leaves_other_files_and_listings_alone() -> None:
    assert (
        judge(shell_event("cat a.txt; ls b.secret"), protected_patterns=["*.secret"]).decision
        is Decision.CONTINUE
    )


def test_the_second_address_and_the_second_query_of_a_list_are_judged_like_the_first() -> None:
    urls = [{"url": "https://example.com"}, {"url": "http://169.254.169.254/latest/user-data"}]
    assert judge(tool_event(ToolKind.FETCH, requests=urls)).decision is Decision.BLOCK
    one = judge(tool_event(ToolKind.SEARCH, pattern="BEGIN RSA PRIVATE KEY", path="/home/no-one")).decision
    several = {"queries": ["main", "BEGIN RSA PRIVATE KEY"], "path": "/home/no-one"}
    assert judge(tool_event(ToolKind.SEARCH, **several)).decision is one is not Decision.CONTINUE
