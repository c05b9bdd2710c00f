"""Whether a value is valid against a JSON Schema: enough of it to say of a redacted result that it still is.

What is not understood counts as not valid: then the result is sent as an error, which no client checks.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from operator import ge, gt, le, lt

from fairlead.errors import FairleadError
from fairlead.model.matching.bounded_pattern import Deadline, finds

Plain = Callable[[object, object], bool]
_DEEPEST = 60
_TYPES: Mapping[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int, float),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
    "array": (list, tuple),
    "object": (Mapping,),
}
_NOTES = frozenset(
    {
        *(
            "$schema",
            "$id",
            "$comment",
            "$defs",
            "definitions",
            "title",
            "description",
            "default",
            "examples",
        ),
        *("deprecated", "readOnly", "writeOnly", "contentEncoding", "contentMediaType"),
        *("then", "else"),
    }
)
"""What demands nothing by itself."""
_FORMATS = frozenset({"password", "int32", "int64", "float", "double"})
"""Formats that any mark fits."""


def is_valid(value: object, schema: Mapping[str, object]) -> bool:
    try:
        return _Check(schema).fits(value, schema)
    except (_UnknownError, FairleadError, re.error, RecursionError, TypeError):
        return False


class _UnknownError(Exception):
    """The schema demands something of which nothing is known here."""


class _Check:
    def __init__(self, root: Mapping[str, object]) -> None:
        self._root = root
        self._deadline = Deadline(1.0)

    def fits(self, value: object, schema: object, depth: int = _DEEPEST) -> bool:
        if isinstance(schema, bool):
            return schema
        if not isinstance(schema, Mapping) or not depth:
            raise _UnknownError
        return all(
            self._keyword(key, demand, value, schema, depth - 1)
            for key, demand in schema.items()
            if key not in _NOTES and not key.startswith("x-")
        )

    def _keyword(
        self, key: str, demand: object, value: object, schema: Mapping[str, object], depth: int
    ) -> bool:
        if key in _PLAIN:
            return bool(_PLAIN[key](value, demand))
        check = _DEEP.get(key)
        if check is None:
            raise _UnknownError
        return bool(check(self, value, demand, schema, depth))

    def reference(self, value: object, demand: object, schema: Mapping[str, object], depth: int) -> bool:
        found: object = self._root
        if not isinstance(demand, str) or not demand.startswith("#"):
            raise _UnknownError
        for part in demand.removeprefix("#").split("/")[1:]:
            name = part.replace("~1", "/").replace("~0", "~")
            if not isinstance(found, Mapping) or name not in found:
                raise _UnknownError
            found = found[name]
        return self.fits(value, found, depth)

    def every(self, value: object, demand: object, schema: Mapping[str, object], depth: int) -> bool:
        return all(self.fits(value, each, depth) for each in _list(demand))

    def some(self, value: object, demand: object, schema: Mapping[str, object], depth: int) -> bool:
        return any(self.fits(value, each, depth) for each in _list(demand))

    def one(self, value: object, demand: object, schema: Mapping[str, object], depth: int) -> bool:
        return sum(self.fits(value, each, depth) for each in _list(demand)) == 1

    def none(self, value: object, demand: object, schema: Mapping[str, object], depth: int) -> bool:
        return not self.fits(value, demand, depth)

    def case(self, value: object, demand: object, schema: Mapping[str, object], depth: int) -> bool:
        branch = "then" if self.fits(value, demand, depth) else "else"
        return branch not in schema or self.fits(value, schema[branch], depth)

    def properties(self, value: object, demand: object, schema: Mapping[str, object], depth: int) -> bool:
        if not isinstance(value, Mapping):
            return True
        known = _map(demand)
        return all(self.fits(value[name], known[name], depth) for name in value if name in known)

    def by_pattern(self, value: object, demand: object, schema: Mapping[str, object], depth: int) -> bool:
        if not isinstance(value, Mapping):
            return True
        return all(
            self.fits(value[name], each, depth)
            for pattern, each in _map(demand).items()
            for name in value
            if finds(pattern, str(name), deadline=self._deadline)
        )

    def others(self, value: object, demand: object, schema: Mapping[str, object], depth: int) -> bool:
        if not isinstance(value, Mapping) or demand is True:
            return True
        known, patterns = _map(schema.get("properties", {})), _map(schema.get("patternProperties", {}))
        return all(
            self.fits(value[name], demand, depth)
            for name in value
            if name not in known and not any(finds(each, name, deadline=self._deadline) for each in patterns)
        )

    def names(self, value: object, demand: object, schema: Mapping[str, object], depth: int) -> bool:
        return not isinstance(value, Mapping) or all(self.fits(name, demand, depth) for name in value)

    def items(self, value: object, demand: object, schema: Mapping[str, object], depth: int) -> bool:
        if not isinstance(value, list | tuple):
            return True
        if isinstance(demand, list):
            return all(self.fits(item, each, depth) for item, each in zip(value, demand, strict=False))
        first = len(_list(schema.get("prefixItems", [])))
        return all(self.fits(item, demand, depth) for item in value[first:])

    def first_items(self, value: object, demand: object, schema: Mapping[str, object], depth: int) -> bool:
        if not isinstance(value, list | tuple):
            return True
        return all(self.fits(item, each, depth) for item, each in zip(value, _list(demand), strict=False))

    def pattern(self, value: object, demand: object, schema: Mapping[str, object], depth: int) -> bool:
        if not isinstance(value, str):
            return True
        if not isinstance(demand, str):
            raise _UnknownError
        return finds(demand, value, deadline=self._deadline)


def _list(value: object) -> Sequence[object]:
    if not isinstance(value, list | tuple):
        raise _UnknownError
    return value


def _map(value: object) -> Mapping[str, object]:
    if not isinstance(value, Mapping):
        raise _UnknownError
    return value


def _is_type(value: object, demand: object) -> bool:
    names = [demand] if isinstance(demand, str) else _list(demand)
    return any(_is_one(value, str(name)) for name in names)


def _is_one(value: object, name: str) -> bool:
    if name not in _TYPES:
        raise _UnknownError
    if isinstance(value, bool):
        return name == "boolean"
    if name == "integer" and isinstance(value, float):
        return value.is_integer()
    return isinstance(value, _TYPES[name])


def _is_same(value: object, other: object) -> bool:
    """`1` is not true in JSON, as it is in Python."""
    return isinstance(value, bool) is isinstance(other, bool) and value == other


def _formatted(value: object, demand: object) -> bool:
    """Only a mark that stands in the text can have broken it."""
    return not isinstance(value, str) or demand in _FORMATS or "[redacted:" not in value


def _number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _bound(measure: Callable[[object], float | None], holds: Callable[[float, float], bool]) -> Plain:
    def check(value: object, demand: object) -> bool:
        size = measure(value)
        if size is None:
            return True
        if not isinstance(demand, int | float):
            raise _UnknownError
        return holds(size, demand)

    return check


def _length(kind: type | tuple[type, ...]) -> Callable[[object], float | None]:
    return lambda value: len(value) if isinstance(value, kind) else None  # type: ignore[arg-type]


def _amount(value: object) -> float | None:
    return value if _number(value) else None  # type: ignore[return-value]


def _has_all(value: object, demand: object) -> bool:
    return not isinstance(value, Mapping) or all(name in value for name in _list(demand))


def _is_different(value: object, demand: object) -> bool:
    if demand is not True or not isinstance(value, list | tuple):
        return True
    texts = [json.dumps(item, sort_keys=True) for item in value]
    return len(set(texts)) == len(texts)


_TEXT, _ITEMS, _FIELDS = _length(str), _length((list, tuple)), _length(Mapping)
_PLAIN: Mapping[str, Plain] = {
    "type": _is_type,
    "enum": lambda value, demand: any(_is_same(value, each) for each in _list(demand)),
    "const": _is_same,
    "format": _formatted,
    "required": _has_all,
    "uniqueItems": _is_different,
    "minLength": _bound(_TEXT, ge),
    "maxLength": _bound(_TEXT, le),
    "minItems": _bound(_ITEMS, ge),
    "maxItems": _bound(_ITEMS, le),
    "minProperties": _bound(_FIELDS, ge),
    "maxProperties": _bound(_FIELDS, le),
    "minimum": _bound(_amount, ge),
    "maximum": _bound(_amount, le),
    "exclusiveMinimum": _bound(_amount, gt),
    "exclusiveMaximum": _bound(_amount, lt),
    "multipleOf": _bound(_amount, lambda size, step: step != 0 and size % step == 0),
}
_DEEP: Mapping[str, Callable[[_Check, object, object, Mapping[str, object], int], bool]] = {
    "$ref": _Check.reference,
    "allOf": _Check.every,
    "anyOf": _Check.some,
    "oneOf": _Check.one,
    "not": _Check.none,
    "if": _Check.case,
    "properties": _Check.properties,
    "patternProperties": _Check.by_pattern,
    "additionalProperties": _Check.others,
    "propertyNames": _Check.names,
    "items": _Check.items,
    "prefixItems": _Check.first_items,
    "pattern": _Check.pattern,
}
