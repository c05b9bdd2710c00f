"""What is told at the start of a session about hooks that will not be asked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fairlead.dialects.setup.installs import changes_for
from fairlead.dialects.setup.site import Client, Site
from fairlead.doors.hook.call import answer
from fairlead.doors.hook.hook_call import HookCall
from fairlead.doors.hook.systems import Systems
from fairlead.model.verdict import Reply
from fairlead.policy.installed import client_path
from fairlead.policy.places import find_places
from fairlead.settings.ledger import Ledger

NO_HOOKS = '{"disableAllHooks": true}'


class Desk:
    """A home, a project, and the agents that `install` was run for."""

    def __init__(self, folder: Path) -> None:
        self.home, self.project = folder / "dev", folder / "project"
        self.home.mkdir()
        (self.project / ".git").mkdir(parents=True)
        self.places = find_places(str(folder / "fairlead"))
        self.client = Client(client_path(self.places), str(folder / "fairlead"))

    def install(self, *agents: str, scope: str = "user") -> None:
        ledger = Ledger(self.places.installed)
        for agent in agents:
            for change in changes_for(agent, self.site(scope), self.client):
                ledger.install(change, agent=agent, scope=scope)

    def site(self, scope: str) -> Site:
        return Site(str(self.home), str(self.project), {}, scope)

    def put(self, name: str, text: str, *, home: bool = False) -> Path:
        file = (self.home if home else self.project) / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file

    def start(self, agent: str, event: str = "SessionStart", **fields: object) -> Reply:
        payload = {"hook_event_name": event, "session_id": "s", "cwd": str(self.project), "source": "startup"}
        call = HookCall(
            agent,
            json.dumps({**payload, **fields}).encode(),
            native_event=event,
            cwd=str(self.project),
            environment={"HOME": str(self.home)},
            request="ab" * 16,
        )
        systems = Systems(self.places)
        try:
            return answer(call, systems).reply
        finally:
            systems.close()


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def test_where_all_is_well_nothing_is_said(desk: Desk) -> None:
    desk.install("claude", "qwen", "factory", "codex")
    desk.install("claude", scope="project")
    for agent in ("claude", "qwen", "factory", "codex"):
        reply = desk.start(agent)
        assert (reply.stdout, reply.stderr) == (b"", b""), agent


def test_what_switches_another_guarded_agent_off_in_this_project_is_told(desk: Desk) -> None:
    desk.install("claude", "qwen")
    file = desk.put(".qwen/settings.json", NO_HOOKS)
    told = json.loads(desk.start("claude").stdout)["systemMessage"]
    assert f"{file} switches the hooks of qwen off (disableAllHooks)" in told
    assert "fairlead doctor" in told


def test_an_agent_that_is_not_guarded_is_nobodys_business(desk: Desk) -> None:
    desk.install("claude")
    desk.put(".qwen/settings.json", NO_HOOKS)
    assert desk.start("claude").stdout == b""


def test_a_file_that_hides_our_gate_is_told_where_the_start_is_still_asked(desk: Desk) -> None:
    desk.install("factory")
    file = desk.put(".factory/hooks.json", '{"PreToolUse": []}', home=True)
    told = json.loads(desk.start("factory").stdout)["systemMessage"]
    assert f"hooks of factory are missing in {file}" in told


def test_a_gate_that_was_taken_out_is_told(desk: Desk) -> None:
    desk.install("claude")
    file = desk.home / ".claude" / "settings.json"
    settings = json.loads(file.read_text())
    settings["hooks"]["PreToolUse"] = []
    file.write_text(json.dumps(settings))
    told = json.loads(desk.start("claude").stdout)["systemMessage"]
    assert f"hooks of claude are missing in {file}" in told


def test_where_only_the_model_listens_it_is_told(desk: Desk) -> None:
    desk.install("qwen", "copilot")
    desk.put(".qwen/settings.json", NO_HOOKS)
    reply = desk.start("copilot", "sessionStart", sessionId="s", timestamp=1, initialPrompt="x")
    assert "switches the hooks of qwen off" in json.loads(reply.stdout)["additionalContext"]


def test_where_nobody_listens_it_is_on_stderr(desk: Desk) -> None:
    desk.install("qwen", "kimi")
    desk.put(".qwen/settings.json", NO_HOOKS)
    reply = desk.start("kimi")
    assert b"switches the hooks of qwen off" in reply.stderr


def test_a_record_that_cannot_be_read_spoils_no_session(desk: Desk) -> None:
    desk.install("claude")
    Path(desk.places.installed).write_text("{")
    reply = desk.start("claude")
    assert reply.exit_code == 0
    assert "cannot be told" in json.loads(reply.stdout)["systemMessage"]


def test_other_events_are_not_held_up_by_it(desk: Desk) -> None:
    desk.install("claude", "qwen")
    desk.put(".qwen/settings.json", NO_HOOKS)
    fields = {"tool_name": "Bash", "tool_input": {"command": "ls"}}
    assert desk.start("claude", "PreToolUse", **fields).stdout == b""


def test_a_hook_that_was_put_before_ours_in_codex_is_told(desk: Desk) -> None:
    """Codex keeps its review by the place in the file, and skips in silence what it has not reviewed."""
    desk.install("codex")
    file = desk.home / ".codex" / "hooks.json"
    document = json.loads(file.read_text())
    document["hooks"]["PreToolUse"].insert(0, {"hooks": [{"type": "command", "command": "true"}]})
    file.write_text(json.dumps(document))
    told = json.loads(desk.start("codex").stdout)["systemMessage"]
    assert f"hooks of codex are missing in {desk.home}/.codex/config.toml, or are not as" in told
