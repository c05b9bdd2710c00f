"""JavaScript, Perl, Ruby, PHP and others: which calls touch files and run commands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import chain, islice

from fairlead.shell.effects.code.act import Act, on_path
from fairlead.shell.effects.code.call_names import (
    COPIES,
    EVALUATING,
    FILES,
    LISPS,
    MOVES,
    PROCESSES,
    READS,
    SHELLS,
    TREES,
    TREES_BY_OPTION,
    WITH_OWN_NAME,
    WRITES,
)
from fairlead.shell.effects.code.call_syntax import (
    Call,
    TooLongError,
    called,
    constants_of,
    find_lisp_calls,
    make_call,
    make_calls,
)
from fairlead.shell.effects.code.git_libraries import library_acts
from fairlead.shell.effects.code.perl_spelling import perl_acts, plainly_quoted
from fairlead.shell.effects.code.powershell import powershell_acts
from fairlead.shell.effects.code.text.call_spelling import respelled
from fairlead.shell.effects.code.text.fetched_code import fetched_code
from fairlead.shell.effects.code.text.home_spellings import with_home
from fairlead.shell.effects.code.text.java_files import java_file_acts
from fairlead.shell.effects.code.text.listed_and_deleted import listed_acts
from fairlead.shell.effects.code.text.literal_loops import loops_of, parameters_of
from fairlead.shell.effects.code.text.printed_text import without_shown
from fairlead.shell.effects.code.text.sent_files import sent_files
from fairlead.shell.effects.code.text.signs_anywhere import signs_anywhere
from fairlead.shell.effects.effect import Action
from fairlead.shell.lazy_pattern import lazy

_BACKTICKS = {
    "perl": re.compile(r"`([^`]+)`|\bqx\s*(?:\(([^)]*)\)|\{([^}]*)\}|([/|!])(.*?)\3)"),
    "ruby": re.compile(r"`([^`]+)`|%x[({\[]([^)}\]]+)[)}\]]"),
    "php": re.compile(r"`([^`]+)`"),
}
_EXECUTED = lazy(r"[\"']([^\"']+)[\"']\s*\.\s*(?:execute\(\)|!!?(?!=)|lazyLines|exec\b)")
_PLAIN_SHELL = {
    "applescript": re.compile(r"\bdo (?:shell )?script \"((?:\\.|[^\"\\])*)\""),
    "tcl": re.compile(r"\bexec\s+([^\n;\]]+)"),
    "expect": re.compile(r"\bspawn\s+([^\n;]+)"),
    "groovy": _EXECUTED,
    "scala": _EXECUTED,
    "any": _EXECUTED,
    "elisp": re.compile(r"\((?:async-)?shell-command(?:-to-string)? \"((?:\\.|[^\"\\])*)\""),
    "julia": re.compile(r"run\(`([^`]+)`\)"),
    "nushell": re.compile(r"(?:\A|;|\n)\s*\^?([^;\n]+)"),
}
_PERL_OPEN = lazy(r"\bopen\s*\(?\s*(?:my\s+)?[$]?\w+\s*,\s*([\"'])(.*?)\1(?:\s*,\s*([\"'])(.*?)\3)?")
_TCL_DELETE = lazy(r"\bfile\s+delete\s+(?:-force\s+)?(?:--\s+)?([^\n;\]]+)")
_TCL_LOOP = lazy(r"\[glob\s+(?:-\w+\s+)*([^\s\]]+)\][^\n]{0,80}\bfile\s+delete\b")
_LISP_DELETE = lazy(r"\(delete-(?:directory|file)\s+(?:\(expand-file-name\s+)?\"([^\"]+)\"")


def script_acts(language: str, text: str, home: str, cwd: str) -> Iterator[Act]:
    """What code of one of these languages does, as far as its literals tell."""
    text = with_home(plainly_quoted(text) if language == "perl" else text, language, home)
    known = {"home": home, "process.cwd()": cwd, "Dir.pwd": cwd, "__dirname": cwd, "getcwd()": cwd}
    constants = constants_of(text, known)
    text = without_shown(respelled(text, constants), language)
    yield from _patterns(language, text)
    yield from fetched_code(language, text)
    if language == "perl":
        yield from _opened(text)
        yield from perl_acts(text)
    try:
        calls = [*_calls(text, constants), *(find_lisp_calls(text) if language in LISPS else ())]
    except TooLongError:
        if _RISKY.search(text):
            yield Act("unknown", detail="the code is too long to follow")
        return
    for call in calls:
        yield from _act(call, text)
        yield from _evaluated(call, text)
    reads = [(call, call.arguments[0]) for call in calls if _named(call, READS) and call.arguments]
    yield from sent_files(calls, [(call, path) for call, path in reads if path], text)
    yield from library_acts(calls, text)
    yield from listed_acts(calls, [call for call in calls if _deleting(call, text)], text)


_RISKY = lazy(
    r"rm |rm_?[rR]|rmtree|remove|unlink|delete|exec|spawn|system|popen|eval|shell|git |readFile|write", re.I
)
_ROUNDS = 16
"""Values of loops' variables that are tried."""


