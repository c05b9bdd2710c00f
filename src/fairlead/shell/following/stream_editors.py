"""sed and awk: their scripts can run commands and write files."""

from __future__ import annotations

import re

from fairlead.shell.expansion.parameters import lookup
from fairlead.shell.expansion.reading import Call, Feed, Frame, Reading
from fairlead.shell.expansion.redirections import code_text
from fairlead.shell.expansion.state import State
from fairlead.shell.expansion.values import Partial, Scalar, concat, of_word, unknown
from fairlead.shell.following.line_files.script_files import add_code
from fairlead.shell.following.sed_script import read_sed, without_outputs
from fairlead.shell.language.escapes import decode_escapes
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.printing.echo_and_printf import format_printf
from fairlead.shell.printing.outputs import is_listing, output_of
from fairlead.shell.script import Command, Redirect, Word
from fairlead.shell.unknown import Kind, Unknown

_STRING = r'"(?:[^"\\\n]|\\.)*"'
_CALLED = lazy(rf"\bsystem\s*\(((?:{_STRING}|[^\"()]|\([^()]*\))*)\)")
_PIPED_TO = lazy(rf"\|&?\s*({_STRING})")
_PART = rf"(?:{_STRING}|[A-Za-z_]\w*)"
_PIPED_FROM = lazy(rf"({_PART}(?:[ \t]+{_PART}){{0,6}})[ \t]*\)?[ \t]*\|&?[ \t]*getline")
_READ = lazy(rf"getline\s*\w*\s*<\s*({_STRING})")
_WRITTEN = lazy(rf">>?\s*({_STRING})")
_AWK_ASSIGNED = lazy(rf"\b(\w+)[ \t]*=[ \t]*((?:{_STRING}|[^\s;{{}}\"=~]+|[ \t])+)")
_ARGUMENT = lazy(rf"(?:{_STRING}|[^\",)])+")
_PRINTED = lazy(rf"\bprint(f?)\s*\(?\s*((?:{_STRING}|[^\"\n;{{}}|])*)\Z")
_PIECE = lazy(rf"({_STRING})|(\S+)")
_SED_VALUED = {"-l", "--line-length", "-E", "-s"}
MAX_FOUND = 50
MAX_STATEMENT = 300
MAX_SCRIPT = 8 * 1024
"""Longer scripts of sed and awk are not looked into: their quotes could make that slow."""


def run_sed(run: Reading, words: list[Word], call: Call, state: State, frame: Frame) -> Scalar:
    scripts = _sed_scripts(run, words, state, frame)
    found = [read_sed(text) for text in scripts if len(text) <= MAX_SCRIPT]
    writes = tuple(
        Redirect(">", Word(path))
        for each in found
        for path in each.writes
        if path and not path.startswith("/dev/std")
    )
    own = Call(call.assignments, (*call.redirects, *writes), call.start, call.end)
    run.emit(words, own, state, frame)
    span = run.span(call.start, call.end, frame)
    if len(found) < len(scripts):
        run.note(Unknown(Kind.SED_TOO_LONG), span, executed=True)
    for each in found:
        for text in each.executes[:MAX_FOUND]:
            run.run_text(text, state.process(run.environment), frame.inside("sed e", span=span))
        if each.runs_pattern and each.bare and isinstance(frame.feed.text, str):
            run.run_text(frame.feed.text, state.process(run.environment), frame.inside("sed e", span=span))
        elif each.runs_pattern:
            run.note(Unknown(Kind.SED_RUNS), span, executed=True)
    return output_of(run, words, state, frame)


def _sed_scripts(run: Reading, words: list[Word], state: State, frame: Frame) -> list[str]:
    scripts: list[str] = []
    operands: list[str] = []
    given = False
    index = 1
    while index < len(words):
        text = _script_text(words[index])
        following = words[index + 1] if index + 1 < len(words) else None
        if text in ("-e", "--expression", "-f", "--file") and following:
            given = True
            content = (
                code_text(run, following, state, frame.feed)
                if "f" in text.strip("-")[:1]
                else _script_text(following)
            )
            scripts.append(content if isinstance(content, str) else "")
            index += 1
        elif text.startswith("-f") and len(text) > 2:
            given = True
            content = code_text(run, words[index].replace(text=text[2:]), state, frame.feed)
            scripts.append(content if isinstance(content, str) else "")
        elif text.startswith("--expression="):
            given = True
            scripts.append(text.partition("=")[2])
        elif re.fullmatch(r"-[nErsuz]*e", text) and following:
            given = True
            scripts.append(_script_text(following))
            index += 1
        elif not text.startswith("-") or text == "-":
            operands.append(text)
        index += 1
    return scripts if given else operands[:1]


def _script_text(word: Word) -> str:
    return word.text if word.known else without_outputs(word.text)


