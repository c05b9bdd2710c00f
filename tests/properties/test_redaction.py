"""What no text can do to the redaction."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from fairlead.secrets.redact import redact, redact_text

PIECES = st.sampled_from(
    [
        "password",
        "TOKEN",
        "secret",
        "_key",
        "api_key",
        "authorization",
        "cookie",
        "Bearer ",
        "=",
        ": ",
        '"',
        "'",
        "\\",
        "--",
        "-p",
        "://u:",
        "@h",
        "[redacted:token]",
        "[redacted:",
        "]",
        "\n",
        " ",
        "mysql ",
        "curl -u a:",
        "ghp_" + "a1B2" * 10,
        "AKIAABCDEFGHIJKLMNOP",
        "hunter2",
        "$X",
        "\u0130",
        "sig=",
        "&",
        "?",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NSJ9.abcdefghijklmnopqrstuvwxyz",
    ]
)
texts = st.lists(PIECES | st.text(max_size=8), max_size=14).map("".join)
json_like = st.recursive(
    st.none() | st.booleans() | st.integers() | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)
secrets = st.text("abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789", min_size=10, max_size=40)
"""Longer than the words that stand for "none", such as `undefined`, which are left to be read."""


@given(texts)
@settings(max_examples=400)
def test_redacting_twice_changes_nothing_more(text: str) -> None:
    once = redact_text(text)
    assert redact_text(once) == once


@given(json_like)
def test_redacting_data_twice_changes_nothing_more(value: object) -> None:
    once = redact(value)
    assert redact(once) == once


@given(st.text(max_size=40), secrets, st.sampled_from(["{}", "'{}'", '"{}"']), st.text(max_size=40))
def test_law_8_a_secret_after_its_name_never_survives(
    before: str, secret: str, quoted: str, after: str
) -> None:
    text = f"{before} API_TOKEN={quoted.format(secret)} {after}"
    redacted = redact_text(text)
    assert secret not in redacted.replace(before, "").replace(after, "") or secret in before + after


@given(json_like, secrets)
def test_law_8_a_secret_in_a_field_of_its_name_never_survives(around: object, secret: str) -> None:
    assert secret not in str(redact({"around": 1, "list": [{"password": secret}, {"client-secret": secret}]}))
