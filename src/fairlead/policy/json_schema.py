"""`hook.meta.yaml` as a JSON Schema, made of the same tables that the loader reads, for editors."""

from __future__ import annotations

import os
from collections.abc import Mapping

from fairlead.model.event_name import known_event_names
from fairlead.policy.reading.builtin_config import CONFIGS
from fairlead.policy.reading.schema import (
    ENTRY_KEYS,
    FILE_KEYS,
    FLAG,
    LIST,
    MAPPING,
    NOTHING_GIVEN,
    NUMBER,
    PROVIDER_KEYS,
    RULE,
    RULE_KEYS,
    TEXT,
    Key,
    known_providers,
)

Schema = dict[str, object]
SCHEMA_FILE = os.path.join(os.path.dirname(__file__), "hook.meta.schema.json")
"""The same, written down; a test holds the two together."""
_TYPES = {
    TEXT: "string",
    NUMBER: "number",
    FLAG: "boolean",
    LIST: "array",
    MAPPING: "object",
    NOTHING_GIVEN: "null",
}


def json_schema() -> Schema:
    """The whole file."""
    file = _mapping(FILE_KEYS)
    properties = _properties(file)
    properties["event"] = {**_part(properties, "event"), "examples": sorted(known_event_names())}
    properties["rules"] = {
        "type": "array",
        "items": {**_mapping(RULE_KEYS), "required": ["id", "stops"]},
        "description": "rules without code",
    }
    properties["middleware"] = {"type": "array", "items": _entry(), "description": "the entries"}
    providers = {name: _mapping(PROVIDER_KEYS) for name in sorted(known_providers())}
    properties["providers"] = {"type": "object", "properties": providers}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "hook.meta.yaml",
        "description": "A policy of Fairlead. `fairlead policy check` finds what a schema cannot.",
        **file,
        "required": ["event"],
    }


def _entry() -> Schema:
    entry = _mapping(ENTRY_KEYS)
    return {**entry, "required": ["id"], "allOf": [_of_builtin(name) for name in CONFIGS if name != RULE]}


def _of_builtin(name: str) -> Schema:
    """An entry that names a built-in, and brings no program of its own, has that built-in's config."""
    own = {"anyOf": [{"required": ["path"]}, {"required": ["url"]}, {"required": ["plugin"]}]}
    named = {"properties": {"id": {"const": name}}, "required": ["id"], "not": own}
    return {"if": named, "then": {"properties": {"config": _mapping(CONFIGS[name])}}}


def _mapping(keys: Mapping[str, Key]) -> Schema:
    properties = {name: _value(key) for name, key in keys.items()}
    return {"type": "object", "additionalProperties": False, "properties": properties}


def _value(key: Key) -> Schema:
    types = [_TYPES[kind] for kind in key.kinds]
    value: Schema = {"type": types[0] if len(types) == 1 else types}
    if key.meaning:
        value["description"] = key.meaning
    if key.words:
        value["enum"] = list(key.words)
    return value


def _properties(schema: Schema) -> Schema:
    properties = schema["properties"]
    assert isinstance(properties, dict)
    return properties


def _part(properties: Schema, name: str) -> Schema:
    part = properties[name]
    assert isinstance(part, dict)
    return part
