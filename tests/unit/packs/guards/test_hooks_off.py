import json
from pathlib import Path

import pytest

from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.packs.guards.hooks_off import keep_hooks_on
from kit import Machine


def judged(path: object) -> Decision | None:
    event = Event(EventName.CONFIG_CHANGE, "ConfigChange", "claude", payload={"file_path": path})
    outcome = keep_hooks_on(event, {}, ())
    return outcome.decision if outcome is not None else None


@pytest.mark.parametrize(
    ("text", "decision"),
    [
        ('{"disableAllHooks": true}', Decision.BLOCK),
        ('{"hooksConfig": {"enabled": false}}', Decision.BLOCK),
        ('// note\n{"disableAllHooks": true,}', Decision.BLOCK),
        ('{"disableAllHooks": false}', None),
        ('{"model": "opus"}', None),
        ("{", None),
        ("[]", None),
    ],
)
def test_a_file_that_switches_hooks_off_is_refused(
    tmp_path: Path, text: str, decision: Decision | None
) -> None:
    path = tmp_path / "settings.json"
    path.write_text(text)
    assert judged(str(path)) is decision


@pytest.mark.parametrize("path", ["", None, 7, "/not/there.json"])
def test_a_change_without_a_readable_file_is_no_concern(path: object) -> None:
    assert judged(path) is None


def test_claude_is_told_to_refuse_the_change(machine: Machine) -> None:
    path = machine.project / ".claude" / "settings.local.json"
    path.parent.mkdir()
    path.write_text('{"disableAllHooks": true}')
    payload = {
        "hook_event_name": "ConfigChange",
        "session_id": "s",
        "cwd": str(machine.project),
        "source": "local_settings",
        "file_path": str(path),
    }
    done = machine.hook(payload)
    assert done.returncode == 2
    assert json.loads(done.stdout)["decision"] == "block"
    assert b"self-protection/hooks-off" in done.stderr
    path.write_text("{}")
    assert machine.hook(payload).returncode == 0
