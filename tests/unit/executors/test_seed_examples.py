"""The two example middleware files of the design document run unchanged."""

import json
from pathlib import Path

import pytest

from fairlead.contracts.returned_value import ReturnedValue
from fairlead.executors.python_file import PythonFile, Workers
from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.hook import Hook, HookType, Outcome, Run
from fairlead.model.tool_call import ToolCall, ToolKind

EXAMPLES = Path(__file__).parent / "seed_examples"


@pytest.fixture
def outcome_of(tmp_path):
    def run(name, event, config, previous=()):
        path = tmp_path / f"{name}.py"
        path.write_text((EXAMPLES / f"{name}.py.txt").read_text())
        hook = Hook(name, HookType.SAFETY, event.name, Run("python", str(path)), config=config)
        return ReturnedValue().read(hook, event, PythonFile(workers).run(hook, event, previous))

    with Workers() as workers:
        yield run


def shell(command, agent="claude"):
    call = ToolCall(
        "Bash" if agent == "claude" else "run_shell_command", {"command": command}, ToolKind.SHELL
    )
    payload = {"session_id": "s1", "tool_name": call.name, "tool_input": call.input}
    return Event(EventName.BEFORE_TOOL, agent=agent, session="s1", tool=call, payload=payload)


@pytest.mark.parametrize("agent", ["claude", "gemini"])
def test_the_example_guard_blocks_what_it_says(outcome_of, agent):
    outcome = outcome_of("block-dangerous-commands", shell("rm -rf /", agent), {})
    assert outcome.decision is Decision.BLOCK
    assert outcome.reason.startswith("Dangerous command pattern detected")
    assert outcome.metrics["command"] == "rm -rf /"


def test_the_example_guard_lets_other_commands_pass(outcome_of):
    outcome = outcome_of("block-dangerous-commands", shell("ls"), {})
    assert (outcome.decision, outcome.metrics) == (Decision.ALLOW, {"checked_patterns": 5})


def test_the_example_guard_takes_its_patterns_from_the_config(outcome_of):
    config = {"dangerous_patterns": ["git push"]}
    outcome = outcome_of("block-dangerous-commands", shell("git push -f"), config)
    assert outcome.decision is Decision.BLOCK


def test_the_example_logger_writes_its_line_and_reads_previous_results(outcome_of, tmp_path):
    log = tmp_path / "logs" / "operations.jsonl"
    previous = (Outcome(Decision.BLOCK, "no", hook="guard"),)
    outcome = outcome_of("log-operations", shell("rm -rf /"), {"log_file": str(log)}, previous)
    assert (outcome.decision, outcome.metrics["logged"]) == (Decision.CONTINUE, True)
    entry = json.loads(log.read_text())
    assert (entry["session_id"], entry["tool_name"], entry["blocked"]) == ("s1", "Bash", True)
    assert entry["tool_input"] == {"command": "rm -rf /"}
