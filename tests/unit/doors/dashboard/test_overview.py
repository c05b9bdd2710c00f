from __future__ import annotations

import pytest

from dashboard_kit import Dashboard, recent
from fairlead.policy.off import switch_off
from fairlead.policy.places import find_places
from index_kit import outcome, write

pytestmark = pytest.mark.slow


def test_the_overview_counts_by_decision_agent_rule_and_project(dashboard: Dashboard) -> None:
    write(dashboard.journal, recent(3, agent="codex"), recent(2, "allow"), recent(1, "block"))
    answer = dashboard.wait_for("/api/overview", lambda found: found["total"]["calls"] == 3)
    found = answer.json()
    assert found["total"]["decisions"] == {"pass": 2, "block": 1}
    assert [(each["name"], each["calls"]) for each in found["agents"]] == [("claude", 2), ("codex", 1)]
    assert found["agents"][0]["p95"] > 0 and found["agents"][0]["last"] > 0
    assert [each["name"] for each in found["rules"]] == ["git/force-push"]
    assert [each["name"] for each in found["projects"]] == ["/home/dev/acme"]
    assert found["alarms"] == []


@pytest.mark.parametrize("span", ["1h", "24h", "7d", "30d", "90d", "all"])
def test_every_span_has_bars_that_hold_all_of_its_calls(dashboard: Dashboard, span: str) -> None:
    write(dashboard.journal, recent(1300), recent(2), recent(1, "ask"))
    path = f"/api/overview?span={span}&zone=330"
    found = dashboard.wait_for(path, lambda found: found["total"]["calls"] == 3).json()
    series = found["timeline"]["series"]
    assert {name: sum(values) for name, values in series.items()} == {
        "block": 0,
        "ask": 1,
        "approve": 0,
        "pass": 2,
    }
    assert len({len(values) for values in series.values()}) == 1
    assert len(series["pass"]) <= 120
    end = found["timeline"]["start"] + len(series["pass"]) * found["timeline"]["step"]
    assert end >= found["now"]


def test_another_span_is_an_error_that_names_those_that_there_are(dashboard: Dashboard) -> None:
    answer = dashboard.ask("/api/overview?span=2h")
    assert answer.status == 400
    assert "24h" in answer.json()["hint"]


def test_what_went_wrong_is_an_alarm_the_worst_first(dashboard: Dashboard) -> None:
    tool = {"tool": {"name": "Bash", "call": "t1", "input": {"command": "rm -rf /"}}}
    write(
        dashboard.journal,
        recent(9, "block", facts=tool),
        recent(8, event="AfterTool", request="a", facts=tool),
        recent(7, lost={"lines": 2, "why": "the disk was full"}),
        recent(6, outcomes=[outcome("slow", failure={"message": "took too long"})]),
    )
    switch_off(find_places(str(dashboard.home)), seconds=600, agents=())
    answer = dashboard.wait_for("/api/overview", lambda found: len(found["alarms"]) == 4)
    off, ran, gap, failure = answer.json()["alarms"]
    assert [off["kind"], ran["kind"], gap["kind"], failure["kind"]] == ["off", "ran", "gap", "failure"]
    assert [each["summary"] for each in ran["calls"]] == ["rm -rf /"]
    assert (gap["number"], gap["text"]) == (2, "the disk was full")
    assert failure["number"] == 1


def test_health_is_what_the_command_line_finds(dashboard: Dashboard) -> None:
    assert dashboard.ask("/api/health").json() == [
        {
            "name": "claude",
            "state": "guarded, not proved",
            "well": True,
            "detail": "",
            "fix": "fairlead doctor",
        }
    ]
