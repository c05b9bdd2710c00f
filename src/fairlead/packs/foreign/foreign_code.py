"""Code that is handed to a foreign tool: run on this machine, or in a page of a browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import MappingProxyType

from fairlead.model.facts import PAGES
from fairlead.model.tool_call import ToolCall
from fairlead.packs.foreign.foreign_names import words_of
from fairlead.packs.foreign.given_texts import Given, given_texts
from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.effects.network.server_requests import LOCAL
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.script import Code, Command, Word

_KEYS = lazy(
    r"code$|script$|snippet$|^expr|^function$|^func$|^source$|^js$|javascript$|^cell$|pagefunction|^program$|^chunk$"
)
_RUNNERS = lazy(
    r"python|jupyter|notebook|interpreter|repl|sandbox|eval|execute|run|\bexec"
    r"|(?:execute|run|eval)_?(?:code|cell|js|javascript|ts|typescript|node|ruby)",
    re.IGNORECASE,
)
_LANGUAGES = MappingProxyType(
    {
        **dict.fromkeys(("python", "py", "python3", "ipython", "jupyter", "notebook"), "python"),
        **dict.fromkeys(
            ("js", "node", "nodejs", "javascript", "typescript", "ts", "deno", "bun"), "javascript"
        ),
        **dict.fromkeys(("applescript", "osascript"), "applescript"),
        **dict.fromkeys(("gdb", "lldb", "gdscript", "godot"), "perl"),
        **{name: name for name in ("ruby", "perl", "php", "lua", "groovy", "r", "julia", "tcl")},
    }
)


def run_as_code(call: ToolCall, cwd: str, where: Surroundings) -> Iterator[Effect]:
    """What the code of the call does where it would run."""
    texts = [given.text for given in given_texts(call) if _is_code(given, call)]
    if not texts:
        return
    if re.search(PAGES, call.name, re.IGNORECASE):
        for text in texts:
            yield from _in_page(text, call, cwd)
        texts = [text for text in texts if _LEAVES_PAGE.search(text)]
    spoken = _spoken(call)
    if not spoken and not _RUNNERS.search(call.name):
        return
    for text in texts:
        yield from _on_machine(spoken or _guessed(text), text, cwd, where)


def _is_code(given: Given, call: ToolCall) -> bool:
    """Also the content of the files that are handed over with the name of a language."""
    return bool(_KEYS.search(given.key)) or (
        given.key == "content" and isinstance(call.input.get("language"), str)
    )


def _spoken(call: ToolCall) -> str:
    """The language that the call names, or that its tool or server is named after."""
    asked = call.input.get("language", call.input.get("lang", call.input.get("kernel")))
    if isinstance(asked, str):
        return _LANGUAGES.get(asked.lower(), asked.lower())
    server, tool = words_of(call)
    return next((_LANGUAGES[word] for word in (*tool, *server) if word in _LANGUAGES), "")


_JAVASCRIPT = lazy(r"\brequire\s*\(|=>|\b(?:const|let|var|function|await)\s|\bDeno\.|process\.env")


def _guessed(text: str) -> str:
    import ast  # rare: a tool that does not say what it runs

    if text.lstrip().startswith(("!", "%")):  # a cell of a notebook
        return "python"
    if _JAVASCRIPT.search(text):
        return "javascript"
    try:
        ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return "javascript"
    return "python"


def _on_machine(language: str, text: str, cwd: str, where: Surroundings) -> Iterator[Effect]:
    from fairlead.shell.effects.code.code_effects import code_effects  # only where there is code to read
    from fairlead.shell.effects.script_effects import effects_of

    yield from code_effects(Code(language, text, Command((Word(language),), cwd)), where, effects_of)


_LEAVES_PAGE = lazy(
    r"\brequire\s*\(|\bprocess\.(?:env|mainModule|binding)|child_process|\bDeno\.|__import__|\bimport os\b"
)
"""What no page has."""
_KEPT_BY_PAGES = lazy(r"document\.cookie|localStorage|sessionStorage|indexedDB|cookieStore")
_SENDING = lazy(
    r"\bfetch\s*\(|XMLHttpRequest|sendBeacon|new\s+(?:Image|WebSocket|EventSource)\b|\.src\s*=|location\s*="
)
_ADDRESS = lazy(r"(?:https?|wss?)://[^\s'\"`)]+")


def _in_page(text: str, call: ToolCall, cwd: str) -> Iterator[Effect]:
    """A page knows who is logged in: what it keeps for that goes to no other host."""
    away = [address for address in _ADDRESS.findall(text) if not LOCAL.match(address)]
    if away and _KEPT_BY_PAGES.search(text) and _SENDING.search(text):
        yield Effect(Action.SEND_DATA, "upload", Command((), cwd), what=f"{call.name} {away[0][:80]}")
