"""Which addresses and headers are taken."""

import pytest

from fairlead.doors.mcp.http.address import address_of, headers_of
from fairlead.errors import UsageError


@pytest.mark.parametrize(
    ("url", "origin", "target"),
    [
        ("https://Example.org/mcp?a=b", ("https", "example.org", 443), "/mcp?a=b"),
        ("https://example.org:8443", ("https", "example.org", 8443), "/"),
        ("http://127.0.0.1:3000/mcp#part", ("http", "127.0.0.1", 3000), "/mcp"),
        ("http://[::1]:3000/mcp", ("http", "::1", 3000), "/mcp"),
        ("http://localhost/mcp", ("http", "localhost", 80), "/mcp"),
    ],
)
def test_an_address_has_an_origin_and_a_target(url, origin, target):
    found = address_of(url)
    assert (found.origin, found.target) == (origin, target)


@pytest.mark.parametrize(
    "url",
    [
        "example.org",
        "https://",
        "https:///mcp",
        "file:///etc",
        "http://example.org",
        "http://127.0.0.1.example.org",
        "http://localhost.example.org",
        "https://example.org:99999",
        "https://example.org/\nHost: x",
        "https://example.org/ x",
        "https://me@example.org",
    ],
)
def test_what_is_no_safe_address_is_refused(url):
    with pytest.raises(UsageError):
        address_of(url)


def test_a_person_may_allow_http_to_another_machine():
    assert address_of("http://example.org", insecure=True).host == "example.org"


def test_headers_come_from_words_and_from_variables():
    found = headers_of(["X-Team=a=b"], ["Authorization=TOKEN"], {"TOKEN": "Bearer x\n"})
    assert found == {"X-Team": "a=b", "Authorization": "Bearer x"}


@pytest.mark.parametrize(
    ("given", "variables"),
    [
        (["novalue"], []),
        (["X="], []),
        (["X Y=1"], []),
        (["X=a\r\nHost: b"], []),
        (["mcp-session-id=1"], []),
        ([], ["X=NOT_THERE"]),
        ([], ["X=SPLIT"]),
    ],
)
def test_headers_that_cannot_be_sent_are_refused_without_their_values(given, variables):
    with pytest.raises(UsageError) as caught:
        headers_of(given, variables, {"SPLIT": "secret\nword"})
    assert "secret" not in str(caught.value)
