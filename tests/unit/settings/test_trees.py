"""TOML and YAML as trees: what a value means, and where it stands."""

from __future__ import annotations

import tomllib

import pytest
import yaml

from fairlead.errors import SettingsError
from fairlead.settings.formats import toml_tree, yaml_tree
from fairlead.settings.formats.text_tree import Node

TOML = '''\
# first
model = "x" # \\" not an end
dotted.key.'odd one' = 1979-05-27 07:32:00
[servers.a] # here
command = "npx"
args = [ # listed
  "-y", # yes
  'a\\b', """
two "" lines\\
   joined""",
]
[servers.a.env]
KEY = \'\'\'raw ' text\'\'\'
[servers]
b = { command = "n", args = [], deep.er = { x = 0x1F } }
[[list]]
z = 1e3
[[list]]
[list.inner]
z = [[1, 2], [true]]
'''
YAML = """\
# first
extensions:
  fetch: # here
    args:
    - mcp-server-fetch # listed
    - "x \\u00e9"
    - 'it''s'
    cmd: uvx
    text: |
      two
      lines
  flow: {cmd: npx, args: [a, "b, c"], on: yes, n: 1.5, at: 2024-01-01}
empty:
"""


def texts_of(text: str, node: Node, *way: object) -> list[str]:
    for key in way:
        found = node.child(key)
        assert found is not None
        node = found
    return [text[child.node.start : child.node.end] for child in node.children]


def test_toml_means_what_pythons_own_reader_says() -> None:
    assert toml_tree.parse(TOML).value == tomllib.loads(TOML)
    windows = TOML.replace("\n", "\r\n")
    assert toml_tree.parse(windows).value == tomllib.loads(windows)


def test_values_of_toml_are_found_where_they_stand() -> None:
    found = texts_of(TOML, toml_tree.parse(TOML), "servers", "a", "args")
    assert found == ['"-y"', "'a\\b'", '"""\ntwo "" lines\\\n   joined"""']
    assert texts_of(TOML, toml_tree.parse(TOML), "servers", "b")[:2] == ['"n"', "[]"]


def test_yaml_means_what_its_own_reader_says() -> None:
    assert yaml_tree.parse(YAML).value == yaml.safe_load(YAML)


def test_values_of_yaml_are_found_where_they_stand() -> None:
    found = texts_of(YAML, yaml_tree.parse(YAML), "extensions", "fetch", "args")
    assert found == ["mcp-server-fetch", '"x \\u00e9"', "'it''s'"]


def test_a_value_with_somebodys_own_tag_does_not_keep_the_rest_from_being_read() -> None:
    assert yaml_tree.parse("a: !mine x\nb: 1\n").value == {"a": ("!mine", "x"), "b": 1}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a: [", "2:1: not YAML|1:5: not YAML"),
        ("? [a]\n: b\n", "a key that is not a plain one"),
        ("a: 1\n---\nb: 1\n", "not YAML"),
        ("a: \x07", "not YAML"),
        ("x" * (2 << 20), "more than"),
        ("a: " + "[" * 5000 + "]" * 5000, "not YAML"),
        (
            "a: &a [x, x]\n"
            + "".join(
                f"b{i}: &b{i} [*{'a' if not i else f'b{i - 1}'}, *{'a' if not i else f'b{i - 1}'}]\n"
                for i in range(30)
            ),
            "more than 50000 values",
        ),
    ],
)
def test_yaml_that_is_broken_or_bottomless_is_refused(text: str, words: str) -> None:
    with pytest.raises(SettingsError, match=words):
        yaml_tree.parse(text)


@pytest.mark.parametrize("text", ["a = ", "a = 1\na = 2", "[a]\n[a]", "\ufeffa = 1", f"a = {'[' * 5000}"])
def test_toml_that_is_broken_is_refused(text: str) -> None:
    with pytest.raises(SettingsError, match="not TOML"):
        toml_tree.parse(text)
