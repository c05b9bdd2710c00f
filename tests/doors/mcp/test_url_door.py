"""The door as a process between a client on stdio and a server at an address."""

import json
import os
import signal

import pytest

from mcp_door import PATIENCE, Door
from mcp_http_server import Answer, PlayedServer, event, result, says, streams, text

pytestmark = pytest.mark.slow
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
}


@pytest.fixture
def server():
    server = PlayedServer()
    yield server
    server.close()


@pytest.fixture
def door(tmp_path, server):
    with Door(tmp_path, "--url", server.url) as door:
        yield door


def test_a_session_of_the_older_era_from_its_opening_to_its_end(door, server):
    assert door.open()["result"]["serverInfo"]["name"] == "played"
    assert json.loads(door.call("echo", a=1)) == {"a": 1}
    assert door.close() == 0
    (call,) = server.got("tools/call")
    assert call.headers["mcp-session-id"] == "session-1"
    assert call.headers["mcp-protocol-version"] == "2025-11-25"
    assert "mcp-method" not in call.headers
    (end,) = server.got("DELETE")
    assert end.headers["mcp-session-id"] == "session-1"


def test_the_first_message_names_neither_session_nor_version(door, server):
    door.open()
    (opening,) = server.got("initialize")
    assert not {"mcp-session-id", "mcp-protocol-version"} & set(opening.headers)


def test_a_request_of_the_later_era_says_in_headers_what_it_says_in_its_body(door, server):
    arguments = {"region": "größe", "deep": {"count": 3}}
    door.ask("tools/call", name="sent", arguments=arguments, _meta=META)
    (call,) = server.got("tools/call")
    assert call.headers["mcp-protocol-version"] == "2026-07-28"
    assert call.headers["mcp-method"] == "tools/call"
    assert call.headers["mcp-name"] == "sent"
    assert call.headers["mcp-param-region"] == "=?base64?Z3LDtsOfZQ==?="
    assert call.headers["mcp-param-count"] == "3"
    assert "mcp-session-id" not in call.headers


def test_a_refused_call_never_leaves(door, server):
    door.open()
    answer = door.ask("tools/call", name="bash", arguments={"command": "rm -rf /"})
    assert answer["result"]["isError"]
    assert "Blocked by Fairlead" in answer["result"]["content"][0]["text"]
    assert not server.got("tools/call")


def test_keys_are_taken_out_of_a_result(door, server):
    key = "ghp_" + "x7Kq2mZ9pL4vR8tW1nB6cY3dF5hJ0sG7aQeU"
    server.plays["echo"] = lambda asked: says(result(asked, text(f"token {key}")))
    door.open()
    assert key not in door.call("echo")


def test_an_answer_may_come_as_a_stream_with_messages_before_it(door, server):
    told = {
        "jsonrpc": "2.0",
        "method": "notifications/progress",
        "params": {"progressToken": 1, "progress": 1},
    }
    server.plays["echo"] = lambda asked: streams(
        b": hello\n\n", event(told), event(result(asked, text("done")))
    )
    door.open()
    door.send(id=9, method="tools/call", params={"name": "echo"})
    assert door.read()["method"] == "notifications/progress"
    assert door.read()["result"]["content"][0]["text"] == "done"


def test_a_stream_that_breaks_off_is_asked_for_again_from_where_it_was(door, server):
    server.plays["echo"] = lambda asked: streams(b"id: 41\nretry: 10\ndata:\n\n", lambda: "end")
    server.plays["GET"] = lambda asked: (
        streams(event(result(server.got("tools/call")[0], text("later"))))
        if "last-event-id" in asked.headers
        else Answer(status=405)
    )
    door.open()
    assert door.call("echo") == "later"
    assert [asked.headers.get("last-event-id") for asked in server.got("GET")][-1] == "41"


def test_a_stream_that_ends_without_an_answer_is_told(door, server):
    server.plays["echo"] = lambda asked: streams(b": nothing\n\n")
    door.open()
    assert "without an answer" in door.ask("tools/call", name="echo")["error"]["message"]


def test_what_the_server_says_by_itself_comes_on_its_own_stream(door, server):
    asks = {"jsonrpc": "2.0", "id": 5, "method": "roots/list"}
    server.plays["GET"] = lambda asked: streams(event(asks), server.over.wait)
    door.open()
    assert door.read() == asks
    door.send(id=5, result={"roots": []})
    answers = (asked for asked in iter(server.arrivals.get, None) if asked.id == 5)
    assert next(answers).message["result"] == {"roots": []}


def test_a_session_that_the_server_forgot_is_opened_anew_and_the_list_is_read_again(door, server):
    door.open()

    def forgetful(asked):
        if asked.headers["mcp-session-id"] == "session-1":
            return says(
                {"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": "no"}}, status=404
            )
        return says(result(asked, text("again")))

    server.plays["echo"] = forgetful
    door.send(id=9, method="tools/call", params={"name": "echo"})
    said = [door.read(), door.read()]
    assert {"notifications/tools/list_changed", None} == {each.get("method") for each in said}
    assert [each["result"]["content"][0]["text"] for each in said if "result" in each] == ["again"]
    assert [asked.headers.get("mcp-session-id") for asked in server.got("tools/call")] == [
        "session-1",
        "session-2",
    ]


