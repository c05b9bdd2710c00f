"""What is valid against a schema, as far as a redacted result needs it."""

from __future__ import annotations

import pytest

from fairlead.doors.mcp.schema_check import is_valid

MARK = "[redacted:github-token]"


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}, {"a": MARK}),
        ({"type": ["string", "null"]}, MARK),
        ({"anyOf": [{"type": "integer"}, {"type": "string"}]}, MARK),
        ({"type": "array", "items": {"$ref": "#/$defs/t"}, "$defs": {"t": {"type": "string"}}}, [MARK]),
        ({"type": "object", "additionalProperties": False, "properties": {"a": True}}, {"a": 1}),
        ({"type": "string", "minLength": 3, "maxLength": 40, "pattern": "redacted"}, MARK),
        ({"if": {"type": "string"}, "then": {"minLength": 1}, "else": False}, MARK),
        ({"prefixItems": [{"type": "string"}], "items": {"type": "integer"}}, ["a", 1, 2]),
        ({"patternProperties": {"^x": {"type": "integer"}}}, {"x1": 1, "y": "z"}),
        ({"type": "integer"}, 3.0),
        ({"title": "T", "x-unknown": 1, "$schema": "http://json-schema.org/draft-07/schema#"}, MARK),
        ({"type": "string", "format": "date"}, "2026-01-01"),
        (True, MARK),
    ],
)
def test_what_fits_is_valid(schema: object, value: object) -> None:
    assert is_valid(value, {"allOf": [schema], **(schema if isinstance(schema, dict) else {})})


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"type": "object", "required": ["a"]}, {}),
        ({"enum": ["a", "b"]}, MARK),
        ({"const": 1}, True),
        ({"pattern": "^ghp_"}, MARK),
        ({"maxLength": 10}, MARK),
        ({"format": "uri"}, f"https://x.example/{MARK}"),
        ({"oneOf": [{"type": "string"}, {"minLength": 1}]}, MARK),
        ({"not": {"type": "string"}}, MARK),
        ({"type": "integer"}, True),
        ({"additionalProperties": False, "properties": {"a": True}}, {MARK: 1}),
        ({"propertyNames": {"pattern": "^[a-z]+$"}}, {MARK: 1}),
        ({"items": {"type": "integer"}}, [MARK]),
        ({"uniqueItems": True}, [MARK, MARK]),
        (False, MARK),
    ],
)
def test_what_does_not_fit_is_not(schema: object, value: object) -> None:
    assert not is_valid(value, {"allOf": [schema]})


@pytest.mark.parametrize(
    "schema",
    [
        {"unevaluatedProperties": False},
        {"$ref": "https://x.example/schema"},
        {"$ref": "#/$defs/missing"},
        {"$defs": {"a": {"$ref": "#/$defs/a"}}, "$ref": "#/$defs/a"},
        {"pattern": "(a+)+$" * 2000},
        {"pattern": "("},
        {"type": "text"},
        {"minLength": "3"},
        {"properties": []},
        {"allOf": {}},
    ],
)
def test_a_schema_that_is_not_understood_is_one_that_nothing_fits(schema: dict[str, object]) -> None:
    assert not is_valid({"a": MARK} if "properties" in schema else MARK, schema)
