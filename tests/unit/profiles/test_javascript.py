import pytest

from fairlead.model.matching.javascript_pattern import searches, trimmed
from fairlead.profiles.javascript import as_json, identity, parsed, spread, text_of, truthy


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
        (-0.0, "0"),
        (float("inf"), "Infinity"),
        (float("-inf"), "-Infinity"),
        (100.0, "100"),
        (-12.5, "-12.5"),
        (1e20, "100000000000000000000"),
        (1e21, "1e+21"),
        (1.25e22, "1.25e+22"),
        (0.000001, "0.000001"),
        (0.00000123, "0.00000123"),
        (1e-7, "1e-7"),
        (-1.5e-9, "-1.5e-9"),
        (2**53 + 1, "9007199254740992"),
        (12345678901234567890, "12345678901234567000"),
        (10**400, "Infinity"),
        (5e-324, "5e-324"),
        ([1, None, "b"], "1,,b"),
        ({"a": 1}, "[object Object]"),
        ([{}], "[object Object]"),
    ],
)
def test_a_text_is_what_javascript_makes_of_a_value(value, text):
    assert text_of(value) == text


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("-0", 0),
        ("1.0", 1),
        ("9007199254740993", 9007199254740992),
        ("12345678901234567890", 12345678901234567000),
        ("1e400", float("inf")),
        ("-" + "9" * 5000, float("-inf")),
        ("1e21", 1e21),
    ],
)
def test_a_number_is_read_as_a_double(text, number):
    assert parsed(text) == number


@pytest.mark.parametrize("text", ["NaN", "Infinity", '[-Infinity, "a"]'])
def test_what_is_no_json_is_refused(text):
    with pytest.raises(ValueError, match=r"Infinity|NaN"):
        parsed(text)


def test_an_infinite_number_is_written_as_null():
    assert as_json({"a": [1e999, -1e999, 1.5], "b": "Infinity"}) == {"a": [None, None, 1.5], "b": "Infinity"}


def test_a_set_tells_one_from_true_and_a_list_from_its_like():
    one, like = ["a"], ["a"]
    assert identity(1) == identity(1.0)
    assert len({identity(value) for value in (1, True, "1", None, one, like)}) == 6


@pytest.mark.parametrize(
    ("value", "fields"),
    [
        ({"a": 1}, {"a": 1}),
        ([9], {"0": 9}),
        ("ab", {"0": "a", "1": "b"}),
        ("\U0001f600", {"0": "\ud83d", "1": "\ude00"}),
        (None, {}),
        (5, {}),
    ],
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
