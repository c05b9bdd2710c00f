"""Each of the seven success criteria of the seed, by name, on the seed's own files, word for word."""

import json
import shutil
import socket
from pathlib import Path

import pytest

SEED = Path(__file__).parent.parent / "data" / "seed_002"

pytestmark = pytest.mark.slow


@pytest.fixture
def seeded(machine):
    """The seed's policy and its two middleware files, as a policy of the user."""
    shutil.copytree(SEED / "hooks", machine.home / "config" / "hooks")
    meta = machine.home / "config/hooks/lifecycle/pre-tool-use/hook.meta.yaml"
    text = meta.read_text().replace("~/.claude/logs", str(machine.home / "logs"))
    meta.write_text(text)
    machine.meta = meta
    return machine


def decision(done):
    return {0: "pass", 2: "block"}[done.returncode]


def outcomes(machine):
    return {each["hook"]: each for each in machine.journal()[-1]["outcomes"]}


def wait_for(condition):
    """Observers run after the answer: wait for what they leave behind, up to a generous bound."""
    import time

    for _ in range(600):
        found = condition()
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError("what an observer should have left did not come")


def test_criterion_1_safety_middleware_reliably_blocks_dangerous_operations(seeded):
    for command in ("rm -rf /", "sudo rm /etc/passwd", "dd if=/dev/zero of=/dev/sda"):
        done = seeded.hook(seeded.bash(command))
        assert decision(done) == "block", command
        answer = json.loads(done.stdout)["hookSpecificOutput"]
        assert answer["permissionDecision"] == "deny" and answer["permissionDecisionReason"]


def test_criterion_2_observability_middleware_runs_without_blocking_decisions(seeded):
    observer = seeded.meta.parent / "middleware/observability/log-operations.py"
    observer.write_text(
        "def process(hook_input, config, previous_results):\n    raise RuntimeError('boom')\n"
    )
    assert decision(seeded.hook(seeded.bash("ls"))) == "pass"
    failure = wait_for(lambda: outcomes(seeded).get("log-operations", {}).get("failure"))
    assert "boom" in failure["message"]


def test_criterion_3_the_pipeline_stops_immediately_on_the_first_block(seeded):
    (seeded.meta.parent / "middleware/safety/protect-sensitive-files.py").write_text(
        "def process(hook_input, config, previous_results):\n    raise AssertionError('must not run')\n"
    )
    assert decision(seeded.hook(seeded.bash("rm -rf /"))) == "block"
    assert "protect-sensitive-files" not in outcomes(seeded)


def test_criterion_4_new_middleware_is_added_without_changing_the_orchestrator(seeded):
    (seeded.meta.parent / "no_tuesdays.py").write_text(
        "from middleware_base import MiddlewareResult\n"
        "def process(hook_input, config, previous_results):\n"
        "    word = config['word']\n"
        "    found = word in hook_input['tool_input'].get('command', '')\n"
        "    return MiddlewareResult('block' if found else 'allow', f'{word} is not done here', {})\n"
    )
    entry = "  - {id: mine, path: no_tuesdays.py, type: safety, enabled: true, config: {word: tuesday}}\n"
    seeded.meta.write_text(seeded.meta.read_text().replace("middleware:\n", "middleware:\n" + entry, 1))
    done = seeded.hook(seeded.bash("echo tuesday"))
    assert decision(done) == "block" and b"tuesday is not done here" in done.stderr
    assert decision(seeded.hook(seeded.bash("echo monday"))) == "pass"


def test_criterion_5_each_middleware_is_testable_in_isolation():
    import importlib.util
    import sys

    from fairlead import middleware_base

    sys.modules.setdefault("middleware_base", middleware_base)
    path = SEED / "hooks/lifecycle/pre-tool-use/middleware/safety/block-dangerous-commands.py"
    spec = importlib.util.spec_from_file_location("seed_middleware", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    result = module.process({"tool_name": "Bash", "tool_input": {"command": "rm -rf /"}}, {}, [])
    assert result.decision == "block"


def test_criterion_6_configuration_enables_and_disables_middleware_dynamically(seeded):
    entry = "  - {id: mine, path: no.py, type: safety, enabled: true}\n"
    (seeded.meta.parent / "no.py").write_text(
        "from middleware_base import MiddlewareResult\n"
        "def process(hook_input, config, previous_results):\n"
        "    return MiddlewareResult('block', 'never', {})\n"
    )
    enabled = seeded.meta.read_text().replace("middleware:\n", "middleware:\n" + entry, 1)
    seeded.meta.write_text(enabled)
    assert decision(seeded.hook(seeded.bash("ls"))) == "block"
    seeded.meta.write_text(enabled.replace("safety, enabled: true}", "safety, enabled: false}"))
    assert decision(seeded.hook(seeded.bash("ls"))) == "pass"


def test_criterion_7_metrics_provide_insight_into_agent_behavior(seeded):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server:
        server.bind(("127.0.0.1", 0))
        server.settimeout(30)
        text = seeded.meta.read_text().replace("8125", str(server.getsockname()[1]))
        seeded.meta.write_text(text.replace('"localhost"', '"127.0.0.1"'))
        seeded.hook(seeded.bash("rm -rf /"))
        assert b"block" in server.recv(65536)
    assert outcomes(seeded)["block-dangerous-commands"]["metrics"]["blocked"] is True
    log = seeded.home / "logs" / "operations.jsonl"
    logged = json.loads(wait_for(lambda: log.exists() and log.read_text()).splitlines()[-1])
    assert set(logged) == {"timestamp", "session_id", "tool_name", "tool_input", "blocked"}
    assert logged["blocked"] is True
