"""Code with other spellings of the same calls undone: names given to functions, computed property names."""

from __future__ import annotations

import re

from fairlead.shell.effects.code.text.expressions import value_of
from fairlead.shell.lazy_pattern import lazy

_PROPERTY = lazy(r"\[\s*(?P<name>[^\[\]]{1,80}?)\s*\]\s*(?=\()")
_UNPACKED = lazy(r"\{(?P<names>[^{}]{1,300})\}\s*(?:=|from\b)")
_RENAMED = lazy(r"(?<!\w)(?P<old>\w{1,80})\s{0,40}(?::|\bas\b)\s{0,40}(?P<new>\w{1,80})")
_GIVEN = lazy(
    r"(?:\b(?:const|let|var|val|local)\s{1,40}|[;\n(,{]\s{0,40}|\A\s*)(?P<new>(?<!\w)\w{1,80})\s{0,40}=\s*"
    r"(?P<path>(?:(?:await\s+)?(?:require|import)\(\s*[\"'][\w:/.-]+[\"']\s*\)|[A-Za-z_]\w*)(?:\.\w+)*\.(?P<old>\w+))\s*(?=[;,\n)]|\Z)"
)
_SENT = lazy(
    r"\b(?:send|public_send|__send__|call_user_func|call_user_func_array)\s*\(?\s*"
    r"(?::(?P<symbol>\w+[!?]?)|(?P<text>[\"'][^\"']*[\"'](?:\s*[+.]\s*[\"'][^\"']*[\"'])*))\s*,\s*"
)
_OF_SYSTEM = lazy(r"\[(?:System\.)?IO\.(?P<owner>File|Directory)\]::(?=Delete\()", re.I)
_TYPED_LIST = lazy(
    r"\bnew\s+String\s*\[\s*\]\s*\{(?P<items>[^{}]*)\}|\b(?:List\.of|Arrays\.asList|listOf)\((?P<given>[^()]*)\)"
)
_JOINED_BY_LISP = lazy(r"\((?:string-append|concat|str)(?P<texts>(?:\s+\"(?:\\.|[^\"\\])*\")+)\s*\)")
_LITERAL = r'"(?:\\.|[^"\\])*"'
_JOIN = r"\s*(?:\+{1,2}|\.{1,2}|[~&]|<>)\s*"
_JOINED = lazy(rf"{_LITERAL}(?:{_JOIN}{_LITERAL})*")
_CALLED_MODULE = lazy(r"\brequire\(\s*[\"'](?:node:)?(?P<module>[\w-]+)[\"']\s*\)(?:\.default)?\s*(?=\()")
_REMOVER = lazy(r"(?:\brequire\(\s*[\"'](?:rimraf|del)[\"']\s*\)|\b(?:rimraf|del))(?:\.\w+){1,2}\s*(?=\()")
_VARIABLE_CALL = lazy(r"[$](?P<name>\w+)\s*(?=\()")


def respelled(text: str, constants: dict[str, str]) -> str:
    """`x['rm' + 'Sync'](…)` as `x.rmSync(…)`, `send(:system, …)` as `system(…)`, and so on."""
    text = _PROPERTY.sub(lambda match: _property(match, constants), text)
    text = _SENT.sub(lambda match: f"{match['symbol'] or value_of(match['text'], {}) or 'send'}(", text)
    text = _VARIABLE_CALL.sub(lambda match: _function(match, constants), text)
    text = _REMOVER.sub("rimraf", text)
    text = _CALLED_MODULE.sub(lambda match: match["module"].replace("-", "_"), text)
    text = _OF_SYSTEM.sub(lambda match: f"{match['owner']}.", text)
    text = _TYPED_LIST.sub(lambda match: f"[{match['items'] or match['given'] or ''}]", text)
    text = _JOINED_BY_LISP.sub(lambda match: re.sub(r"\"\s+\"", "", match["texts"].strip()), text)
    text = _JOINED.sub(_joined, text)
    names = _new_names(text)
    if not names:
        return text
    called = re.compile(r"(?<![\w.$])(" + "|".join(map(re.escape, names)) + r")\s*(?=\()")
    return called.sub(lambda match: names[match[1]], text)


def _joined(match: re.Match[str]) -> str:
    """`"a" + "b"` as `"ab"`."""
    literals = re.findall(_LITERAL, match[0])
    return match[0] if len(literals) == 1 else '"' + "".join(each[1:-1] for each in literals) + '"'


def _property(match: re.Match[str], constants: dict[str, str]) -> str:
    value = value_of(match["name"], constants)
    return f".{value}" if value is not None and value.isidentifier() else match[0]


def _function(match: re.Match[str], constants: dict[str, str]) -> str:
    """PHP: `$f = 'system'; $f(…)`."""
    value = constants.get(match["name"], "")
    return value if value.isidentifier() else match[0]


def _new_names(text: str) -> dict[str, str]:
    """Names that stand for a function of a module: `{rmSync: r} = require('fs')`, `s = os.execute`."""
    found: dict[str, str] = {}
    for unpacked in _UNPACKED.finditer(text):
        found |= {each["new"]: each["old"] for each in _RENAMED.finditer(unpacked["names"])}
    for given in _GIVEN.finditer(text):
        found[given["new"]] = given["old"]
    return dict(list(found.items())[:50])
