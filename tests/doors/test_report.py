"""`fairlead report` on calls that were really judged."""

import json

from fairlead.policy.reading.cases import read_cases


def report(machine, command, *words, **fields):
    machine.hook(machine.bash(command, **fields))
    done = machine.fairlead("report", machine.journal()[-1]["id"], *words)
    return done.stdout.decode(), done.stderr.decode(), done.returncode


def case_of(tmp_path, text):
    file = tmp_path / "hook.test.yaml"
    file.write_text(text)
    cases, problems = read_cases(str(file))
    assert problems == []
    (case,) = cases
    return case


def test_a_report_is_a_test_that_comes_to_the_same_verdict(machine, tmp_path):
    text, _, status = report(
        machine, "cd src && make all && git push --force origin feature/acme && echo done"
    )
    case = case_of(tmp_path, text)
    assert status == 0
    assert (case.expect.word, case.rule) == ("block", "git/force-push")
    assert case.input["command"] == "git push --force"
    tested = machine.fairlead("test", str(tmp_path / "hook.test.yaml"))
    assert tested.returncode == 0, tested.stdout


def test_a_report_says_what_should_have_been(machine, tmp_path):
    text, _, _ = report(machine, "git push --force origin x", "--should", "allow")
    case = case_of(tmp_path, text)
    assert (case.expect.word, case.rule) == ("allow", "")
    assert machine.fairlead("test", str(tmp_path / "hook.test.yaml")).returncode == 1


def test_what_matters_keeps_its_form(machine, tmp_path):
    text, _, _ = report(machine, "cat notes/plan.txt config/.env.production | grep DATABASE")
    command = case_of(tmp_path, text).input["command"]
    assert command == "cat x/.env.x"


def test_a_call_of_a_file_tool_is_reduced_too(machine, tmp_path):
    call = machine.bash("") | {"tool_name": "Write"}
    call["tool_input"] = {
        "file_path": "/home/someone-else/.ssh/authorized_keys",
        "content": "ssh-rsa QUFB jane",
    }
    machine.hook(call)
    text = machine.fairlead("report", machine.journal()[-1]["id"]).stdout.decode()
    case = case_of(tmp_path, text)
    assert case.tool == "Write" and "jane" not in text and "someone" not in text
    assert ".ssh" in case.input["file_path"]


def test_what_cannot_be_judged_again_is_masked(machine, tmp_path):
    (machine.project / ".fairlead").mkdir()
    machine.hook(machine.bash("git push --force 'acme globex' initech"))
    segment = next((machine.home / "state" / "journal").glob("*.jsonl"))
    line = json.loads(segment.read_text())
    line["verdict"]["rule"] = "git/no-such-rule"
    segment.write_text(json.dumps(line) + "\n")
    done = machine.fairlead("report", line["id"])
    case = case_of(tmp_path, done.stdout.decode())
    assert case.input["command"] == "git x --x 'x x' x"
    assert not any(word in done.stdout.decode() for word in ("acme", "globex", "initech"))
    assert b"masked" in done.stderr


def test_what_nobody_objected_to_is_no_false_alarm(machine):
    _, said, status = report(machine, "ls")
    assert status == 1 and "no false alarm" in said


def test_a_call_that_is_not_there_is_said(machine):
    assert machine.fairlead("report", "\x1b[31mnone").returncode == 64
    assert b"\x1b[31m" not in machine.fairlead("report", "\x1b[31mnone").stderr


def test_a_huge_command_is_reduced_within_bounds(machine, tmp_path):
    words = " ".join(f"word{number}" for number in range(3000))
    text, _, status = report(machine, f"echo {words}; git push --force origin x; echo {words}")
    assert status == 0
    assert len(case_of(tmp_path, text).input["command"]) < 200


def test_what_audit_kept_back_is_reported_too(machine, tmp_path):
    (machine.home / "config" / "hooks").mkdir(parents=True)
    mode = machine.home / "config" / "hooks" / "mode.yaml"
    mode.write_text("mode: audit\n")
    text, said, status = report(machine, "cd src && git push --force origin feature/acme")
    assert status == 0, said
    case = case_of(tmp_path, text)
    assert (case.expect.word, case.rule) == ("block", "git/force-push")
    assert case.input["command"] == "git push --force"
    assert "kept back by audit" in text and "where that rule is enforced" in said
    mode.unlink()
    assert machine.fairlead("test", str(tmp_path / "hook.test.yaml")).returncode == 0
