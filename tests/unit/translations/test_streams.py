"""Events of streams in four APIs: what hooks see of each, and that nothing else of it changes."""

import copy

import pytest

from fairlead.translations.mirror import read_response, write_response
from fairlead.translations.recognise import api_named

MESSAGE = {
    "type": "message",
    "id": "i",
    "role": "assistant",
    "content": [{"type": "output_text", "text": "hi"}],
}
EVENTS = [
    ("anthropic", {"type": "message_start", "message": {"id": "m", "content": []}}, []),
    (
        "anthropic",
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": "hi"}},
        ["hi"],
    ),
    ("anthropic", {"type": "content_block_delta", "delta": {"type": "text_delta", "text": "hi"}}, ["hi"]),
    (
        "anthropic",
        {"type": "content_block_delta", "delta": {"type": "thinking_delta", "thinking": "hm"}},
        ["hm"],
    ),
    (
        "anthropic",
        {"type": "content_block_delta", "delta": {"type": "signature_delta", "signature": "x"}},
        [],
    ),
    ("anthropic", {"type": "content_block_stop", "index": 0}, []),
    (
        "anthropic",
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 5}},
        [],
    ),
    ("anthropic", {"type": "ping"}, []),
    ("openai_chat", {"choices": [], "usage": {"prompt_tokens": 1, "completion_tokens": 2}}, []),
    ("openai_chat", {"choices": [{"index": 0, "delta": {"role": "assistant", "content": "hi"}}]}, ["hi"]),
    ("openai_chat", {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}, []),
    ("openai_responses", {"type": "response.created", "response": {"id": "r", "output": []}}, []),
    ("openai_responses", {"type": "response.output_text.delta", "delta": "hi", "item_id": "i"}, ["hi"]),
    ("openai_responses", {"type": "response.output_text.done", "text": "hi", "item_id": "i"}, ["hi"]),
    (
        "openai_responses",
        {"type": "response.content_part.done", "part": {"type": "output_text", "text": "hi"}},
        ["hi"],
    ),
    ("openai_responses", {"type": "response.output_item.done", "item": MESSAGE, "output_index": 0}, ["hi"]),
    (
        "openai_responses",
        {"type": "response.completed", "response": {"id": "r", "output": [MESSAGE]}},
        ["hi"],
    ),
    ("openai_responses", {"type": "response.refusal.delta", "delta": "no"}, ["no"]),
    ("openai_responses", {"type": "error", "message": "x"}, []),
    ("gemini", {"candidates": [{"content": {"parts": [{"text": "hi"}]}}]}, ["hi"]),
    ("gemini", {"candidates": [{"finishReason": "STOP", "index": 0}]}, []),
    ("gemini", {"usageMetadata": {"promptTokenCount": 1}}, []),
    ("gemini", {"promptFeedback": {"blockReason": "SAFETY"}}, []),
]
CALLS = [
    (
        "anthropic",
        {"type": "content_block_delta", "delta": {"type": "input_json_delta", "partial_json": '{"a":'}},
    ),
    (
        "openai_chat",
        {
            "choices": [
                {"index": 0, "delta": {"tool_calls": [{"index": 0, "function": {"arguments": '{"a":'}}]}}
            ]
        },
    ),
    (
        "openai_responses",
        {"type": "response.function_call_arguments.delta", "delta": '{"a":', "item_id": "x"},
    ),
    (
        "openai_responses",
        {"type": "response.function_call_arguments.done", "arguments": '{"a":', "item_id": "x"},
    ),
]


def parts_of(neutral, kind):
    return [part for message in neutral["messages"] for part in message["content"] if part["type"] == kind]


@pytest.mark.parametrize(("name", "event", "texts"), EVENTS, ids=lambda value: str(value)[:50])
def test_texts_are_seen_and_changed_wherever_a_stream_says_them(name, event, texts):
    api, before = api_named(name), copy.deepcopy(event)
    neutral = read_response(api, event)
    assert [part["text"] for part in parts_of(neutral, "text")] == texts
    assert write_response(api, event, neutral) is event
    changed = copy.deepcopy(neutral)
    for part in parts_of(changed, "text"):
        part["text"] = "[redacted]"
    written = write_response(api, event, changed)
    expected = str(before)
    for text in texts:
        expected = expected.replace(f"'{text}'", "'[redacted]'")
    assert (str(written), event) == (expected, before)


@pytest.mark.parametrize(("name", "event"), CALLS, ids=lambda value: str(value)[:50])
def test_pieces_of_a_calls_arguments_are_seen_and_changed(name, event):
    api = api_named(name)
    neutral = read_response(api, event)
    (part,) = parts_of(neutral, "tool_call")
    assert part["arguments"] == '{"a":'
    assert write_response(api, event, neutral) is event
    changed = copy.deepcopy(neutral)
    parts_of(changed, "tool_call")[0]["arguments"] = "{}"
    assert str(write_response(api, event, changed)) == str(event).replace('{"a":', "{}")


def test_an_event_carries_one_piece_and_no_more():
    event = {"type": "response.output_text.delta", "delta": "hi"}
    api = api_named("openai_responses")
    for messages in ([], [{"role": "assistant", "content": "a"}, {"role": "assistant", "content": "b"}]):
        with pytest.raises(ValueError):
            write_response(api, event, {"messages": messages})
