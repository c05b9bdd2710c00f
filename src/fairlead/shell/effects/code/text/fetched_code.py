"""Code that fetches code from another machine and runs it, in the words that each language has for both."""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import MappingProxyType

from fairlead.model.value import Value
from fairlead.shell.effects.code.act import Act
from fairlead.shell.effects.effect import Action
from fairlead.shell.lazy_pattern import lazy

_ADDRESS = lazy(r"\b(?:https?|ftp)://(?!localhost\b|127\.|0\.0\.0\.0|\[::1\])[^\s'\"`)]+", re.I)


class Words(Value):
    """How a language fetches, and how it runs what is in a file or in a text."""

    fetches: re.Pattern[str]
    runs: re.Pattern[str]


def _words(fetches: str, runs: str) -> Words:
    return Words(re.compile(fetches), re.compile(runs))


_LISP = _words(
    r"\burl-(?:copy-file|retrieve\w*|retrieve-synchronously|insert-file-contents|file-local-copy)|\brequest\s",
    r"\((?:load|load-file|load-library|eval|eval-buffer|eval-region|eval-current-buffer)\b",
)
_NUMBERS = _words(r"\b(?:urlwrite|websave|urlread|webread)\s*\(", r"\b(?:run|eval|evalc|source|feval)\s*\(")
_LANGUAGES = MappingProxyType(
    {
        "elisp": _LISP,
        "julia": _words(
            r"\bDownloads\.download|\bdownload\s*\(|\bHTTP\.get",
            r"\binclude(?:_string)?\s*\(|\bMeta\.parse|\bevalfile\b",
        ),
        "any": _NUMBERS,
        "r": _words(
            r"\bdownload\.file\s*\(|\b(?:url|readLines|GET)\s*\(", r"\b(?:sys\.)?source\s*\(|\beval\s*\("
        ),
        "lua": _words(
            r"\bhttps?\.request\b|\brequests\.get\b", r"\b(?:load|loadstring|dofile|loadfile)\s*\(?"
        ),
        "perl": _words(
            r"\bgetstore\b|\bLWP\b|\bHTTP::Tiny\b", r"\bdo\s*\(?\s*[\"'$]|\beval\b|\brequire\s+[\"'$]"
        ),
        "ruby": _words(
            r"\bURI\.open\b|\bNet::HTTP\b|open-uri|\bURI\([^)]*\)\.(?:open|read)",
            r"\bload[\s(]+[\"'\w]|\beval\b|_eval\b|\brequire[\s(]+[\"']/",
        ),
        "groovy": _words(r"\bnew URL\b|\.toURL\(\)", r"\bevaluate\s*\(|\bGroovyShell\b|\bEval\.me\b"),
        "elixir": _words(r":httpc\b|\bHTTPoison\b|\bReq\.get", r"\bCode\.(?:eval|require|compile)_\w+"),
    }
)


def fetched_code(language: str, text: str) -> Iterator[Act]:
    words = _LANGUAGES.get(language)
    if words is None or "://" not in text:
        return
    found = _ADDRESS.search(text)
    if found and words.fetches.search(text) and words.runs.search(text):
        yield Act(str(Action.RUN_NETWORK_CODE), name="download", text=found[0][:80])
