"""Text that code only prints: taken out before the code is searched for what it does."""

from __future__ import annotations

import re

_SHOWN = re.compile(
    r"""\b(?P<call>console\.(?:log|error|warn|info|debug)|puts|print|println!?|say|echo|printf)\s*(?P<open>\(?)\s*
    (?P<quote>["'])(?P<text>(?:\\.|(?!(?P=quote))[^\\])*)(?P=quote)(?=\s*(?:[),;\n}]|\Z))""",
    re.X | re.DOTALL,
)
_COMPUTED = re.compile(r"#\{|@\{|\{\$|\$\{")
"""Parts of a literal that some languages run before they print it."""
_REDEFINED = re.compile(
    r"\b(?:alias|alias_method|def|sub|function|fn|define_method)\b[^\n;]{0,20}\b(?:puts|print|say|echo)"
    r"|\bconsole(?:\.\w+)?\s*=|\b(?:puts|print|say|echo)\s*="
)


def without_shown(text: str) -> str:
    """`console.log("rm -rf /")` without what it says; code that gives such a name a new meaning stays."""
    if _REDEFINED.search(text):
        return text
    return _SHOWN.sub(
        lambda match: match[0] if _COMPUTED.search(match["text"]) else f'{match["call"]}{match["open"]}""',
        text,
    )
