import pytest

from fairlead.model.matching.javascript_pattern import (
    SPACE,
    UnsupportedPatternError,
    regular_expression,
    searches,
    trimmed,
    units,
)

FOUND = [
    (r"^\s$", "\u00a0"),
    (r"^\s$", "\ufeff"),
    (r"^\s$", " "),
    (r"^[\sx]+$", "\u2003x\t"),
    (r"^\S$", "\u0085"),
    (r"^[\S ]+$", "a b"),
    (r"^[^\s]$", "a"),
    (r"[^a]", "b"),
    (r"^[^]$", "\n"),
    (r"^[\b]$", "\x08"),
    (r"\bb\b", "a b c"),
    (r"a\Bb", "ab"),
    (r"^\x41$", "A"),
    (r"^\x2e$", "."),
    (r"^\u0041$", "A"),
    (r"^\x4$", "x4"),
    (r"^\u004$", "u004"),
    (r"^\cA$", "\x01"),
    (r"^\cz$", "\x1a"),
    (r"^\c1$", "\\c1"),
    (r"^\101$", "A"),
    (r"^\377$", "\xff"),
    (r"^\400$", " 0"),
    (r"^\8$", "8"),
    (r"^\0$", "\0"),
    (r"^\1$", "\x01"),
    (r"^(a)\1$", "aa"),
    (r"^\1(a)$", "a"),
    (r"^(?:(a)|b)\1$", "b"),
    (r"^(a)[\1]$", "a\x01"),
    (r"^(a)(b)(c)(d)(e)(f)(g)(h)(i)(j)\10$", "abcdefghijj"),
    (r"^(?<n>a|b)\k<n>$", "bb"),
    (r"^\k$", "k"),
    (r"^(?:ab)+$", "abab"),
    (r"a(?=b)", "ab"),
    (r"a(?!b)", "ac"),
    (r"(?<=a)b", "ab"),
    (r"(?<=a|xy)b", "xyb"),
    (r"(?<!a)b", "cb"),
    (r"(?<!a|c)b", "db"),
    (r"^a{2}$", "aa"),
    (r"^a{2,}$", "aaaa"),
    (r"^a{1,2}?$", "aa"),
    (r"^a{,2}$", "a{,2}"),
    (r"^a{$", "a{"),
    (r"^a}$", "a}"),
    (r"^]$", "]"),
    (r"^a+?$", "aaa"),
    (r"^(a|)*?$", "aa"),
    (r"^.$", "\x85"),
    (r"^..$", "😀"),
    (r"^[a-c]$", "b"),
    (r"^[-a]$", "-"),
    (r"^[a-]$", "-"),
    (r"^[\w-x]+$", "-x_"),
    (r"^[x-\d]+$", "-7x"),
    (r"^[a\-z]$", "-"),
    (r"^[(]$", "("),
    (r"^\($", "("),
    (r"^\n\r\t\v\f$", "\n\r\t\v\f"),
    (r"^[\n\t]+$", "\t\n"),
    (r"^\d\D\w\W$", "1ab-"),
    (r"a|b", "b"),
    (r"^#$", "#"),
    (r"^\/+$", "//"),
    (r"^\x41+\t{2}$", "AA\t\t"),
    (r"^[ab]*\s?$", "abba "),
    (r"^(x<n>a)$", "x<n>a"),
    (r"^\d+\W?$", "12-"),
    (r"^[x-\W]$", "x"),
    (r"^[\W-x]{3}$", "x-."),
    (r"^[\D-5]+$", "a-5"),
    (r"^[5-\D]+$", "5-a"),
    (r"^[\S-\t]+$", "-\ta"),
    (r"^[\s-x]+$", " -x"),
    (r"^[x-\s]+$", "x- "),
    (r"^(?=a)*b$", "b"),
    (r"^(?:a)?(b)?$", "b"),
    (r"", "anything"),
]
MISSED = [
    (r"^\s$", "\u0085"),
    (r"^\S$", "\ufeff"),
    (r"^[^\s]$", "\u3000"),
    (r"[^a]", "a"),
    (r"[]", "a"),
    (r"^[\b]$", "b"),
    (r"\bb\b", "abc"),
    (r"a\Bb", "a b"),
    (r"^\x2e$", "a"),
    (r"^(a)\1$", "a"),
    (r"^(?<n>a|b)\k<n>$", "ab"),
    (r"a(?=b)", "ac"),
    (r"a(?!b)", "ab"),
    (r"(?<=a|xy)b", "yb"),
    (r"(?<!a|c)b", "cb"),
    (r"(?<!a|c)b", "ab"),
    (r"^a{2}$", "aaa"),
    (r"^.$", "\u2028"),
    (r"^.$", "\r"),
    (r"^.$", "\n"),
    (r"a$", "a\n"),
    (r"^b", "a\nb"),
    (r"^[a-c]$", "-"),
    (r"^[a\-z]$", "b"),
    (r"^\w$", "ä"),
    (r"^\d$", "٣"),
    (r"A", "a"),
    (r"^.$", "😀"),
]
INVALID = [
    "*",
    "a**",
    "a{2}{3}",
    "^*",
    "+a",
    "(?<=a)*",
    "\\b*",
    "\\B+",
    "$?",
    "a|*",
    "(*a)",
    "(?P<x>a)",
    "(?<1>a)",
    "(?a)",
    "(?<n>a)(?<n>b)",
    "(?<n>a)\\k<m>",
    "(?<n>a)\\k",
    "[a",
    "(a",
    "a)",
    "\\",
    "[z-a]",
    "a{2,1}",
]


@pytest.mark.parametrize(("pattern", "text"), FOUND)
def test_what_javascript_finds_is_found(pattern: str, text: str) -> None:
    assert searches(pattern, text) is True


@pytest.mark.parametrize(("pattern", "text"), MISSED)
def test_what_javascript_does_not_find_is_not_found(pattern: str, text: str) -> None:
    assert searches(pattern, text) is False


@pytest.mark.parametrize("pattern", INVALID)
def test_what_javascript_calls_invalid_has_no_answer(pattern: str) -> None:
    assert (regular_expression(pattern), searches(pattern, "a")) == (None, None)


def test_what_only_javascript_can_do_is_said_to_be_so() -> None:
    with pytest.raises(UnsupportedPatternError, match="varying length"):
        regular_expression("(?<=a+)b")


def test_a_text_is_read_in_units_of_sixteen_bits() -> None:
    assert [ord(unit) for unit in units("a😀\ud800")] == [0x61, 0xD83D, 0xDE00, 0xD800]


def test_every_space_of_javascript_is_trimmed() -> None:
    assert len(SPACE) == 25
    assert trimmed(f"{SPACE}a b{SPACE}") == "a b"
