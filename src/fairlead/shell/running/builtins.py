"""The shell's own commands that change what later commands find, or that run other text."""

from __future__ import annotations

import re
from collections.abc import Callable

from fairlead.shell.arguments import option_values
from fairlead.shell.bounds import whole_number
from fairlead.shell.expansion.parameters import MISSING, compute_number, expand_indices, lookup
from fairlead.shell.expansion.reading import Call, Frame, Reading
from fairlead.shell.expansion.redirections import code_text, older_texts
from fairlead.shell.expansion.state import EXITED, LEFT, State
from fairlead.shell.expansion.values import Reference, Scalar, of_word, of_words, unknown
from fairlead.shell.expansion.words_to_arguments import expand_parts
from fairlead.shell.following.command_variables import run_variables
from fairlead.shell.following.line_files.matched_scripts import run_matched
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.paths import absolute
from fairlead.shell.places.world import is_folder
from fairlead.shell.printing.echo_and_printf import format_printf
from fairlead.shell.printing.outputs import output_of
from fairlead.shell.running.input_builtins import mapfile_builtin, read_builtin
from fairlead.shell.script import Word
from fairlead.shell.unknown import Kind, Unknown
from fairlead.shell.word_pieces import part_from

Builtin = Callable[[Reading, list[Word], Call, State, Frame], Scalar]
_ASSIGNED = lazy(r"([A-Za-z_][A-Za-z0-9_]*)=(.*)", re.S)
_NAME = lazy(r"[A-Za-z_][A-Za-z0-9_]*")


def _expand_names(run: Reading, words: list[Word], state: State, frame: Frame) -> None:
    """A name such as `a[$(command)]` runs the command in every builtin that takes names or numbers."""
    for word in words[1:]:
        if word.known:
            expand_indices(run, word.text, state, frame, expand_parts)


def _record(run: Reading, words: list[Word], call: Call, state: State, frame: Frame) -> Scalar:
    run.emit(words, call, state, frame)
    return output_of(run, words, state, frame)


def _operands(words: list[Word], takes: str = "") -> list[Word]:
    """The arguments after the options; `takes` are the letters whose option has a value."""
    index = 1
    while index < len(words):
        text = words[index].text
        if text == "--":
            return words[index + 1 :]
        if words[index].opaque or len(text) < 2 or text[0] != "-":
            break
        index += 2 if text[-1] in takes else 1
    return words[index:]


def _cd(run: Reading, words: list[Word], call: Call, state: State, frame: Frame) -> Scalar:
    run.emit(words, call, state, frame)
    target = _destination(run, _operands(words), state)
    state.move(target, sure=state.errexit or target in state.made)
    return ""


def _destination(run: Reading, operands: list[Word], state: State) -> str | None:
    if not operands:
        home = lookup(run, state, "HOME")
        return home if isinstance(home, str) else None
    word = operands[0]
    if word.text == "-":
        old = lookup(run, state, "OLDPWD")
        return old if isinstance(old, str) else None
    matched = word.opaque is not None and word.opaque.only(*_ONE_OF) and not set("$…") & set(word.text)
    if matched or (word.glob and not word.opaque):
        return absolute(word.text, state.cwd)  # one of many, each in that place
    if word.opaque and not _only_numbers_unknown(word):
        return None
    searched = lookup(run, state, "CDPATH")
    if searched not in (None, "", MISSING) and word.text[:1] not in ("/", "."):
        return _searched_for(word.text, searched, state) if isinstance(searched, str) else None
    return absolute(word.text, state.cwd) if word.text else state.cwd


_ONE_OF = (Kind.MATCH, Kind.FOUND_BY_FIND)


def _searched_for(name: str, folders: str, state: State) -> str | None:
    """Where `cd name` goes with a CDPATH: to the first that is there."""
    found = [absolute(f"{folder or '.'}/{name}", state.cwd) for folder in (*folders.split(":")[:20], "")]
    return next((path for path in found if path is None or is_folder(path)), found[0])


def _only_numbers_unknown(word: Word) -> bool:
    """`/tmp/try-$$`: whatever the number is, it is a folder in that place."""
    rest = re.sub(r"\$(?:\$|RANDOM\b|BASHPID\b)", "", word.text)
    numbers = word.opaque is not None and word.opaque.only(Kind.PER_RUN)
    return numbers and rest != word.text and not re.search(r"[$`]", rest)


def _pushd(run: Reading, words: list[Word], call: Call, state: State, frame: Frame) -> Scalar:
    run.emit(words, call, state, frame)
    operands = [word for word in words[1:] if word.text not in ("-n", "--")]
    before = state.cwd
    if not operands:
        if state.directories:
            target = state.directories.pop()
            state.directories.append(before)
            state.move(target, sure=True)
        return ""
    rotates = operands[0].text[:1] in "+-" and operands[0].text[1:].isdigit()
    target = None if rotates else _destination(run, operands, state)
    state.move(target, sure=state.errexit or target in state.made)
    state.directories.append(before)
    return ""


