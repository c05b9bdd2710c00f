"""From what code does to effects."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import chain

from fairlead.shell.effects.code.act import Act
from fairlead.shell.effects.code.languages import script_acts
from fairlead.shell.effects.code.printed_variables import prints_secret_variable
from fairlead.shell.effects.code.python.python_code import parsable, python_acts
from fairlead.shell.effects.code.service_calls import service_effects
from fairlead.shell.effects.code.text.compiled_code import connects_a_shell, listed_commands, risky_pieces
from fairlead.shell.effects.code.text.given_from_outside import Given, given_to, with_given
from fairlead.shell.effects.databases.losing_statements import without_rebuilt
from fairlead.shell.effects.databases.sql_statements import sql_danger
from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.files_at_hand import FilesAtHand
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.places.targets import resolve
from fairlead.shell.reader import read_script
from fairlead.shell.script import COMPILED, Code, Origin, Script, Stdin, Word
from fairlead.shell.unknown import Kind, Unknown
from fairlead.shell.unknown_text import describe

_LONGEST = 65536
_PYTHONIC = lazy(r"\b(?:import|__import__|open|exec|eval|os|shutil|subprocess|Path)\b")
_LOOSENS = lazy(
    r"(?:import|from|require|import_module)\W+fairlead\b.*(?:\boff\b|trust|allow|approve|grant|disable|uninstall"
    r"|daemon)|(?:import|from|import_module)\W+fairlead\.(?:__main__|doors\.(?:cli|fleet)|fleet|policy\.(?:glass|managed))\b"
    r"|run_(?:module|path)\W+(?:[\w./-]*/)?fairlead\b",
    re.DOTALL,
)
_MINES = lazy(r"\bstratum[12]?\+(?:tcp|ssl|tls)://|[\"']mining\.(?:subscribe|authorize|submit)[\"']")
"""What miners say to their pool, in whatever language."""
_PACKAGES = (
    r"(?:\b[A-Za-z]\w*\.__file__|get(?:user)?sitepackages|sysconfig\.get_paths?|\bsys\.(?:base_)?prefix)"
)
_WRITING = r"(?:,\s*(?:mode\s*=\s*)?[\"'](?:[wax]|r\+)|\.(?:write_text|write_bytes|unlink|touch)\()"
_PATCHES = lazy(
    rf"\b(?:open|Path)\([^\n;]{{0,200}}?{_PACKAGES}[^\n;]{{0,200}}?{_WRITING}"
    rf"|\b(?P<name>\w+)\s*=[^\n;]{{0,200}}?{_PACKAGES}"
    rf"[\s\S]{{0,1000}}?\b(?:open|Path)\(\s*(?P=name)\b[^\n;]{{0,200}}?{_WRITING}"
)
"""Code that writes where a module was imported from: whose Python that is shows only when it runs."""
Reader = Callable[[Script, Surroundings], Iterator[Effect]]
"""How a script inside the code is read: the same way as one outside."""


def code_effects(code: Code, where: Surroundings, read: Reader) -> Iterator[Effect]:
    """What `code` does, as effects of the command that runs it."""
    command = code.command
    if code.opaque:
        yield _unknown_code(code)
        return
    if code.language == COMPILED:
        yield from _compiled_effects(code, where, read)
        return
    if len(code.text) > _LONGEST:
        yield Effect(Action.RUN_UNKNOWN_CODE, "executed", command, detail="the code is too long to read")
        return
    try:
        acts = tuple(_acts(code, where))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        # what this Python cannot parse may still run: as another version's code, or up to its first error
        text = with_given(code.text, code.language, given_to(code))
        acts = (
            *_python_or_nothing(parsable(code.text), where.home, command.cwd or "/", given_to(code)),
            *script_acts(code.language, text, where.home, command.cwd or "/"),
        )
    for act in acts:
        yield from _effects(act, code, where, read)
    yield from service_effects(code, in_memory=_only_in_memory(code.text))
    if ("stratum" in code.text or "mining." in code.text) and _MINES.search(code.text):
        yield Effect(Action.KILL, "exhaust", command, what=f"{code.language} code")
    evaluated = any(word.text in ("-p", "-pe", "--print") for word in command.argv[1:])
    if prints_secret_variable(code.text, code.language, evaluated=evaluated):
        yield Effect(Action.READ_SECRET, "print-variable", command, what=f"{code.language} code")
    if _is_about_packages(code.text) and _PATCHES.search(code.text):
        yield Effect(Action.CHANGE_GUARD, "guard-packages-by-name", command, what=f"{code.language} code")
    if _LOOSENS.search(code.text):
        yield Effect(Action.CHANGE_GUARD, "loosen", command, what=f"{code.language} code")


def _compiled_effects(code: Code, where: Surroundings, read: Reader) -> Iterator[Effect]:
    command = code.command
    if connects_a_shell(code.text):
        detail = "it connects a shell to another machine"
        yield Effect(Action.RUN_NETWORK_CODE, "remote-shell", command, what="the program", detail=detail)
    listed = (Act("argv", words=words) for words in listed_commands(code.text))
    pieces = (
        script_acts(COMPILED, piece, where.home, command.cwd or "/") for piece in risky_pieces(code.text)
    )
    for act in chain(listed, *pieces):
        if act.kind not in ("unknown", "unknown-target"):
            yield from _effects(act, code, where, read)


def _is_about_packages(text: str) -> bool:
    return "__file__" in text or "sitepackages" in text or "sysconfig" in text or "prefix" in text


def _acts(code: Code, where: Surroundings) -> Iterator[Act]:
    given, cwd = given_to(code), code.command.cwd or "/"
    if code.language == "sql":
        return iter((Act("sql", without_rebuilt(code.text)),))
    if code.language == "python":
        return python_acts(code.text, where.home, cwd, given)
    text = with_given(code.text, code.language, given)
    acts = script_acts(code.language, text, where.home, cwd)
    if code.language == "any" and _PYTHONIC.search(code.text):
        return chain(_python_or_nothing(code.text, where.home, cwd, given), acts)
    return acts


def _python_or_nothing(text: str, home: str, cwd: str, given: Given) -> Iterator[Act]:
    """Code of a language that nobody named: if it is no Python, it is something else."""
    try:
        yield from python_acts(text, home, cwd, given)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return


def _unknown_code(code: Code) -> Effect:
    what = f"{code.command.name} code"
    detail = describe(code.opaque)
    if code.opaque is not None and code.opaque.network:
        return Effect(Action.RUN_NETWORK_CODE, "download", code.command, what=what, detail=detail)
    return Effect(Action.RUN_UNKNOWN_CODE, "executed", code.command, what=what, detail=detail)


def _effects(act: Act, code: Code, where: Surroundings, read: Reader) -> Iterator[Effect]:
    command = code.command
    if act.kind in ("shell", "argv"):
        yield from _nested(act, code, where, read)
    elif act.kind == "code":
        if act.text == (command.stdin.text or "").strip("\n") != code.text:
            yield from code_effects(
                Code(code.language, act.text, command.replace(stdin=Stdin())), where, read
            )
        elif len(act.text) < len(code.text):
            yield from code_effects(Code(code.language, act.text, command), where, read)
    elif act.kind == "sql":
        found = None if _only_in_memory(code.text) else sql_danger(act.text)
        if found is not None:
            yield Effect(Action.CHANGE_DATABASE, found[0], command, what=found[1], detail=code.language)
    elif act.kind == "unknown":
        yield Effect(Action.RUN_UNKNOWN_CODE, "executed", command, what=act.detail, detail=act.detail)
    elif act.kind == "unknown-target":
        target = resolve(Word("", Unknown(Kind.COMPUTED)), command, where)
        yield Effect(Action.DELETE, act.name, command, target, act.recursive, what=f"{act.name}(…)")
    else:
        yield _plain(act, code, where)


_CONNECTS = lazy(
    r"(?:connect|create_engine|Database|DatabaseSync|open|SQLite3?::\w+(?:\.new)?)\(([^()]{0,200})"
)
_IN_MEMORY = lazy(
    r"^\s*[\"'](?::memory:|sqlite(?:\+\w+)?://(?:/:memory:)?|(?:sqlite:///)?/tmp/[^\"'.]+\.\w+)[\"']"
)

_MADE_IN_MEMORY = lazy(r"\bnew\s+\w+\(\s*[\"'`]:memory:[\"'`]")


def _only_in_memory(text: str) -> bool:
    """Whether every database that the code opens ends with it, or is a temporary file."""
    opened = _CONNECTS.findall(text)
    known = bool(opened) or bool(_MADE_IN_MEMORY.search(text))
    return known and all(_IN_MEMORY.match(given) for given in opened)


def _plain(act: Act, code: Code, where: Surroundings) -> Effect:
    action, command = Action(act.kind), code.command
    if action not in _ON_PATHS:
        what = act.text or f"{code.language} code"
        return Effect(action, act.name, command, what=what, detail=act.detail)
    what = f"{act.name}({act.text})" if act.text else act.name
    path = act.text
    if path == "~" or path.startswith("~/"):
        path = where.home + path[1:]
    target = resolve(Word(path, glob=act.glob), command, where)
    name = "chmod" if action is Action.CHANGE_PERMISSIONS else "code"
    return Effect(action, name, command, target, act.recursive, what=what, detail=act.detail)


_ON_PATHS = frozenset(
    (
        *(Action.READ, Action.LIST, Action.WRITE, Action.OVERWRITE, Action.TRUNCATE, Action.DELETE),
        *(Action.MOVE_AWAY, Action.CHANGE_PERMISSIONS, Action.CHANGE_OWNER),
    )
)


def _nested(act: Act, code: Code, where: Surroundings, read: Reader) -> Iterator[Effect]:
    """A command that the code runs, as if it stood in its place."""
    outer = code.command
    text = act.text if act.kind == "shell" else " ".join(_quoted(word) for word in act.words)
    if len(text) >= len(code.text) + 64 or not text.strip():
        return
    at_hand = where.files
    if at_hand is None or not at_hand.begin((text, outer.cwd, outer.wrappers)):
        script = read_script(text, cwd=outer.cwd or "/", home=where.home, environment={"HOME": where.home})
        yield from read(_placed(script, code), where)
        return
    try:
        yield from read(_placed(_with_files(text, code, where.home, at_hand), code), where)
    finally:
        at_hand.end()


def _with_files(text: str, code: Code, home: str, at_hand: FilesAtHand) -> Script:
    """What a command of the code would run, with the files that it runs; the way to these is through the file
    in which the code stands."""
    script = read_script(
        text,
        cwd=code.command.cwd or "/",
        home=home,
        environment={"HOME": home},
        files=at_hand.read,
        folders=at_hand.folders,
        top=at_hand.top,
    )
    if code.origin is not None and (script.files or script.unread):
        script = _below(script, code.origin)
    at_hand.note(script)
    return script


def _below(script: Script, outer: Origin) -> Script:
    def moved(origin: Origin | None) -> Origin:
        return outer if origin is None else origin.below(outer)

    return script.replace(
        commands=tuple(each.replace(origin=moved(each.origin)) for each in script.commands),
        code=tuple(each.replace(origin=moved(each.origin)) for each in script.code),
        opaque=tuple(each.replace(origin=moved(each.origin)) for each in script.opaque),
        files=tuple(each.replace(by=moved(each.by)) for each in script.files),
        unread=tuple(each.replace(by=moved(each.by)) for each in script.unread),
    )


def _placed(script: Script, code: Code) -> Script:
    """With its commands where the code stands that runs them."""
    outer = code.command
    placed = tuple(
        command.replace(
            start=outer.start,
            end=outer.end,
            wrappers=(*outer.wrappers, *command.wrappers),
            via=(*outer.via, code.language, *command.via),
        )
        for command in script.commands
    )
    return script.replace(commands=placed)


def _quoted(word: str) -> str:
    return word if word == "$UNKNOWN" else "'" + word.replace("'", "'\\''") + "'"
