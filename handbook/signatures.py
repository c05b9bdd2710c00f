"""How a public name is called, in short: its arguments without their types."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from enum import Enum
from typing import is_typeddict

from fairlead.model.value import Value


def call_of(name: str, value: object) -> str:
    """Empty for what is not called, or is called in a way that nobody has to know."""
    if inspect.isclass(value):
        return _construction(name, value)
    return f"{name}({_arguments(inspect.signature(value))})" if inspect.isfunction(value) else ""


def _construction(name: str, made: type) -> str:
    if issubclass(made, Enum) or getattr(made, "_is_protocol", False):
        return ""
    if issubclass(made, Value):
        return f"{name}({', '.join(_fields(made))})"
    if is_typeddict(made):
        return "{" + ", ".join(f'"{field}"' for field in made.__annotations__) + "}"
    return f"{name}({_arguments(inspect.signature(made))})"


def _fields(made: type[Value]) -> Iterator[str]:
    """One with a default may be left out."""
    for field in made._fields:
        yield f"{field}=…" if field in made._defaults else field


def _arguments(signature: inspect.Signature) -> str:
    bare = [_bare(parameter) for parameter in signature.parameters.values()]
    return str(signature.replace(parameters=bare, return_annotation=signature.empty))[1:-1]


def _bare(parameter: inspect.Parameter) -> inspect.Parameter:
    """Without its type; a default that takes more than a word is only shown to be there."""
    shown = parameter.replace(annotation=parameter.empty)
    if parameter.default is parameter.empty or len(repr(parameter.default)) <= 20:
        return shown
    return shown.replace(default=_Unshown())


class _Unshown:
    def __repr__(self) -> str:
        return "…"