def _popd(run: Reading, words: list[Word], call: Call, state: State, frame: Frame) -> Scalar:
    run.emit(words, call, state, frame)
    state.move(state.directories.pop() if state.directories else state.cwd, sure=True)
    return ""


def _declare(run: Reading, words: list[Word], call: Call, state: State, frame: Frame) -> Scalar:
    """Assignments that stand as such are done by the caller; this does those that came out of a word."""
    run.emit(words, call, state, frame)
    _expand_names(run, words, state, frame)
    local = words[0].text in ("local", "declare", "typeset") and bool(run.local_names)
    options = "".join(word.text for word in words[1:] if word.text.startswith("-"))
    exports = words[0].text == "export" or "x" in options
    functions = "()" if "f" in options else ""
    casing = next(
        (sign for sign in "lu" if sign in options and words[0].text not in ("export", "readonly")), ""
    )
    for word in words[1:]:
        match = _ASSIGNED.fullmatch(word.text)
        if exports and (name := _NAME.match(word.text)):
            state.export(name.group() + functions)
        if casing and (name := _NAME.match(word.text)):
            state.casings = {**state.casings, name.group(): casing}
        if local and (name := _NAME.match(word.text)):
            run.local_names[-1].add(name.group())
        if match and "n" in options and words[0].text != "export" and word.known:
            state.assign(match.group(1), Reference(match.group(2)))
        elif match:
            value = part_from(word, match.start(2))
            state.assign(match.group(1), of_word(value))
            span = run.span(call.start, call.end, frame)
            run_variables(run, {match.group(1): value}, state, frame, span)
    return ""


def _unset(run: Reading, words: list[Word], call: Call, state: State, frame: Frame) -> Scalar:
    run.emit(words, call, state, frame)
    _expand_names(run, words, state, frame)
    for word in words[1:]:
        if words[1].text == "-f":
            state.functions.pop(word.text, None)
        elif word.known:
            state.assign(word.text, None)
    return ""


def _set(run: Reading, words: list[Word], call: Call, state: State, frame: Frame) -> Scalar:
    run.emit(words, call, state, frame)
    index = 1
    while index < len(words) and words[index].text[:1] in ("-", "+") and words[index].text not in ("--", "-"):
        text = words[index].text
        on = text[0] == "-"
        option = words[index + 1].text if "o" in text[1:] and index + 1 < len(words) else ""
        if "f" in text or option == "noglob":
            state.noglob = on
        if "e" in text[1:] or option == "errexit":
            state.errexit = on
        if "a" in text[1:] or option == "allexport":
            state.allexport = on
        index += 2 if option else 1
    if index < len(words):
        start = index + 1 if words[index].text in ("--", "-") else index
        state.set_positional([of_word(word) for word in words[start:]])
    return ""


def _shift(run: Reading, words: list[Word], call: Call, state: State, frame: Frame) -> Scalar:
    run.emit(words, call, state, frame)
    count = whole_number(words[1].text) if len(words) > 1 else 1
    count = 1 if count is None else count
    state.set_positional(state.positional[count:])
    return ""


def _printf(run: Reading, words: list[Word], call: Call, state: State, frame: Frame) -> Scalar:
    if len(words) > 3 and words[1].text == "-v":
        run.emit(words, call, state, frame)
        _expand_names(run, words[:3], state, frame)
        _assign_named(state, words[2].text, format_printf(words[3], words[4:]))
        return ""
    return _record(run, words, call, state, frame)


def _assign_named(state: State, name: str, value: Scalar) -> None:
    """A variable, or an element of an array such as `a[0]`."""
    element = re.fullmatch(r"([A-Za-z_]\w*)\[(\w+)\]", name)
    if element:
        state.own_array(element[1], associative=not element[2].isdigit()).items[element[2]] = value
    else:
        state.assign(name, value)


def _eval(run: Reading, words: list[Word], call: Call, state: State, frame: Frame) -> Scalar:
    rest = words[2:] if len(words) > 1 and words[1].text == "--" else words[1:]
    inner = frame.inside("eval", span=run.span(call.start, call.end, frame))
    return run.run_text(of_words(rest), state, inner)


_NAMED_FILE = lazy(r"\)/(?:[\w.-]+/)*\w[\w.-]*$")
"""`$(conda info --base)/etc/conda.sh`: where it is may be unknown, but it is a file of that name."""


def _source(run: Reading, words: list[Word], call: Call, state: State, frame: Frame) -> Scalar:
    run.emit(words, call, state, frame)
    rest = _operands(words)
    if not rest:
        return ""
    if run.sources.are_read:
        run_matched(run, words, call, state, frame)
    span = run.span(call.start, call.end, frame)
    text = code_text(run, rest[0], state, frame.feed)
    if text is None:
        if rest[0].opaque and "(" in rest[0].text and not _NAMED_FILE.search(rest[0].text):
            run.note(rest[0].opaque.within(Kind.RUNS), span, executed=True)
        return unknown("", Unknown(Kind.SOURCED, rest[0].text))
    positional = state.positional
    if len(rest) > 1:
        state.positional = [of_word(word) for word in rest[1:]]
    inner = frame.inside(f"source {rest[0].text}", span=span)
    outer = state.variables.get("BASH_SOURCE", "")
    state.variables["BASH_SOURCE"] = rest[0].text
    assigned, state.assigned = state.assigned, set()
    for older in older_texts(rest[0], state):
        run.run_text(older, state.copy(), inner)
    output = run.run_text(text, state, inner)
    state.assigned = assigned
    state.positional = positional
    state.variables["BASH_SOURCE"] = outer
    return output


