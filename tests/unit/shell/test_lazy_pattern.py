"""A lazy pattern is compiled at its first use, and is then like any other."""

from __future__ import annotations

import re

import pytest

from fairlead.shell.lazy_pattern import compile_patterns, lazy


@pytest.mark.parametrize("method", ["search", "match", "fullmatch", "findall", "split"])
def test_it_answers_as_the_compiled_one_does(method: str) -> None:
    pattern, compiled = lazy(r"a(b+)", re.IGNORECASE), re.compile(r"a(b+)", re.IGNORECASE)
    for text in ("xABBc", "abb", "", "b"):
        for _ in range(2):
            found, expected = getattr(pattern, method)(text), getattr(compiled, method)(text)
            assert repr(found) == repr(expected)


def test_it_is_compiled_when_it_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    real = re.compile
    monkeypatch.setattr(re, "compile", lambda source, flags=0: made.append(source) or real(source, flags))
    pattern = lazy("x+")
    assert made == []
    assert pattern.sub("y", "axxb") == pattern.sub("y", "axb") == "ayb"
    assert made == ["x+"]


def test_a_process_that_lasts_compiles_all_of_them_beforehand(monkeypatch: pytest.MonkeyPatch) -> None:
    pattern = lazy("z{3}")
    compile_patterns()
    monkeypatch.setattr(re, "compile", None)
    assert pattern.search("azzzb")
