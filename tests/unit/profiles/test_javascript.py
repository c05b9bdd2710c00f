import pytest

from fairlead.model.javascript_pattern import searches, trimmed
from fairlead.profiles.javascript import spread, text_of, truthy


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


@pytest.mark.parametrize(
    ("pattern", "text", "found"),
    [
        ("\\c", "cA", False),
        ("\\c", "\\c", True),
        ("\\cA", "\x01", True),
        ("\\B", "", True),
        ("\\10", "\x08", True),
        ("\\01", "\x01", True),
        ("\\9", "9", True),
        ("(a)?b\\1c", "bc", True),
        ("\\1(a)", "a", True),
        ("(?<n>a)\\k<n>", "aa", True),
        ("(?<$n>a)", "a", True),
        ("[\\S]", "\u2028", False),
        ("[^\\S]", "\u2028", True),
        ("(?<=a)*", "a", None),
        ("(?<=read_|in)file", "read_file", True),
        ("(?<=read_|in)file", "write_file", False),
        ("(?<!read_|in)file", "read_file", False),
        ("(?<!read_|in)file", "write_file", True),
        ("x|(?<=a|bc)d|y", "bcd", True),
        ("(?=a)*", "a", True),
        ("(?<n>a)|(?<n>b)", "a", None),
        ("\\k<n>", "k<n>", True),
        ("[\\w-x]", "-", True),
        ("a{,2}", "a{,2}", True),
        (".", "\u2028", False),
        ("x$", "x\n", False),
        ("^.{2}$", "\U0001f600", True),
    ],
)
def test_a_pattern_means_what_it_means_to_javascript(pattern, text, found):
    """Found by comparing 108,000 random pairs with a JavaScript engine; None is a pattern that is invalid."""
    assert searches(pattern, text) is found


def test_what_is_empty_may_still_be_something():
    assert [truthy(value) for value in ([], {}, "", 0, None, "0")] == [True, True, False, False, False, True]
