"""The model that `doctor` plays, spoken to over HTTP as agents do."""

from __future__ import annotations

import gzip
import http.client
import json
from collections.abc import Iterator

import pytest

from fairlead.doors.cli.live.model_apis import text_in
from fairlead.doors.cli.live.played_model import PlayedModel

SHELLS = {"sh": lambda command: {"command": command}}


@pytest.fixture
def model() -> Iterator[PlayedModel]:
    with PlayedModel(["first", "second"], SHELLS) as playing:
        yield playing


def post(model: PlayedModel, path: str, body: object, **headers: str) -> tuple[int, str]:
    connection = http.client.HTTPConnection(model.url.removeprefix("http://"), timeout=20)
    data = json.dumps(body).encode()
    if headers.get("Content-Encoding") == "gzip":
        data = gzip.compress(data)
    connection.request("POST", path, data, headers)
    answer = connection.getresponse()
    status, text = answer.status, answer.read().decode()
    connection.close()
    return status, text


def anthropic(results: list[str]) -> dict[str, object]:
    blocks = [
        {"type": "tool_result", "tool_use_id": "x", "content": [{"type": "text", "text": said}]}
        for said in results
    ]
    return {
        "model": "m",
        "tools": [{"name": "sh"}],
        "messages": [{"role": "user", "content": blocks or "go"}],
    }


def gemini(results: list[str]) -> dict[str, object]:
    parts = [{"functionResponse": {"name": "sh", "response": {"output": said}}} for said in results]
    tools = [{"functionDeclarations": [{"name": "sh"}]}]
    return {"tools": tools, "contents": [{"role": "user", "parts": parts or [{"text": "go"}]}]}


def responses(results: list[str]) -> dict[str, object]:
    items = [{"type": "function_call_output", "call_id": "x", "output": said} for said in results]
    return {"model": "m", "tools": [{"type": "function", "name": "sh"}], "input": items}


def chat(results: list[str]) -> dict[str, object]:
    messages = [{"role": "tool", "tool_call_id": "x", "content": said} for said in results]
    return {"model": "m", "tools": [{"type": "function", "function": {"name": "sh"}}], "messages": messages}


APIS = {
    "/v1/messages": anthropic,
    "/v1beta/models/m:generateContent": gemini,
    "/v1beta/models/m:streamGenerateContent?alt=sse": gemini,
    "/v1/responses": responses,
    "/v1/chat/completions": chat,
}


def documents(text: str) -> list[dict[str, object]]:
    """One, or those of a stream."""
    if not text.startswith(("data:", "event:")):
        return [json.loads(text)]
    lines = [line.removeprefix("data: ") for line in text.splitlines() if line.startswith("data: ")]
    return [json.loads(line) for line in lines if line != "[DONE]"]


def command_in(text: str) -> str:
    """The command that the model asks for, wherever the API has it."""
    pieces = [piece for document in documents(text) for piece in text_in(document).split("\n")]
    for piece in pieces:
        if piece in ("first", "second"):
            return piece
        if piece.startswith("{") and "command" in piece:
            return str(json.loads(piece)["command"])
    return ""


@pytest.mark.parametrize("path", APIS)
@pytest.mark.parametrize("stream", [True, False])
def test_it_asks_for_one_command_after_the_other_and_is_done(
    model: PlayedModel, path: str, stream: bool
) -> None:
    body = APIS[path]
    said = [
        command_in(post(model, path, {**body(results), "stream": stream})[1])
        for results in ([], ["one"], ["one", "no: refused"])
    ]
    assert said == ["first", "second", ""]
    assert model.results == ("one", "no: refused")
    assert model.done.is_set()


@pytest.mark.parametrize("path", APIS)
def test_who_offers_no_shell_is_asked_for_nothing(model: PlayedModel, path: str) -> None:
    status, text = post(model, path, {**APIS[path]([]), "tools": []})
    assert (status, command_in(text), model.asked) == (200, "", 0)


def test_a_request_that_is_sent_again_gets_the_same_command(model: PlayedModel) -> None:
    said = [command_in(post(model, "/v1/messages", anthropic(["one"]))[1]) for _ in range(2)]
    assert said == ["second", "second"]


def test_packed_requests_are_read(model: PlayedModel) -> None:
    _, text = post(model, "/v1/chat/completions", chat([]), **{"Content-Encoding": "gzip"})
    assert command_in(text) == "first"


@pytest.mark.parametrize(
    ("path", "body"),
    [("/elsewhere", {}), ("/v1/messages", ["no object"]), ("http://other.example/v1/messages", {})],
)
def test_what_is_no_model_request_gets_nothing(model: PlayedModel, path: str, body: object) -> None:
    assert post(model, path, body)[0] == 404
    assert model.requests == 0


def test_as_a_proxy_it_lets_nothing_through(model: PlayedModel) -> None:
    connection = http.client.HTTPConnection(model.url.removeprefix("http://"), timeout=20)
    connection.set_tunnel("other.example", 443)
    with pytest.raises(OSError, match="403"):
        connection.request("GET", "/")
    connection.close()


def augment(results: list[str]) -> dict[str, object]:
    nodes = [{"id": 1, "type": 1, "tool_result_node": {"content": said}} for said in results]
    tools = [{"name": "sh"}]
    return {"tool_definitions": tools, "chat_history": [{"request_nodes": nodes[:-1]}], "nodes": nodes[-1:]}


def test_the_service_of_augment_streams_lines_of_json(model: PlayedModel) -> None:
    said = []
    for results in ([], ["one"], ["one", "no: refused"]):
        _, text = post(model, "/chat-stream", augment(results))
        first, last = (json.loads(line) for line in text.splitlines())
        use = first["nodes"][0].get("tool_use")
        said.append((json.loads(use["input_json"])["command"] if use else "", last["stop_reason"]))
    assert said == [("first", 3), ("second", 3), ("", 1)]
    assert model.results == ("one", "no: refused")


def test_what_else_a_vendors_service_answers_is_given_by_the_end_of_the_address() -> None:
    with PlayedModel([], SHELLS, {"/get-models": {"models": []}}) as model:
        assert post(model, "/get-models", {}) == (200, '{"models": []}')
        assert post(model, "/elsewhere", {})[0] == 404
        assert model.requests == 0