def _calls(text: str, constants: dict[str, str]) -> Iterator[Call]:
    """All calls; those in loops once more for each value of the loop's variable."""
    found = called(text)
    yield from make_calls(found, constants)
    yield from _commands(text, constants)
    for name, value in islice(
        chain(loops_of(text, constants), parameters_of(text, found, constants)), _ROUNDS
    ):
        mentioned = re.compile(rf"\b{name}\b")
        inside = [each for each in found if mentioned.search(each[1])]
        yield from make_calls(inside, constants | {name: value})


_COMMAND_CALL = lazy(
    r"\b(?P<name>(?:FileUtils\.)?(?:rm_rf|rm_r|remove_entry_secure|remove_dir|rmtree|remove_tree)|File\.(?:delete|unlink)"
    r"|unlink|system|exec)\s+(?P<rest>(?=[A-Z$%<]|glob|File|qw)[^;\n{}|]+)"
)


def _commands(text: str, constants: dict[str, str]) -> Iterator[Call]:
    """Ruby and Perl need no parentheses: `FileUtils.rm_rf Dir.home`, `system @words`."""
    for match in _COMMAND_CALL.finditer(text):
        yield make_call(match["name"], re.split(r"\s(?:if|unless|for|and|or)\s", match["rest"])[0], constants)


def _evaluated(call: Call, text: str) -> Iterator[Act]:
    """Code that is made of text: read where the text can be told, else unknown."""
    if call.last not in EVALUATING:
        return
    first = next((each for each in reversed(call.arguments) if each is not None), None)
    if first is not None:
        yield Act("code", first)
    elif call.last != "assert" and call.arguments and _DECODING.search(call.source):
        yield Act("unknown", detail=f"{call.last}({call.source[:60]})")


_DECODING = lazy(
    r"decode|atob|base64|fromCharCode|inflate|gunzip|unpack|hex|rot13|reverse|argv|ARGV|env|readFile|\$_(?:GET|POST|REQUEST)",
    re.I,
)


def _patterns(language: str, text: str) -> Iterator[Act]:
    for table in (_BACKTICKS, _PLAIN_SHELL):
        pattern = table.get(language)
        if pattern is not None:
            for match in pattern.finditer(text):
                yield Act("shell", max((part for part in match.groups() if part), key=len, default=""))
    if language == "tcl":
        yield from (
            on_path(Action.DELETE, m[1].strip(), name="file delete", recursive=True)
            for pattern in (_TCL_DELETE, _TCL_LOOP)
            for m in pattern.finditer(text)
        )
    if language == "elisp":
        yield from (
            on_path(Action.DELETE, m[1], name="delete", recursive=True) for m in _LISP_DELETE.finditer(text)
        )
    if "java" in text or "Files." in text:
        yield from java_file_acts(text)
    if language in ("elisp", "lisp", "scheme"):
        yield from (on_path(Action.READ, m[1], name="read") for m in _LISP_READ.finditer(text))
    if language == "powershell":
        yield from powershell_acts(text)
    yield from signs_anywhere(language, text)


_LISP_READ = lazy(r"\((?:insert-file-contents|find-file|load-file|open)\s+\"([^\"]+)\"")


def _named(call: Call, table: frozenset[str]) -> bool:
    return call.last in table or call.name in table or call.name.endswith(_dotted(table))


@cache
def _dotted(table: frozenset[str]) -> tuple[str, ...]:
    """How a longer name ends that stands for one in the table: `require('x').fs.rmSync`."""
    return tuple(f".{name}" for name in table if "." in name)


