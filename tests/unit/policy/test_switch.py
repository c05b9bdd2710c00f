from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from fairlead.errors import PolicyError
from fairlead.model.event_name import EventName
from fairlead.policy.places import Places
from fairlead.policy.policy import Policy
from fairlead.policy.reading.entry import Entry
from fairlead.policy.switch import switch

Write = Callable[..., str]
Load = Callable[..., Policy]


def named(policy: Policy, id_: str) -> list[Entry]:
    return [entry for entry in policy.entries if entry.id == id_]


def test_a_built_in_is_switched_by_an_override_of_the_user(places: Places, load: Load) -> None:
    for enabled in (False, True, False):
        files = switch(named(load(), "block-dangerous-commands"), enabled=enabled, config=places.config)
        policy = load()
        assert {entry.enabled for entry in named(policy, "block-dangerous-commands")} == {enabled}
        assert policy.problems == ()
        assert [entry.event for entry in named(policy, "block-dangerous-commands")] == [
            EventName.BEFORE_TOOL,
            EventName.TOOL_PERMISSION,
            EventName.BEFORE_RESOURCE,
        ]
    assert len(set(files)) == 3


def test_two_switches_share_a_file(places: Places, load: Load) -> None:
    switch(named(load(), "log-operations"), enabled=True, config=places.config)
    switch(named(load(), "emit-metrics"), enabled=True, config=places.config)
    policy = load()
    assert policy.problems == ()
    assert all(entry.enabled for entry in named(policy, "log-operations") + named(policy, "emit-metrics"))


OWN = """\
# my policy
event: PreToolUse
middleware:
  - type: safety   # why not
    id: block-dangerous-commands
    {line}
    config: {{level: strict}}

  # the other
  - id: protect-sensitive-files
    enabled: true
"""


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("enabled: true  # on", "enabled: false  # on"),
        ("enabled:   yes", "enabled:   false"),
        ("priority: 1", "enabled: false\n    priority: 1"),
    ],
)
def test_the_users_own_entry_is_edited_in_place_and_every_other_line_stays(
    places: Places, write: Write, load: Load, line: str, expected: str
) -> None:
    path = write(places.config, OWN.format(line=line))
    os.chmod(path, 0o640)
    entries = [e for e in named(load(), "block-dangerous-commands") if e.event is EventName.BEFORE_TOOL]
    assert switch(entries, enabled=False, config=places.config) == [path]
    assert Path(path).read_text() == OWN.format(line=expected)
    assert os.stat(path).st_mode & 0o777 == 0o640


def test_what_one_line_cannot_switch_is_left_to_the_author(places: Places, write: Write, load: Load) -> None:
    text = "event: PreToolUse\nmiddleware:\n  - {id: block-dangerous-commands, priority: 2}\n"
    path = write(places.config, text)
    entries = [e for e in named(load(), "block-dangerous-commands") if e.event is EventName.BEFORE_TOOL]
    with pytest.raises(PolicyError, match="cannot be switched in"):
        switch(entries, enabled=False, config=places.config)
    assert Path(path).read_text() == text
