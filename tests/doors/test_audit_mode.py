"""Audit from end to end: the call goes on, no word to the agent, and the person sees what would have been."""

import json
from datetime import date, timedelta

import pytest

from kit import Machine, at_terminal

FORCE = "git push --force origin main"
SECRET = "cat ~/.ssh/id_rsa"


@pytest.fixture
def watched(machine: Machine) -> Machine:
    return watched_since(machine, date.today())


def watched_since(machine: Machine, day: date) -> Machine:
    folder = machine.home / "config" / "hooks"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "mode.yaml").write_text(f"mode: audit\nsince: {day.isoformat()}\n")
    return machine


def told(machine: Machine, command: str) -> tuple[int, bytes, bytes]:
    answer = machine.hook(machine.bash(command))
    return answer.returncode, answer.stdout, answer.stderr


def shown(machine: Machine, *words: str) -> str:
    answer = machine.fairlead(*words)
    assert answer.returncode == 0, answer.stderr
    return answer.stdout.decode()


def test_the_agent_gets_no_word_and_the_person_sees_what_would_have_been(watched: Machine) -> None:
    assert told(watched, FORCE) == (0, b"", b"")
    assert told(watched, "fairlead off")[0] == 2
    (kept,) = json.loads(shown(watched, "log", "--would", "--json"))
    assert (kept["decision"], kept["would"], kept["would_rule"]) == ("continue", "block", "git/force-push")
    (counted,) = json.loads(shown(watched, "stats", "--would", "--json"))
    assert (counted["rule"], counted["decision"], counted["calls"]) == ("git/force-push", "block", 1)
    story = shown(watched, "explain", kept["id"])
    assert "block-dangerous-commands only watches: it would have said block" in story
    assert "fairlead promote git/force-push" in story


def test_the_filters_of_log_mean_what_would_have_been(watched: Machine) -> None:
    told(watched, FORCE)
    told(watched, SECRET)
    assert len(json.loads(shown(watched, "log", "--would", "--rule", "git/*", "--denied", "--json"))) == 1
    assert json.loads(shown(watched, "log", "--would", "--decision", "ask", "--json")) == []
    assert json.loads(shown(watched, "log", "--rule", "git/*", "--json")) == []


def test_check_names_the_mode(watched: Machine) -> None:
    assert "audit: it would have been block" in shown(watched, "check", FORCE)
    found = json.loads(shown(watched, "check", FORCE, "--json"))
    assert (found["decision"], found["mode"]) == ("continue", "audit")
    assert found["would"]["rule"] == "git/force-push"


def test_replay_names_what_audit_would_keep_back(machine: Machine) -> None:
    assert told(machine, FORCE)[0] == 2
    watched_since(machine, date.today())
    answer = machine.fairlead("replay")
    assert answer.returncode == 1
    assert b"(audit: would block git/force-push)" in answer.stdout


def test_promote_shows_what_a_rule_would_have_stopped_and_enforces_it(watched: Machine) -> None:
    told(watched, FORCE)
    seen = shown(watched, "promote", "git/force-push", "--dry-run")
    assert "1 call would have been stopped" in seen and FORCE in seen
    assert told(watched, FORCE)[0] == 0
    assert watched.fairlead("promote", "git/force-push").returncode == 1, "nobody is there to ask"
    shown(watched, "promote", "git/force-push", "--yes")
    assert told(watched, FORCE)[0] == 2
    assert told(watched, SECRET)[0] == 0
    shown(watched, "promote", "--all", "--yes")
    assert told(watched, SECRET)[0] == 2
    assert "audit" not in shown(watched, "stats")


def test_promote_all_holds_for_what_a_policy_puts_into_audit_by_name(machine: Machine) -> None:
    machine.user_policy(
        "event: PreToolUse\nmiddleware:\n"
        "  - {id: block-dangerous-commands, config: {packs: {audit: [git/force-push]}}}\n"
    )
    assert told(machine, FORCE)[0] == 0
    shown(machine, "promote", "--all", "--yes")
    assert told(machine, FORCE)[0] == 2
    assert b"nothing is in audit" in machine.fairlead("promote", "--all").stderr


def test_promote_all_keeps_what_the_file_says_of_other_things(machine: Machine) -> None:
    file = machine.home / "config" / "hooks" / "mode.yaml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("mode: audit\naudit: [git]\npins: ask-first\nrecover: ask\n")
    shown(machine, "promote", "--all", "--yes")
    said = file.read_text()
    assert "mode: enforce" in said and "pins: ask-first" in said and "recover: ask" in said
    assert "git" not in said


@pytest.mark.parametrize("name", ["self-protection", "self-protection/own-commands", "git/force-psh"])
def test_promote_takes_no_name_that_means_nothing(machine: Machine, name: str) -> None:
    assert machine.fairlead("promote", name, "--yes").returncode == 64


def test_status_tells_of_audit_and_reminds_after_a_week(watched: Machine) -> None:
    told(watched, FORCE)
    status = watched.fairlead("status").stdout.decode()
    assert "everything is only watched since" in status and "1 call would have been stopped" in status
    assert "promote --all" not in status
    watched_since(watched, date.today() - timedelta(days=8))
    assert "has only watched for 8 days" in watched.fairlead("status").stdout.decode()


