"""The command line of the official inspector prints the same with and without the door, for all that nobody
judges or holds back: what it prints, what it says on stderr, and its exit code."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

pytest.importorskip("mcp_types", reason="`make test-mcp` has the inspector and the servers")

from mcp_real_servers import NODE, missing, prepare, vector

INSPECTOR = NODE / "node_modules" / ".bin" / "mcp-inspector"
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not INSPECTOR.exists(), reason="NOT TESTED WITH THE INSPECTOR: npm did not install it (make mcp)"
    ),
]

LISTS = {
    "tools": ["tools/list"],
    "prompts": ["prompts/list"],
    "resources": ["resources/list"],
    "templates": ["resources/templates/list"],
}


def tool(name, **arguments):
    given = [word for key, value in arguments.items() for word in ("--tool-arg", f"{key}={value}")]
    return ["tools/call", "--tool-name", name, *given]


OWN = {
    "everything": {
        **LISTS,
        "echo": tool("echo", message="größe"),
        "a wrong argument": tool("get-sum", a="x"),
        "structured content": tool("get-structured-content", location="Chicago"),
        "an image": tool("get-tiny-image"),
        "a prompt": ["prompts/get", "--prompt-name", "args-prompt", "--prompt-args", "city=Bern"],
        "a resource": ["resources/read", "--uri", "demo://resource/static/document/architecture.md"],
        "no resource": ["resources/read", "--uri", "nothing://at/all"],
        "the log level": ["logging/setLevel", "--log-level", "debug"],
    },
    "filesystem": {
        "tools": LISTS["tools"],
        "prompts, of which it has none": LISTS["prompts"],
        "a file": tool("read_text_file", path="FOLDER/notes.txt"),
        "a file elsewhere": tool("read_text_file", path="/usr/share/nothing"),
    },
    "memory": {
        "tools": LISTS["tools"],
        "the graph": tool("read_graph"),
        "a resource": ["resources/read", "--uri", "memory://knowledge-graph"],
    },
    "git": {
        "tools": LISTS["tools"],
        "log": tool("git_log", repo_path="FOLDER"),
        "no repository": tool("git_status", repo_path="FOLDER/sub"),
    },
    "sqlite": {
        "tools": LISTS["tools"],
        "a row": tool("read_query", query="SELECT 1 AS one"),
        "a prompt": ["prompts/get", "--prompt-name", "mcp-demo", "--prompt-args", "topic=ships"],
    },
}
FAIL = ("no resource", "prompts, of which it has none")
"""Also without the door."""
CASES = [(server, case) for server, cases in OWN.items() for case in cases]


@pytest.mark.parametrize(("server", "case"), CASES, ids=[" ".join(each) for each in CASES])
def test_the_inspector_prints_the_same_with_and_without_the_door(server, case, tmp_path):
    assert not missing(server)
    prepare(tmp_path)
    method, *words = [word.replace("FOLDER", str(tmp_path)) for word in OWN[server][case]]
    bare = vector(server, tmp_path)
    door = [sys.executable, "-m", "fairlead", "--home", str(tmp_path / "home"), "mcp", "--name", server]
    door += ["--env", "MEMORY_FILE_PATH", "--", *bare]

    def ask(command):
        environment = {**os.environ, "MEMORY_FILE_PATH": str(tmp_path / "memory.jsonl")}
        line = [str(INSPECTOR), "--cli", *command, "--method", method, *words]
        done = subprocess.run(
            line, capture_output=True, text=True, timeout=120, cwd=tmp_path, env=environment, check=False
        )
        return done.returncode, done.stdout, _own(done.stderr)

    with ThreadPoolExecutor(2) as both:
        without, with_door = both.map(ask, (bare, door))
    assert with_door == without
    assert (without[0] == 0) is (case not in FAIL), without
    assert (tmp_path / "home").exists(), "it went past the door"


def _own(told):
    """Without what the door says of a server that it has not seen before."""
    return [line for line in told.splitlines() if not line.startswith("fairlead mcp ")]


def test_a_tool_that_the_server_does_not_list_is_refused_by_the_door(tmp_path):
    """The one call with another answer than the server's: nobody could look at what it says of that tool."""
    door = [sys.executable, "-m", "fairlead", "--home", str(tmp_path), "mcp", "--name", "everything", "--"]
    line = [*door, *vector("everything", tmp_path), "--method", "tools/call", "--tool-name", "nothing"]
    done = subprocess.run(
        [str(INSPECTOR), "--cli", *line], capture_output=True, text=True, timeout=120, check=False
    )
    assert "Blocked by Fairlead" in done.stdout
