"""Each row of what an agent's module says about its setup: what `install` writes, and `doctor` finds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fairlead.dialects.agent_registry import dialect_named
from fairlead.dialects.setup.description import Switch
from fairlead.dialects.setup.hook_forms import Wanted
from fairlead.dialects.setup.installs import INSTALLS, every_change
from fairlead.dialects.setup.off_switches import switched_off
from fairlead.dialects.setup.sample_calls import gate_of
from fairlead.dialects.setup.site import Client, Site
from fairlead.model.event_name import event_named
from fairlead.settings.change import applied
from fairlead.settings.formats.document import document_of
from tests.differential.wanted import HOME, PROJECT, Judge, wanted_from

CLIENT = Client("/opt/fairlead/bin/fairlead-hook")
SCOPES = ("user", "project")
SWITCHES = [(agent, switch) for agent, setup in INSTALLS.items() for switch in setup.switches]


def entries_of(agent: str) -> Wanted:
    setup = INSTALLS[agent]
    return Wanted(agent, setup, setup.files[0], "", CLIENT)


@pytest.mark.parametrize("agent", INSTALLS)
def test_what_is_installed_are_events_of_the_agent_and_its_gate_is_among_them(agent: str) -> None:
    events = entries_of(agent).events
    assert set(events) <= set(dialect_named(agent).events)
    assert event_named(gate_of(dialect_named(agent))) in {event_named(event) for event in events}


@pytest.mark.parametrize("scope", SCOPES)
@pytest.mark.parametrize("agent", INSTALLS)
def test_every_file_runs_the_client_for_every_event_and_can_be_read_by_the_agent(
    agent: str, scope: str, tmp_path: Path
) -> None:
    setup = INSTALLS[agent]
    if scope == "project" and not any(file.project for file in setup.files):
        return
    site = Site(str(tmp_path), str(tmp_path / "project"), {}, scope)
    changes = every_change(agent, site, CLIENT)
    written = {change.path: applied(change, None).decode() for change in changes}
    for path in written:
        if path.endswith((".json", ".toml")):
            assert isinstance(document_of(written[path], path), dict)
    everything = "\n".join(written.values())
    assert CLIENT.path in everything
    if setup.started_by != "plugin":
        assert [event for event in entries_of(agent).events if event not in everything] == []


@pytest.mark.parametrize("agent", INSTALLS)
def test_what_a_broken_hook_does_is_made_up_for(agent: str) -> None:
    """By a setting where there is one, else by the line or the plugin that refuses by itself."""
    setup, gate = INSTALLS[agent], gate_of(dialect_named(agent))
    told = json.dumps(entries_of(agent).entry(gate)) if setup.files[0].form == "entries" else ""
    closed = any(word in told for word in ('"onFailure": "block"', '"failClosed": true'))
    assert closed == (setup.broken == "refused if told")
    if setup.broken == "runs":
        assert setup.started_by in ("shell", "login shell")


@pytest.mark.parametrize(("agent", "switch"), SWITCHES, ids=lambda part: getattr(part, "file", part))
def test_a_switch_is_found_when_it_is_off_and_only_then(agent: str, switch: Switch, tmp_path: Path) -> None:
    home, project = tmp_path / "home", tmp_path / "home" / "project"
    path = (home if switch.of_user else project) / switch.file
    if path == Path(switch.file):
        assert switch.file.startswith("/etc/")
        return
    path.parent.mkdir(parents=True)
    named = ".".join(switch.setting)
    for value, found in ((switch.off, [(str(path), named)]), (not switch.off, []), ("no", [])):
        path.write_text(_set(switch, value))
        assert list(switched_off(agent, str(project), home=str(home))) == found


def _set(switch: Switch, value: object) -> str:
    *tables, key = switch.setting
    if switch.file.endswith(".toml"):
        return f"[{'.'.join(tables)}]\n{key} = {json.dumps(value)}\n"
    document: object = {key: value}
    for table in reversed(tables):
        document = {table: document}
    return json.dumps(document)


def test_an_agent_cannot_write_what_holds_or_switches_off_the_hooks_of_any(tmp_path: Path) -> None:
    paths = {
        change.path
        for agent, setup in INSTALLS.items()
        for scope in SCOPES
        if scope == "user" or any(file.project for file in setup.files)
        for change in every_change(agent, Site(HOME, PROJECT, {}, scope), CLIENT)
    }
    paths |= {f"{HOME if one.of_user else PROJECT}/{one.file}" for _, one in SWITCHES if one.file[0] != "/"}
    judge = Judge("claude", tmp_path)
    passed = [path for path in sorted(paths) if "pass" in _decisions(judge, path)]
    assert passed == []


def _decisions(judge: Judge, path: str) -> set[str]:
    return {decision for _, decision in judge.decisions(wanted_from(f"block write {path} <- {{}}"))}
