from __future__ import annotations

import json
import socket
import subprocess
import time

import pytest

from dashboard_kit import Dashboard, recent
from index_kit import write

pytestmark = pytest.mark.slow

RULES = """\
event: BeforeTool
rules:
  - id: no-pushes
    program: git
    subcommand: push
    stops: ["git push origin"]
"""


def compared(dashboard: Dashboard, query: str = "") -> list[dict]:
    answer = dashboard.ask(f"/api/compare{query}")
    assert answer.headers["content-type"] == "application/x-ndjson"
    return [json.loads(line) for line in answer.body.splitlines()]


def some_calls(dashboard: Dashboard, number: int = 3) -> list[str]:
    root = str(dashboard.project)
    facts = {"cwd": root, "tool": {"name": "Bash", "kind": "shell", "input": {"command": "git push origin"}}}
    made = [recent(each, root=root, facts=facts) for each in range(number, 0, -1)]
    write(dashboard.journal, *made)
    dashboard.wait_for("/api/calls", lambda found: len(found["calls"]) == number)
    return [str(each["id"]) for each in made]


def git(dashboard: Dashboard, *words: str) -> None:
    identity = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main")
    subprocess.run(["git", "-C", str(dashboard.project), *identity, *words], check=True, capture_output=True)


def commit_policy(dashboard: Dashboard, content: str) -> None:
    folder = dashboard.project / ".fairlead" / "hooks" / "own"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "hook.meta.yaml").write_text(content)
    git(dashboard, "add", "-A")
    git(dashboard, "commit", "-m", "x")


def test_every_step_is_told_and_the_last_has_the_counts(dashboard: Dashboard) -> None:
    some_calls(dashboard, 120)
    steps = compared(dashboard)
    assert [step["done"] for step in steps] == [0, 50, 100, 120]
    assert {step["of"] for step in steps} == {120}
    assert sum(steps[-1]["counts"].values()) == 120
    assert sum(compared(dashboard, "?calls=7")[-1]["counts"].values()) == 7


def test_calls_are_judged_by_the_policy_of_a_commit(dashboard: Dashboard) -> None:
    git(dashboard, "init")
    commit_policy(dashboard, RULES)
    commit_policy(dashboard, "event: BeforeTool\nmiddleware: []\n")
    ids = some_calls(dashboard)
    known = dashboard.ask("/api/policies").json()
    assert known["revisions"] == ["git:HEAD", "git:HEAD~1", "git:main"]
    assert compared(dashboard, "?policy=git:HEAD")[-1]["counts"] == {"same": 3}
    last = compared(dashboard, "?policy=git:HEAD~1")[-1]
    assert last["counts"] == {"newly blocked": 3}
    assert {each["id"] for each in last["changed"]} == set(ids)
    one = dashboard.ask(f"/api/calls/{ids[0]}/judge?policy=git:HEAD~1").json()
    assert (one["was"], one["now"], one["change"]) == ("continue", "block", "newly blocked")
    assert dashboard.ask(f"/api/calls/{ids[0]}/judge").json()["change"] == "same"


def test_the_policy_of_a_commit_stands_in_for_that_of_now(dashboard: Dashboard) -> None:
    git(dashboard, "init")
    commit_policy(dashboard, "event: BeforeTool\nmiddleware: []\n")
    commit_policy(dashboard, RULES)
    some_calls(dashboard)
    assert compared(dashboard)[-1]["counts"] == {"newly blocked": 3}
    assert compared(dashboard, "?policy=git:HEAD~1")[-1]["counts"] == {"same": 3}


@pytest.mark.parametrize(
    "policy", ["git:nothing", "git:--upload-pack=x", "git:../../x", "folder:/etc", "folder:", "something"]
)
def test_a_policy_that_was_not_offered_is_refused(dashboard: Dashboard, policy: str) -> None:
    git(dashboard, "init")
    commit_policy(dashboard, RULES)
    (call,) = some_calls(dashboard, 1)
    assert "error" in compared(dashboard, f"?policy={policy}")[-1]
    assert dashboard.ask(f"/api/calls/{call}/judge?policy={policy}").status == 400


def test_reading_a_commit_runs_nothing_of_the_repository(dashboard: Dashboard) -> None:
    git(dashboard, "init")
    commit_policy(dashboard, RULES)
    ran = dashboard.home.parent / "ran"
    for setting in ("core.fsmonitor", "core.sshCommand", "diff.external", "core.pager"):
        git(dashboard, "config", setting, f"touch {ran}")
    assert dashboard.ask("/api/policies").json()["revisions"] == ["git:HEAD", "git:main"]
    assert not ran.exists()


def test_folders_on_the_shelf_and_of_other_projects_are_offered(dashboard: Dashboard) -> None:
    strict = dashboard.project / "policies" / "strict"
    (strict / "hooks").mkdir(parents=True)
    (strict / "hooks" / "hook.meta.yaml").write_text(RULES)
    (dashboard.project / "policies" / "no-policy").mkdir()
    some_calls(dashboard)
    assert dashboard.ask("/api/policies").json()["folders"] == [f"folder:{strict}"]
    assert compared(dashboard, f"?policy=folder:{strict}")[-1]["counts"] == {"newly blocked": 3}


def test_a_comparison_whose_page_is_gone_makes_room_for_the_next(dashboard: Dashboard) -> None:
    some_calls(dashboard, 120)
    asked = (
        f"GET /api/compare HTTP/1.1\r\nhost: 127.0.0.1:{dashboard.port}\r\ncookie: {dashboard.cookie}\r\n\r\n"
    )
    for _ in range(3):
        with socket.create_connection(("127.0.0.1", dashboard.port), timeout=20) as page:
            page.sendall(asked.encode())
            page.recv(10)
    end = time.monotonic() + 20
    while "error" in (last := compared(dashboard)[-1]) and time.monotonic() < end:
        time.sleep(0.05)
    assert last["done"] == 120


def test_no_call_is_no_error(dashboard: Dashboard) -> None:
    assert compared(dashboard)[-1] == {"done": 0, "of": 0, "counts": {}, "changed": []}
    assert dashboard.ask("/api/calls/none/judge").status == 400
