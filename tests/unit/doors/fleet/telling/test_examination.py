"""What `status` says, as a heartbeat tells it."""

import asyncio

import pytest

from fairlead.doors.fleet.telling.examination import Examination, examination_of, examined
from fairlead.policy.places import find_places


def test_what_is_told_of_what_was_found():
    found = examination_of(
        {
            "own_build": "b1",
            "troubles": [{"what": "the client is gone", "fix": "x"}],
            "agents": [{"agent": "claude", "state": "installed", "proved": "today", "path": "/home/me/x"}],
            "problems": ["policy: broken"],
            "off": {"until": 0},
            "ignored_off_marker": "",
            "audit": {"mode": "audit"},
        }
    )
    assert found == Examination(
        build="b1",
        rows=(
            {"name": "installation", "state": "the client is gone"},
            {"name": "claude", "state": "installed"},
            {"name": "policy", "state": "policy: broken"},
        ),
        agents=({"agent": "claude", "installed": True, "proved": True},),
        off=True,
        mode="audit",
    )


def test_nothing_was_found():
    assert examination_of({"off": None, "audit": None}) == Examination()


@pytest.mark.slow
def test_the_real_status_can_be_read(tmp_path):
    found = asyncio.run(examined(find_places(str(tmp_path))))
    assert all(row["name"] != "status" for row in found.rows)
    assert (found.off, found.mode) == (False, "enforce")
    assert found.build
