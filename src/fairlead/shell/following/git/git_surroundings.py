"""Settings of git that stand in variables, or in files that the line wrote."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.shell.bounds import whole_number
from fairlead.shell.expansion.parameters import lookup
from fairlead.shell.expansion.reading import Call, Reading
from fairlead.shell.expansion.redirections import file_text
from fairlead.shell.expansion.state import State
from fairlead.shell.following.git.git_config_text import settings_in
from fairlead.shell.following.git.git_settings import VARIABLES
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.script import Word
from fairlead.shell.unknown import Kind, Unknown
from fairlead.shell.word_pieces import preceded

_QUOTED = lazy(r"'([^']*)'(?:='([^']*)')?")
_FILES = ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG")
MAX_SETTINGS = 50


def settings_around(run: Reading, options: list[Word], call: Call, state: State) -> list[Word]:
    """All of them, as `name=value`."""
    found = [*map(Word, _from_variables(run, call, state)), *_from_options(run, options, call, state)]
    return found[:MAX_SETTINGS]


def programs_around(run: Reading, call: Call, state: State) -> list[Word]:
    """What variables of git's own stand for, as `name=value`: their text is read where they are set."""
    if not call.assignments and not state.exported:
        return []
    found = [
        preceded(word, f"{key}=")
        for name, key in VARIABLES.items()
        if (word := _word(run, name, call, state)) is not None and word.text
    ]
    allowed = _value(run, "GIT_ALLOW_PROTOCOL", call, state).split(":")
    return [*found, Word("protocol.ext.allow=always")] if "ext" in allowed else found


def _word(run: Reading, name: str, call: Call, state: State) -> Word | None:
    word = call.assignments.get(name)
    if word is not None or name not in state.exported:
        return word
    value = lookup(run, state, name)
    return Word(value) if isinstance(value, str) else None


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
    for number in range(min(whole_number(count) or 0, MAX_SETTINGS)):
        key = _value(run, f"GIT_CONFIG_KEY_{number}", call, state)
        yield f"{key}={_value(run, f'GIT_CONFIG_VALUE_{number}', call, state)}"
    for whole, value in _QUOTED.findall(_value(run, "GIT_CONFIG_PARAMETERS", call, state)):
        yield f"{whole}={value}" if value else whole
    for name in _FILES:
        path = _value(run, name, call, state)
        if path:
            yield from _from_file(run, path, state)


def _from_options(run: Reading, options: list[Word], call: Call, state: State) -> Iterator[Word]:
    for index, word in enumerate(options):
        name, _, rest = word.text.partition("=")
        if name == "--config-env":
            rest = rest or (options[index + 1].text if index + 1 < len(options) else "")
            key, _, variable = rest.partition("=")
            value = _value(run, variable, call, state)
            unknown = Word(f"${variable}", opaque=Unknown(Kind.ENVIRONMENT, f"${variable}"))
            yield preceded(Word(value) if value else unknown, f"{key}=")
        elif name.lower() == "include.path":
            yield from map(Word, _from_file(run, rest, state))


def _from_file(run: Reading, path: str, state: State) -> Iterator[str]:
    text = file_text(run, Word(path), state)
    if isinstance(text, str):
        yield from (f"{key}={value}" for key, value in settings_in(text))


def settings_of_modules(run: Reading, folder: str, state: State) -> list[Word]:
    """What the line wrote into the list of modules."""
    return [Word(text) for text in _from_file(run, f"{folder}.gitmodules", state)][:MAX_SETTINGS]
