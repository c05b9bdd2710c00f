"""What stands below some keys of a structured file, wherever they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from shlex import quote

from fairlead.shell.following.recipe_files.formats.structured_text import json_value, texts_of, toml_value
from fairlead.shell.following.recipe_files.formats.yaml_text import yaml_value
from fairlead.shell.following.recipe_files.project import File

_DEEPEST = 24
_WITH_ARGUMENTS = "argv"
_RUN_EACH = ("node", "python3", "source")


def tree_texts(file: File, keys: str) -> Iterator[str]:
    """`keys`: `command=argv` takes the `args` beside it; `path=node` gives the value to `node`."""
    wanted = {name: how for name, _, how in (key.partition("=") for key in keys.split())}
    yield from _found(_value(file), wanted, 0)


def _value(file: File) -> object:
    if file.path.endswith(".toml"):
        return toml_value(file.text)
    found = json_value(file.text) if file.text.lstrip()[:1] in ("{", "[") else None
    return yaml_value(file.text) if found is None else found


def _found(value: object, wanted: Mapping[str, str], depth: int) -> Iterator[str]:
    if depth > _DEEPEST:
        return
    if isinstance(value, list):
        for each in value:
            yield from _found(each, wanted, depth + 1)
    elif isinstance(value, Mapping):
        for key, each in value.items():
            if key in wanted:
                yield from _told(each, wanted[key], value)
            yield from _found(each, wanted, depth + 1)


def _told(value: object, how: str, beside: Mapping[str, object]) -> Iterator[str]:
    texts = texts_of(value) or (_values_of(value) if isinstance(value, Mapping) else [])
    if how in _RUN_EACH:
        yield from (f"{how} {quote(text)}" for text in texts)
        return
    if isinstance(value, list):
        yield " ".join(map(quote, texts))
        texts = [text for text in texts if " " in text]
    elif how == _WITH_ARGUMENTS and texts:
        arguments = " ".join(map(quote, texts_of(beside.get("args"))))
        texts = [f"{text} {arguments}" for text in texts]
    yield from texts


def _values_of(table: Mapping[str, object]) -> list[str]:
    return [text for each in table.values() for text in texts_of(each)]
