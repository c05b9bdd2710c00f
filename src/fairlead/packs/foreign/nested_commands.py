"""Commands that stand deeper in the input of a foreign tool: in steps, in tasks, beside their words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fairlead.model.facts import quoted
from fairlead.model.tool_call import COMMAND_KEYS, ToolCall
from fairlead.packs.foreign.foreign_names import words_of
from fairlead.packs.foreign.given_texts import key_of
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.word_sets import names

_COMMANDS = names("command commands cmd sh bash zsh shellcommand commandline stdin")
_LIKELY = names("exec run shell execute line inline curl spawn entrypoint")
_ENDING = ("command", "commands", "cmd", "commandline")
_STARTING = names("exec execute spawn start run")
"""Keys that may name something else as well, as those that end so (`postCreateCommand`): what stands under
them begins as a command does, or is none."""
_PROGRAMS = ("program", "executable", "binary", "exe", "file", "command", "cmd", "bin")
_WORDS = ("args", "arguments", "argv")
_DEEPEST, _MOST = 5, 64


def nested_commands(call: ToolCall, where: Surroundings) -> Iterator[str]:
    """Those on top only under the keys of shells: the others are read as the call's own command."""
    for key in ("sh", "bash", "zsh", "stdin"):
        text = call.input.get(key)
        if isinstance(text, str):
            yield text
    words = next((held for key in _WORDS if isinstance(held := call.input.get(key), list)), None)
    if words and not _STARTING.isdisjoint(words_of(call)[1]) and all(isinstance(word, str) for word in words):
        yield from (line for line in [" ".join(map(quoted, words))] if _begins(line, where))
    for _, line in zip(range(_MOST), _below(call.input, where, _DEEPEST), strict=False):
        yield line


def _below(value: object, where: Surroundings, depth: int) -> Iterator[str]:
    if not depth:
        return
    if isinstance(value, Mapping):
        yield from _with_words(value)
        for name, inner in value.items():
            key = key_of(str(name))
            if depth < _DEEPEST or (_is_likely(key) and name not in COMMAND_KEYS):
                yield from (line for line in _lines(key, inner) if key in _COMMANDS or _begins(line, where))
            yield from _below(inner, where, depth - 1)
    elif isinstance(value, list):
        for inner in value[:_MOST]:
            yield from _below(inner, where, depth - 1)


def _is_likely(key: str) -> bool:
    return key in _LIKELY or (key.endswith(_ENDING) and key not in _COMMANDS)


def _lines(key: str, given: object) -> Iterator[str]:
    """A text; of a list, each text that is a line, or the words of one."""
    if key not in _COMMANDS and not _is_likely(key):
        return
    texts = [given] if isinstance(given, str) else given if isinstance(given, list) else []
    words = [text for text in texts if isinstance(text, str)]
    if len(words) > 1 and " " not in words[0]:
        yield " ".join(map(quoted, words))
    else:
        yield from words


def _begins(text: str, where: Surroundings) -> bool:
    first = text.split(None, 1)[:1]
    return (
        bool(first) and " " in text.strip() and where.programs.find(first[0].rsplit("/", 1)[-1]) is not None
    )


def _with_words(value: Mapping[str, object]) -> Iterator[str]:
    """`{"task": {"command": "rm", "args": ["-rf", "x"]}}`."""
    program = next((value[key] for key in _PROGRAMS if isinstance(value.get(key), str)), None)
    words = next((held for key in _WORDS if isinstance(held := value.get(key), list)), None)
    if isinstance(program, str) and words is not None and all(isinstance(word, str) for word in words):
        yield " ".join((program, *map(quoted, words)))