def run_awk(run: Reading, words: list[Word], call: Call, state: State, frame: Frame) -> Scalar:
    program = _awk_program(run, words, state, frame)
    text = program if isinstance(program, str) else (program.shown if program else "")
    if len(text) > MAX_SCRIPT:
        span = run.span(call.start, call.end, frame)
        run.note(Unknown(Kind.AWK_TOO_LONG), span, executed=True)
        text = ""
    writes = tuple(Redirect(">", Word(_literal(match.group(1)))) for match in _WRITTEN.finditer(text))
    writes += tuple(Redirect("<", Word(_literal(match.group(1)))) for match in _READ.finditer(text))
    own = Call(call.assignments, (*call.redirects, *_file_writes(writes)), call.start, call.end)
    command = run.emit(words, own, state, frame)
    if program is not None:
        add_code(run, "awk", program, command)
        _run_awk_commands(run, text, command, state, frame, _given_variables(words) | _fields(run, frame))
    return output_of(run, words, state, frame)


def _file_writes(writes: tuple[Redirect, ...]) -> list[Redirect]:
    return [
        each for each in writes if each.target.text not in ("/dev/stderr", "/dev/stdout", "/dev/null", "")
    ]


def _awk_program(run: Reading, words: list[Word], state: State, frame: Frame) -> Scalar | None:
    index = 1
    while index < len(words):
        text = words[index].text
        if text in ("-f", "--file", "-e", "--source", "-i", "--include") and index + 1 < len(words):
            value = words[index + 1]
            return of_word(value) if text in ("-e", "--source") else code_text(run, value, state, frame.feed)
        if text in ("-v", "-F", "--assign", "--field-separator"):
            index += 2
        elif text.startswith("-") and text != "-" and text != "--":
            index += 1
        else:
            break
    index += index < len(words) and words[index].text == "--"
    return of_word(words[index]) if index < len(words) else None


def _given_variables(words: list[Word]) -> dict[str, str]:
    """`-v name=value` and `name=value` among the operands, as strings of awk."""
    found = {}
    for word in words[1:]:
        match = re.fullmatch(r"(?:-v|--assign=)?([A-Za-z_]\w*)=(.*)", word.text, re.S)
        if match and word.known:
            found[match[1]] = '"' + match[2].replace('"', '\\"') + '"'
    operands = [word for word in words[1:] if not word.text.startswith("-")][1:10]
    for number, word in enumerate(operands, 1):
        if word.known:
            found[f"ARGV[{number}]"] = '"' + word.text.replace('"', '\\"') + '"'
    return found


def _fields(run: Reading, frame: Frame) -> dict[str, str]:
    """The fields of the first line, where the input is known or a list of files."""
    if isinstance(frame.feed.text, Partial) and is_listing(frame.feed.text):
        return dict.fromkeys((f"${number}" for number in range(20)), f'"{run.as_source(frame.feed.text)}"')
    if not isinstance(frame.feed.text, str) or not frame.feed.text.strip():
        return {}
    line = frame.feed.text.strip("\n").split("\n")[0]
    return {f"${number}": f'"{field}"' for number, field in enumerate([line, *line.split()][:20])}


def _run_awk_commands(
    run: Reading, text: str, command: Command, state: State, frame: Frame, given: dict[str, str]
) -> None:
    span = (command.start, command.end)
    child = state.process(run.environment)
    home = lookup(run, state, "HOME")
    variables = _assigned(text, given | {'ENVIRON["HOME"]': f'"{home}"'})
    for match in list(_CALLED.finditer(text))[:MAX_FOUND]:
        run.run_text(_expression(match.group(1), variables), child, frame.inside("awk system", span=span))
    for match in list(_PIPED_FROM.finditer(text))[:MAX_FOUND]:
        run.run_text(_expression(match.group(1), variables), child, frame.inside("awk getline", span=span))
    for match in list(_PIPED_TO.finditer(text))[:MAX_FOUND]:
        inner = frame.inside("awk |", span=span)
        inner.feed = Feed("pipe", _printed(text[: match.start()], variables))
        run.run_text(_literal(match.group(1)), child, inner)


def _assigned(text: str, known: dict[str, str]) -> dict[str, str]:
    """The variables that the program gives a text which can be told, and those that are known."""
    found = dict(known)
    for name, expression in _AWK_ASSIGNED.findall(text)[:MAX_FOUND]:
        value = _expression(expression, found)
        if isinstance(value, str):
            found[name] = '"' + value.replace('"', '\\"') + '"'
    return found


def _printed(before: str, variables: dict[str, str]) -> Scalar:
    """What the statement at the end of `before` prints."""
    match = _PRINTED.search(before[-MAX_STATEMENT:])
    if match is None:
        return unknown("…", Unknown(Kind.AWK_OUTPUT))
    texts = [_expression(part, variables) for part in _ARGUMENT.findall(match[2])]
    if match[1] and texts and all(isinstance(text, str) for text in texts):
        form, *rest = (Word(text) for text in texts if isinstance(text, str))
        return format_printf(form, rest)
    return concat([*texts, "\n"])


def _literal(text: str) -> str:
    return decode_escapes(text[1:-1].replace('\\"', '"').replace("\\/", "/"))[0]


def _expression(text: str, variables: dict[str, str]) -> Scalar:
    """Strings and variables side by side are joined in awk."""
    values: list[Scalar] = []
    for match in _PIECE.finditer(text):
        quoted, other = match.groups()
        quoted = quoted or variables.get(other, "")
        values.append(_literal(quoted) if quoted else unknown(other, Unknown(Kind.AWK_VALUE)))
    return concat(values)
