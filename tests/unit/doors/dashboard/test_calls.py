from __future__ import annotations

import pytest

from dashboard_kit import Dashboard, recent
from fairlead.policy.answers.grants import Grants
from fairlead.policy.places import find_places
from index_kit import outcome, write

pytestmark = pytest.mark.slow


def tool(name: str, command: str = "make") -> dict[str, object]:
    return {"tool": {"name": "Bash", "kind": "shell", "call": name, "input": {"command": command}}}


def settled(dashboard: Dashboard, number: int) -> None:
    dashboard.wait_for("/api/calls", lambda found: len(found["calls"]) == number)


def test_what_came_after_a_call_is_told_with_it(dashboard: Dashboard) -> None:
    after = recent(1, event="AfterTool", request="r9", facts=tool("t1"))
    write(dashboard.journal, recent(2, "block", facts=tool("t1")), after)
    dashboard.wait_for("/api/calls", lambda found: found["calls"] and found["calls"][0]["after"])
    (one,) = dashboard.ask("/api/calls").json()["calls"]
    assert one["after"] == {
        "id": after["id"],
        "event": "AfterTool",
        "decision": "continue",
        "ts": one["after"]["ts"],
        "ran": True,
    }


def test_facets_name_decisions_as_people_do(dashboard: Dashboard) -> None:
    write(dashboard.journal, recent(3), recent(2, "allow"), recent(1, "block"))
    settled(dashboard, 3)
    facets = dashboard.ask("/api/facets").json()["facets"]
    assert facets["decision"] == {"values": [["pass", 2], ["block", 1]], "more": 0}
    assert facets["tool"]["values"] == [["Bash", 3]]
    assert len(dashboard.ask("/api/calls?decision=pass").json()["calls"]) == 2
    narrowed = dashboard.ask("/api/facets?decision=pass&text=push").json()["facets"]
    assert (narrowed["decision"]["values"], narrowed["rule"]["values"]) == ([["pass", 2], ["block", 1]], [])


def test_a_facet_of_many_values_tells_how_many_it_leaves_out(dashboard: Dashboard) -> None:
    write(dashboard.journal, *(recent(number, agent=f"agent-{number}") for number in range(60)))
    settled(dashboard, 60)
    agents = dashboard.ask("/api/facets").json()["facets"]["agent"]
    assert (len(agents["values"]), agents["more"]) == (40, 20)


def stopped(dashboard: Dashboard, **more: object) -> str:
    exact = {"command": "git push --force", "cwd": str(dashboard.project)}
    said = outcome("guard", "block", rule="git/force-push", metrics={"exact": exact})
    made = {**recent(1, "block", root=str(dashboard.project)), "outcomes": [said], **more}
    write(dashboard.journal, made)
    settled(dashboard, 1)
    return str(made["id"])


@pytest.mark.parametrize("length", ["while", "project"])
def test_an_exception_is_for_the_very_command(writable: Dashboard, length: str) -> None:
    call = stopped(writable)
    assert writable.ask(f"/api/calls/{call}").json()["exceptions"] == ["while", "project"]
    made = writable.ask(f"/api/calls/{call}/exception", "POST", {"for": length}).json()
    (given,) = Grants(find_places(str(writable.home))).all()
    assert (given.id, given.rule, given.command) == (made["id"], "git/force-push", "git push --force")
    assert (given.scope, given.cwd, given.agent) == (str(writable.project), str(writable.project), "claude")
    assert (given.until > 0) == (length == "while")


@pytest.mark.parametrize(
    "more",
    [
        {"redacted": 1},
        {"outcomes": [outcome("guard", "block", rule="git/force-push")]},
        {"root": ""},
        {"verdict": {"decision": "continue", "rule": "git/force-push"}},
    ],
    ids=["redacted", "more than words", "no project", "it passed"],
)
def test_no_exception_is_made_of_what_is_not_known_whole(
    writable: Dashboard, more: dict[str, object]
) -> None:
    call = stopped(writable, **more)
    assert writable.ask(f"/api/calls/{call}").json()["exceptions"] == []
    assert writable.ask(f"/api/calls/{call}/exception", "POST", {"for": "while"}).status == 400
    assert Grants(find_places(str(writable.home))).all() == []


def test_an_exception_needs_a_length_and_a_writable_dashboard(
    writable: Dashboard, dashboard: Dashboard
) -> None:
    call = stopped(writable)
    assert writable.ask(f"/api/calls/{call}/exception", "POST", {"for": "ever"}).status == 400
    assert dashboard.ask(f"/api/calls/{call}/exception", "POST", {"for": "while"}).status == 403
    assert Grants(find_places(str(writable.home))).all() == []
