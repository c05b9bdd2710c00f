"""The plugins in JavaScript, run by node: whatever cannot be read before a tool is a no."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from fairlead.dialects.agents.javascript_plugins.plugin_source import amp_plugin, opencode_plugin

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not shutil.which("node"), reason="NOT TESTED: the plugins need node to run"),
]

OPENCODE = """
import { Fairlead } from "./plugin.mjs"
const hooks = await Fairlead({ directory: "/", worktree: "/" })
try {
  const call = { sessionID: "s", callID: "c", tool: "bash" }
  await hooks["tool.execute.before"](call, { args: { command: "x" } })
  console.log(JSON.stringify(["ran", ""]))
} catch (error) { console.log(JSON.stringify(["refused", error.message])) }
"""
AMP = """
import plugin from "./plugin.mjs"
const handlers = {}
plugin({ on: (name, handler) => { handlers[name] = handler } })
const answer = await handlers["tool.call"]({ toolUseID: "t", tool: "Bash", input: { cmd: "x" } }, {})
console.log(JSON.stringify([answer.action === "allow" ? "ran" : "refused", answer.message ?? ""]))
"""
SHELL = "#!/bin/sh\ncat > /dev/null\n"


@pytest.fixture(params=["opencode", "amp"])
def made(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A folder with the plugin and a program that loads it; `hook` is what the plugin runs."""
    make, driver = {"opencode": (opencode_plugin, OPENCODE), "amp": (amp_plugin, AMP)}[request.param]
    (tmp_path / "plugin.mjs").write_bytes(make([str(tmp_path / "fairlead-hook"), request.param]))
    (tmp_path / "driver.mjs").write_text(driver)
    return tmp_path


def call(folder: Path, hook: str | None, mode: int = 0o755) -> tuple[str, str]:
    if hook is not None:
        (folder / "fairlead-hook").write_text(hook)
        (folder / "fairlead-hook").chmod(mode)
    done = subprocess.run(["node", folder / "driver.mjs"], capture_output=True, text=True, check=True)
    what, why = json.loads(done.stdout)
    return what, why


def test_silence_and_an_empty_answer_are_no_objection(made: Path) -> None:
    assert call(made, SHELL) == ("ran", "")
    assert call(made, SHELL + "echo '{}'\n") == ("ran", "")


def test_a_deny_is_passed_on_whatever_the_exit_code(made: Path) -> None:
    for code in (0, 2):
        said = call(made, SHELL + f'echo \'{{"decision": "deny", "reason": "no"}}\'\nexit {code}\n')
        assert said == ("refused", "no")


@pytest.mark.parametrize(
    "hook",
    [
        SHELL + "exit 1",
        SHELL + "exit 127",
        SHELL + "echo rubbish",
        SHELL + "echo null",
        SHELL + "echo 5",
        SHELL + "echo '[]'",
        SHELL + "echo '{\"decision\":'",
        SHELL + "echo '{}'; exit 3",
        SHELL + "kill -9 $$",
    ],
)
def test_what_cannot_be_read_is_a_no_that_says_what_to_do(made: Path, hook: str) -> None:
    what, why = call(made, hook)
    assert what == "refused"
    assert "fairlead doctor" in why


@pytest.mark.parametrize(
    ("hook", "mode"), [(None, 0), (SHELL, 0o644), ("", 0o755)], ids=["missing", "not executable", "empty"]
)
def test_without_its_program_it_refuses_and_names_it(made: Path, hook: str | None, mode: int) -> None:
    what, why = call(made, hook, mode)
    assert what == "refused"
    assert f"{made}/fairlead-hook is missing" in why


def test_a_program_that_takes_too_long_is_a_no(made: Path) -> None:
    file = made / "plugin.mjs"
    assert file.read_text().count("timeout: 60000") == 1
    file.write_text(file.read_text().replace("timeout: 60000", "timeout: 300"))
    what, why = call(made, "#!/bin/sh\nexec sleep 60\n")
    assert (what, "could not be asked" in why) == ("refused", True)


AMP_ANSWERS = """
import plugin from "./plugin.mjs"
const handlers = {}
plugin({ on: (name, handler) => { handlers[name] = handler } })
const [event, given, ui] = JSON.parse(process.argv[2])
const confirm = async (wanted) => {
  if (ui === "throws" || typeof wanted.title !== "string") throw new Error("no UI")
  return ui
}
const answer = await handlers[event]({ thread: { id: "T-1" }, ...given }, { ui: { confirm } })
console.log(JSON.stringify(answer ?? null))
"""


def amp_answers(folder: Path, said: str, event: str, ui: object = "throws") -> object:
    """What the plugin tells Amp when Fairlead says `said`; `ui` is what the person answers."""
    (folder / "plugin.mjs").write_bytes(amp_plugin([str(folder / "fairlead-hook"), "amp"]))
    (folder / "driver.mjs").write_text(AMP_ANSWERS)
    (folder / "fairlead-hook").write_text(f"#!/bin/sh\ncat > {folder}/asked\necho '{said}'\n")
    (folder / "fairlead-hook").chmod(0o755)
    given = {"tool": "shell_command", "toolUseID": "t", "input": {"command": "x"}, "message": "go"}
    words = ["node", folder / "driver.mjs", json.dumps([event, given, ui])]
    return json.loads(subprocess.run(words, capture_output=True, text=True, check=True).stdout)


def test_amp_is_given_the_other_input_of_a_call(tmp_path: Path) -> None:
    said = '{"args": {"command": "y"}}'
    assert amp_answers(tmp_path, said, "tool.call") == {"action": "modify", "input": {"command": "y"}}
    assert json.loads((tmp_path / "asked").read_text())["session_id"] == "T-1"


@pytest.mark.parametrize(("ui", "action"), [(True, "allow"), (False, "reject-and-continue")])
def test_amp_runs_what_was_asked_about_only_after_a_yes(tmp_path: Path, ui: bool, action: str) -> None:
    said = '{"decision": "ask", "reason": "sure?"}'
    answer = amp_answers(tmp_path, said, "tool.call", ui)
    assert isinstance(answer, dict) and answer["action"] == action


def test_amp_refuses_what_nobody_can_be_asked_about(tmp_path: Path) -> None:
    said = '{"decision": "ask", "reason": "sure?"}'
    refused = {"action": "reject-and-continue", "message": "sure?"}
    assert amp_answers(tmp_path, said, "tool.call", "throws") == refused


def test_amp_hears_a_message_at_the_start_of_a_turn(tmp_path: Path) -> None:
    told = {"message": {"content": "remember", "display": True}}
    assert amp_answers(tmp_path, '{"context": "remember"}', "agent.start") == told
    assert amp_answers(tmp_path, "{}", "agent.start") is None
