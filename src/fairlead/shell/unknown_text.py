"""The text for people about what cannot be known: the only place that makes it, and nothing reads it back."""

from __future__ import annotations

from fairlead.shell.bounds import MAX_TEXT
from fairlead.shell.unknown import Kind, Unknown

_NETWORK = ", off the network"
_TEXTS = {
    Kind.OUTPUT: "the output of `{wording}`",
    Kind.CONTENT: "the content of `{name}`",
    Kind.CONTENT_READ: "the content of a file",
    Kind.INPUT: "it is read from the input",
    Kind.XARGS_ITEM: "xargs reads it: {of}",
    Kind.PARALLEL_ITEM: "parallel reads it from its input",
    Kind.MATCH: "a path that matches `{name}`",
    Kind.FOUND_BY_FIND: "a path found by find",
    Kind.FOUND: "a path that is found",
    Kind.WRITTEN_THERE: "what is written into it",
    Kind.DESCRIPTOR: "what another descriptor holds",
    Kind.NAMED_PIPE: "what another program writes into the pipe",
    Kind.TEE_INPUT: "the input of tee",
    Kind.SOURCED: "what `{name}` prints",
    Kind.UNSET: "`{name}` is not set in this text",
    Kind.ENVIRONMENT: "it depends on the environment",
    Kind.DEPENDS_ON_ENVIRONMENT: "`{name}` depends on the environment",
    Kind.PER_RUN: "`{name}` differs from run to run",
    Kind.VARIABLE: "`{name}` is not known",
    Kind.INDIRECT: "`{name}` is names a variable that is not known",
    Kind.ARRAY: "`{name}` is an array that is not known",
    Kind.ELEMENT: "`{name}` is an element that is not known",
    Kind.PART: "`{name}` is a part that is not known",
    Kind.PART_OF_TEXT: "`{name}` is a part of text that is not known",
    Kind.ALIASED_NAME: "a name that may stand for another",
    Kind.CIRCULAR_NAMES: "names that stand for one another",
    Kind.DIRECTORY: "the directory is not known",
    Kind.OPTION_LETTER: "an option letter",
    Kind.OPTION_VALUE: "an option's value",
    Kind.ARITHMETIC: "the value of `{name}`",
    Kind.COMPUTED: "computed",
    Kind.AWK_VALUE: "a value that awk computes",
    Kind.AWK_OUTPUT: "what awk prints",
    Kind.PRINTF_WIDTH: "a width that is not known",
    Kind.PRINTF_VALUE: "what printf makes of `{name}`",
    Kind.ROUND: "`{name}` changes from round to round",
    Kind.COUNTER: "`{name}` counts in a loop",
    Kind.ONE_OF_VALUES: "one of {wording} values",
    Kind.ARGUMENT: "`{name}` is an argument that differs from call to call",
    Kind.RECURSIVE_ARGUMENT: "an argument of a recursive call",
    Kind.TOO_LONG: "too long to follow",
    Kind.TOO_MANY_WORDS: "braces that make too many words to follow",
    Kind.TOO_MANY_VALUES: "one of too many values",
    Kind.MANY_ARGUMENTS: "one of many arguments",
    Kind.NOT_ONE_FILE: "not one file",
    Kind.CODE_TEXT: "its text is not known",
    Kind.RUNS: "runs what cannot be known: {of}",
    Kind.RUNS_SETTINGS: "runs shell settings: {of}",
    Kind.RUNS_CODE: "runs code that cannot be known: {of}",
    Kind.RUNS_LINES: "runs lines made of {of}, whatever is in its name",
    Kind.RUNS_INPUT: "runs what it reads from the input",
    Kind.RUNS_CODE_OF_INPUT: "runs code that it reads from the input",
    Kind.RUNS_INPUT_ELSEWHERE: "runs on {name} what it reads from the input",
    Kind.RUNS_FILE: "runs `{name}`, whose content is not known",
    Kind.RUNS_UNKNOWN_INPUT: "runs its input, whose content is not known",
    Kind.RUNS_RECIPE: "make runs what cannot be known: {of}",
    Kind.RUNS_LATER: "a schedule that cannot be known: {of}",
    Kind.LOADS: "loads what cannot be known: {of}",
    Kind.INSTALLS: "installs what cannot be known: {of}",
    Kind.COMMAND: "the command is not known: {of}",
    Kind.SED_RUNS: "sed runs what it makes of its input",
    Kind.RECURSION: "the function `{name}` calls itself",
    Kind.ENDLESS: "a loop without end starts a process in every round",
    Kind.FILLING: "a loop without end takes power or space in every round",
    Kind.SYNTAX: "the shell cannot read this: {wording}",
    Kind.SYNTAX_TOO_DEEP: "the shell cannot read this: {wording}",
    Kind.NUL_BYTES: "the text has NUL bytes",
    Kind.TOO_DEEP: "nested too deep to follow",
    Kind.TOO_MANY_STEPS: "reading it takes too many steps; the rest was not read",
    Kind.TEXT_TOO_LONG: f"the text is longer than {MAX_TEXT // 1024} KiB and was not read",
    Kind.MADE_TEXT_TOO_LONG: "the text that would run is too long to read",
    Kind.SED_TOO_LONG: "a script of sed that is too long to look into",
    Kind.AWK_TOO_LONG: "a program of awk that is too long to look into",
    Kind.TOO_MUCH_AT_END: "more runs at its end than was read",
}
_WITHOUT = {
    Kind.XARGS_ITEM: "xargs reads it from its input",
    Kind.UNSET: "not set in this text",
}
"""The same where nothing says which."""


def describe(unknown: Unknown | None) -> str:
    """Why it is unknown, in one phrase; of several parts, why the first is. Empty where all is known."""
    while unknown is not None and unknown.kind == Kind.SEVERAL:
        unknown = unknown.of[0]
    if unknown is None:
        return ""
    of = describe(unknown.of[0]) if unknown.of else ""
    told = unknown.wording or unknown.name or of
    text = _TEXTS[unknown.kind] if told or unknown.kind not in _WITHOUT else _WITHOUT[unknown.kind]
    place = _NETWORK if unknown.network and unknown.kind == Kind.OUTPUT else ""
    return text.format(name=unknown.name, wording=unknown.wording, of=of) + place
