"""Translation loses nothing: what a hook did not touch is what it was, on any request of any API."""

import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairlead.translations.mirror import read_request, read_response, write_request, write_response
from fairlead.translations.recognise import APIS, HOOK_FORMS, api_named

words = st.text(max_size=6)
extras = st.dictionaries(st.sampled_from(["x", "cache_control", "seed", "name"]), words, max_size=2)
json_objects = st.dictionaries(words, words | st.integers() | st.none(), max_size=2)


def with_extras(strategy):
    return st.builds(lambda base, extra: {**extra, **base}, strategy, extras)


def objects(**fields):
    return with_extras(st.fixed_dictionaries(fields))


gemini_parts = (
    objects(text=words)
    | objects(functionCall=st.fixed_dictionaries({"name": words, "args": json_objects}))
    | objects(functionResponse=st.fixed_dictionaries({"name": words, "response": json_objects}))
    | objects(inlineData=st.fixed_dictionaries({"mimeType": words, "data": words}))
    | objects(executableCode=json_objects)
)
chat_blocks = objects(type=st.just("text"), text=words) | objects(type=st.just("image_url"), image_url=words)
chat_calls = objects(
    id=words,
    type=st.just("function"),
    function=st.fixed_dictionaries({"name": words, "arguments": words | st.just('{"a": 1}')}),
)
anthropic_blocks = (
    objects(type=st.just("text"), text=words)
    | objects(type=st.just("thinking"), thinking=words, signature=words)
    | objects(type=st.just("tool_use"), id=words, name=words, input=json_objects)
    | objects(type=st.just("tool_result"), tool_use_id=words, content=words)
    | objects(type=st.just("image"), source=json_objects)
)
responses_items = (
    objects(role=st.sampled_from(["user", "assistant", "developer"]), content=words)
    | objects(
        type=st.just("message"),
        role=st.just("user"),
        content=st.lists(
            objects(type=st.sampled_from(["input_text", "input_image"]), text=words), max_size=3
        ),
    )
    | objects(type=st.just("function_call"), call_id=words, name=words, arguments=words)
    | objects(type=st.just("function_call_output"), call_id=words, output=words)
    | objects(type=st.just("reasoning"), summary=st.just([]))
)
MESSAGES = {
    "gemini": objects(role=st.sampled_from(["user", "model"]), parts=st.lists(gemini_parts, max_size=3)),
    "openai_chat": objects(role=st.sampled_from(["user", "developer", "assistant"]), content=words)
    | objects(role=st.just("user"), content=st.lists(chat_blocks, max_size=3))
    | objects(
        role=st.just("assistant"), content=st.none() | words, tool_calls=st.lists(chat_calls, min_size=1)
    )
    | objects(role=st.just("tool"), tool_call_id=words, content=words),
    "openai_responses": responses_items,
    "anthropic": objects(
        role=st.sampled_from(["user", "assistant"]), content=words | st.lists(anthropic_blocks, max_size=3)
    ),
}
KEYS = {"gemini": "contents", "openai_responses": "input"}


@st.composite
def requests(draw):
    name = draw(st.sampled_from(APIS))
    messages = draw(st.lists(MESSAGES[name], max_size=4))
    native = {**draw(extras), "model": draw(words), KEYS.get(name, "messages"): messages}
    if draw(st.booleans()):
        native["temperature" if name != "gemini" else "generationConfig"] = (
            draw(st.floats(0, 1)) if name != "gemini" else {"topP": 1}
        )
    return api_named(name), native


@given(requests())
def test_applying_no_change_is_the_identity(sample):
    api, native = sample
    before = copy.deepcopy(native)
    assert write_request(api, native, read_request(api, native)) is native
    assert write_request(api, native, {}) is native
    assert native == before


@given(requests())
def test_every_message_survives_being_taken_apart_and_put_together(sample):
    api, native = sample
    for message in api.request_messages(native).items:
        assert api.join(message, api.role(message), api.split(message)) == message


@given(requests(), st.data())
def test_a_change_of_one_text_leaves_everything_else(sample, data):
    api, native = sample
    neutral = copy.deepcopy(read_request(api, native))
    texts = [part for message in neutral["messages"] for part in message["content"] if part["type"] == "text"]
    if not texts:
        return
    data.draw(st.sampled_from(texts))["text"] = "changed by a hook"
    again = read_request(api, write_request(api, native, neutral))
    assert again == neutral


@given(requests(), st.randoms())
def test_messages_can_be_reordered_and_dropped_without_touching_the_rest(sample, random):
    api, native = sample
    neutral = read_request(api, native)
    kept = [message for message in neutral["messages"] if random.random() < 0.7]
    random.shuffle(kept)
    written = api.request_messages(write_request(api, native, {"messages": kept})).items
    items = api.request_messages(native).items
    if api.name == "openai_chat" and len(written) != len(kept):
        return  # a system message that moved to the front is held apart from then on
    assert list(written) == [items[int(message["id"][1:])] for message in kept]


@pytest.mark.parametrize("name", APIS)
@given(native=st.dictionaries(words, words | st.integers() | st.none() | json_objects, max_size=3))
def test_a_response_of_any_shape_is_left_alone(name, native):
    api = api_named(name)
    try:
        neutral = read_response(api, native)
    except (TypeError, AttributeError, KeyError, ValueError):
        return  # not a response of this API; the stage turns it into a failure
    assert write_response(api, native, neutral) is native


known_keys = st.sampled_from(
    [
        "text",
        "parts",
        "role",
        "content",
        "type",
        "functionCall",
        "name",
        "args",
        "tools",
        "input",
        "output",
        "delta",
        "item",
        "part",
        "response",
        "message",
        "choices",
        "candidates",
        "tool_calls",
        "function",
        "arguments",
        "thought",
        "content_block",
        "config",
        "toolConfig",
        "usage",
        "system",
        "contents",
        "messages",
        "generationConfig",
        "tool_choice",
        "instructions",
        "id",
    ]
)
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(known_keys | words, inner, max_size=4),
    max_leaves=12,
)


@given(st.sampled_from([*APIS, *HOOK_FORMS]), st.dictionaries(known_keys, anything, max_size=5))
def test_whatever_can_be_read_at_all_is_written_back_as_it_was(name, native):
    api, before = api_named(name), copy.deepcopy(native)
    for read, write in ((read_request, write_request), (read_response, write_response)):
        try:
            neutral = read(api, native)
        except (TypeError, KeyError, AttributeError, IndexError, ValueError):
            continue  # no API would take it: a translation failure
        assert write(api, native, neutral) is native
        assert native == before