def _alias(run: Reading, words: list[Word], call: Call, state: State, frame: Frame) -> Scalar:
    run.emit(words, call, state, frame)
    for word in words[1:]:
        name, equals, _ = word.text.partition("=")
        if equals:
            state.aliases[name] = of_word(part_from(word, len(name) + 1))
    return ""


def _unalias(run: Reading, words: list[Word], call: Call, state: State, frame: Frame) -> Scalar:
    run.emit(words, call, state, frame)
    for word in words[1:]:
        state.aliases.pop(word.text, None)
    return ""


def _hash(run: Reading, words: list[Word], call: Call, state: State, frame: Frame) -> Scalar:
    """`hash -p /bin/rm ls` makes `ls` run rm."""
    run.emit(words, call, state, frame)
    if len(words) > 3 and words[1].text == "-p":
        for word in words[3:]:
            state.aliases[word.text] = of_word(words[2])
    return ""


def _run_later(run: Reading, how: str, text: Scalar, call: Call, state: State, frame: Frame) -> None:
    inner = frame.inside(how, span=run.span(call.start, call.end, frame))
    inner.want = False
    run.run_text(text, state.copy(), inner)


def _compgen(run: Reading, words: list[Word], call: Call, state: State, frame: Frame) -> Scalar:
    run.emit(words, call, state, frame)
    for value in option_values(words, "-C", "-F"):
        _run_later(run, words[0].text, of_word(value), call, state, frame)
    for value in option_values(words, "-W"):
        if value.known:  # its words are expanded, and what is substituted in them runs
            _run_later(run, words[0].text, f": {value.text}", call, state, frame)
    return output_of(run, words, state, frame)


def _jobs(run: Reading, words: list[Word], call: Call, state: State, frame: Frame) -> Scalar:
    run.emit(words, call, state, frame)
    if len(words) > 2 and words[1].text == "-x":
        run.run_words(words[2:], call, state, frame)
    return ""


_ALWAYS = frozenset({"DEBUG", "ERR", "RETURN", "CHLD", "SIGCHLD"})
"""Signals that come while the line runs; all others are taken to come at its end."""


def _trap(run: Reading, words: list[Word], call: Call, state: State, frame: Frame) -> Scalar:
    """What a trap runs finds the variables as they are when the signal comes; those that are local to a
    function, and gone by then, as they are now."""
    run.emit(words, call, state, frame)
    rest = _operands(words)
    if len(rest) < 2 or rest[0].text in ("-", ""):
        return ""
    text = of_word(rest[0])
    if any(run.local_names) or _ALWAYS & {word.text for word in rest[1:]}:
        _run_later(run, "trap", text, call, state, frame)
    else:
        run.at_the_end(lambda: _run_later(run, "trap", text, call, state, frame))
    return ""


def _leave(run: Reading, words: list[Word], call: Call, state: State, frame: Frame) -> Scalar:
    run.emit(words, call, state, frame)
    state.ended = EXITED if words[0].text == "exit" else LEFT
    return ""


def _let(run: Reading, words: list[Word], call: Call, state: State, frame: Frame) -> Scalar:
    run.emit(words, call, state, frame)
    _expand_names(run, words, state, frame)
    for word in words[1:]:
        if word.known:
            compute_number(run, word.text, state, frame, expand_parts)
    return ""


def _getopts(run: Reading, words: list[Word], call: Call, state: State, frame: Frame) -> Scalar:
    run.emit(words, call, state, frame)
    if len(words) > 2:
        state.assign(words[2].text, unknown("", Unknown(Kind.OPTION_LETTER)))
        state.assign("OPTARG", unknown("", Unknown(Kind.OPTION_VALUE)))
    return ""


def _test(run: Reading, words: list[Word], call: Call, state: State, frame: Frame) -> Scalar:
    run.emit(words, call, state, frame)
    _expand_names(run, words, state, frame)
    return ""


BUILTINS: dict[str, Builtin] = {
    "cd": _cd, "chdir": _cd, "pushd": _pushd, "popd": _popd, "export": _declare, "declare": _declare,
    "typeset": _declare, "local": _declare, "readonly": _declare, "unset": _unset, "set": _set,
    "shift": _shift, "read": read_builtin, "mapfile": mapfile_builtin, "readarray": mapfile_builtin,
    "printf": _printf,
    "eval": _eval, "source": _source, ".": _source, "alias": _alias, "unalias": _unalias, "hash": _hash,
    "trap": _trap, "compgen": _compgen, "complete": _compgen, "jobs": _jobs,
    "exit": _leave, "return": _leave, "break": _leave, "continue": _leave, "let": _let,
    "getopts": _getopts, "test": _test, "[": _test,
}  # fmt: skip
