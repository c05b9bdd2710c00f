"""What cannot be known is a value: of which kind, made of what, printed by which commands."""

from __future__ import annotations

import pickle

import pytest

from fairlead.shell.script import Word
from fairlead.shell.unknown import Kind, Unknown, several
from fairlead.shell.unknown_text import describe
from fairlead.shell.word_pieces import substituted
from tests.shell_kit import last, read

KINDS = sorted(value for name, value in vars(Kind).items() if name.isupper())
UNSET = Unknown(Kind.UNSET, "$X")
LISTED = Unknown(Kind.OUTPUT, wording="ls a", stages=(("ls", "a"),))
FETCHED = Unknown(Kind.OUTPUT, wording="curl b", stages=(("curl", "b"),), network=True)


def unknown_word(text: str) -> Unknown:
    """What is unknown of the last word of the last command."""
    found = last(text).argv[-1].opaque
    assert found is not None
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_a_text_for_people(kind: str) -> None:
    text = describe(Unknown(kind, "name", "wording", of=(UNSET,)))
    assert text
    assert not set("{}") & set(text)


def test_no_two_kinds_are_the_same() -> None:
    assert len(KINDS) == len(set(KINDS)) > 60


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("rm $X", "`$X` is not set in this text"),
        ("rm $(ls a | sort b)", "the output of `sort b`"),
        ("rm $(curl a)", "the output of `curl a`, off the network"),
        ("rm $X$(ls)", "`$X` is not set in this text"),
        ("ls a | xargs rm", "xargs reads it: the output of `ls a`"),
        ("xargs rm", "xargs reads it from its input"),
        ("for f in *.py; do rm $f; done", "a path that matches `*.py`"),
        ("rm $RANDOM", "`$RANDOM` differs from run to run"),
        ("rm $(< a)", "the content of a file"),
    ],
)
def test_the_text_for_people_is_made_of_the_value(text: str, said: str) -> None:
    assert describe(unknown_word(text)) == said


def test_where_all_is_known_there_is_no_text() -> None:
    assert describe(Word("a").opaque) == ""


def test_an_output_knows_every_command_that_it_went_through() -> None:
    found = unknown_word("kill $(ps -eo pid | sort -n | cat - 'a b')")
    assert found.stages == (("ps", "-eo", "pid"), ("sort", "-n"), ("cat", "-", "a b"))
    assert found.program == "cat"


def test_of_a_very_long_pipe_its_beginning_and_its_end_are_kept() -> None:
    found = unknown_word(f"kill $(ps {'| a ' * 500}| last)")
    assert found.stages[0] == ("ps",)
    assert found.stages[-1] == ("last",)
    assert len(found.stages) < 40


def test_a_word_of_several_unknown_parts_holds_all_of_them() -> None:
    found = unknown_word("rm a$X-$(ls a)$X")
    assert found.kind == Kind.SEVERAL
    assert [part.kind for part in found.parts()] == [Kind.UNSET, Kind.OUTPUT]


def test_an_input_of_several_unknown_parts_holds_all_of_them() -> None:
    found = last("{ echo $X; curl a; } | psql").stdin.opaque
    assert found is not None
    assert [part.kind for part in found.parts()] == [Kind.UNSET, Kind.OUTPUT]
    assert found.network


@pytest.mark.parametrize(
    "text",
    [
        "rm $X$(curl a)",
        "x=$(curl a); rm ${x#b}",
        "for x in $(curl a); do rm $x; done",
        "curl a | while read x; do rm $x; done",
        "curl a | xargs rm",
        "rm $(curl a | sort | head -1)",
    ],
)
def test_what_came_off_the_network_is_known_to_wherever_it_goes(text: str) -> None:
    assert unknown_word(text).network


def test_several_values_are_flat_and_each_stands_once() -> None:
    assert several([UNSET, UNSET]) == UNSET
    both = several([several([UNSET, LISTED]), FETCHED, LISTED])
    assert both.of == (UNSET, LISTED, FETCHED)
    assert both.network
    assert not several([UNSET, LISTED]).network


def test_the_parts_of_an_item_are_the_item_and_its_roots_are_what_it_is_made_of() -> None:
    item = several([UNSET, LISTED]).within(Kind.XARGS_ITEM)
    assert item.parts() == (item,)
    assert item.roots() == (UNSET, LISTED)
    assert item.has(Kind.XARGS_ITEM)
    assert item.has(Kind.OUTPUT)
    assert not item.has(Kind.MATCH)
    assert not item.only(Kind.UNSET, Kind.OUTPUT)
    assert item.commands() == (("ls", "a"),)
    assert item.mentions() == ("$X", "ls", "a")


def test_only_asks_every_part() -> None:
    assert several([UNSET, LISTED]).only(Kind.UNSET, Kind.OUTPUT)
    assert not several([UNSET, LISTED]).only(Kind.UNSET)


def test_a_value_survives_being_sent_to_another_process() -> None:
    value = several([UNSET, FETCHED]).within(Kind.RUNS)
    assert pickle.loads(pickle.dumps(value)) == value


def test_a_variable_that_is_cut_again_and_again_is_followed_without_depth() -> None:
    cut = "; ".join("x=${x#a}" for _ in range(1500))
    assert (
        describe(unknown_word(f"x=$(curl a); {cut}; rm $x")) == "`${x#a}` is a part of text that is not known"
    )


def test_what_goes_through_the_same_commands_in_every_round_is_the_same_value() -> None:
    found = read("while :; do x=$(echo $x | foo | bar); echo $x; done").commands
    shown = [command.argv[-1].opaque for command in found if command.name == "echo" and not command.via]
    assert [each.stages for each in shown if each is not None] == [(("foo",), ("bar",))] * len(shown)
    assert len(shown) < 4


def test_a_word_that_an_item_without_text_is_put_into_stays_unknown() -> None:
    assert substituted(Word("a{}b"), "{}", Word("", UNSET, pieces=(("", UNSET),))).pieces[1] == ("", UNSET)


def test_a_list_of_files_with_something_else_in_it_is_no_list_of_files() -> None:
    assert any(part.unknown.kind == Kind.RUNS_LINES for part in read("ls a | sh").opaque)
    assert not any(part.unknown.kind == Kind.RUNS_LINES for part in read("{ ls a; foo; } | sh").opaque)


def test_code_of_several_unknown_parts_is_noted_with_all_of_them() -> None:
    (found,) = [part for part in read('eval "$(cat a.sh; base64 -d b)"').opaque if part.executed]
    assert [each.program for each in found.unknown.of] == ["cat", "base64"]
