import pytest

from fairlead.errors import RegistrationError
from fairlead.model.matching.matcher import matcher_from
from fairlead.model.matching.pattern import Expression, Glob, name_patterns, split_words, text_pattern
from fairlead.model.tool_call import ToolCall, ToolKind


@pytest.mark.parametrize(
    ("spec", "patterns"),
    [
        ("Bash", (Glob("Bash"),)),
        ("Read|Write", (Glob("Read"), Glob("Write"))),
        (" Read , Write ", (Glob("Read"), Glob("Write"))),
        ("mcp__*", (Glob("mcp__*"),)),
        ("/^bash$/i", (Expression("^bash$", True),)),
        ("/a|b,c/", (Expression("a|b,c"),)),
        ("Read|/^(Web|Net)/i, Glob", (Glob("Read"), Expression("^(Web|Net)", True), Glob("Glob"))),
        (r"/a\/b/|Read", (Expression(r"a\/b"), Glob("Read"))),
        ("/[/|]/", (Expression("[/|]"),)),
    ],
)
def test_a_specification_is_names_globs_and_expressions(spec, patterns):
    assert name_patterns(spec) == patterns


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("^Bash$", "reads as a regular expression"),
        ("Bash|^Read", "reads as a regular expression"),
        ("(Read|Write)", "reads as a regular expression"),
        (r"\bBash\b", "reads as a regular expression"),
        ("mcp__.+", "reads as a regular expression"),
        ("/unclosed", "does not end it"),
        ("/", "does not end it"),
        ("/a/gi", "flags"),
        ("/(/", "is not a regular expression"),
        ({"kind": "shel"}, "no kind of tools called 'shel'"),
        ({"kind": ["shell", "raed"]}, "no kind of tools called 'raed'"),
        ({"kind": 3}, "no kind of tools called '3'"),
        ({"claude": "("}, "never matches it"),
        ({"claude": 7}, "is a text"),
        ({"gemini": "(?<=a+)b"}, "varying length"),
    ],
)
def test_what_can_fit_nothing_is_refused_with_a_sentence_and_a_way_out(spec, said):
    with pytest.raises(RegistrationError, match=said) as caught:
        matcher_from(spec)
    assert caught.value.hint


@pytest.mark.parametrize(("text", "fits"), [("/srv/i", True), ("/etc/passwd", True), ("/^push/", False)])
def test_a_path_may_end_in_what_would_be_a_flag(text, fits):
    assert text_pattern(text, flags=False).fits(text) is fits


def test_arguments_have_flags():
    shell = ToolCall("Bash", {"command": "git PUSH"}, ToolKind.SHELL)
    assert matcher_from({"arguments": {"command": "/push/i"}}).matches(shell, None)
    assert not matcher_from({"arguments": {"command": "/push/"}}).matches(shell, None)


def test_blank_words_are_no_words():
    assert split_words("Read||, Write|") == ["Read", "Write"]
