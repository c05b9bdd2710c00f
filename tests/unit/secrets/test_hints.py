from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairlead.secrets.detect import LONG, Hints, all_hints
from fairlead.secrets.redact import redact_text, redact_texts

parts = st.sampled_from([*all_hints().all, *(hint[:-1] for hint in all_hints().all), "x", " ", "\n"])
texts = st.lists(parts, max_size=6).map("".join)


ALONE = [(hint, "") for hint in all_hints().all]
PLAIN, COMPILED = Hints(ALONE), Hints(ALONE)
COMPILED.compile()


@given(texts)
def test_a_compiled_search_finds_what_a_plain_one_finds(text: str) -> None:
    found = {hint for hint in all_hints().all if hint in text}
    assert set(PLAIN.within(text)) == set(COMPILED.within(text)) == found


def test_every_hint_is_found_by_the_compiled_search() -> None:
    for hint in COMPILED.all:
        assert hint in COMPILED.within(f"a{hint}b")


def test_a_hint_that_holds_another_is_not_looked_for() -> None:
    assert Hints([("token", ""), ("my_token", ""), ("key", "")]).all == ("key", "token")


def test_a_hint_means_nothing_without_what_it_needs() -> None:
    hints = Hints([("://", "@"), ("curl", "-u"), ("http ", "-u"), ("curl", "")])
    assert hints.within("curl https://a.example") == ("curl",)
    assert hints.within("https://u:p@a.example") == ("://",)


def test_a_hint_that_needs_nothing_is_not_left_to_a_shorter_one_that_does() -> None:
    hints = Hints([("key", "="), ("my_key", "")])
    assert hints.within("my_key") == ("my_key",)
    assert hints.within("my_key=") == ("my_key", "key")


@pytest.mark.parametrize(
    "some",
    [
        (),
        ("ls", "git status"),
        ("curl -u bob:tops3cret x", "bob:tops3cret", "said: curl -u bob:tops3cret x"),
        ("Basic c2VjcmV0OnB3ZA==: foo", "password", "a secret is mentioned"),
        ("https://u:pa55word@h.example", "a token", "https://h.example\n"),
        ("x" * LONG + "y", "curl -u bob:tops3cret x"),
        ("curl -u bob:tops3cret x" + " y" * LONG, "bob:tops3cret", "z" * LONG + "z"),
        ("x" * LONG + "y", "curl -u bob:tops3cret x" + " y" * LONG + "z", "password"),
        ("://u:pa55word" + "x" * LONG, "@h" + "y" * LONG),
    ],
)
def test_texts_together_become_what_each_would_become(some: tuple[str, ...]) -> None:
    alone = {text: redact_text(text) for text in some}
    assert redact_texts(some) == (alone if any(text != alone[text] for text in some) else {})
