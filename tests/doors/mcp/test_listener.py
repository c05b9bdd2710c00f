"""The door as a server of its own, between clients that call an address and a server at another."""

import json
import os
import signal
import socket
import stat

import pytest

from mcp_http_server import Answer, PlayedServer, event, result, says, streams, text
from mcp_listener import META, PATIENCE, TOKEN, Listener, call, events

pytestmark = pytest.mark.slow
KEY = "ghp_" + "x7Kq2mZ9pL4vR8tW1nB6cY3dF5hJ0sG7aQeU"


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    """One door for all that leaves nothing behind."""
    server = PlayedServer()
    with Listener(tmp_path_factory.mktemp("home"), server.url, TOKEN=TOKEN) as door:
        yield door, server
    server.close()


@pytest.fixture
def server(shared):
    server = shared[1]
    server.plays.clear()
    server.asked.clear()
    return server


@pytest.fixture
def door(shared):
    shared[0].session = ""
    yield shared[0]
    shared[0].hang_up()


# --- who may ask ---


@pytest.mark.parametrize("word", ["", "Bearer wrong", f"Basic {TOKEN}", "Bearer "])
def test_without_its_bearer_the_door_says_nothing_but_401(door, server, word):
    response = door.post(call("echo"), Authorization=word)
    assert response.status == 401
    assert response.headers["WWW-Authenticate"] == 'Bearer realm="fairlead"'
    assert not server.asked


def test_another_host_is_not_served(door, server):
    assert door.post(call("echo"), Host="example.org").status == 421
    assert not server.asked


@pytest.mark.parametrize("origin", ["https://example.org", "null", "http://localhost.example.org"])
def test_a_page_of_another_origin_is_not_served(door, server, origin):
    assert door.post(call("echo"), Origin=origin).status == 403
    assert not server.asked


def test_an_origin_may_be_allowed(tmp_path, server):
    with Listener(tmp_path, server.url, "--allow-origin", "https://Example.org", TOKEN=TOKEN) as door:
        assert door.request("POST", b"{}", Origin="https://example.org").status == 400


def test_the_bearer_of_the_door_stays_here(door, server):
    door.open()
    assert "authorization" not in server.got("initialize")[0].headers


def test_authorization_for_the_server_comes_beside_the_doors_and_is_passed_on(door, server):
    server.plays["initialize"] = lambda asked: Answer(b"no", status=401, WWW_Authenticate='Bearer realm="s"')
    response = door.post(
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}},
        Authorization="Bearer of-the-server",
        X_Fairlead_Token=TOKEN,
        Cookie="a=b",
    )
    (asked,) = server.got("initialize")
    assert asked.headers["authorization"] == "Bearer of-the-server"
    assert not {"cookie", "x-fairlead-token"} & set(asked.headers)
    assert (response.status, response.headers["WWW-Authenticate"]) == (401, 'Bearer realm="s"')


# --- what a request has to look like ---


def test_what_is_too_large_is_refused(door, server):
    assert door.request("POST", b" " * ((4 << 20) + 1)).status == 413
    assert not server.asked


@pytest.mark.parametrize(
    ("body", "code"), [(b"[]", -32600), (b"[{}]", -32600), (b"{", -32700), (b"\xff", -32700), (b"", -32700)]
)
def test_a_batch_and_what_is_no_message_are_answered_with_400(door, server, body, code):
    door.open()
    server.asked.clear()
    response = door.request("POST", body)
    assert (response.status, json.loads(response.read())["error"]["code"]) == (400, code)
    assert not server.asked


def test_other_types_methods_and_paths_are_refused(door):
    assert door.post(call("echo"), Content_Type="text/plain").status == 415
    assert door.request("PUT").status == 405
    assert door.request("POST", path="/").status == 404


def test_a_request_without_a_session_is_400_and_with_an_unknown_one_404(door):
    assert door.post(call("echo")).status == 400
    assert door.post(call("echo"), Mcp_Session_Id="x").status == 404
    assert door.request("GET").status == 400


@pytest.mark.parametrize("name", ["MCP_Protocol_Version", "Mcp_Method", "Mcp_Name"])
@pytest.mark.parametrize("given", ["other", ""])
def test_headers_that_say_something_else_than_the_message_are_refused(door, server, name, given):
    message = call("echo")
    message["params"]["_meta"] = META
    headers = {"MCP_Protocol_Version": "2026-07-28", "Mcp_Method": "tools/call", "Mcp_Name": "echo"}
    response = door.post(message, **{**headers, name: given})
    assert (response.status, json.loads(response.read())["error"]["code"]) == (400, -32020)
    assert not server.got("tools/call")


