"""The list of machines that there should be: how it is read, and that it holds when it cannot be."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from fairlead.doors.fleet.centre.expected import Expected, groups_of
from fairlead.errors import UsageError


class Ticking:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 10
        return self.now


def test_each_line_names_a_machine_its_group_and_perhaps_its_key() -> None:
    content = b"m1 web UABC\n\n# those of the lab\nm2 lab # a comment\n"
    assert groups_of(content, "list") == {"m1": "web", "m2": "lab"}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "names no machine"),
        (b"# nobody\n", "names no machine"),
        (b"m1\n", "list:1"),
        (b"m1 web\nm1 lab\n", "m1 is in the groups web and lab"),
        (b"M1 web\n", "'M1' is no name"),
        (b"../m1 web\n", "is no name"),
        (b"m1 <b>\n", "is no name"),
        ("m\u202e1 web\n".encode(), "is no name"),
        (b"m1 " + b"w" * 1_000_000, "is no name"),
        (b"\xff\xfe web\n", "is no name"),
    ],
)
def test_a_list_that_cannot_be_is_refused(content: bytes, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        groups_of(content, "list")
    assert said in caught.value.message and len(caught.value.message) < 300


def test_without_a_list_everybody_is_believed() -> None:
    assert Expected().groups() == {} and not Expected().as_json(unknown=0)["given"]


def test_a_list_that_is_not_there_is_an_error_at_the_start(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        Expected(str(tmp_path / "no"))


def test_a_list_is_read_again_when_it_changes(tmp_path: Path) -> None:
    path = tmp_path / "machines.txt"
    path.write_text("m1 web\n")
    expected = Expected(str(path), clock=Ticking())
    assert expected.groups() == {"m1": "web"}
    path.write_text("m1 web\nm2 lab\n")
    assert expected.groups() == {"m1": "web", "m2": "lab"}


@pytest.mark.parametrize("broken", ["", "m1 web lab U\n", None])
def test_a_list_that_breaks_holds_as_it_was_and_says_so_once(tmp_path: Path, broken: str | None) -> None:
    path, said = tmp_path / "machines.txt", list[str]()
    path.write_text("m1 web\n")
    expected = Expected(str(path), note=said.append, clock=Ticking())
    if broken is None:
        os.unlink(path)
    else:
        path.write_text(broken)
    for _ in range(3):
        assert expected.groups() == {"m1": "web"}
    assert len(said) == 1 and "still holds" in expected.trouble
    path.write_text("m2 lab\n")
    assert expected.groups() == {"m2": "lab"} and expected.trouble == ""
