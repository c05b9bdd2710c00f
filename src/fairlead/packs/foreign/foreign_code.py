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
from fairlead.shell.word_sets import names

_KEYS = lazy(
    r"code$|script$|snippet$|^expr|^function$|^func$|source$|^js$|javascript$|^cell$|pagefunction|^program$|^chunk$"
    r"|^form$|elisp$|^ts$|^vba$|typescript$|^groovy$|^apex$|^lua$|^ruby$|^php$|^r$"
)
_RUNNERS = lazy(
    r"python|jupyter|notebook|interpreter|repl|sandbox|eval|execute|run|\bexec"
    r"|(?:execute|run|eval)_?(?:code|cell|js|javascript|ts|typescript|node|ruby)",
    re.IGNORECASE,
)
_LANGUAGES = MappingProxyType(
    {
        **dict.fromkeys(("python", "py", "python3", "ipython", "jupyter", "notebook", "pyspark"), "python"),
        **dict.fromkeys(
            ("js", "node", "nodejs", "javascript", "typescript", "ts", "deno", "bun"), "javascript"
        ),
        **dict.fromkeys(("applescript", "osascript"), "applescript"),
        **dict.fromkeys(("elisp", "emacs"), "elisp"),
        **dict.fromkeys(("matlab", "octave", "mathematica", "wolfram", "csharp", "unity", "vba"), "any"),
        **dict.fromkeys(("rstudio", "rlang"), "r"),
        **dict.fromkeys(("blender", "unreal"), "python"),
        **dict.fromkeys(("gdb", "lldb", "gdscript", "godot"), "perl"),
        **dict.fromkeys(("jenkins", "nexus", "gradle"), "groovy"),
        **{name: name for name in ("ruby", "perl", "php", "lua", "groovy", "r", "julia", "tcl")},
    }
)


_SHELLS = names("sh bash zsh ksh dash fish shell shellscript console")
_SPEAKING = ("language", "lang", "kernel", "languageId", "language_id", "runtime", "interpreter", "syntax")
_NOTEBOOKS = names("notebook notebooks jupyter cell cells colab marimo deepnote kernel ipynb")
_HANDED = names("content body text input data cell block source")
"""Under these stands code where a language is named, or a cell of a notebook."""


def run_as_code(call: ToolCall, cwd: str, where: Surroundings) -> Iterator[Effect]:
    """What the code of the call does where it would run."""
    texts = [given.text for given in given_texts(call) if _is_code(given, call)]
    if not texts:
        return
    spoken = _spoken(call)
    if spoken in ("", "javascript") and re.search(PAGES, call.name, re.IGNORECASE):
        for text in texts:
            yield from page_effects(text, call, cwd)
        texts = [text for text in texts if spoken or _LEAVES_PAGE.search(text)]
    if not spoken and not _RUNNERS.search(call.name) and not _is_notebook(call):
        return
    for text in texts:
        yield from _on_machine(spoken or _guessed(text), text, cwd, where)


def _is_code(given: Given, call: ToolCall) -> bool:
    """Also what is handed over with the name of a language, or as a cell."""
    if given.key == "input" and not _INTERPRETERS.isdisjoint((*words_of(call)[0], *words_of(call)[1])):
        return True
    return bool(_KEYS.search(given.key)) or (
        given.key in _HANDED and (bool(_named_language(call)) or _is_notebook(call))
    )


def _is_notebook(call: ToolCall) -> bool:
    words = {*words_of(call)[0], *words_of(call)[1]}
    told = {each.text for each in given_texts(call) if each.key in ("celltype", "type")}
    return "markdown" not in words | told and not (_NOTEBOOKS.isdisjoint(words) and "code" not in told)


_INTERPRETERS = names("ipython python repl jupyter node kernel")
"""Servers that take code as their input."""


def _spoken(call: ToolCall) -> str:
    """The language that the call names, or that its tool or server is named after."""
    asked = _named_language(call)
    if asked:
        return _LANGUAGES.get(asked, asked)
    server, tool = words_of(call)
    return next((_LANGUAGES[word] for word in (*tool, *server) if word in _LANGUAGES), "")


def _named_language(call: ToolCall) -> str:
    """As it is called without its version: `python3.11`, `nodejs20.x`."""
    kind = call.input.get("kind")
    spoken = kind if isinstance(kind, str) and kind.lower() in _LANGUAGES else ""
    asked = next((call.input[key] for key in _SPEAKING if isinstance(call.input.get(key), str)), spoken)
    return re.sub(r"[\d.]+\w?$", "", str(asked).lower())


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
    if language in _SHELLS:
        from fairlead.packs.foreign.foreign_programs import run_line

        yield from run_line(text, cwd, where, whole=True)
        return
    from fairlead.shell.effects.code.code_effects import code_effects  # only where there is code to read
    from fairlead.shell.effects.script_effects import effects_of

    yield from code_effects(Code(language, text, Command((Word(language),), cwd)), where, effects_of)


_LEAVES_PAGE = lazy(
    r"\brequire\s*\(|\bprocess\.(?:env|mainModule|binding)|child_process|\bDeno\.|__import__|\bimport os\b"
)
"""What no page has."""
_KEPT_BY_PAGES = lazy(
    r"document\.cookie|localStorage|sessionStorage|indexedDB|cookieStore"
    r"|\(\s*['\"`](?:key(?:down|press|up)|input|paste|submit)['\"`]|\bonkey(?:down|press|up)\b|\bonpaste\b|\bonsubmit\b"
    r"|type=[\\'\"]*password|new FormData\b|\.cookies\(|storageState"
)
_SENDING = lazy(
    r"\bfetch\s*\(|XMLHttpRequest|sendBeacon|new\s+(?:Image|WebSocket|EventSource)\b|\.src\s*=|location\s*=|\.post\s*\("
    r"|\b(?:goto|navigate|open)\s*\([^()]{0,200}(?:\+|\$\{)"
)
_ADDRESS = lazy(r"(?:https?|wss?)://[^\s'\"`)]+")


def page_effects(text: str, call: ToolCall, cwd: str) -> Iterator[Effect]:
    """A page knows who is logged in, and what is typed: that goes to no other host."""
    away = [address for address in _ADDRESS.findall(text) if not LOCAL.match(address)]
    if away and _KEPT_BY_PAGES.search(text) and _SENDING.search(text):
        yield Effect(Action.SEND_DATA, "upload", Command((), cwd), what=f"{call.name} {away[0][:80]}")
