"""A reading tells which variables the text itself sets, by whatever means, and which it takes to be unset."""

from __future__ import annotations

import pytest

from fairlead.shell.reader import read_script


def assigned(text: str) -> frozenset[str]:
    return read_script(text, cwd="/w", home="/h").assigned


def commands(text: str) -> list[str]:
    return [command.name for command in read_script(text, cwd="/w", home="/h").commands]


@pytest.mark.parametrize(
    "text",
    [
        "NAME=1",
        "NAME=1 ls",
        "(NAME=1)",
        "for NAME in a; do ls; done",
        "select NAME in a; do ls; done",
        "for ((NAME=1;NAME<2;NAME++)); do ls; done",
        "echo ${NAME:=x}",
        "echo $((NAME=1))",
        "echo $((NAME++))",
        "echo $((NAME=$(seq 1)))",
        "(( NAME = $RANDOM ))",
        "echo $((a[NAME=1]))",
        "[[ 'NAME=3' -eq 3 ]]",
        "x='NAME=3'; echo $((x))",
        "read NAME < f",
        "printf -v NAME x",
        "let NAME=1",
        "mapfile NAME < f",
        "ls {NAME}<f",
        "declare -n r=NAME; r=x",
        "coproc NAME { ls; }",
        "unset NAME",
    ],
)
def test_every_way_to_set_a_variable_is_seen(text: str) -> None:
    assert "NAME" in assigned(text)


@pytest.mark.parametrize(
    "text", ["echo $NAME", "ls NAME=1", "echo '${NAME:=x}'", "[ NAME = 1 ]", "echo $((NAME==1))"]
)
def test_what_only_reads_a_variable_sets_none(text: str) -> None:
    assert "NAME" not in assigned(text)


def test_what_a_default_stands_for_is_said() -> None:
    script = read_script("A=1; echo ${A:-x} ${B:-y} ${C:=z}", cwd="/w", home="/h")
    assert script.assumed_unset == {"B", "C"}


@pytest.mark.parametrize(
    "text",
    [
        "[[ 'a[$(run)]' -eq 1 ]]",
        "[[ 'a[1+$(run)]' -eq 1 ]]",
        "x='a[$(run)]'; [[ x -eq 1 ]]",
        "x='a[$(run)]'; [[ 3 -gt x ]]",
    ],
)
def test_a_comparison_of_numbers_runs_what_stands_in_an_index(text: str) -> None:
    assert "run" in commands(text)


def test_a_comparison_of_texts_runs_nothing() -> None:
    assert commands("x='a[$(run)]'; [[ x == y ]]") == [""]


@pytest.mark.parametrize(
    "text",
    [
        "[[ $(cat f) -eq 1 ]]",
        "[[ -v $(cat f) ]]",
        "(( $(cat f) ))",
        "n=$(cat f); (( n > 3 ))",
        "n=$(cat f); [[ n -eq 1 ]]",
        "n=$(cat f); echo $((n+1)) ",
        "n=$(cat f); echo ${a[n]}",
        "n=$(cat f); a=abc; echo ${a:n}",
    ],
)
def test_what_arithmetic_takes_that_cannot_be_known_is_said(text: str) -> None:
    computed = read_script(text, cwd="/w", home="/h").computed
    assert [unknown.stages for unknown in computed] == [(("cat", "f"),)]


@pytest.mark.parametrize("text", ["n=3; (( n > 2 ))", "echo $((1+2))", "[[ $(cat f) == x ]]"])
def test_what_is_known_or_compared_as_text_is_not(text: str) -> None:
    assert not read_script(text, cwd="/w", home="/h").computed
