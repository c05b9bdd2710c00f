"""What the reference of the fleet says that nobody can do has a test of that name."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs/fleet-reference.md").read_text()
THREATS = PAGE.partition("\n## Threats\n")[2]
NAMED = re.compile(r"`(test_\w+)`")


def test_every_test_that_a_threat_rests_on_is_there() -> None:
    tests = {
        name
        for path in (ROOT / "tests").rglob("test_*.py")
        for name in re.findall(r"^(?:async )?def (test_\w+)", path.read_text(), re.MULTILINE)
    }
    named = set(NAMED.findall(THREATS))
    assert len(named) > 30
    assert named <= tests, named - tests


def test_every_threat_says_what_it_can_and_cannot_do_and_rests_on_tests() -> None:
    for threat in THREATS.split("\n### ")[1:]:
        name = threat.partition("\n")[0]
        assert "**cannot**" in threat.lower() and NAMED.search(threat), name
        assert name == "The agent" or ("**Can**" in threat or "What they can do" in threat), name
        assert name == "The agent" or "**Then**" in threat, name
