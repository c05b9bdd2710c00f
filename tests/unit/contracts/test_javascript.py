import pytest

from fairlead.contracts.profiles.javascript import spread, text_of, trimmed


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("a", "a"),
        (None, "null"),
        (True, "true"),
        (False, "false"),
        (1, "1"),
        (0, "0"),
        (1.5, "1.5"),
        ([1, None, "b"], "1,,b"),
        ({"a": 1}, "[object Object]"),
        ([{}], "[object Object]"),
    ],
)
def test_a_text_is_what_javascript_makes_of_a_value(value, text):
    assert text_of(value) == text


@pytest.mark.parametrize(
    ("value", "fields"),
    [({"a": 1}, {"a": 1}), ([9], {"0": 9}), ("ab", {"0": "a", "1": "b"}), (None, {}), (5, {})],
)
def test_anything_can_be_spread(value, fields):
    assert spread(value) == fields


def test_a_byte_order_mark_is_trimmed_and_a_next_line_is_not():
    assert trimmed("\ufeff\u00a0 a \u0085") == "a \u0085"
