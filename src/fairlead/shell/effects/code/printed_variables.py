"""Code that prints a variable of the environment which is a secret by its name."""

from __future__ import annotations

import ast
import re

from fairlead.shell.effects.code.text.text_literals import without_long_texts
from fairlead.shell.effects.secret_material.secret_searches import SECRET_NAME
from fairlead.shell.lazy_pattern import lazy

_ACCESS = (
    rf"(?:os\.environ(?:\.get\(|\[)\s*[\"']{SECRET_NAME}|(?:os\.)?getenv\(\s*[\"']{SECRET_NAME}|process\.env(?:\.{SECRET_NAME}|\[[\"']{SECRET_NAME})"
    rf"|ENV(?:\.fetch\(|\[)\s*[\"']{SECRET_NAME}|\$ENV\{{\s*[\"']?{SECRET_NAME}|\$_(?:ENV|SERVER)\[[\"']{SECRET_NAME}|ENVIRON\[\"{SECRET_NAME}"
    rf"|(?<!\w)settings\.{SECRET_NAME}|(?<![\w.])env\(\s*[\"']{SECRET_NAME}|Rails\.application\.(?:credentials|secrets)\b"
    rf"|Deno\.env\.get\([\"']{SECRET_NAME}|System\.getenv\(\"{SECRET_NAME})"
)
_PRINTED = lazy(
    r"(?:(?<![\w-])(?:print|printf|println|puts|p|pp|echo|say|inspect)\b|console\.\w+|(?:stdout|STDOUT)\.(?:write|print|puts))"
    r"\s*\(?\s*(?:f?[\"'][^\"'\n]{0,80}(?:[\"']\s*[,+.%]\s*|\{))?\s*[\"']?" + _ACCESS
)
_WHOLE = lazy(r"^\s*" + _ACCESS)
_HINTED = lazy(_ACCESS + r"[\"']?\s*[\])]?\s*\[\s*:\s*[0-8]\s*\]")
"""The first signs of it, by which a person knows which one it is."""


_PRINTS = lazy(
    r"(?<![\w.-])(?:print|printf|println|puts|pp?|echo|say)\b|console\.\w+|(?:stdout|STDOUT)\.(?:write|print|puts)"
)
_WALKED = lazy(
    r"\benviron\.items\(\)|Object\.entries\(\s*process\.env\s*\)|\bENV\.(?:each|select|filter|to_h)\b"
)
_PICKED = lazy(r"[\"'/|](?:\w{0,20}_)?(?:KEY|TOKEN|SECRET|PASS|PASSWORD|CREDENTIALS?)[\"'/|]", re.IGNORECASE)
_ASKED = lazy(
    r"\b(?:keyring\.get_password|keytar\.getPassword|get_credentials|get_frozen_credentials|get_secret_value|getSecretValue"
    r"|access_secret_version|read_secret(?:_version)?|get_secret)\(|\bWithDecryption\s{0,4}=\s{0,4}True\b"
)
_NEAR = 160


def _hands_out(text: str) -> bool:
    """All variables whose names say secret, or what a keeper of secrets answers."""
    asked = _ASKED.search(text)
    if asked is not None:
        before = text[max(0, asked.start() - _NEAR) : asked.start()]
        if _PRINTS.search(before.rpartition("\n")[2].rpartition(";")[2]):
            return True
    return bool(_WALKED.search(text) and _PICKED.search(text) and _PRINTS.search(text))


def prints_secret_variable(text: str, language: str, *, evaluated: bool = False) -> bool:
    """`evaluated`: the value of the code is printed, as by `node -p`."""
    spoken = without_long_texts(text)
    if _hands_out(spoken):
        return True
    if _PRINTED.search(_HINTED.sub("''", text) if language == "python" else spoken):
        return language != "python" or _stands_outside_texts(text)
    return evaluated and bool(_WHOLE.match(text))


def _stands_outside_texts(text: str) -> bool:
    """Whether Python code takes the variable itself, and not only speaks of code that does."""
    try:
        tree = ast.parse(text)
        taken = (node for node in ast.walk(tree) if isinstance(node, (ast.Subscript, ast.Call)))
        return any(_WHOLE.match(ast.unparse(node)) for node in taken)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return True
