"""What is found out once: about one very object, and no other."""

from __future__ import annotations

import pytest

from fairlead.errors import PolicyError
from fairlead.packs.identity_memory import once_for_each
from fairlead.packs.judging.call_effects import read_call
from fairlead.packs.judging.guard_settings import read_settings
from fairlead.testing import shell_event


def test_only_the_very_same_object_is_the_same() -> None:
    asked: list[list[int]] = []

    @once_for_each(2)
    def found(thing: list[int]) -> int:
        asked.append(thing)
        return len(asked)

    one: list[int] = []
    other: list[int] = []
    assert [found(one), found(one), found(other), found(one)] == [1, 1, 2, 1]


def test_no_more_are_remembered_than_was_said() -> None:
    asked: list[str] = []

    @once_for_each(2)
    def found(thing: str) -> str:
        asked.append(thing)
        return thing

    for thing in ("one", "two", "three", "one"):
        assert found(thing) == thing
    assert asked == ["one", "two", "three", "one"]


def test_what_raised_is_asked_again() -> None:
    asked: list[object] = []

    @once_for_each(2)
    def found(thing: object) -> object:
        asked.append(thing)
        if len(asked) == 1:
            raise ValueError("not yet")
        return thing

    with pytest.raises(ValueError, match="not yet"):
        found("thing")
    assert found("thing") == "thing"


def test_what_is_asked_with_something_else_beside_it_is_asked_again() -> None:
    asked: list[str] = []

    @once_for_each(2)
    def found(thing: str, beside: str = "") -> str:
        asked.append(beside)
        return thing + beside

    answers = [found("a", "b"), found("a", "b"), found("a", "c"), found("a")]
    assert answers == ["ab", "ab", "ac", "a"]
    assert asked == ["b", "c", ""]


def test_what_a_call_would_do_is_found_once_for_all_guards() -> None:
    event = shell_event("rm -rf build")
    assert read_call(event) is read_call(event)


def test_a_rewritten_call_is_read_anew() -> None:
    event = shell_event("ls")
    before = read_call(event)
    assert event.tool is not None
    after = read_call(event.replace(tool=event.tool.replace(input={"command": "rm -rf /"})))
    assert before is not None
    assert after is not None
    assert before.script != after.script


def test_settings_are_read_once_and_another_config_is_another() -> None:
    config = {"level": "strict"}
    assert read_settings(config) is read_settings(config)
    assert read_settings({"level": "paranoid"}) != read_settings(config)


def test_a_broken_config_is_broken_at_every_call() -> None:
    config = {"level": "none"}
    for _ in range(2):
        with pytest.raises(PolicyError):
            read_settings(config)
