"""Words as the shell makes them: quotes, braces, tildes, parameters, splitting."""

from __future__ import annotations

import pytest

from fairlead.shell.unknown_text import describe
from shell_kit import PROJECT, arguments, last, lines, read


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("'a b'", ["a b"]),
        ('"a b"', ["a b"]),
        (r"a\ b", ["a b"]),
        (r'"a\"b\$c\\d\e"', ['a"b$c\\d\\e']),
        (r"$'\x41\102\u00e9\n\t\e\cA\'\\'", ["AB\u00e9\n\t\x1b\x01'\\"]),
        ('$"text"', ["text"]),
        ("''", [""]),
        ("a''b\"\"c", ["abc"]),
        ("a\\\nb", ["ab"]),
        ("a#b", ["a#b"]),
        ("a=b", ["a=b"]),
        ("$", ["$"]),
    ],
)
def test_quotes_are_removed_as_bash_does(word: str, expected: list[str]) -> None:
    assert arguments(f"echo {word}") == expected


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("{a,b}", ["a", "b"]),
        ("x{1..3}y", ["x1y", "x2y", "x3y"]),
        ("{01..03}", ["01", "02", "03"]),
        ("{a..c}", ["a", "b", "c"]),
        ("{1..9..4}", ["1", "5", "9"]),
        ("{a,b{c,d}}e", ["ae", "bce", "bde"]),
        ("{a}", ["{a}"]),
        ("'{a,b}'", ["{a,b}"]),
        ("{,x}", ["x"]),
    ],
)
def test_braces_expand_before_anything_else(word: str, expected: list[str]) -> None:
    assert arguments(f"echo {word}") == expected


def test_braces_that_make_too_many_words_are_unknown() -> None:
    word = last("rm " + "{/,a}" * 14).argv[1]
    assert word.opaque


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("~", "/home/no-one"),
        ("~/x", "/home/no-one/x"),
        ("~root/x", "/root/x"),
        ("~no-one", "/home/no-one"),
        ("~+/x", f"{PROJECT}/x"),
        ("'~'", "~"),
        ("a~", "a~"),
        ("~$X", "~v"),
    ],
)
def test_tildes_are_homes(word: str, expected: str) -> None:
    assert arguments(f"echo {word}", X="v") == [expected]


@pytest.mark.parametrize(
    ("expansion", "expected"),
    [
        ("${P##*/}", "c.tar.gz"),
        ("${P#*/}", "a/b/c.tar.gz"),
        ("${P%.*}", "/a/b/c.tar"),
        ("${P%%.*}", "/a/b/c"),
        ("${P//\\//_}", "_a_b_c.tar.gz"),
        ("${P/b/X}", "/a/X/c.tar.gz"),
        ("${P/#\\/a/Z}", "Z/b/c.tar.gz"),
        ("${P:1:3}", "a/b"),
        ("${P: -2}", "gz"),
        ("${#P}", "13"),
        ("${P^^}", "/A/B/C.TAR.GZ"),
        ("${U:-d}", "d"),
        ("${P:+set}", "set"),
        ("${E:-d}", "d"),
        ("${E-d}", ""),
        ("${N}", "P"),
        ("${!N}", "/a/b/c.tar.gz"),
        ("$(( ${#P} * 2 ))", "26"),
        ("$((0x10 + 010))", "24"),
    ],
)
def test_operators_on_known_values_give_known_words(expansion: str, expected: str) -> None:
    setup = "P=/a/b/c.tar.gz; E=; N=P; unset U"
    assert arguments(f'{setup}; echo "{expansion}"') == [expected]


def test_an_unset_variable_is_unknown_and_its_default_is_taken() -> None:
    word = last('rm -rf "$DIR/x"').argv[2]
    assert (describe(word.opaque), word.prefix, word.text) == ("`$DIR` is not set in this text", "", "$DIR/x")
    assert arguments("rm ${DIR:-/etc}") == ["/etc"]


def test_what_is_known_before_an_unknown_piece_is_kept() -> None:
    word = last("rm /srv/$X/y").argv[1]
    assert word.prefix == "/srv/"
    assert [piece[0] for piece in word.pieces] == ["/srv/", "$X", "/y"]


def test_the_environment_is_used_where_it_is_given() -> None:
    assert arguments("echo $A", A="x y") == ["x", "y"]


def test_positional_parameters_of_the_text_are_empty() -> None:
    assert arguments("rm -rf /$1") == ["-rf", "/"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a=(x 'y z'); echo \"${a[@]}\"", ["x", "y z"]),
        ("a=(x y); a+=(z); echo ${a[2]} ${#a[@]}", ["z", "3"]),
        ("declare -A m=([k]=v); echo ${m[k]}", ["v"]),
        ("mapfile -t a <<< $'x\\ny'; echo ${a[1]}", ["y"]),
        ("read -r a b <<< 'x y z'; echo \"$b\"", ["y z"]),
        ("IFS=: read a b <<< x:y; echo $b", ["y"]),
        ("set -- a b c; shift; echo $1 $#", ["b", "2"]),
        ("printf -v x %03d 7; echo $x", ["007"]),
        ("x=1; x+=2; echo $x", ["12"]),
        ("let x=2+3; echo $x", ["5"]),
        ("x=5; ((x++)); echo $x", ["6"]),
    ],
)
def test_builtins_that_assign_are_followed(text: str, expected: list[str]) -> None:
    assert arguments(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("echo $(echo a b)", ["a", "b"]),
        ('echo "$(printf "%s-" a b)"', ["a-b-"]),
        ("echo `echo \\`echo x\\``", ["x"]),
        ("echo $(basename /a/b.c .c) $(dirname /a/b)", ["b", "/a"]),
        ("echo $(tr a-z A-Z <<< abc) $(rev <<< abc)", ["ABC", "cba"]),
        ("echo $(xxd -r -p <<< 726d)", ["rm"]),
        ("echo $(base64 -d <<< cm0=)", ["rm"]),
        ("echo $(cut -d: -f2 <<< a:b)", ["b"]),
        ("echo $(seq 3)", ["1", "2", "3"]),
        ("echo $(cat <<E\nx\nE\n)", ["x"]),
        ("d=$(mktemp -d); echo $d", ["/tmp/tmp.XXXXXXXXXX"]),
        ("cd /x; echo $(pwd)", ["/x"]),
    ],
)
def test_the_output_of_pure_commands_is_known(text: str, expected: list[str]) -> None:
    assert arguments(text) == expected


def test_a_pattern_is_marked_and_left() -> None:
    word = last("rm -rf /h??e/u*").argv[2]
    assert (word.text, word.glob) == ("/h??e/u*", True)
    assert not last("rm '*'").argv[1].glob
    assert not last("set -f; rm *").argv[1].glob


def test_a_word_with_no_break_space_is_one_word() -> None:
    assert lines("rm\u00a0-rf /x") == ["rm\u00a0-rf /x"]


def test_words_tell_where_they_stand() -> None:
    text = "echo é 'x y'"
    word = read(text).commands[0].argv[2]
    assert text.encode()[word.start : word.end] == b"'x y'"
