"""Ways to write the same command differently. None of them may turn a block into a pass."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator

Change = Callable[[str], str]

_SIMPLE = re.compile(r"[A-Za-z0-9_./~@:,+%^-]+( [A-Za-z0-9_./~@:,+%^=-]+)*")
_PLAIN_WORD = re.compile(r"[A-Za-z0-9_./-]+")
_NO_PROGRAM = frozenset(
    (
        ".", ":", "alias", "builtin", "cd", "command", "coproc", "declare", "eval", "exec", "exit", "export",
        "for", "function", "if", "local", "popd", "pushd", "read", "return", "select", "set", "shift",
        "source", "time", "trap", "type", "unset", "until", "wait", "while",
    )
)  # fmt: skip
"""Builtins and words of the grammar: a program that runs another would not find them."""


def is_simple(command: str) -> bool:
    """One program with plain words: whatever stands before it or between its words changes nothing."""
    return _SIMPLE.fullmatch(command) is not None and command.split(" ")[0] not in _NO_PROGRAM


def changed(command: str) -> Iterator[tuple[str, str]]:
    """Every listed change that fits the command, with its name.

    An alias is read line by line, so that a script that defines one is left alone.
    """
    if "alias " in command:
        return
    for name, change in ANY.items():
        yield name, change(command)
    if is_simple(command):
        for name, change in SIMPLE.items():
            yield name, change(command)
        for wrapper in WRAPPERS:
            yield wrapper, f"{wrapper} {command}"


def _then(command: str) -> str:
    """Ends the command in a way that comments, here-documents and a trailing `&` survive."""
    return command + "\n"


def _quoted_words(command: str) -> str:
    return " ".join(f"'{word}'" if _PLAIN_WORD.fullmatch(word) else word for word in command.split(" "))


def _double_quoted_words(command: str) -> str:
    return " ".join(f'"{word}"' if _PLAIN_WORD.fullmatch(word) else word for word in command.split(" "))


def _half_quoted(command: str) -> str:
    """Empty quotes inside the name of the program."""
    return command if command.startswith("~") else command[:1] + "''" + command[1:]


def _from_variable(command: str) -> str:
    """A tilde would no longer be expanded."""
    return command if "~" in command else f"words={shlex.quote(command)}; $words"


_SHOWING = {"printenv", "echo", "printf"}


def _silenced(command: str) -> str:
    """A secret that is printed and thrown away is none that anybody saw."""
    return command if _SHOWING.intersection(command.split()) else f"{command} >/dev/null 2>&1"


def _escaped(command: str) -> str:
    return "\\" + command if command[:1].isalpha() else command


ANY: dict[str, Change] = {
    "space around": lambda text: f"  \t{text}\n",
    "true before": lambda text: f"true && {text}",
    "newline before": lambda text: f"\n\n{text}",
    "another command before": lambda text: f"echo start; {text}",
    "true after": lambda text: f"{_then(text)}true",
    "comment after": lambda text: f"{_then(text)}# done",
    "group": lambda text: f"{{ {_then(text)}}}",
    "subshell": lambda text: f"( {_then(text)})",
    "condition": lambda text: f"if true; then {_then(text)}fi",
    "loop": lambda text: f"for once in 1; do {_then(text)}done",
    "function": lambda text: f"work() {{ {_then(text)}}}\nwork",
    "bash -c": lambda text: f"bash -c {shlex.quote(text)}",
    "sh -c twice": lambda text: f"sh -c {shlex.quote('sh -c ' + shlex.quote(text))}",
    "eval": lambda text: f"eval {shlex.quote(text)}",
    "su -c": lambda text: f"su -c {shlex.quote(text)}",
    "script -c": lambda text: f"script -qc {shlex.quote(text)} /dev/null",
    "to a shell's input": lambda text: f"bash <<'END_OF_TEXT'\n{_then(text)}END_OF_TEXT\n",
    "piped to a shell": lambda text: f"printf '%s\\n' {shlex.quote(text)} | bash",
}
"""For any command that is a whole script by itself."""

SIMPLE: dict[str, Change] = {
    "more spaces": lambda text: text.replace(" ", "  \t "),
    "line continuations": lambda text: text.replace(" ", " \\\n  "),
    "quoted words": _quoted_words,
    "double-quoted words": _double_quoted_words,
    "empty quotes": _half_quoted,
    "escaped first letter": _escaped,
    "true after on the line": lambda text: f"{text}; true",
    "comment on the line": lambda text: f"{text} # tidy",
    "output thrown away": _silenced,
    "in the background": lambda text: f"{text} &",
    "or true": lambda text: f"{text} || true",
    "an assignment before": lambda text: f"LC_ALL=C {text}",
    "words from a variable": _from_variable,
    "xargs without input": lambda text: f"xargs -t {text} </dev/null",
    "as a substitution": lambda text: f'echo "$({text})"',
}
"""For one program with plain words."""

WRAPPERS = (
    "command", "exec", "env", "env LANG=C", "nohup", "nice", "nice -n 5", "ionice -c 3", "timeout 30",
    "timeout -k 5 30", "time", "stdbuf -oL", "setsid", "setsid -w", "sudo", "sudo -n", "sudo -u root --",
    "doas", "flock /tmp/lock", "chrt -b 0", "taskset -c 0", "strace -f", "watch -n 1",
)  # fmt: skip
