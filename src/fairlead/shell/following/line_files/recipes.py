"""Recipes and schedules: make, at, batch, crontab."""

from __future__ import annotations

import re

from fairlead.shell.arguments import option_values
from fairlead.shell.expansion.reading import Call, Frame, Reading
from fairlead.shell.expansion.redirections import file_text
from fairlead.shell.expansion.state import State
from fairlead.shell.expansion.values import Partial, Scalar
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.paths import absolute
from fairlead.shell.printing.outputs import output_of
from fairlead.shell.script import Word
from fairlead.shell.unknown import Kind

_RECIPE = lazy(r"^\t[@+-]*(.*)$", re.M)
_SHOWN = lazy(r"^\t(?![@-]*\+)(?!.*\$[({]MAKE)(?:[^\n]*\\\n)*[^\n]*$", re.M)
"""Recipes that `make -n` prints; it runs those with a plus, and those that call make again."""
_CONTINUED = lazy(r"\\\n[ \t]*")
_SHELL_CALL = lazy(r"\$\(shell\s+((?:[^()]|\([^()]*\))*)\)|^\w+[ \t]*!=(.*)$", re.M)
_VARIABLE = lazy(r"\$\((\w+)\)|\$\{(\w+)\}")
_ASSIGNED = lazy(r"^(\w+)[ \t]*[:?+]?:?=[ \t]*(.*)$", re.M)
_CRON = lazy(r"^[ \t]*(?:@\w+|(?:[\d*/,A-Za-z-]+[ \t]+){4}[\d*/,A-Za-z-]+)[ \t]+(.+)$", re.M)
MAX_COMMANDS = 200


def run_make(run: Reading, words: list[Word], call: Call, state: State, frame: Frame) -> Scalar:
    run.emit(words, call, state, frame)
    span = run.span(call.start, call.end, frame)
    child = state.process(run.environment)
    for folder in option_values(words, "-C", "--directory"):
        child.cwd = absolute(folder.text, child.cwd) if folder.known else None
    texts = [value.text for value in option_values(words, "--eval", "-E")]
    for value in option_values(words, "-f", "--file", "--makefile"):
        path = Word("/dev/stdin") if value.text == "-" else value
        content = file_text(run, path, state, frame.feed)
        if isinstance(content, Partial):
            run.note(content.unknown.within(Kind.RUNS_RECIPE), span, executed=True)
        texts += [content] if isinstance(content, str) else []
    if not texts and not any(word.text in ("-f", "--file") for word in words):
        texts += _default_makefile(run, words, state, span)
    only_shown = any(
        re.match(r"^-[a-zA-Z]*n|^--(?:dry-run|just-print|recon)$", word.text) for word in words[1:]
    )
    for text in texts:
        if only_shown:
            text = _SHOWN.sub("", text)
        for command in _make_commands(text)[:MAX_COMMANDS]:
            run.run_text(command, child.copy(), frame.inside("make", span=span))
    return output_of(run, words, state, frame)


def _default_makefile(run: Reading, words: list[Word], state: State, span: tuple[int, int]) -> list[str]:
    """The file that make finds by itself, where this line wrote it or brought it."""
    folder = next((f"{value.text}/" for value in option_values(words, "-C", "--directory")), "")
    for name in ("GNUmakefile", "makefile", "Makefile"):
        text = file_text(run, Word(folder + name), state)
        if isinstance(text, Partial) and text.network:
            run.note(text.unknown.within(Kind.RUNS_RECIPE), span, executed=True)
            return []
        if isinstance(text, str):
            return [text]
    return []


def _make_commands(text: str) -> list[str]:
    text = _CONTINUED.sub(" ", text)
    variables = {match.group(1): match.group(2) for match in _ASSIGNED.finditer(text)}
    found = [line.partition(";")[2] for line in text.split("\n") if _rule_with_command(line)]
    found += [match.group(1) for match in _RECIPE.finditer(text)]
    found += [match.group(1) or match.group(2) or "" for match in _SHELL_CALL.finditer(text)]
    return [_expanded(each, variables) for each in found if each.strip()]


def _rule_with_command(line: str) -> bool:
    """`target: sources; command`."""
    head, semicolon, _ = line.partition(";")
    return bool(semicolon) and ":" in head and not line.startswith(("\t", "#"))


def _expanded(text: str, variables: dict[str, str]) -> str:
    def value(match: re.Match[str]) -> str:
        name = match.group(1) or match.group(2)
        return variables.get(name, f"${{{name}}}")

    return _VARIABLE.sub(value, text.replace("$$", "\0")).replace("\0", "$")


def run_at(run: Reading, words: list[Word], call: Call, state: State, frame: Frame) -> Scalar:
    """`at` runs its input or a file later; `-l`, `-r` and the like only look or remove."""
    run.emit(words, call, state, frame)
    if any(word.text in ("-l", "-r", "-d", "-c") for word in words[1:]):
        return output_of(run, words, state, frame)
    span = run.span(call.start, call.end, frame)
    files = [file_text(run, value, state, frame.feed) for value in option_values(words, "-f")]
    for text in files or [frame.feed.text]:
        if text is not None:
            inner = frame.inside(words[0].text, span=span)
            inner.want = False
            run.run_text(text, state.process(run.environment), inner)
    return ""


def run_crontab(run: Reading, words: list[Word], call: Call, state: State, frame: Frame) -> Scalar:
    run.emit(words, call, state, frame)
    operands = [word for word in words[1:] if not word.text.startswith("-") or word.text == "-"]
    if any(word.text in ("-l", "-r", "-e") for word in words[1:]):
        return output_of(run, words, state, frame)
    text = file_text(run, operands[-1] if operands else Word("-"), state, frame.feed)
    span = run.span(call.start, call.end, frame)
    if isinstance(text, Partial):
        run.note(text.unknown.within(Kind.RUNS_LATER), span, executed=True)
    shown = text.shown if isinstance(text, Partial) else text or ""
    for match in list(_CRON.finditer(shown))[:MAX_COMMANDS]:
        run.run_text(match.group(1), state.process(run.environment), frame.inside("crontab", span=span))
    return ""
