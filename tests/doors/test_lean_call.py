"""What a hook call loads, and what it does not."""

import json
import subprocess
import sys

NEVER = {
    "agents",
    "asyncio",
    "click",
    "langchain",
    "nats",
    "opentelemetry",
    "pydantic",
    "regex",
    "rich",
    "sqlite3",
    "starlette",
    "uvicorn",
}
UNNEEDED = {
    "dataclasses",
    "fairlead.interfaces",
    "fairlead.model.fast_records",
    "fairlead.policy.reading.load",
    "hashlib",
    "inspect",
    "pathlib",
    "subprocess",
    "tempfile",
    "typing",
    "yaml",
}
CALL = """
import sys
from fairlead.doors.hook.cold import main
code = main(["--home", sys.argv[1], "hook", "claude", "PreToolUse"])
sys.stderr.write("\\n" + " ".join(sorted({name.partition(".")[0] for name in sys.modules})))
sys.exit(code)
"""


def test_law_14_a_hook_call_imports_no_telemetry_web_agent_or_broker_library(machine):
    done = subprocess.run(
        [sys.executable, "-I", "-c", CALL, str(machine.home)],
        input=json.dumps(machine.bash("rm -rf /")).encode(),
        capture_output=True,
        cwd=machine.project,
        check=False,
    )
    loaded = set(done.stderr.decode().splitlines()[-1].split())
    assert done.returncode == 2 and "fairlead" in loaded
    assert loaded & NEVER == set()


def test_law_11_a_harmless_call_does_not_load_what_only_type_checkers_policies_or_pipelines_need(machine):
    call = CALL.replace('{name.partition(".")[0] for name in sys.modules}', "sys.modules")
    done = subprocess.run(
        [sys.executable, "-I", "-c", call, str(machine.home)],
        input=json.dumps(machine.bash("git status --short")).encode(),
        capture_output=True,
        cwd=machine.project,
        check=False,
    )
    loaded = set(done.stderr.decode().splitlines()[-1].split())
    assert done.returncode == 0 and "fairlead.packs" in loaded
    assert loaded & UNNEEDED == set()


def test_law_14_the_package_itself_depends_on_three_others():
    from importlib.metadata import requires

    needed = [line for line in requires("fairlead") or () if "extra ==" not in line]
    assert sorted(line.partition(">")[0].lower() for line in needed) == ["click", "pyyaml", "regex"]