# --- the older era ---


def test_a_session_from_its_opening_to_its_end(door, server):
    assert door.open()["result"]["serverInfo"]["name"] == "played"
    assert json.loads(
        door.ask("tools/call", name="echo", arguments={"a": 1})["result"]["content"][0]["text"]
    ) == {"a": 1}
    assert door.request("DELETE").status == 204
    assert door.post(call("echo")).status == 404
    (end,) = server.got("DELETE")
    assert end.headers["mcp-session-id"].startswith("session-")
    assert end.headers["mcp-session-id"] != door.session


def test_a_refused_call_never_leaves_and_a_key_never_arrives(door, server):
    door.open()
    assert door.ask("tools/call", name="bash", arguments={"command": "rm -rf /"})["result"]["isError"]
    assert not server.got("tools/call")
    server.plays["echo"] = lambda asked: streams(event(result(asked, text(KEY)), id="7"))
    (lines, message) = next(events(door.post(call("echo"))))
    assert "id: 7" in lines
    assert message["result"]["content"][0]["text"] == "[redacted:github-token]"


def test_comments_and_fields_of_a_stream_are_kept(door, server):
    told = {
        "jsonrpc": "2.0",
        "method": "notifications/progress",
        "params": {"progressToken": 1, "progress": 1},
    }
    server.plays["echo"] = lambda asked: streams(
        b"id: 1\nretry: 9\ndata:\n\n: on\n\n", event(told, id="2"), event(result(asked, text("x")), id="3")
    )
    door.open()
    response = door.post(call("echo"))
    assert response.headers["X-Accel-Buffering"] == "no"
    first, comment, progress, last = events(response)
    assert first == (["id: 1", "retry: 9", "data: "], None)
    assert comment == ([": on"], None)
    assert progress == (["id: 2", "event: message", f"data: {json.dumps(told)}"], told)
    assert "id: 3" in last[0]


def test_a_client_that_was_cut_off_asks_again_from_where_it_was(door, server):
    server.plays["echo"] = lambda asked: streams(b"id: 41\ndata:\n\n", server.over.wait)
    server.plays["GET"] = lambda asked: streams(
        event(result(server.got("tools/call")[0], text(f"{asked.headers['last-event-id']} {KEY}")))
    )
    door.open()
    response = door.post(call("echo"))
    assert response.readline() == b"id: 41\n"
    door.hang_up(response)
    (_, message) = next(events(door.request("GET", Last_Event_ID="41")))
    assert message["result"]["content"][0]["text"] == "41 [redacted:github-token]"


def test_a_session_that_the_server_forgot_is_forgotten_here(door, server):
    door.open()
    server.plays["echo"] = lambda asked: Answer(status=404)
    response = door.post(call("echo"))
    assert (response.status, "error" in json.loads(response.read())) == (404, True)
    assert door.post(call("echo")).status == 404
    assert len(server.got("tools/call")) == 1


def test_the_person_is_asked_on_the_stream_of_the_call(tmp_path, server):
    folder = tmp_path / "config" / "hooks" / "house"
    folder.mkdir(parents=True)
    (folder / "hook.meta.yaml").write_text(
        "id: house\nevent: BeforeTool\nrules:\n"
        "  - {id: ask, tool: mcp__small__echo, decision: ask, reason: Really.,\n"
        "     stops: [{tool: mcp__small__echo, input: {a: 1}}]}\n"
    )
    with Listener(tmp_path, server.url, TOKEN=TOKEN) as door:
        door.open(elicitation={})
        stream = door.post(call("echo", id=7, a=1))
        said = events(stream)
        question = next(said)[1]
        assert question["method"] == "elicitation/create"
        assert not server.got("tools/call")
        answer = {"action": "accept", "content": {"allow": True}}
        told = door.post({"jsonrpc": "2.0", "id": question["id"], "result": answer})
        assert told.status == 202
        assert next(said)[1]["result"]["content"][0]["text"] == '{"a": 1}'


def test_an_id_that_is_in_use_is_refused_and_the_first_call_goes_on(door, server):
    server.plays["echo"] = lambda asked: streams(
        b": on\n\n", lambda: go.recv(1), event(result(asked, text("x")))
    )
    ours, go = socket.socketpair()
    with ours, go:
        door.open()
        first = door.post(call("echo", id=5))
        assert first.readline() == b": on\n"
        assert door.post(call("echo", id=5)).status == 400
        ours.send(b".")
        assert next(message for _, message in events(first) if message)["id"] == 5


