import json
import socket
import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from fairlead.contracts.auto import Auto
from fairlead.executors.http import Http
from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.failure import FailureCode
from fairlead.model.hook import Header, Hook, HookType, Outcome, Run

EVENT = Event(EventName.BEFORE_TOOL, agent="claude", payload={"tool_name": "Bash"})


def hook(url, timeout=10.0):
    run = Run("http", url)
    return Hook("guard", HookType.SAFETY, EventName.BEFORE_TOOL, run, timeout=timeout)


def post(url, timeout=10.0):
    return Http().run(hook(url, timeout), EVENT, ())


@pytest.fixture
def endpoint():
    """A server on this machine whose answer to a POST each test chooses."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            server.requests.append((self.path, self.headers["Content-Type"], body))
            server.headers = dict(self.headers)
            status, headers, answer = server.answer
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_):
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    server.requests, server.answer = [], (200, {}, b"")
    server.url = f"http://127.0.0.1:{server.server_port}/hook?k=v"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def test_the_event_is_posted_as_json(endpoint):
    assert post(endpoint.url).failure is None
    path, kind, body = endpoint.requests[0]
    assert (path, kind) == ("/hook?k=v", "application/json")
    assert json.loads(body) == {**EVENT.payload, "fairlead": {"config": {}, "previous_results": []}}


def test_the_body_of_the_reply_is_the_answer(endpoint):
    endpoint.answer = (200, {}, b'{"decision": "deny", "reason": "no"}')
    outcome = Auto().read(hook(endpoint.url), EVENT, post(endpoint.url))
    assert (outcome.decision, outcome.reason) == (Decision.BLOCK, "no")


def test_an_empty_reply_is_no_opinion(endpoint):
    endpoint.answer = (204, {}, b"")
    outcome = Auto().read(hook(endpoint.url), EVENT, post(endpoint.url))
    assert (outcome.decision, outcome.failure) == (Decision.CONTINUE, None)


@pytest.mark.parametrize("status", [400, 404, 500])
def test_any_other_status_is_a_failure(endpoint, status):
    endpoint.answer = (status, {}, b'{"decision": "allow"}')
    assert f"answered {status}" in post(endpoint.url).failure.message


def test_redirects_are_not_followed(endpoint):
    endpoint.answer = (307, {"Location": endpoint.url}, b"")
    assert "answered 307" in post(endpoint.url).failure.message
    assert len(endpoint.requests) == 1


def test_a_reply_above_the_limit_is_a_failure(endpoint):
    endpoint.answer = (200, {}, b" " * (1 << 20) + b"{}")
    assert "more than" in post(endpoint.url).failure.message


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("http://example.com/hook", "use https"),
        ("http://127.0.0.1.example.com/", "use https"),
        ("http://10.0.0.1/", "use https"),
        ("ftp://localhost/", "not an http or https address"),
        ("file:///etc/passwd", "not an http or https address"),
        ("nonsense", "not an http or https address"),
        ("https://name:secret@example.com/", "must not carry"),
    ],
)
def test_only_https_or_this_machine(url, why):
    message = post(url).failure.message
    assert why in message
    assert "secret" not in message


def test_a_server_that_is_not_there_is_a_failure():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    assert "ConnectionRefusedError" in post(f"http://127.0.0.1:{port}/").failure.message


def test_a_server_without_a_valid_certificate_is_a_failure(endpoint):
    failure = post(endpoint.url.replace("http:", "https:")).failure
    assert "SSL" in failure.message


def test_the_timeout_bounds_a_server_that_drips():
    listener = socket.create_server(("127.0.0.1", 0))
    done = threading.Event()

    def drip():
        connection, _ = listener.accept()
        with connection:
            while not done.wait(0.02):
                try:
                    connection.sendall(b"H")
                except OSError:
                    return

    thread = threading.Thread(target=drip)
    thread.start()
    start = time.monotonic()
    capture = post(f"http://127.0.0.1:{listener.getsockname()[1]}/", timeout=0.3)
    assert capture.failure.code in (FailureCode.TIMEOUT, FailureCode.EXECUTION_FAILURE)
    assert time.monotonic() - start < 10
    done.set()
    thread.join()
    listener.close()


@pytest.mark.parametrize("words", [b"<html>please log in</html>", b"[]", b"ok", b"\xff"])
def test_law_2_words_of_whoever_stands_between_are_no_answer(endpoint, words):
    endpoint.answer = (200, {}, words)
    outcome = Auto().read(hook(endpoint.url), EVENT, post(endpoint.url))
    assert outcome.failure is not None
    assert "something other than a JSON object" in outcome.reason


@pytest.mark.parametrize("nothing", [b"{}", b" { }\n"])
def test_an_empty_object_is_no_opinion_and_shown_to_nobody(endpoint, nothing):
    endpoint.answer = (200, {}, nothing)
    outcome = Auto().read(hook(endpoint.url), EVENT, post(endpoint.url))
    assert (outcome.decision, outcome.system_message, outcome.failure) == (Decision.CONTINUE, "", None)


def test_config_earlier_results_and_the_reading_of_the_call_are_posted_along(endpoint):
    told = hook(endpoint.url).replace(config={"team": "platform"})
    Http(reading=lambda event: {"version": 1}).run(told, EVENT, [Outcome(reason="fine", hook="first")])
    given = json.loads(endpoint.requests[0][2])["fairlead"]
    assert given["version"] == 1
    assert given["config"] == {"team": "platform"}
    assert [(each["id"], each["reason"]) for each in given["previous_results"]] == [("first", "fine")]


def with_headers(url, *headers, directory=""):
    return hook(url).replace(run=Run("http", url, directory, headers=headers))


def test_headers_are_sent_with_secrets_from_a_variable_or_a_file(endpoint, tmp_path):
    (tmp_path / "token").write_text("from-a-file\n")
    headers = (
        Header("X-Team", "platform"),
        Header("Authorization", "Bearer ", variable="GUARD_TOKEN"),
        Header("X-Key", file="token"),
    )
    asked = with_headers(endpoint.url, *headers, directory=str(tmp_path))
    assert Http(environment={"GUARD_TOKEN": "from-a-variable"}).run(asked, EVENT, ()).failure is None
    assert endpoint.headers["X-Team"] == "platform"
    assert endpoint.headers["Authorization"] == "Bearer from-a-variable"
    assert endpoint.headers["X-Key"] == "from-a-file"
    assert endpoint.headers["Content-Type"] == "application/json"


@pytest.mark.parametrize(
    ("header", "said"),
    [
        (Header("X-Key", variable="GUARD_TOKEN"), "the variable GUARD_TOKEN is not set"),
        (Header("X-Key", file="/nowhere/token"), "/nowhere/token cannot be read"),
        (Header("X-Key", file="/dev/null"), "is empty"),
        (Header("X-Key", "a\r\nX-Evil: 1"), "signs that no header may have"),
        (Header("X-Key", "k", variable="LINES"), "signs that no header may have"),
    ],
)
def test_a_header_that_cannot_be_filled_breaks_the_hook_and_shows_no_value(endpoint, header, said):
    capture = Http(environment={"LINES": "secret\nsecond"}).run(with_headers(endpoint.url, header), EVENT, ())
    assert capture.failure is not None
    assert said in capture.failure.message
    assert "secret" not in capture.failure.message
    assert not endpoint.requests