def test_a_session_that_is_forgotten_again_and_again_is_told(door, server):
    door.open()
    server.plays["echo"] = lambda asked: Answer(status=404)
    door.send(id=9, method="tools/call", params={"name": "echo"})
    said = [door.read(), door.read()]
    assert [each["error"]["message"] for each in said if "error" in each] == [
        "the server answered 404 Not Found"
    ]


def test_a_call_of_the_later_era_is_taken_back_by_closing_its_stream(door, server):
    door.ask("tools/list", _meta=META)
    server.plays["echo"] = lambda asked: streams(b": on\n\n", server.over.wait)
    door.send(id="slow", method="tools/call", params={"name": "echo", "_meta": META})
    next(asked for asked in iter(server.arrivals.get, None) if asked.tool == "echo")
    door.send(method="notifications/cancelled", params={"requestId": "slow"})
    assert door.ask("ping", _meta=META)["result"] == {}
    assert not server.got("notifications/cancelled")
    assert door.close() == 0, "nothing is waited for"


def test_nothing_follows_a_redirect_to_another_server(tmp_path, server):
    other = PlayedServer()
    server.plays["POST"] = lambda asked: Answer(status=307, Location=other.url)
    options = ("--url", server.url, "--header", "Authorization=Bearer secret-word")
    with Door(tmp_path, *options) as door:
        message = door.ask("ping")["error"]["message"]
    other.close()
    assert "redirects to 127.0.0.1 (307)" in message
    assert not other.asked


def test_a_redirect_within_the_server_is_followed(door, server):
    moved = iter((Answer(status=308, Location="/other"), None))
    server.plays["ping"] = lambda asked: next(moved) or says(result(asked, {"moved": True}))
    assert door.ask("ping")["result"] == {"moved": True}


def test_headers_are_sent_and_never_told(tmp_path, server):
    environment = {**os.environ, "THE_TOKEN": "Bearer secret-word"}
    options = ("--url", server.url, "--header", "X-Team=blue", "--header-env", "Authorization=THE_TOKEN")
    server.plays["ping"] = lambda asked: Answer(status=401, WWW_Authenticate='Bearer error="secret-word"')
    with Door(tmp_path, *options, env=environment) as door:
        said = door.ask("ping")
        door.close()
        told = door.process.stderr.read()
    assert (server.asked[0].headers["authorization"], server.asked[0].headers["x-team"]) == (
        "Bearer secret-word",
        "blue",
    )
    assert "401" in said["error"]["message"]
    assert "secret-word" not in json.dumps(said)
    assert b"secret-word" not in told


def test_a_server_that_is_gone_is_told_for_each_request(door, server):
    door.open()
    server.close()
    assert "cannot be reached" in door.ask("ping")["error"]["message"]
    assert "cannot be reached" in door.ask("ping")["error"]["message"]


def test_large_messages_arrive_whole_in_both_directions(door, server):
    door.open()
    words = "x" * (16 << 20)
    server.plays["echo"] = lambda asked: says(result(asked, text(words)))
    assert door.call("echo") == words
    del server.plays["echo"]
    assert json.loads(door.call("echo", a="y" * (3 << 20))) == {"a": "y" * (3 << 20)}


def test_what_the_client_said_before_it_closed_is_answered(tmp_path, server):
    lines = b"".join(
        json.dumps({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": "echo"}}).encode()
        + b"\n"
        for id in range(3)
    )
    with Door(tmp_path, "--url", server.url, "--grace", str(PATIENCE)) as door:
        out, _ = door.process.communicate(lines, PATIENCE)
    assert sorted(json.loads(line)["id"] for line in out.splitlines()) == [0, 1, 2]


def test_a_term_ends_the_door_and_the_session(door, server):
    door.open()
    door.process.send_signal(signal.SIGTERM)
    assert door.process.wait(PATIENCE) == 128 + signal.SIGTERM
    assert server.got("DELETE")


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--url", "http://example.org/mcp"), "can be read"),
        (("--url", "https://me:word@example.org/mcp"), "password"),
        (("--url", "ftp://example.org"), "no address"),
        (("--url", "https://example.org", "--header", "Host=x"), "protocol's own"),
        (("--url", "https://example.org", "--header-env", "X=NOT_THERE_AT_ALL"), "no variable"),
    ],
)
def test_what_cannot_be_meant_is_said_at_the_start(tmp_path, words, why):
    with Door(tmp_path, *words) as door:
        _, told = door.process.communicate(timeout=PATIENCE)
    assert door.process.returncode == 64
    assert why in told.decode()
    assert "word@" not in told.decode()