def _act(call: Call, text: str) -> Iterator[Act]:
    first = call.arguments[0] if call.arguments else None
    recursive = _named(call, TREES) or bool(
        re.search(r"recurs\w*\s*(?:[:=]>?)\s*(?:true|TRUE|1|T\b)", call.source)
    )
    if first is not None and first.lstrip().startswith("|") and call.last in _OPENING_PIPES:
        yield Act("shell", first.strip(" |"))
        return
    is_shell, is_process = _named(call, SHELLS), _named(call, PROCESSES)
    if is_shell and first is not None:
        yield _run(call, first)
    elif is_shell and call.lists and call.source.lstrip().startswith(("[", "*", "%", "qw")):
        yield Act("argv", words=call.lists[0])
    if is_process and first is not None and call.lists:
        yield Act("argv", words=(first, *call.lists[0]))
    elif is_process and first is not None and " " in first:
        yield Act("shell", first)
    if not is_shell and not is_process:
        yield from _unnamed(call, text)
    if _deleting(call, text):
        yield from _deleted(call, recursive)
    elif first is not None and _named(call, WRITES):
        emptied = call.last in ("truncateSync", "truncate") or call.arguments[1:2] == ("",)
        yield on_path(Action.TRUNCATE if emptied else Action.OVERWRITE, first, name=call.last)
    elif first is not None and _named(call, COPIES) and call.arguments[1:2] not in ((), (None,)):
        emptied = first in ("/dev/null", "/dev/zero")
        yield on_path(
            Action.TRUNCATE if emptied else Action.OVERWRITE, call.arguments[1] or "", name=call.last
        )
        yield on_path(Action.READ, first, name=call.last)
    elif first is not None and _named(call, MOVES):
        yield on_path(
            Action.MOVE_AWAY,
            first,
            name=call.last,
            recursive=True,
            detail=(call.arguments[1:2] or ("",))[0] or "",
        )
    elif first is not None and _named(call, READS) and not first.startswith("http"):
        written = len(call.arguments) > 1 and (call.arguments[1] or "")[:1] in ("w", "a", ">")
        yield on_path(Action.OVERWRITE if written else Action.READ, first, name=call.last)


_OPENING_PIPES = frozenset(("open", "read", "readlines", "foreach", "binread"))
"""Of Ruby: a name that begins with a bar is a command."""


_PIPE_MODES = frozenset(("r", "w", "r+", "w+", "rb", "wb", "re", "we"))
"""What stands behind the command: whether its output is read or its input written."""


def _run(call: Call, first: str) -> Act:
    """A command as one text, or as words: a list, or the arguments themselves."""
    rest = call.lists[0] if call.lists else tuple(text for text in call.arguments[1:] if text is not None)
    if call.last in WITH_OWN_NAME:
        rest = rest[1:]
    elif call.last == "popen" and not call.lists and rest and rest[0] in _PIPE_MODES:
        rest = ()
    if len(rest) == 1 and " " in rest[0] and " " not in first:
        return Act("shell", f"{first} {rest[0]}")
    return Act("argv", words=(first, *rest)) if rest else Act("shell", first)


def _opened(text: str) -> Iterator[Act]:
    """`open(F, ">/x")`, `open my $f, "<", "/x"`, `open F, "/x"`."""
    for match in _PERL_OPEN.finditer(text):
        mode, path = (match[2], match[4]) if match[4] else (match[2][:2], match[2].lstrip("<>+| "))
        if "|" in mode or (not match[4] and path.rstrip().endswith("|")):
            yield Act("shell", path.strip("| "))
        else:
            yield on_path(Action.OVERWRITE if ">" in mode else Action.READ, path, name="open")


def _deleting(call: Call, text: str) -> bool:
    by_option = _named(call, TREES_BY_OPTION) and ("fs" in text or "recursive" in call.source)
    plainly = call.name == "rm" and any(call.arguments)  # of Julia; in R it drops a variable
    return _named(call, TREES) or _named(call, FILES) or by_option or plainly


_PROGRAMS = lazy(r"^(?:sudo\s+)?(?:rm|git|shred|dd|mkfs[\w.]*|truncate)\s+-?\w")
_TALKING = lazy(
    r"print|puts|log|echo|write|say|warn|die|assert|expect|describe|test|it$|error|info|debug|raise|throw|len|size|split|join|replace|match|index|contains|starts|ends|upper|lower|trim|scan|sub|notification|dialog|alert",
    re.I,
)
_READING = lazy(r"pars|quot|token|lex|escape|format|highlight|judge|check|classif|lint|valid", re.I)
"""They take text apart, unless the code gave such a name to something that runs it."""


def _unnamed(call: Call, text: str) -> Iterator[Act]:
    """A call by a name that nobody listed, whose arguments read as a command: `x('rm', ['-rf', '/'])`."""
    first = call.arguments[0] if call.arguments else None
    if call.last == "rm" and first is not None and first.startswith("-"):
        yield Act("argv", words=("rm", *(text for text in call.arguments if text)))
    read_only = _READING.search(call.last) and "child_process" not in text
    if first is None or read_only or _TALKING.search(call.last):
        return
    if first in ("rm", "git", "shred", "dd", "sudo"):
        words = call.lists[0] if call.lists else tuple(text for text in call.arguments[1:] if text)
        yield Act("argv", words=(first, *words))
    elif _PROGRAMS.match(first):
        yield Act("shell", first)


def _deleted(call: Call, recursive: bool) -> Iterator[Act]:
    listed = [item for items in call.lists for item in items]
    for argument in (*call.arguments[:4], *listed[:8]):
        if argument:
            yield on_path(Action.DELETE, argument, name=call.last, recursive=recursive or "*" in argument)