def test_after_a_week_the_person_is_reminded_at_the_start_of_a_session_and_the_model_is_not(
    machine: Machine,
) -> None:
    watched_since(machine, date.today() - timedelta(days=8))
    start = {"session_id": "s", "cwd": str(machine.project), "hook_event_name": "SessionStart"}
    said = json.loads(machine.hook(start, "claude", "SessionStart").stdout)
    assert list(said) == ["systemMessage"]
    assert "promote --all" in said["systemMessage"]
    assert b"promote" not in machine.hook(start, "kimi", "SessionStart").stdout


def test_to_go_back_to_audit_takes_a_human(machine: Machine) -> None:
    home = {"HOME": str(machine.home / "user")}
    words = ("install", "claude", "--in-place")
    first = machine.fairlead(*words, "--audit", environment=home)
    assert first.returncode == 0, first.stderr
    assert told(machine, FORCE)[0] == 0
    shown(machine, "promote", "--all", "--yes")
    assert machine.fairlead(*words, "--audit", environment=home).returncode != 0
    assert told(machine, FORCE)[0] == 2
    code, said = at_terminal(machine, *words, "--audit", environment=home)
    assert code != 0, said


def test_to_put_a_rule_back_into_audit_takes_a_human(machine: Machine) -> None:
    assert told(machine, FORCE)[0] == 2
    assert machine.fairlead("audit", "git/force-push", "--yes").returncode == 1
    assert told(machine, "fairlead audit git/force-push")[0] == 2
    assert told(machine, FORCE)[0] == 2
    code, words = at_terminal(machine, "audit", "git/force-push", "--yes", logged_in=True)
    assert code == 0, words
    assert told(machine, FORCE) == (0, b"", b"")
    assert told(machine, SECRET)[0] == 2
    assert "git/force-push is only watched" in machine.fairlead("status").stdout.decode()
    assert "git/force-push is only watched" in machine.fairlead("hooks", "list").stderr.decode()
    shown(machine, "promote", "git/force-push", "--yes")
    assert told(machine, FORCE)[0] == 2


@pytest.mark.parametrize(
    "words", [("self-protection",), ("keep-hooks-on",), ("git/force-psh",), ("git", "--all"), ()]
)
def test_audit_takes_no_name_that_means_nothing(machine: Machine, words: tuple[str, ...]) -> None:
    assert at_terminal(machine, "audit", *words, "--yes", logged_in=True)[0] == 64


def test_promote_all_keeps_what_else_the_file_says(machine: Machine) -> None:
    file = machine.home / "config" / "hooks" / "mode.yaml"
    file.parent.mkdir(parents=True)
    file.write_text("mode: audit\nenforce: [secrets]\naudit: [git]\nrecover: pass\nsnapshot: session\n")
    shown(machine, "promote", "--all", "--yes")
    kept = file.read_text()
    assert "recover: pass\nsnapshot: session\n" in kept and "secrets" in kept
    assert told(machine, FORCE)[0] == 2


def test_promote_says_that_a_call_counts_for_its_strongest_rule(watched: Machine) -> None:
    told(watched, FORCE)
    told(watched, SECRET)
    seen = watched.fairlead("promote", "git/force-push", "--dry-run")
    assert b"1 further call counted for others" in seen.stderr
    assert b"further" not in watched.fairlead("promote", "--all", "--dry-run").stderr


def test_where_the_person_cannot_be_shown_a_reminder_nothing_is_said_of_it(machine: Machine) -> None:
    watched_since(machine, date.today() - timedelta(days=8))
    start = {"session_id": "s", "cwd": str(machine.project), "hook_event_name": "SessionStart"}
    machine.hook(start, "kimi", "SessionStart")
    line = machine.journal()[-1]
    assert "system_message" not in line["verdict"] and not line["degraded"]


def test_status_tells_of_a_mode_and_of_notices_that_cannot_be_read(machine: Machine) -> None:
    (machine.home / "config" / "hooks").mkdir(parents=True)
    (machine.home / "config" / "hooks" / "mode.yaml").write_text("mode: Audit\n")
    (machine.home / "config" / "notify.yaml").write_text("on: [asks]\n")
    said = machine.fairlead("status").stdout.decode()
    assert "mode.yaml:1:7: 'mode' cannot be 'Audit'" in said and "fairlead policy check" in said
    assert "notify.yaml:1:1: this makes no sense" in said and "fairlead notify" in said
    assert len(json.loads(machine.fairlead("status", "--json").stdout)["problems"]) == 2
    found = json.loads(machine.fairlead("doctor", "--quick", "--json").stdout)
    assert [one["level"] for one in found if one["id"] == "notices"] == ["note"]


def test_an_agent_may_not_change_a_mode_that_a_link_leads_to(machine: Machine) -> None:
    folder, kept = machine.home / "config" / "hooks", machine.project / "mode.yaml"
    folder.mkdir(parents=True)
    kept.write_text("mode: enforce\n")
    (folder / "mode.yaml").symlink_to(kept)
    assert told(machine, "echo 'mode: audit' > mode.yaml")[0] == 2
    assert told(machine, "echo 'mode: audit' > other.yaml")[0] == 0


@pytest.mark.parametrize("option", ["--audit", "--recover"])
def test_to_loosen_by_installing_again_takes_a_human(machine: Machine, option: str) -> None:
    home = {"HOME": str(machine.home / "user")}
    words = ("install", "claude", "--in-place")
    assert machine.fairlead(*words, environment=home).returncode == 0
    again = machine.fairlead(*words, option, environment=home)
    assert again.returncode == 1 and b"a human is needed" in again.stderr
    assert not (machine.home / "config" / "hooks" / "mode.yaml").exists()
