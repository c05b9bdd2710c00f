"""Records for a process that makes many: written out field by field, as dataclasses are.

A decision of the daemon takes a fifth to a quarter less time with them. To write them out costs milliseconds,
so a process that answers once keeps the plain methods of `Value`, and both behave alike. Everything is made
from `_fields`: a field that is added is here too.
"""

from __future__ import annotations

from fairlead.model.value import Value, ValueType, generalize

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_IN_ORDER = ("__new__", "__init__", "replace", "_values")
"""The methods that are written out for each kind. What `__new__` has filled `__init__` may fill once more, so
other threads may make records meanwhile."""
_COMPILED = frozenset(_IN_ORDER)


def _empty(kind: type, *_: object, **__: object) -> object:
    """The `__new__` of every kind, for one whose parent has another by now."""
    return object.__new__(kind)


def compile_records(root: type[Value] = Value) -> None:
    """Gives every kind of record below `root` that exists by now methods without loops."""
    kinds = [root]
    while kinds:
        kind = kinds.pop()
        kinds += [child for child in kind.__subclasses__() if not child.__name__.startswith(_OPEN)]
        if kind._fields and not vars(kind).keys() & _COMPILED:
            _compile(kind)


_OPEN = "_Open"
_METHODS = """
def __new__(_kind_, {parameters}):
    _made = _open()
{puts}
{derive}
    _made.__class__ = _kind
    return _made

def replace(self, {changes}, **_unknown):
    if _unknown:
        raise TypeError(f"{{_kind.__name__}} has no field {{min(_unknown)!r}}")
    _unchanged, _made = _same, _open()
{copies}
{derive}
    _made.__class__ = _kind
    return _made

def _values(self):
    return ({values},)
"""
"""A record is filled while it is of a kind that is laid out alike and not closed: a plain assignment is many
times faster than the descriptor that gets around `__setattr__`, and touches less memory."""


def _compile(kind: type[Value]) -> None:
    required = [field for field in kind._fields if field not in kind._defaults]
    if list(kind._fields[: len(required)]) != required:
        generalize(kind)  # Python has no way to write parameters in this order
        return
    parameters = [*required, *(f"{field}=_defaults[{field!r}]" for field in kind._fields[len(required) :])]
    source = _METHODS.format(
        parameters=", ".join(parameters),
        puts="\n".join(f"    _made.{field} = {field}" for field in kind._fields),
        values=", ".join(f"self.{field}" for field in kind._fields),
        changes=", ".join(f"{field}=_same" for field in kind._fields),
        copies="\n".join(
            f"    _made.{field} = self.{field} if {field} is _unchanged else {field}"
            for field in kind._fields
        ),
        derive="\n".join(f"    _made.{name} = _derived[{name!r}](_made)" for name in kind._derived),
    )
    scope: dict[str, Any] = {
        "_defaults": kind._defaults,
        "_derived": kind._derived,
        "_kind": kind,
        "_open": _opened(kind),
        "_same": object(),
    }
    exec(source, scope)  # noqa: S102 - made of the names of fields, and of nothing else
    scope["__new__"].__qualname__ = f"{kind.__name__}.__new__"  # what the interpreter names in its errors
    generic = {"__new__": _empty} | {name: getattr(kind, name) for name in _COMPILED - {"__new__"}}
    scope["__new__"].instead_of = getattr(kind.__new__, "instead_of", generic)
    scope["__init__"] = object.__init__
    for name in _IN_ORDER:
        setattr(kind, name, scope[name])


def _opened(kind: type[Value]) -> type:
    """A kind with the same layout whose fields can be set."""
    own = {
        "__slots__": vars(kind)["__slots__"],
        "__setattr__": object.__setattr__,
        "__delattr__": object.__delattr__,
        "__new__": object.__new__,
        "__init__": object.__init__,
    }
    return type.__new__(ValueType, f"{_OPEN}{kind.__name__}", kind.__bases__, own)
