"""Hooks of ten settings files, as people write them, match after the import what they matched before."""

import json
from pathlib import Path

import pytest
import yaml

from fairlead.assembly import hook_of
from fairlead.dialects.payloads.payload_layout import TOOL_EVENTS
from fairlead.doors.cli.commands.policy.import_ import Imported, Refused, _handlers, _write
from fairlead.doors.cli.policies.matching_proof import names_to_try, original_matches, prove_matching
from fairlead.errors import FairleadError
from fairlead.model.event import Event
from fairlead.model.tool_call import ToolCall
from fairlead.policy.reading.load import load_file

SETTINGS = sorted((Path(__file__).parents[4] / "data" / "claude_settings").glob("*.json"))


@pytest.mark.parametrize("settings", SETTINGS, ids=lambda path: path.stem)
def test_every_hook_is_imported_and_matches_what_claude_code_matches(settings: Path, tmp_path: Path) -> None:
    found = list(_handlers("claude", str(settings)))
    assert found
    assert not [one for one in found if isinstance(one, Refused)]
    matchers = [one.matcher for one in found]
    assert prove_matching("claude", matchers) > 1_000
    compared = 0
    for path in _write(str(tmp_path), [one for one in found if isinstance(one, Imported)]):
        loaded = load_file(Path(path).read_bytes(), path, layer="user")
        assert not loaded.problems
        for entry in loaded.entries:
            text = entry.matcher["claude"] if isinstance(entry.matcher, dict) else ""
            hook = hook_of(entry)
            assert hook.broken is None
            for name in names_to_try("claude", matchers) if entry.event in TOOL_EVENTS else ():
                event = Event(entry.event, agent="claude")
                assert hook.matcher.matches(ToolCall(name), event) is original_matches("claude", text, name)
                compared += 1
    assert compared > 1_000 or not any(one.event in ("PreToolUse", "PostToolUse") for one in found)


def test_there_are_ten_of_them() -> None:
    assert len(SETTINGS) == 10


@pytest.mark.parametrize(
    ("group", "why"),
    [
        ({"matcher": "(", "hooks": [{"type": "command", "command": "x"}]}, "never matches it"),
        ({"matcher": 7, "hooks": [{"type": "command", "command": "x"}]}, "is a text"),
        ({"matcher": "Bash", "hooks": [{"type": "prompt", "prompt": "x"}]}, "runs only inside claude"),
    ],
)
def test_what_cannot_be_translated_is_refused_and_says_why(tmp_path: Path, group: object, why: str) -> None:
    settings = tmp_path / "settings.json"
    settings.write_text(json.dumps({"hooks": {"PreToolUse": [group]}}))
    (one,) = _handlers("claude", str(settings))
    assert isinstance(one, Refused)
    assert why in one.why


def test_a_matcher_that_matches_otherwise_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fairlead.doors.cli.policies.matching_proof.matcher_from", lambda spec: _Never())
    with pytest.raises(FairleadError, match="would not match"):
        prove_matching("claude", ["Bash"])


class _Never:
    def matches(self, call: object, state: object) -> bool:
        return False


def test_what_is_written_is_plain_yaml(tmp_path: Path) -> None:
    (path,) = _write(
        str(tmp_path), [Imported("PreToolUse", {"id": "a", "matcher": {"claude": "^B"}}, "#!/bin/sh\nx\n")]
    )
    assert yaml.safe_load(Path(path).read_text())["middleware"][0]["matcher"] == {"claude": "^B"}
