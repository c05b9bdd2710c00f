"""Text that code only prints: taken out before the code is searched for what it does."""

from __future__ import annotations

import re

from fairlead.shell.lazy_pattern import lazy

_SHOWN = lazy(
    r"""\b(?P<call>console\.(?:log|error|warn|info|debug)|Write-(?:Host|Output|Verbose|Warning|Debug|Information)|puts|print|println!?|say|echo|printf)\s*(?P<open>\(?)\s*
    (?P<quote>["'])(?P<text>(?:\\.|(?!(?P=quote))[^\\])*)(?P=quote)(?=\s*(?:[),;\n}]|\Z))""",
    re.X | re.DOTALL,
)
_COMPUTED: dict[str, re.Pattern[str] | None] = {
    "ruby": re.compile(r"#\{"),
    "perl": re.compile(r"[@$]\{"),
    "php": re.compile(r"\{\$|\$\{"),
    "javascript": None,
}
_COMPUTED_ELSEWHERE = lazy(r"#\{|\$\{|\$\(")
"""Parts of a literal that a language runs before it prints it."""
_TO_HANDLE = lazy(
    r"\b(print|printf|say)\s*\(?\s*\{?\s*(?:\$\w+|[A-Z]+)\s*\}?\s+([\"'])(?:\\.|(?!\2)[^\\])*\2", re.DOTALL
)
_PIPED = lazy(r"\|-|[\"']\s*\||`|@\{")
"""Perl writes to a handle, and a handle may be a program's input."""
_REDEFINED = lazy(
    r"\b(?:alias|alias_method|def|sub|function|fn|define_method)\b[^\n;]{0,20}\b(?:puts|print|say|echo)"
    r"|\bconsole(?:\.\w+)?\s*=|\b(?:puts|print|say|echo)\s*="
)


def without_shown(text: str, language: str) -> str:
    """`console.log("rm -rf /")` without what it says; code that gives such a name a new meaning stays."""
    if _REDEFINED.search(text):
        return text
    if language == "perl" and not _PIPED.search(text):
        text = _TO_HANDLE.sub(r'\1 ""', text)
    computed = _COMPUTED.get(language, _COMPUTED_ELSEWHERE)

    def shown(match: re.Match[str]) -> str:
        runs = computed is not None and computed.search(match["text"])
        return match[0] if runs else f'{match["call"]}{match["open"]}""'

    return _SHOWN.sub(shown, text)
