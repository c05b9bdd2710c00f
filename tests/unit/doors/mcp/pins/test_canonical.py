"""The canonical form: the same meaning has one digest, any other words have another."""

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairlead.doors.mcp.pins import canonical
from fairlead.doors.mcp.pins.canonical import UnpinnableError, rest_of, words_of
from fairlead.doors.mcp.pins.definition import Definition, define

texts = st.text(max_size=12)
leaves = st.none() | st.booleans() | st.integers(-(10**6), 10**6) | st.floats(allow_nan=False) | texts
finite = leaves.filter(lambda value: not isinstance(value, float) or abs(value) < 1e300)
values = st.recursive(
    finite,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)
names = st.text("abcdef_", min_size=1, max_size=6)
schemas = st.recursive(
    st.fixed_dictionaries({"type": st.sampled_from(["string", "integer"])}, optional={"description": texts}),
    lambda inner: st.builds(
        lambda properties: {"type": "object", "properties": properties, "required": list(properties)},
        st.dictionaries(names, inner, max_size=4),
    ),
    max_leaves=8,
)
tools = st.fixed_dictionaries(
    {"name": names, "description": texts, "inputSchema": schemas},
    optional={"title": texts, "_meta": st.dictionaries(texts, values, max_size=3)},
)


def shuffled(value: object, chance: random.Random, key: str = "") -> object:
    """The same meaning, written otherwise."""
    if isinstance(value, dict):
        pairs = list(value.items())
        chance.shuffle(pairs)
        return {name: shuffled(part, chance, name) for name, part in pairs}
    if isinstance(value, list):
        parts = [shuffled(part, chance) for part in value]
        if key == "required":
            chance.shuffle(parts)
        return parts
    return value


def places(value: object, at: tuple = ()):
    """Each text in a value, by the way to it."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield from places(part, (*at, key))
    elif isinstance(value, list):
        for number, part in enumerate(value):
            yield from places(part, (*at, number))
    elif isinstance(value, str):
        yield at


def with_text(value: dict, at: tuple, text: str) -> dict:
    copy = json.loads(json.dumps(value))
    inner = copy
    for step in at[:-1]:
        inner = inner[step]
    inner[at[-1]] = text
    return copy


def words(tool: dict) -> str:
    return define(tool).words


@given(tools, st.randoms(use_true_random=False))
def test_the_order_of_keys_and_of_required_changes_no_digest(tool, chance):
    assert define(shuffled(tool, chance)) == define(tool)


@given(tools)
def test_what_was_sent_as_json_has_the_same_digest_in_any_spelling(tool):
    spelled = json.loads(json.dumps(tool, indent=2, ensure_ascii=True))
    assert define(spelled) == define(tool)


@given(tools, st.data(), texts)
def test_any_change_of_words_is_another_digest(tool, data, text):
    read = words_of(tool)
    at = data.draw(st.sampled_from(list(places(read))))
    changed = {**tool, **with_text(read, at, text)}
    assert (words(changed) == words(tool)) == (
        canonical.canonical(words_of(changed)) == canonical.canonical(read)
    )
    if "required" not in at and words_of(changed) != read:
        assert words(changed) != words(tool)


@given(tools, st.dictionaries(texts, values, min_size=1, max_size=3))
def test_what_no_model_reads_changes_the_rest_alone(tool, meta):
    changed = {**tool, "_meta": {**tool.get("_meta", {}), "new": meta}}
    assert words(changed) == words(tool)
    assert define(changed).rest != define(tool).rest


@given(tools, values)
def test_every_unknown_key_of_a_schema_is_among_the_words(tool, value):
    changed = {**tool, "inputSchema": {**tool["inputSchema"], "x-note": value}}
    assert words(changed) != words(tool)


@given(tools)
def test_the_members_of_a_tool_are_words_or_rest_and_never_both(tool):
    assert words_of(tool) | rest_of(tool) == tool and not words_of(tool).keys() & rest_of(tool).keys()


def test_required_is_a_list_like_any_other_where_it_is_data():
    one = {"name": "a", "inputSchema": {"properties": {"p": {"default": {"required": ["a", "b"]}}}}}
    other = {"name": "a", "inputSchema": {"properties": {"p": {"default": {"required": ["b", "a"]}}}}}
    assert words(one) != words(other)


def test_a_property_called_required_is_a_schema():
    one = {"name": "a", "inputSchema": {"properties": {"required": {"enum": ["a", "b"]}}}}
    other = {"name": "a", "inputSchema": {"properties": {"required": {"enum": ["b", "a"]}}}}
    assert words(one) != words(other)


@pytest.mark.parametrize("letters", ["\u00e9 e\u0301", "\u00c5 \u212b", "a \u0430"])
def test_letters_that_look_alike_are_not_the_same(letters):
    first, second = ({"name": "a", "description": letter} for letter in letters.split())
    assert words(first) != words(second)


def test_nothing_said_is_the_same_however_it_is_written():
    assert words({"name": "a", "description": None}) == words({"name": "a"})
    assert words({"name": "a", "description": ""}) != words({"name": "a"})


def deep(levels: int) -> object:
    value: object = "x"
    for _ in range(levels):
        value = {"items": value}
    return value


@pytest.mark.parametrize(
    "schema",
    [
        {"default": float("nan")},
        {"default": float("inf")},
        deep(5000),
        {"default": {1, 2}},
        {1: "x"},
        "x" * 2_000_000,
    ],
    ids=["nan", "infinity", "deep", "a set", "a number for a key", "endless"],
)
def test_what_is_no_json_or_has_no_end_cannot_be_pinned(schema):
    with pytest.raises(UnpinnableError):
        define({"name": "a", "inputSchema": schema})


def test_half_of_a_pair_of_letters_has_a_digest_of_its_own():
    assert words({"name": "a", "description": "\ud800"}) != words({"name": "a", "description": "\udfff"})


def test_the_formula_of_a_digest_stays_what_it_is():
    """A pin of today is read by tomorrow's Fairlead: whoever changes the form adds a formula."""
    tool = {
        "name": "search",
        "title": "Search",
        "description": "Finds é in files.",
        "inputSchema": {
            "type": "object",
            "required": ["q", "n"],
            "properties": {"q": {"type": "string"}, "n": {}},
        },
    }
    made = define(tool)
    assert isinstance(made, Definition)
    assert made.words == "7e40394e732796351b9dc08baf19c5e58dc4fd194698243bf5d15776be44df40"
    assert made.rest == "c54ff6b7ec242f034214976323f32087354d7a896d97969648638b5e935ab3f9"
