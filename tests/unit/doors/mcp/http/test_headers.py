"""Headers say what the body says."""

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairlead.doors.mcp.http.headers import header_value, modern_headers, version_of
from fairlead.doors.mcp.protocol.header_places import places_in


def call(name="t", **arguments):
    return {"method": "tools/call", "params": {"name": name, "arguments": arguments}}


@given(st.text())
def test_a_value_can_be_sent_and_read_back(text):
    value = header_value(text)
    assert value.isascii()
    assert value.isprintable()
    assert value == value.strip()
    if value != text:
        encoded = value.removeprefix("=?base64?").removesuffix("?=")
        assert base64.b64decode(encoded, validate=True).decode() == text


def test_what_looks_wrapped_is_wrapped_again():
    assert header_value("=?base64?eA==?=") != "=?base64?eA==?="


@pytest.mark.parametrize(
    ("method", "params", "name"),
    [
        ("tools/call", {"name": "a"}, "a"),
        ("prompts/get", {"name": "b"}, "b"),
        ("resources/read", {"uri": "file:///ä"}, header_value("file:///ä")),
        ("tools/list", {"name": "c"}, None),
    ],
)
def test_the_name_is_that_of_what_is_asked_for(method, params, name):
    headers = modern_headers({"method": method, "params": params}, "2026-07-28", {})
    assert headers["Mcp-Method"] == method
    assert headers["MCP-Protocol-Version"] == "2026-07-28"
    assert headers.get("Mcp-Name") == name


def test_arguments_are_mirrored_where_they_are():
    places = {"Region": ("region",), "Deep": ("a", "b"), "Gone": ("x", "y"), "Yes": ("yes",)}
    headers = modern_headers(call(region="eu", a={"b": 7}, x=1, yes=True), "v", places)
    mirrored = {name: value for name, value in headers.items() if name.startswith("Mcp-Param-")}
    assert mirrored == {"Mcp-Param-Region": "eu", "Mcp-Param-Deep": "7", "Mcp-Param-Yes": "true"}


def test_what_has_no_value_or_is_no_single_value_has_no_header():
    places = {"A": ("a",), "B": ("b",)}
    assert not [name for name in modern_headers(call(a=None, b=[1]), "v", places) if "Param" in name]


def test_only_properties_that_lead_down_from_the_schema_are_mirrored():
    schema = {
        "x-mcp-header": "Root",
        "properties": {
            "a": {"type": "string", "x-mcp-header": "A"},
            "n": {"type": "number", "x-mcp-header": "N"},
            "w": {"type": "string", "x-mcp-header": "no token"},
            "o": {"type": "object", "properties": {"i": {"type": "integer", "x-mcp-header": "I"}}},
            "l": {"type": "array", "items": {"type": "string", "x-mcp-header": "L"}},
        },
    }
    assert places_in(schema) == {"A": ("a",), "I": ("o", "i")}


def test_the_version_is_what_the_request_says_of_itself():
    meta = {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}
    assert version_of({"params": {"_meta": meta}}) == "2026-07-28"
    assert version_of({"params": {"_meta": {"io.modelcontextprotocol/protocolVersion": 1}}}) == ""
    assert version_of({}) == ""
