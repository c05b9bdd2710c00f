"""A smaller run of what `make bench-faults` does at full size."""

from __future__ import annotations

import pytest
from faults import suffer
from installation import Installation


@pytest.mark.slow
def test_killing_the_daemon_under_load_loses_no_call_and_changes_no_verdict(
    installation: Installation,
) -> None:
    summary = suffer(installation, calls=200, clients=8, kills=4, removals=2)
    assert summary["wrong"] == []
    assert summary["struck"] == {"kill": 4, "remove": 2}
    assert summary["recorded"] == summary["verdicts"] == 200
    assert summary["right in the journal"]
    assert summary["daemons"] == 1
    assert summary["zombies"] == 0
    assert summary["lock is free"]
