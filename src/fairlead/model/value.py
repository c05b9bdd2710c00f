"""Immutable records, cheap to import.

A frozen dataclass would do the same, but each one costs about 0.4 ms of generated code at import, and a
cold hook call pays for all of them before it can answer. Type checkers see these as frozen dataclasses.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from types import MappingProxyType

TYPE_CHECKING = False
"""What type checkers take for True. `typing` is all theirs, and takes as long to load as thirty modules of
ours, so nothing that a cold hook call needs loads it."""
if TYPE_CHECKING:
    from typing import Any, ClassVar, Literal, Self, dataclass_transform
else:

    def dataclass_transform(**_):
        return lambda kind: kind


def generalize(kind: type) -> None:
    """Undoes for a child what `fast_records` made for the fields of its parent."""
    for name, generic in getattr(kind.__new__, "instead_of", {}).items():
        setattr(kind, name, generic)


class _Derived:
    def __init__(self, make: Callable[[Any], object]) -> None:
        self.make = make


def derived(make: Callable[[Any], Any], *, init: Literal[False] = False) -> Any:
    """What follows from the fields of a record: made once with it, and no part of what makes it equal."""
    return _Derived(make)


def _annotated(namespace: dict[str, Any]) -> Iterable[str]:
    """The names that have a type. From Python 3.14 on there is only a function that knows them, but for those
    modules that import `annotations` from the future."""
    names: Iterable[str] = namespace.get("__annotations__", ())
    if sys.version_info >= (3, 14):
        make = namespace.get("__annotate__") or namespace.get("__annotate_func__")
        if make is not None:
            from annotationlib import Format, call_annotate_function

            names = call_annotate_function(make, Format.FORWARDREF)
    return names


@dataclass_transform(frozen_default=True, eq_default=True, field_specifiers=(derived,))
class ValueType(type):
    """Turns annotated names into slots, and the values given to them into defaults."""

    _fields: tuple[str, ...]
    _defaults: dict[str, object]
    _slots: tuple[tuple[str, Callable[[object, object], None]], ...]
    _derived: dict[str, Callable[[Any], object]]

    def __new__(mcs, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> ValueType:
        slots = tuple(field for field in _annotated(namespace) if not field.startswith("_"))
        defaults = {field: namespace.pop(field) for field in slots if field in namespace}
        namespace["__slots__"] = slots
        derived = {name: defaults.pop(name).make for name in slots if type(defaults.get(name)) is _Derived}
        own = tuple(field for field in slots if field not in derived)
        cls = super().__new__(mcs, name, bases, namespace)
        parents = [base for base in bases if isinstance(base, ValueType)]
        inherited = [field for base in parents for field in base._fields]
        cls._fields = (*inherited, *own)
        cls._defaults = {k: v for base in parents for k, v in base._defaults.items()} | defaults
        cls._slots = tuple((field, getattr(cls, field).__set__) for field in cls._fields)
        cls._derived = {k: v for base in parents for k, v in base._derived.items()} | derived
        generalize(cls)
        return cls


class Value(metaclass=ValueType):
    """Base of all records: equal by content, hashable when its fields are, never changed after creation."""

    _fields: ClassVar[tuple[str, ...]]
    _defaults: ClassVar[dict[str, object]]
    _slots: ClassVar[tuple[tuple[str, Callable[[object, object], None]], ...]]
    _derived: ClassVar[dict[str, Callable[[Any], object]]]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if args:
            kwargs = self._named(args, kwargs)
        values = self._defaults | kwargs
        if len(values) != len(self._fields):
            raise TypeError(self._misfit(values))
        try:
            for field, put in self._slots:
                put(self, values[field])
        except KeyError:
            raise TypeError(self._misfit(values)) from None
        if self._derived:
            self._derive()

    def _derive(self) -> None:
        for name, make in self._derived.items():
            object.__setattr__(self, name, make(self))

    def _named(self, args: tuple[object, ...], kwargs: dict[str, object]) -> dict[str, object]:
        named = dict(zip(self._fields, args, strict=False))
        if len(named) < len(args):
            raise TypeError(f"{type(self).__name__} takes {len(named)} values, {len(args)} were given")
        twice = named.keys() & kwargs.keys()
        if twice:
            raise TypeError(f"{type(self).__name__} was given {min(twice)!r} twice")
        return named | kwargs

    def _misfit(self, values: dict[str, object]) -> str:
        unknown = sorted(values.keys() - set(self._fields))
        if unknown:
            return f"{type(self).__name__} has no field {unknown[0]!r}"
        missing = next(field for field in self._fields if field not in values)
        return f"{type(self).__name__} needs {missing!r}"

    def replace(self, **changes: Any) -> Self:
        """A copy that differs in the named fields."""
        copy = object.__new__(type(self))
        for field, put in self._slots:
            put(copy, changes.pop(field) if field in changes else getattr(self, field))
        if changes:
            raise TypeError(f"{type(self).__name__} has no field {min(changes)!r}")
        if self._derived:
            copy._derive()
        return copy

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable: use replace({name}=...)")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable")

    def _values(self) -> tuple[object, ...]:
        return tuple(getattr(self, field) for field in self._fields)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if type(other) is not type(self):
            return NotImplemented
        return self._values() == other._values()

    def __hash__(self) -> int:
        return hash((type(self), self._values()))

    def __reduce__(self) -> tuple[Any, ...]:
        """Views of mappings become mappings, since nobody can pickle or copy a view."""
        values = (dict(each) if type(each) is MappingProxyType else each for each in self._values())
        return type(self), tuple(values)

    def __repr__(self) -> str:
        shown = ", ".join(f"{field}={getattr(self, field)!r}" for field in self._fields)
        return f"{type(self).__name__}({shown})"