# --- the later era ---


def test_a_call_of_the_later_era_has_no_session(door, server):
    response = door.modern("tools/call", name="echo", arguments={"a": 1})
    assert "Mcp-Session-Id" not in response.headers
    assert json.loads(response.read())["result"]["content"][0]["text"] == '{"a": 1}'
    (asked,) = server.got("tools/call")
    assert (asked.headers["mcp-name"], asked.headers["mcp-method"]) == ("echo", "tools/call")


def test_a_rewritten_argument_has_its_header_rewritten(tmp_path, server):
    folder = tmp_path / "config" / "hooks" / "moves"
    folder.mkdir(parents=True)
    (folder / "hook.meta.yaml").write_text(
        "event: PreToolUse\nmiddleware:\n  - {id: moves, type: transformation, path: moves.py}\n"
    )
    (folder / "moves.py").write_text(
        "def process(event, config, previous):\n    return {'updated_input': {'region': 'größe'}}\n"
    )
    with Listener(tmp_path, server.url, TOKEN=TOKEN) as door:
        door.modern("tools/call", name="sent", arguments={"region": "eu-1"}).read()
    (asked,) = server.got("tools/call")
    assert asked.message["params"]["arguments"] == {"region": "größe"}
    assert asked.headers["mcp-param-region"] == "=?base64?Z3LDtsOfZQ==?="


def test_clients_may_have_the_same_id_at_the_same_time(door, server):
    ours, go = socket.socketpair()
    server.plays["echo"] = lambda asked: (
        streams(b": on\n\n", lambda: go.recv(1), event(result(asked, text("slow"))))
        if asked.message["params"]["arguments"] == {}
        else says(result(asked, text("quick")))
    )
    with ours, go:
        slow = door.modern("tools/call", id="same", name="echo", arguments={})
        assert slow.readline() == b": on\n"
        quick = json.loads(door.modern("tools/call", id="same", name="echo", arguments={"a": 1}).read())
        assert quick["result"]["content"][0]["text"] == "quick"
        ours.send(b".")
        (last,) = [message for _, message in events(slow) if message]
        assert last["result"]["content"][0]["text"] == "slow"


def test_a_client_that_closes_its_stream_takes_the_call_back(door, server):
    parts = [b": on\n\n", lambda: server.over.wait(0.02)] * 5000
    server.plays["echo"] = lambda asked: streams(*parts)
    response = door.modern("tools/call", id="left", name="echo", arguments={})
    assert response.readline() == b": on\n"
    door.hang_up(response)
    assert server.cut_off.get(timeout=PATIENCE).id == "left"
    assert not server.got("notifications/cancelled")


# --- ends ---


def test_a_server_that_is_gone_is_told_as_502(tmp_path):
    server = PlayedServer()
    with Listener(tmp_path, server.url, TOKEN=TOKEN) as door:
        door.open()
        server.close()
        response = door.post({"jsonrpc": "2.0", "id": 1, "method": "ping"})
        assert "cannot be reached" in response.read().decode()
        assert response.status == 502


def test_the_bearer_is_kept_in_a_private_file_and_is_never_shown(tmp_path, server):
    path = tmp_path / "state" / "mcp" / "listeners" / "small.token"
    tokens = []
    for _ in range(2):
        with Listener(tmp_path, server.url) as door:
            tokens.append(path.read_text().strip())
            assert str(path) in door.said
            assert tokens[0] not in door.said
            assert door.post(call("echo"), Authorization=f"Bearer {tokens[0]}").status == 400
    assert tokens[0] == tokens[1]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_socket_in_a_folder_is_for_this_user_alone_and_goes_with_the_door(tmp_path, server):
    path = tmp_path / "door.sock"
    with Listener(tmp_path, server.url, where=f"unix:{path}", TOKEN=TOKEN) as door:
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(PATIENCE)
            client.connect(str(path))
            head = f"DELETE /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {TOKEN}\r\n\r\n"
            client.sendall(head.encode())
            assert client.recv(100).startswith(b"HTTP/1.1 400")
        door.process.send_signal(signal.SIGTERM)
        assert door.process.wait(PATIENCE) == 128 + signal.SIGTERM
    assert not os.path.exists(path)


@pytest.mark.parametrize("where", ["0.0.0.0:0", "192.0.2.1:80", "example.org:80", "unix:", "127.0.0.1"])
def test_nothing_listens_where_others_can_reach_it(tmp_path, server, where):
    with Listener(tmp_path, server.url, where=where, TOKEN=TOKEN) as door:
        assert door.process.wait(PATIENCE) == 64
