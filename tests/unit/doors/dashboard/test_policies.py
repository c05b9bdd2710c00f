from __future__ import annotations

import os

import pytest

from dashboard_kit import Dashboard, recent
from index_kit import write

pytestmark = pytest.mark.slow

RULES = """\
event: BeforeTool
rules:
  - id: no-deploys
    program: deploy
    reason: Deploys go through the pipeline.
    stops: ["deploy prod"]
    passes: ["make"]
  - id: no-drops
    program: dropdb
    stops: ["dropdb shop"]
"""
TESTS = """\
tests:
  - command: deploy prod
    expect: block
    rule: rules/no-deploys
"""


@pytest.fixture
def with_rules(dashboard: Dashboard) -> Dashboard:
    folder = dashboard.home / "config" / "hooks"
    folder.mkdir(parents=True)
    (folder / "hook.meta.yaml").write_text(RULES)
    (folder / "hook.test.yaml").write_text(TESTS)
    return dashboard


def test_rules_have_their_hits_examples_and_lines(with_rules: Dashboard) -> None:
    write(with_rules.journal, recent(1, "block"))
    with_rules.wait_for("/api/calls", lambda found: found["calls"])
    found = with_rules.ask("/api/rules").json()
    git = next(pack for pack in found["packs"] if pack["id"] == "git")
    push = next(rule for rule in git["rules"] if rule["id"] == "git/force-push")
    assert push["hits"] == 1 and push["stops"] and push["passes"]
    name, line = push["origin"].rsplit(":", 1)
    assert name == "fairlead/packs/rules/git.py" and int(line) > 10
    own = found["own"][0]
    assert (own["id"], own["about"]) == ("no-deploys", "Deploys go through the pipeline.")
    assert (own["stops"], own["passes"], own["hits"]) == (["deploy prod"], ["make"], 0)
    assert own["source"].startswith("- id: no-deploys\n") and "no-drops" not in own["source"]
    assert own["origin"].endswith("hook.meta.yaml:3")


def test_hooks_come_with_the_tests_of_the_policy(with_rules: Dashboard) -> None:
    found = with_rules.ask("/api/hooks").json()
    assert found["problems"] == []
    assert "no-deploys" not in {hook["id"] for hook in found["hooks"]}
    assert found["tests"] == [
        {
            "name": "deploy prod",
            "expect": "block",
            "origin": os.path.join("hooks", "hook.test.yaml:2"),
            "rule": "rules/no-deploys",
        }
    ]
