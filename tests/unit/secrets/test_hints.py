from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairlead.secrets.hints import Hints
from fairlead.secrets.redact import redact_text, redact_texts, redaction_hints

parts = st.sampled_from(
    [*redaction_hints().all, *(hint[:-1] for hint in redaction_hints().all), "x", " ", "\n"]
)
texts = st.lists(parts, max_size=6).map("".join)


def compiled() -> Hints:
    hints = Hints(redaction_hints().all)
    hints.compile()
    return hints


COMPILED = compiled()


@given(texts)
def test_a_compiled_search_finds_what_a_plain_one_finds(text: str) -> None:
    found = tuple(hint for hint in redaction_hints().all if hint in text)
    assert Hints(redaction_hints().all).within(text) == COMPILED.within(text) == found


def test_every_hint_is_found_by_the_compiled_search() -> None:
    for hint in COMPILED.all:
        assert hint in COMPILED.within(f"a{hint}b")


def test_a_hint_that_holds_another_is_not_looked_for() -> None:
    assert Hints({"token", "my_token", "key"}).all == ("key", "token")


@pytest.mark.parametrize(
    "some",
    [
        (),
        ("ls", "git status"),
        ("curl -u bob:tops3cret x", "bob:tops3cret", "said: curl -u bob:tops3cret x"),
        ("Basic c2VjcmV0OnB3ZA==: foo", "password", "a secret is mentioned"),
        ("https://u:pa55word@h.example", "a token", "https://h.example\n"),
    ],
)
def test_texts_together_become_what_each_would_become(some: tuple[str, ...]) -> None:
    alone = {text: redact_text(text) for text in some}
    assert redact_texts(some) == (alone if any(text != alone[text] for text in some) else {})
