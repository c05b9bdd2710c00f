"""The webhook, against a real HTTP server: it informs and links, and never decides."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from fairlead.doors.fleet.approvals.webhook import A_MINUTE, Teller, body_of, words_of
from fairlead.errors import FairleadError
from fairlead.fleet.questions.approvals import Webhook
from fairlead.fleet.questions.asks import Ask

SECRET = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
ASK = Ask(
    "ab" * 16, "m1", "web", "", "claude", "packages/publish", "shell", "0" * 64, 1, 2, "Bash npm publish"
)


class Receiver:
    """A chat, as far as it matters here: what it was sent, and the answer that it gives."""

    def __init__(self) -> None:
        self.got: list[tuple[str, bytes]] = []
        self.status, self.more = 200, {"Content-Length": "0"}
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                length = int(self.headers["Content-Length"])
                receiver.got.append((self.path, self.rfile.read(length)))
                self.send_response(receiver.status)
                for name, value in receiver.more.items():
                    self.send_header(name, value)
                self.end_headers()

            def log_message(self, *_: object) -> None:
                """Nobody reads it."""

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/services/T0/hidden"
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    made = Receiver()
    yield made
    made.server.shutdown()
    made.server.server_close()


@pytest.mark.parametrize("kind", ["slack", "teams", "json"])
def test_people_are_told_what_waits_and_where_it_is_answered(receiver: Receiver, kind: str) -> None:
    link = "http://127.0.0.1:8000/"
    assert Teller(Webhook(receiver.url, kind), link=link).tell(ASK)
    ((path, body),) = receiver.got
    assert path == "/services/T0/hidden"
    sent = json.dumps(json.loads(body))
    for part in (
        "claude on m1",
        "packages/publish",
        "npm publish",
        link,
        "fairlead fleet answer abababababab",
    ):
        assert part in sent, (kind, part)


@pytest.mark.parametrize("kind", ["slack", "teams", "json"])
def test_no_secret_and_no_hash_that_identifies_the_call_is_sent(kind: str) -> None:
    ask = ASK.replace(summary=f"Bash curl -H 'Authorization: token {SECRET}'")
    body = body_of(ask, kind).decode()
    assert SECRET not in body and ASK.input_hash not in body
    assert len(body_of(ASK.replace(summary="x" * 10_000), kind)) < 2_000


def test_what_a_machine_sends_is_no_markup_there() -> None:
    ask = ASK.replace(summary="<https://evil.example|Approve> `x` [a](https://evil.example) *b*\n@here")
    slack = json.loads(body_of(ask, "slack"))["text"]
    assert "<https" not in slack and "&lt;https" in slack and "\n@here" not in slack
    teams = json.loads(body_of(ask, "teams"))["attachments"][0]["content"]
    assert "\\[a\\]\\(https" in teams["body"][0]["text"] and teams["actions"] == []
    assert "\n" not in words_of(ask)


def test_what_comes_back_decides_nothing_and_leads_nowhere(receiver: Receiver) -> None:
    receiver.status = 302
    receiver.more = {"Location": receiver.url.replace("hidden", "elsewhere"), "Content-Length": "0"}
    with pytest.raises(FairleadError, match="did not take it: 302") as error:
        Teller(Webhook(receiver.url)).tell(ASK)
    assert len(receiver.got) == 1
    assert "hidden" not in str(error.value)


def test_only_so_many_are_told_a_minute(receiver: Receiver) -> None:
    now = [0.0]
    teller = Teller(Webhook(receiver.url), clock=lambda: now[0])
    told = [teller.tell(ASK) for _ in range(A_MINUTE + 5)]
    assert told == [True] * A_MINUTE + [False] * 5 and teller.left_out == 5
    now[0] = 61
    assert teller.tell(ASK)


@pytest.mark.parametrize(
    "url",
    [
        "http://example.com/x",
        "http://127.0.0.1.example.com/x",
        "ftp://127.0.0.1/x",
        "https:///x",
        "file:///etc/passwd",
        "",
        "http://0.0.0.0/x",
    ],
)
def test_an_address_is_https_or_on_this_machine(url: str) -> None:
    with pytest.raises(FairleadError, match="https, or on this machine"):
        Teller(Webhook(url))


def test_a_receiver_that_is_gone_is_named_without_its_secret_path() -> None:
    with pytest.raises(FairleadError, match="does not answer") as error:
        Teller(Webhook("http://127.0.0.1:9/services/hidden")).tell(ASK)
    assert "hidden" not in str(error.value)
