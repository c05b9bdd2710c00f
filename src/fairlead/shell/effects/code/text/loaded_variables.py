"""Code that loads a file of variables, and whether it shows them."""

from __future__ import annotations

from fairlead.shell.lazy_pattern import lazy

_LOADS = lazy(
    r"""require\(["'`]dotenv["'`]\)|import\(["'`]dotenv["'`]\)|from\s+["'`]dotenv["'`]|["'`]dotenv/config["'`]"""
)
_PRINTS = lazy(
    r"console\.\w+\s*\(|process\.std(?:out|err)|\bparsed\b|writeFile|appendFile|util\.inspect|alert\("
)
_TAKEN = lazy(
    r"process\.env\b|\bprocess\s*\[|\bparsed\b|\b(?:util|console)\.\w+\(\s*process\b|\.config\(\)\s*\)|=\s*[^;=]{0,60}\.config\("
)
"""The values themselves, whatever becomes of them."""
_TEXT = r"""(?:'[^'$]*'|"[^"$]*"|`[^`$]*`|\d+|true|false)"""
_ASKED = lazy(
    r"(?:!!?\s*|typeof\s+)process\.env\.\w+(?![\w.\[])"
    r"|Boolean\(\s*process\.env\.\w+\s*\)"
    r"|process\.env\.\w+\s*\?\s*" + _TEXT + r"\s*:\s*" + _TEXT + r"|process\.env\.\w+\??\.length\b"
    r"|['\"]\w+['\"]\s+in\s+process\.env\b"
)
"""Whether a variable is set, and how long it is."""
_PLAIN = lazy(r"console\.\w+\s*\(\s*(?:(?:" + _TEXT + r"|ASKED)\s*(?:[,+]\s*)?)*\)")


def shows_loaded_variables(text: str) -> bool:
    """`require('dotenv').config(); console.log(process.env)`, and not `console.log(!!process.env.KEY)`."""
    if "dotenv" not in text or not _LOADS.search(text):
        return False
    rest = _PLAIN.sub("", _ASKED.sub("ASKED", text))
    return bool(_PRINTS.search(rest) and _TAKEN.search(rest))
