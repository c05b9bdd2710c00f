"""Files that a call would run, through the doors that agents and people use."""

import json

from tests.git_traps import git

POLICY = """
id: mine
kind: hook
category: safety
event: BeforeTool
middleware:
  - id: block-dangerous-commands
    config: {follow: all}
"""


def _commit(machine, **files: str) -> None:
    for name, text in files.items():
        (machine.project / name.replace("_", ".")).write_text(text)
    git(machine.project, "init", "-q")
    git(machine.project, "add", "-A")
    git(machine.project, "commit", "-q", "-m", "work")


def test_what_the_agent_writes_is_stopped_when_it_is_run(machine):
    _commit(machine, release_sh="npm publish\n")
    script = machine.project / "x.sh"
    written = machine.bash("") | {
        "tool_name": "Write",
        "tool_input": {"file_path": str(script), "content": "rm -rf ~\n"},
    }
    assert machine.hook(written).returncode == 0
    script.write_text("rm -rf ~\n")
    done = machine.hook(machine.bash("bash x.sh"))
    assert done.returncode == 2
    assert "x.sh, line 1" in json.loads(done.stdout)["hookSpecificOutput"]["permissionDecisionReason"]
    assert machine.hook(machine.bash("bash release.sh")).returncode == 0


def test_the_journal_keeps_what_was_read_and_explain_tells_a_later_change(machine):
    _commit(machine, release_sh="npm publish\n")
    machine.hook(machine.bash("bash release.sh"))
    (record,) = machine.journal()
    metrics = next(each["metrics"] for each in record["outcomes"] if "files" in each["metrics"])
    (file,) = metrics["files"]
    assert (file["path"], file["owner"], len(file["sha256"])) == ("release.sh", "committed", 16)
    told = machine.fairlead("explain", "--last").stdout.decode()
    assert f"read release.sh (committed, sha256 {file['sha256']}…)\n" in told
    (machine.project / "release.sh").write_text("echo\n")
    assert "it has changed since" in machine.fairlead("explain", "--last").stdout.decode()
    (machine.project / "release.sh").unlink()
    assert "it is gone by now" in machine.fairlead("explain", "--last").stdout.decode()


def test_check_says_where_in_which_file(machine):
    _commit(machine, Makefile="deploy:\n\tbash x.sh\n")
    (machine.project / "x.sh").write_text("echo\nrm -rf ~\n")
    done = machine.fairlead("check", "make deploy")
    assert done.returncode == 2
    assert "Makefile:2 → x.sh:2 (written since the last commit)" in done.stdout.decode()


def test_a_policy_may_ask_for_all_files_in_full_and_a_project_may_not_switch_it_off(machine):
    _commit(machine, release_sh="npm publish\n")
    assert machine.fairlead("check", "bash release.sh").returncode == 0
    machine.user_policy(POLICY)
    assert machine.fairlead("check", "bash release.sh").returncode == 3
    folder = machine.project / ".fairlead" / "hooks" / "loose"
    folder.mkdir(parents=True)
    (folder / "hook.meta.yaml").write_text(POLICY.replace("follow: all", "follow: none"))
    assert machine.fairlead("check", "bash release.sh").returncode == 3


def test_a_policy_that_looks_into_no_file_is_warned_of(machine):
    machine.user_policy(POLICY.replace("follow: all", "follow: none"))
    assert "does not look into files" in machine.fairlead("policy", "check").stdout.decode()
