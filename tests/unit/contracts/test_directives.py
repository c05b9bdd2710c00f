import pytest

from fairlead.contracts.directives import Directive, Malformed, directives, parse, unquoted
from fairlead.model.timeline import Stream, timeline_of


@pytest.mark.parametrize(
    ("text", "directive"),
    [
        ("DRY_RUN=true", Directive("set", "DRY_RUN", "true")),
        ("X=", Directive("set", "X", "")),
        ("X=a=b", Directive("set", "X", "a=b")),
        ("env:OPTS=a+=b", Directive("set", "OPTS", "a+=b")),
        ("env:PATH+=/x", Directive("append", "PATH", "/x")),
        ("env:PATH^=/x", Directive("prepend", "PATH", "/x")),
        ("env:PATH-=/x", Directive("remove", "PATH", "/x")),
        ("export A='b c'", Directive("set", "A", "b c")),
        ('export A="b c"', Directive("set", "A", "b c")),
        ("export A=b", Directive("set", "A", "b")),
        ("export DEBUG=*", Directive("set", "DEBUG", "*")),
        ("exit:42", Directive("exit", value="42")),
        ("route:/a b", Directive("route", value="/a b")),
        ("mode=error:42", Directive("mode", value="error:42")),
    ],
)
def test_what_a_line_asks_for(text, directive):
    assert parse(text) == [directive]


def test_several_variables_in_one_object():
    assert parse('{"mode": "dry", "LEVEL": 2, "ON": true}') == [
        Directive("mode", value="dry"),
        Directive("set", "LEVEL", "2"),
        Directive("set", "ON", "true"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "exit:abc",
        "exit:256",
        "exit:",
        "route:",
        "mode=",
        "env:1X=2",
        "env:X",
        "export A=$(reboot)",
        "export A=`reboot`",
        'export A="$HOME"',
        "export A=b; reboot",
        "export A=b c",
        "{broken",
        '{"a b": 1}',
        '{"A": [1]}',
        "anything else",
        "",
    ],
)
def test_what_nobody_can_read_is_malformed_and_says_why(text):
    (asked,) = parse(text)
    assert isinstance(asked, Malformed)
    assert asked.why


def test_only_whole_lines_on_stdout_count_and_carry_their_number():
    timeline = timeline_of(
        (Stream.STDOUT, b"hello\ncontract:A=1\r\n contract:B=2\n"),
        (Stream.STDERR, b"contract:C=3\n"),
        (Stream.STDOUT, b"contract:D=4"),
    )
    assert directives(timeline) == [Directive("set", "A", "1", 2), Directive("set", "D", "4", 4)]


@pytest.mark.parametrize(("word", "plain"), [("''", ""), ("'a'b'", None), ('"a\\"', None), ("a b", None)])
def test_a_word_that_a_shell_would_have_to_evaluate_is_refused(word, plain):
    assert unquoted(word) == plain
