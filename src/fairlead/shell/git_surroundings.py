"""Settings of git that stand in variables, or in files that the line wrote."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.parameters import lookup
from fairlead.shell.reading import Call, Reading
from fairlead.shell.redirections import file_text
from fairlead.shell.script import Word
from fairlead.shell.state import State

_SECTION = lazy(r"^[ \t]*\[([\w.-]+)(?:[ \t]+\"([^\"]*)\")?\][ \t]*", re.M)
_ENTRY = lazy(r"^[ \t]*(\w[\w-]*)[ \t]*=[ \t]*(.*)$", re.M)
_QUOTED = lazy(r"'([^']*)'(?:='([^']*)')?")
_FILES = ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG")
MAX_SETTINGS = 50


def settings_around(run: Reading, options: list[Word], call: Call, state: State) -> list[Word]:
    """All of them, as `name=value`."""
    found = [*_from_variables(run, call, state), *_from_options(run, options, state)]
    return [Word(text) for text in found[:MAX_SETTINGS]]


def _value(run: Reading, name: str, call: Call, state: State) -> str:
    word = call.assignments.get(name)
    if word is not None:
        return word.text if word.known else ""
    value = lookup(run, state, name) if name in state.variables else None
    return value if isinstance(value, str) else ""


def _from_variables(run: Reading, call: Call, state: State) -> Iterator[str]:
    if not call.assignments and not state.exported:
        return
    count = _value(run, "GIT_CONFIG_COUNT", call, state)
    for number in range(min(int(count), MAX_SETTINGS) if count.isdigit() else 0):
        key = _value(run, f"GIT_CONFIG_KEY_{number}", call, state)
        yield f"{key}={_value(run, f'GIT_CONFIG_VALUE_{number}', call, state)}"
    for whole, value in _QUOTED.findall(_value(run, "GIT_CONFIG_PARAMETERS", call, state)):
        yield f"{whole}={value}" if value else whole
    for name in _FILES:
        path = _value(run, name, call, state)
        if path:
            yield from _from_file(run, path, state)


def _from_options(run: Reading, options: list[Word], state: State) -> Iterator[str]:
    for word in options:
        name, _, rest = word.text.partition("=")
        if name == "--config-env":
            key, _, variable = rest.partition("=")
            value = lookup(run, state, variable)
            yield f"{key}={value if isinstance(value, str) else ''}"
        elif name.lower() == "include.path":
            yield from _from_file(run, rest, state)


def _from_file(run: Reading, path: str, state: State) -> Iterator[str]:
    text = file_text(run, Word(path), state)
    if not isinstance(text, str):
        return
    sections = _SECTION.split(text)
    for section, name, body in zip(sections[1::3], sections[2::3], sections[3::3], strict=False):
        prefix = f"{section}.{name}" if name else section
        for key, value in _ENTRY.findall(body):
            yield f"{prefix}.{key}={value.strip().strip(chr(34))}"
