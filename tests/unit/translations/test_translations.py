"""Every API into the neutral form and back."""

import copy

import pytest

from fairlead.translations.mirror import read_request, read_response, write_request, write_response
from fairlead.translations.recognise import APIS, SKELETONS, api_named, recognise
from model_samples import CHUNKS, REQUESTS, RESPONSES

every_api = pytest.mark.parametrize("name", APIS)


def texts(neutral):
    return [
        part["text"]
        for message in neutral["messages"]
        for part in message["content"]
        if part["type"] == "text"
    ]


@every_api
def test_an_api_is_recognised_by_its_shape(name):
    assert recognise(REQUESTS[name]).name == name


def test_what_looks_like_no_api_is_refused():
    with pytest.raises(ValueError, match="neither contents"):
        recognise({"prompt": "x"})


@every_api
def test_a_request_reads_the_same_whichever_api_it_is_for(name):
    neutral = read_request(api_named(name), REQUESTS[name])
    assert neutral["system"] == "be brief"
    assert neutral["messages"][0]["role"] == "user" and "hello" in texts(neutral)
    calls = [p for m in neutral["messages"] for p in m["content"] if p["type"] == "tool_call"]
    assert [(call["name"], call["arguments"]) for call in calls] == [("ls", {"path": "."})]
    results = [
        (m["role"], p) for m in neutral["messages"] for p in m["content"] if p["type"] == "tool_result"
    ]
    assert [role for role, _ in results] == ["tool"] and "a b" in str(results[0][1]["content"])
    assert neutral["tools"][0] == {"name": "ls", "description": "list", "parameters": {}}
    assert neutral["tool_choice"]["mode"] == "any"
    assert neutral["options"]["temperature"] == 0.5


@every_api
def test_images_are_there_by_reference_and_never_by_their_bytes(name):
    assert "AA" not in str(read_request(api_named(name), REQUESTS[name])["messages"])


@every_api
def test_an_unchanged_request_is_the_same_object(name):
    api, native = api_named(name), REQUESTS[name]
    assert write_request(api, native, read_request(api, native)) is native


@every_api
def test_a_changed_text_changes_that_text_and_nothing_else(name):
    api, native = api_named(name), copy.deepcopy(REQUESTS[name])
    neutral = copy.deepcopy(read_request(api, native))
    neutral["messages"][0]["content"][0]["text"] = "goodbye"
    written = write_request(api, native, neutral)
    assert str(written) == str(native).replace("'hello'", "'goodbye'")
    assert native == REQUESTS[name]


@every_api
def test_options_change_one_by_one(name):
    api, native = api_named(name), REQUESTS[name]
    neutral = read_request(api, native)
    written = write_request(api, native, {"options": {**neutral["options"], "temperature": 0.0}})
    assert str(written) == str(native).replace("'temperature': 0.5", "'temperature': 0.0")


@every_api
def test_the_system_text_can_be_replaced(name):
    api, native = api_named(name), REQUESTS[name]
    written = write_request(api, native, {"system": "be kind"})
    assert read_request(api, written)["system"] == "be kind"
    assert read_request(api, written)["messages"] == read_request(api, native)["messages"]


@every_api
def test_messages_can_be_added_and_taken_away(name):
    api, native = api_named(name), REQUESTS[name]
    neutral = read_request(api, native)
    kept = neutral["messages"][1:]
    added = [*kept, {"role": "user", "content": "and now?"}]
    written = write_request(api, native, {"messages": added})
    again = read_request(api, written)
    assert [m["role"] for m in again["messages"]] == [m["role"] for m in added]
    assert texts(again)[-1] == "and now?" and "hello" not in texts(again)


@every_api
def test_a_tool_call_can_be_changed_and_made(name):
    api, native = api_named(name), REQUESTS[name]
    neutral = copy.deepcopy(read_request(api, native))
    for message in neutral["messages"]:
        for part in message["content"]:
            if part["type"] == "tool_call":
                part["arguments"] = {"path": "/safe"}
    new = {"type": "tool_call", "call": "c2", "name": "cat", "arguments": {"f": 1}}
    neutral["messages"].append({"role": "assistant", "content": [new]})
    calls = [
        (part["name"], part["arguments"])
        for message in read_request(api, write_request(api, native, neutral))["messages"]
        for part in message["content"]
        if part["type"] == "tool_call"
    ]
    assert calls == [("ls", {"path": "/safe"}), ("cat", {"f": 1})]


@every_api
def test_tools_can_be_taken_away_and_made(name):
    api, native = api_named(name), REQUESTS[name]
    tool = {"name": "cat", "description": "show", "parameters": {"type": "object"}}
    written = write_request(api, native, {"tools": [tool]})
    assert read_request(api, written)["tools"] == [tool]


@every_api
@pytest.mark.parametrize("choice", [{"mode": "none", "names": []}, {"mode": "any", "names": ["ls"]}])
def test_the_tool_choice_can_be_narrowed(name, choice):
    api = api_named(name)
    written = write_request(api, REQUESTS[name], {"tool_choice": choice})
    assert read_request(api, written)["tool_choice"] == choice


@every_api
@pytest.mark.parametrize("samples", [RESPONSES, CHUNKS], ids=["whole", "chunk"])
def test_a_response_is_read_and_its_text_changed(name, samples):
    api, native = api_named(name), samples[name]
    neutral = copy.deepcopy(read_response(api, native))
    assert texts(neutral) == ["hi"]
    assert write_response(api, native, neutral) is native
    neutral["messages"][0]["content"][0]["text"] = "bye"
    assert str(write_response(api, native, neutral)) == str(native).replace("'hi'", "'bye'")


@every_api
def test_what_was_used_is_seen_and_cannot_be_changed(name):
    api, native = api_named(name), RESPONSES[name]
    assert read_response(api, native)["usage"] == {"input": 1, "output": 2}
    with pytest.raises(ValueError, match="used"):
        write_response(api, native, {"usage": {"input": 0, "output": 0}})


@every_api
def test_a_hook_can_answer_in_the_models_place(name):
    api = api_named(name)
    said = {"messages": [{"role": "assistant", "content": "not today"}]}
    assert texts(read_response(api, write_response(api, SKELETONS[name], said))) == ["not today"]


@every_api
@pytest.mark.parametrize("wrong", [{"messages": "x"}, {"messages": [{"content": [7]}]}])
def test_a_change_that_makes_no_sense_is_refused(name, wrong):
    with pytest.raises(ValueError):
        write_request(api_named(name), REQUESTS[name], wrong)
