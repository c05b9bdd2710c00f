"""The many ways in which languages ask for the home directory, written as the directory itself."""

from __future__ import annotations

import json
import re

from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.word_sets import names

_INTERPOLATED = lazy(
    r"""[#$]\{\s*(?:ENV\[\s*["']HOME["']\s*\]|ENV\.fetch\(\s*["']HOME["']\s*\)|Dir\.home
      |process\.env\.HOME|process\.env\[["']HOME["']\]|os\.homedir\(\)|homedir\(\))\s*\}
    |[$]\(homedir\(\)\)|[$]\(ENV\[\s*["']HOME["']\s*\]\)""",
    re.X,
)
_VARIABLE = r"""[$]ENV\{\s*["']?HOME["']?\s*\}|[$](?:::)?env\(HOME\)
    |[$]\{?env:(?:HOME|USERPROFILE)\b\}?|[$]HOME\b(?!\s*=)|[$]\{HOME\}"""
_BARE = lazy(_VARIABLE, re.X | re.I)
_BARE_OR_LITERAL = lazy(rf'(?P<literal>"(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*`)|{_VARIABLE}', re.X | re.I)
_EXPRESSION = lazy(
    r"""\((?:System/)?getenv\s+"HOME"\)|\(System/getProperty\s+"user\.home"\)|\(user-homedir-pathname\)
    |(?:\bquoted\ form\ of\s+)?(?:\bPOSIX\ path\ of\s+)?\(?\bpath\ to\ home(?:\ folder)?\b\)?
    |%\*ENV\s*(?:<HOME>|\{\s*["']HOME["']\s*\})|[$]\*HOME\b
    |\bNSHomeDirectory\(\)|\bFileManager\.default\.homeDirectoryForCurrentUser(?:\.path)?
    |\bSys\.getenv\(\s*["']HOME["']\s*\)|\bpath\.expand\(\s*["']~["']\s*\)
    |\bos\.getenv\(\s*["']HOME["']\s*\)(?:\s+or\s+["'][^"']*["'])?
    |(?<!\w)(?<![\w)]\.)getenv\(\s*["']HOME["']\s*\)
    |\bSystem\.(?:getenv|getProperty)\(\s*"(?:HOME|user\.home)"\s*\)
    |\b(?:std::env|dirs)::home_dir\(\)
    |\bDir\.home\b|\bPath\.home\b(?:\(\))?
    |(?:\brequire\(\s*["'](?:node:)?os["']\s*\)\s*\.|\bos\.)homedir\(\)|(?<![\w.])homedir\(\)""",
    re.X,
)
_WITH_ERROR = lazy(r"\b(\w+),\s*\w+\s*(:?=)\s*os\.UserHomeDir\(\)")
"""In Go, which gives an error beside it."""
_MENTION = lazy(r"home|userprofile|~", re.I)
_WITHOUT_QUOTES = names("tcl expect powershell nushell")
"""Languages whose words are texts without being quoted."""


def with_home(text: str, language: str, home: str) -> str:
    """The code with its home written out."""
    if not _MENTION.search(text):
        return text
    literal = json.dumps(home)
    text = _INTERPOLATED.sub(lambda _: home, text)
    text = _WITH_ERROR.sub(lambda match: f"{match[1]} {match[2]} {literal}", text)
    if language in _WITHOUT_QUOTES:
        text = _BARE.sub(lambda _: home, text)
    else:
        text = _BARE_OR_LITERAL.sub(
            lambda match: _BARE.sub(lambda _: home, match[0]) if match["literal"] else literal, text
        )
    return _EXPRESSION.sub(lambda _: literal, text)
