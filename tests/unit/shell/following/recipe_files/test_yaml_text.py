"""YAML, as far as recipes are written in it."""

from __future__ import annotations

import pytest

from fairlead.shell.following.recipe_files.formats.yaml_text import yaml_value


def test_tables_lists_and_texts_are_read_as_they_are_written() -> None:
    text = "a: 1\nb: [yes, 'x']\nc: |\n  d\n  e\nf: {g: }\n"
    assert yaml_value(text) == {"a": "1", "b": ["yes", "x"], "c": "d\ne\n", "f": {"g": ""}}


def test_what_is_named_once_is_found_wherever_it_is_referred_to_and_merged() -> None:
    text = "x: &x {a: 1, b: 2}\ny: {<<: *x, b: 3}\nz: [*x]\n"
    assert yaml_value(text) == {
        "x": {"a": "1", "b": "2"},
        "y": {"a": "1", "b": "3"},
        "z": [{"a": "1", "b": "2"}],
    }


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a: [",
        "{",
        "\t",
        "a: *gone: b",
        "[" * 61 + "]" * 61,
        "- " * 100_000,
        "[" * 100_000,
        "\0",
        "\udc80",
    ],
)
def test_what_is_no_yaml_or_too_deep_is_nothing(text: str) -> None:
    assert yaml_value(text) is None


def test_what_refers_to_itself_again_and_again_stays_small() -> None:
    text = "a0: &a0 [x]\n" + "".join(f"a{n + 1}: &a{n + 1} [{f'*a{n},' * 9}]\n" for n in range(40))
    found = yaml_value(text)
    assert isinstance(found, dict)
    assert len(found) == 41
