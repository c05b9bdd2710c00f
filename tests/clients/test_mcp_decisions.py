"""Five real servers behind the door in a session of each real client: allowed, refused, rewritten, redacted,
asked, and one of them killed. Claude Code and Copilot CLI speak to that of Git in the newer era."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from clients_kit import REAL_AGENTS
from kit import Machine
from mcp_clients import FILES
from mcp_workplace import NEEDS_SERVERS, SERVERS, Note, Told, Workplace, left_of

pytestmark = [*REAL_AGENTS, NEEDS_SERVERS, pytest.mark.proves("MCP door"), pytest.mark.core]

TOKEN = "ghp_" + "9mK2xQ7vR4tY8wB3nC6z" + "D1fH5jL0pS2aVe8w"
POLICY = """\
event: PreToolUse
middleware:
  - {id: other, type: transformation, path: other.py}
  - {id: decide, type: safety, path: decide.py}
"""
OTHER = """\
from middleware_base import MiddlewareResult

def process(hook_input, config, previous_results):
    given = hook_input["tool_input"]
    wanted = {key: value.replace("WANTED", "HEAD") for key, value in given.items() if isinstance(value, str)}
    if not any("WANTED" in str(value) for value in given.values()):
        return MiddlewareResult(decision="continue", reason="")
    return MiddlewareResult(decision="continue", reason="", updated_input={**given, **wanted})
"""
DECIDE = """\
from middleware_base import MiddlewareResult

def process(hook_input, config, previous_results):
    name = hook_input["tool_name"]
    if name == "mcp__git__git_log":
        return MiddlewareResult(decision="block", reason="THE-PAST-IS-PAST")
    if name == "mcp__git__git_branch":
        return MiddlewareResult(decision="ask", reason="BRANCHES-ARE-SECRET")
    return MiddlewareResult(decision="continue", reason="")
