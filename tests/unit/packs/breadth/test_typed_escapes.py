"""Lines that are typed into an editor, a pager or a console that an earlier line starts."""

import pytest

from fairlead.model.decision import Decision
from tests.unit.packs.guard_kit import decide


@pytest.mark.parametrize(
    "line",
    [
        "sudo less /etc/profile\n!/bin/sh",
        "man man\n!sh",
        "vim\n:!/bin/sh",
        "vim\n:set shell=/bin/sh|:shell",
        "vi notes.txt\n:!rm -rf ~",
        "sudo mysql\n\\! /bin/sh",
        "ftp\n!rm -rf ~",
        "sudo ginsh <<< '!sh'",
    ],
)
def test_an_escape_to_a_shell_counts_where_it_is_typed(line: str) -> None:
    assert decide(line) >= Decision.ASK


@pytest.mark.parametrize(
    "line",
    [
        "! grep -q x notes.txt && echo none",
        "! test -f x",
        ": > build/log.txt",
        ": ${X:=1}",
        "! bash -n build.sh",
        "!true",
    ],
)
def test_a_negation_and_an_empty_command_are_no_escape(line: str) -> None:
    assert decide(line) is Decision.CONTINUE


@pytest.mark.parametrize(
    "line",
    [
        "awk 'BEGIN { \"rm -rf ~\" | getline }'",
        "awk 'BEGIN { c = \"rm -rf ~\"; c | getline }'",
        'awk \'BEGIN { while (("rm -rf " "/etc") | getline x) print x }\'',
    ],
)
def test_what_awk_reads_from_a_command_is_run(line: str) -> None:
    assert decide(line) >= Decision.ASK
