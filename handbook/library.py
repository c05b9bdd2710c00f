"""The page with the public names of the library."""

from __future__ import annotations

import importlib
import inspect
import re
from enum import Enum

import fairlead
from handbook.markdown import code, sentence, table
from handbook.signatures import call_of

MODULES = (
    "fairlead",
    "fairlead.hooks",
    "fairlead.bus",
    "fairlead.testing",
    "fairlead.middleware_base",
    "fairlead.interfaces",
    "fairlead.plugins",
    "fairlead.shell",
)
_MEMBERS = 14
"""Of an enumeration, before it fills the page."""
HEAD = """# Public names

Everything that a program may import. [What is stable, and what is not](../public-names.md) says what these names promise; [the library](../library.md) shows how to use them.

"""


def library_page() -> str:
    return HEAD + "\n".join(map(_section, MODULES))


def _section(module: str) -> str:
    loaded = importlib.import_module(module)
    names = sorted({*loaded.__all__} - {"__version__"}, key=lambda name: (name.lower(), name))
    rows = [_row(name, getattr(loaded, name)) for name in names]
    text = f"## `{module}`\n\n{table(('name', 'what it is', 'how it is made or called'), rows)}"
    return text + (_extras() if module == "fairlead" else "")


def _row(name: str, value: object) -> tuple[str, str, str]:
    if isinstance(value, type) and issubclass(value, Enum):
        return code(name), _meaning(value), _members([member.name for member in value])
    call = call_of(name, value)
    return code(name), _meaning(value), code(call) if call else ""


def _extras() -> str:
    """Names that need a package of somebody else; they are not imported to be listed."""
    names = sorted(set(dir(fairlead)) - {*fairlead.__all__, "__version__"})
    listed = " · ".join(map(code, names))
    return f"\nWith an extra (`pip install 'fairlead[langchain]'` and so on): {listed}.\n"


def _meaning(value: object) -> str:
    """The first sentence of what the code says about it."""
    own = value.__doc__ if inspect.isclass(value) or inspect.isroutine(value) else None
    if not own or own.startswith(f"{getattr(value, '__name__', '')}("):
        return "" if callable(value) else f"A constant of type {code(type(value).__name__)}."
    first = re.split(r"(?<=[.!?])\s", own.strip().replace("\n", " "), maxsplit=1)[0]
    return sentence(re.sub(r"\s+", " ", first))


def _members(names: list[str]) -> str:
    shown = ", ".join(map(code, names[:_MEMBERS]))
    return f"One of {shown}." if len(names) <= _MEMBERS else f"{len(names)} names: {shown} and so on."
