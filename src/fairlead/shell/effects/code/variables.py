"""Code that prints a variable of the environment which is a secret by its name."""

from __future__ import annotations

import ast

from fairlead.shell.effects.secret_searches import SECRET_NAME
from fairlead.shell.lazy_pattern import lazy

_ACCESS = (
    rf"(?:os\.environ(?:\.get\(|\[)\s*[\"']{SECRET_NAME}|(?:os\.)?getenv\(\s*[\"']{SECRET_NAME}|process\.env(?:\.{SECRET_NAME}|\[[\"']{SECRET_NAME})"
    rf"|ENV(?:\.fetch\(|\[)\s*[\"']{SECRET_NAME}|\$ENV\{{\s*[\"']?{SECRET_NAME}|\$_(?:ENV|SERVER)\[[\"']{SECRET_NAME}|ENVIRON\[\"{SECRET_NAME}"
    rf"|Deno\.env\.get\([\"']{SECRET_NAME}|System\.getenv\(\"{SECRET_NAME})"
)
_PRINTED = lazy(
    r"(?:(?<![\w-])(?:print|printf|println|puts|p|pp|echo|say|inspect)\b|console\.\w+|(?:stdout|STDOUT)\.(?:write|print|puts))"
    r"\s*\(?\s*(?:f?[\"'][^\"'\n]{0,80}(?:[\"']\s*[,+.%]\s*|\{))?\s*[\"']?" + _ACCESS
)
_WHOLE = lazy(r"^\s*" + _ACCESS)


def prints_secret_variable(text: str, language: str, *, evaluated: bool = False) -> bool:
    """`evaluated`: the value of the code is printed, as by `node -p`."""
    if _PRINTED.search(text):
        return language != "python" or _stands_outside_texts(text)
    return evaluated and bool(_WHOLE.match(text))


def _stands_outside_texts(text: str) -> bool:
    """Whether Python code takes the variable itself, and not only speaks of code that does."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return True
    taken = (node for node in ast.walk(tree) if isinstance(node, (ast.Subscript, ast.Call)))
    return any(_WHOLE.match(ast.unparse(node)) for node in taken)