"""
DECLINES = ("codex", "copilot")
"""They say no to a form that nobody sees; Claude Code puts it aside, and the others have none."""


class Decided:
    """The one session."""

    def __init__(self, place: Workplace, told: Told, calls: list[str]) -> None:
        self.place, self.left = place, told.left
        self._told, self._calls = told, calls

    def got(self, server: str) -> list[tuple[str, dict[str, object]]]:
        return [(call["name"], call["arguments"]) for call in self.place.got(server)]

    def outcomes(self, tool: str, event: str = "BeforeTool") -> list[dict[str, Any]]:
        """Of every hook that had something to say of the last call of the tool."""
        lines = [line for line in self.place.machine.journal() if line["event"] == event]
        return [line for line in lines if line["facts"]["tool"]["name"] == tool][-1]["outcomes"]

    def said(self, call: str) -> str:
        """What the model was told of the call."""
        return self._told.results[self._calls.index(call)]


@pytest.fixture(scope="module")
def sessions() -> dict[str, Decided]:
    """By client, in whatever order the tests come."""
    return {}


@pytest.fixture(params=FILES)
def decided(
    request: pytest.FixtureRequest,
    there: None,
    sessions: dict[str, Decided],
    tmp_path_factory: pytest.TempPathFactory,
) -> Decided:
    client = request.param
    if client not in sessions:
        sessions[client] = hold_session(Workplace(client, Machine(tmp_path_factory.mktemp(client))))
    return sessions[client]


def hold_session(place: Workplace) -> Decided:
    folder = place.machine.user_policy(POLICY, name="servers")
    (folder / "other.py").write_text(OTHER)
    (folder / "decide.py").write_text(DECIDE)
    (place.folder / "HEAD.txt").write_text("the file that is read\n")
    (place.folder / "key.txt").write_text(f"token = {TOKEN}\n")
    answered = place.machine.home / "answered"
    calls = calls_of(place, answered)
    person = Thread(target=approve, args=(place, answered))
    person.start()
    told = place.session(*calls.values())
    person.join()
    return Decided(place, told, list(calls))


def calls_of(place: Workplace, answered: Path) -> dict[str, dict[str, object]]:
    """In their order; the one that is approved waits until the file is there."""
    repository, call = str(place.folder), place.call
    return {
        "echo": call("everything", "echo", message="hello"),
        "a file": call("filesystem", "read_text_file", path=place.path("notes.txt")),
        "a status": call("git", "git_status", repo_path=repository),
        "a table": call("sqlite", "create_table", query="CREATE TABLE t (a TEXT)"),
        "a graph": call("memory", "read_graph"),
        "the log": call("git", "git_log", repo_path=repository),
        "a private key": call("filesystem", "read_text_file", path=str(Path.home() / ".ssh" / "id_rsa")),
        "no more table": call("sqlite", "write_query", query="DROP TABLE t"),
        "another file": call("filesystem", "read_text_file", path=place.path("WANTED.txt")),
        "another commit": call("git", "git_show", repo_path=repository, revision="WANTED"),
        "a key in a file": call("filesystem", "read_text_file", path=place.path("key.txt")),
        "a key in a row": call("sqlite", "read_query", query=f"SELECT 'ghp_' || '{TOKEN[4:]}' AS k"),
        "asked": call("git", "git_branch", repo_path=repository, branch_type="local"),
        "approved": call("git", "git_branch", after=answered, repo_path=repository, branch_type="local"),
        "asked again": call("git", "git_branch", repo_path=repository, branch_type="local"),
        "killed": call("git", "git_diff", repo_path=repository, target="DIE-NOW"),
        "after that": call("memory", "read_graph"),
    }


def approve(place: Workplace, answered: Path) -> None:
    """Somebody at a terminal, who says yes to the first question that comes with a code."""
    folder = place.machine.home / "state" / "questions" / "asked"
    for _ in range(0 if place.client in DECLINES else 600):
        codes = [name for name in os.listdir(folder) if "." not in name] if folder.is_dir() else []
        if codes:
            place.person("approve", codes[0], "--yes")
            break
        time.sleep(0.1)
    answered.touch()


def test_allowed_calls_reach_five_servers_and_their_answers_the_model(decided: Decided, note: Note) -> None:
    answers = {"echo": "hello", "a file": "four", "a status": "On branch main", "a table": "Table created"}
    for call, words in {**answers, "a graph": "entities"}.items():
        assert words in decided.said(call)
    for server in SERVERS:
        assert decided.got(server)
    journal = decided.place.machine.journal()
    assert {line["agent"] for line in journal} == {decided.place.client}
    assert decided.place.decisions("mcp__everything__echo") == ["continue"]
    note("allowed", model="the result", server="the call", journal="continue")
    era = {server: decided.place.era(server) for server in SERVERS}
    assert {version for server, version in era.items() if server != "git"} <= {"2025-06-18", "2025-11-25"}
    version = era["git"] if era["git"] == era["memory"] else f"{era['memory']}; git: {era['git']}"
    note("protocol", model=version, server="", journal="")


def test_what_a_policy_or_a_guard_forbids_reaches_no_server_and_the_model_knows_why(
    decided: Decided, note: Note
) -> None:
    reasons = {
        "the log": "THE-PAST-IS-PAST",
        "a private key": "holds secrets",
        "no more table": "DROP TABLE t",
    }
    for call, reason in reasons.items():
        assert "Blocked by Fairlead" in decided.said(call) and reason in decided.said(call)
    names = [name for server in ("git", "sqlite") for name, _ in decided.got(server)]
    assert not {"git_log", "write_query"} & set(names)
    assert not any("id_rsa" in str(given) for _, given in decided.got("filesystem"))
    tools = ("mcp__git__git_log", "mcp__sqlite__write_query")
    assert [decided.place.decisions(tool) for tool in tools] == [["block"], ["block"]]
    note("refused", model="the reason", server="nothing", journal="block, the rule")


def test_rewritten_arguments_are_what_the_server_gets_in_both_eras(decided: Decided, note: Note) -> None:
    assert "the file that is read" in decided.said("another file")
    assert "first" in decided.said("another commit")
    assert ("read_text_file", {"path": decided.place.path("HEAD.txt")}) in decided.got("filesystem")
    (shown,) = [given for name, given in decided.got("git") if name == "git_show"]
    assert shown["revision"] == "HEAD"
    changed = [
        one["updated_input"] for one in decided.outcomes("mcp__git__git_show") if "updated_input" in one
    ]
    assert changed == [{"repo_path": str(decided.place.folder), "revision": "HEAD"}]
    note("rewritten", model="the other result", server="the other call", journal="continue, both calls")


def test_a_key_in_a_result_reaches_no_model_in_any_field(decided: Decided, note: Note) -> None:
    for call in ("a key in a file", "a key in a row"):
        assert "[redacted:github-token]" in decided.said(call) and TOKEN not in decided.said(call)
    rules = [one["rule"] for one in decided.outcomes("mcp__sqlite__read_query", "AfterTool")]
    assert "results/secret-removed" in rules
    assert not any(TOKEN in file.read_text(errors="replace") for file in decided.place.written())
    note("redacted", model="`[redacted:github-token]`", server="the call", journal="results/secret-removed")


def test_nobody_is_asked_without_a_terminal_and_a_code_of_a_person_lets_one_call_through(
    decided: Decided, note: Note
) -> None:
    said = [decided.said(call) for call in ("asked", "approved", "asked again")]
    got = [name for name, _ in decided.got("git") if name == "git_branch"]
    decisions = decided.place.decisions("mcp__git__git_branch")
    if decided.place.client in DECLINES:
        assert all("said no" in each for each in said)
        assert (got, decisions) == ([], ["ask"] * 3)
        seen, server, journal = "a no: the client declines by itself", "nothing", "ask"
    else:
        assert ["fairlead approve" in each for each in said] == [True, False, True] and "main" in said[1]
        assert (got, decisions) == (["git_branch"], ["ask", "continue", "ask"])
        seen, server, journal = "a code; once approved, the result, once", "one call", "ask, continue, ask"
    note("asked", model=seen, server=server, journal=journal)


def test_a_server_that_is_killed_in_a_call_ends_that_call_alone_and_nothing_is_left(
    decided: Decided, note: Note
) -> None:
    """Qwen Code starts it again and repeats a call that only reads: each of them is judged."""
    place, failed = decided.place, decided.said("killed")
    assert re.search("closed|connection failed", failed, re.IGNORECASE), failed
    assert "entities" in decided.said("after that")
    calls = [given for name, given in decided.got("git") if name == "git_diff"]
    assert place.decisions("mcp__git__git_diff") == ["continue"] * len(calls) and calls
    assert decided.left == 0
    assert left_of([pid for server in SERVERS for pid in place.processes(server)]) == []
    times = "" if len(calls) == 1 else f", {len(calls)} times: the client repeats it"
    note("server killed", model=f"connection closed{times}", server="the call", journal="continue")
