"""One spelling for each definition, so that the same meaning has the same digest, and any other has another.

Keys are sorted, blanks are gone, letters stand for themselves, and lists keep their order, save for
`required` of a schema, which is a set. Nothing is normalised beyond that: two letters that look alike are
two letters. How a digest is made has a number, which is kept beside it: a later formula recognises what an
earlier one pinned.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from fairlead.model.digest import sha256_hex
from fairlead.shell.word_sets import names

FORMULA = 1
DEEPEST = 64
LONGEST = 1 << 20
"""Characters of one definition; a longer one cannot be pinned."""
_WORDS = ("name", "description", "inputSchema", "arguments", "uri", "uriTemplate", "text")
"""What models read. Of the rest no model was seen to read any, but clients go by it."""
_ONE = names(
    "items additionalItems additionalProperties unevaluatedItems unevaluatedProperties contains not if then "
    "else propertyNames contentSchema"
)
_NAMED = names("properties patternProperties $defs definitions dependentSchemas")
_LISTED = names("allOf anyOf oneOf prefixItems items")
_SCHEMAS = frozenset(("inputSchema", "outputSchema"))


class UnpinnableError(ValueError):
    """A definition that has no canonical form; its message says why."""


def words_of(definition: Mapping[str, object]) -> dict[str, object]:
    """What a model reads. Where nothing is said, it is the same whether that is written out or not."""
    return {name: definition[name] for name in _WORDS if definition.get(name) is not None}


def rest_of(definition: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in definition.items() if name not in _WORDS and value is not None}


def canonical(members: Mapping[str, object]) -> str:
    """Raises UnpinnableError."""
    try:
        plain = {name: _plain_member(name, value) for name, value in members.items()}
        text = json.dumps(plain, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"))
    except RecursionError:
        raise UnpinnableError("it is nested too deeply") from None
    except (TypeError, ValueError) as error:
        raise UnpinnableError(f"it is no JSON: {str(error)[:80]}") from None
    if len(text) > LONGEST:
        raise UnpinnableError(f"it is longer than {LONGEST >> 10} KiB")
    return text


def _plain_member(name: str, value: object) -> object:
    return _schema(value, DEEPEST) if name in _SCHEMAS else _bounded(value, DEEPEST)


def _schema(value: object, depth: int) -> object:
    """A schema, with the order of `required` taken out where it is a keyword and not somebody's data."""
    if not isinstance(value, Mapping):
        return _bounded(value, depth)
    if depth == 0:
        raise UnpinnableError("it is nested too deeply")
    return {_key(key): _keyword(key, part, depth - 1) for key, part in value.items()}


def _keyword(key: str, value: object, depth: int) -> object:
    if key == "required" and isinstance(value, list) and all(isinstance(each, str) for each in value):
        return sorted(value)
    if key in _NAMED and isinstance(value, Mapping):
        return {_key(name): _schema(part, depth) for name, part in value.items()}
    if key in _LISTED and isinstance(value, list):
        return [_schema(part, depth) for part in value]
    return _schema(value, depth) if key in _ONE else _bounded(value, depth)


def _bounded(value: object, depth: int) -> object:
    if depth == 0:
        raise UnpinnableError("it is nested too deeply")
    if isinstance(value, Mapping):
        return {_key(key): _bounded(part, depth - 1) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_bounded(part, depth - 1) for part in value]
    return value


def _key(key: object) -> str:
    if not isinstance(key, str):
        raise UnpinnableError("a key of it is no text")
    return key


def _digest(members: Mapping[str, object]) -> str:
    return sha256_hex(canonical(members).encode("utf-8", "surrogatepass"))


FORMULAS: Mapping[int, Callable[[Mapping[str, object]], str]] = {1: _digest}
"""Every way in which a digest was ever made, by its number; the newest makes new ones."""
