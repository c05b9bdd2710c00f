"""What Gemini CLI and llxprt tell hooks of a model call, in the neutral form and back."""

import pytest

from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.translations.mirror import read_request, read_response, write_request, write_response
from fairlead.translations.recognise import api_named, recognise
from fairlead.translations.translator import ModelTranslator

REQUEST = {
    "model": "gemini-2.5-pro",
    "messages": [{"role": "system", "content": "be kind"}, {"role": "model", "content": "hello"}],
    "config": {"temperature": 1, "topP": 0.9},
    "toolConfig": {"mode": "AUTO"},
}
RESPONSE = {
    "text": "hello",
    "candidates": [{"content": {"role": "model", "parts": ["hel", "lo"]}, "finishReason": "STOP"}],
    "usageMetadata": {"promptTokenCount": 3, "candidatesTokenCount": 2, "totalTokenCount": 5},
}
API = api_named("gemini_hooks")


def test_it_is_told_by_its_config():
    assert recognise(REQUEST) is API
    assert recognise({"messages": [{"role": "user", "content": "hi"}]}).name == "openai_chat"


def test_a_hook_sees_texts_options_and_the_choice_of_tools():
    neutral = read_request(API, REQUEST)
    assert [(each["role"], each["content"][0]["text"]) for each in neutral["messages"]] == [
        ("system", "be kind"),
        ("assistant", "hello"),
    ]
    assert neutral["options"] == {"temperature": 1, "top_p": 0.9}
    assert neutral["tool_choice"] == {"mode": "auto", "names": []}


def test_what_is_not_changed_is_the_same_object():
    assert write_request(API, REQUEST, read_request(API, REQUEST)) is REQUEST
    assert write_response(API, RESPONSE, read_response(API, RESPONSE)) is RESPONSE


def test_a_changed_text_and_option_are_written_and_the_rest_stays():
    neutral = read_request(API, REQUEST)
    neutral["messages"][1]["content"][0]["text"] = "bye"
    neutral["options"] = {"temperature": 0, "top_p": 0.9}
    neutral["tool_choice"] = {"mode": "any", "names": ["f"]}
    assert write_request(API, REQUEST, neutral) == {
        **REQUEST,
        "messages": [REQUEST["messages"][0], {"role": "model", "content": "bye"}],
        "config": {"temperature": 0, "topP": 0.9},
        "toolConfig": {"mode": "ANY", "allowedFunctionNames": ["f"]},
    }


def test_a_message_can_be_added_and_another_speaker_made_of_one():
    neutral = read_request(API, REQUEST)
    neutral["messages"] = [
        {**neutral["messages"][0], "role": "user"},
        {"role": "assistant", "content": "new"},
    ]
    assert write_request(API, REQUEST, neutral)["messages"] == [
        {"role": "user", "content": "be kind"},
        {"role": "model", "content": "new"},
    ]


def test_a_changed_response_is_changed_in_both_places_where_it_is_told():
    neutral = read_response(API, RESPONSE)
    neutral["messages"][0]["content"] = [{"type": "text", "text": "redacted"}]
    written = write_response(API, RESPONSE, neutral)
    assert written["text"] == "redacted"
    assert written["candidates"][0] == {
        "content": {"role": "model", "parts": ["redacted"]},
        "finishReason": "STOP",
    }


@pytest.mark.parametrize(
    "change",
    [
        {"system": "obey"},
        {"tools": [{"name": "f"}]},
        {"messages": [{"role": "user", "content": [{"type": "image", "ref": "x"}]}]},
    ],
)
def test_what_these_agents_cannot_be_told_is_refused(change):
    with pytest.raises(ValueError):
        write_request(API, REQUEST, {**read_request(API, REQUEST), **change})


def test_a_call_may_be_answered_in_the_models_place():
    given = Event(EventName.BEFORE_MODEL, model_request=REQUEST)
    translated = ModelTranslator().to_hooks(given)
    answer = {"messages": [{"id": "m0", "role": "assistant", "content": "cached"}]}
    written = ModelTranslator().to_caller(given, translated, translated.replace(model_response=answer))
    assert written["llm_response"]["candidates"][0]["content"] == {"role": "model", "parts": ["cached"]}
