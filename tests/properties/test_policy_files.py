"""Whatever a policy file says, reading it gives entries and problems, never an exception."""

from __future__ import annotations

import json

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fairlead.model.event_name import GATING
from fairlead.policy.reading.load import LoadedFile, load_file
from fairlead.policy.reading.schema import ENTRY_KEYS, FILE_KEYS

# JSON is YAML but for a few characters that YAML does not print; those make a file unreadable as a whole.
text = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Cn", "Co"]), max_size=20)
plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | text,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(text, inner, max_size=3),
    max_leaves=6,
)
entry_words = st.sampled_from([*ENTRY_KEYS, "tiemout", ""])
entries = st.dictionaries(entry_words, plain, max_size=6)
documents = st.dictionaries(
    st.sampled_from([*FILE_KEYS, "evnt"]), plain | st.lists(entries, max_size=3), max_size=5
)
unhurried = settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)


def load_document(document: object) -> LoadedFile:
    content = json.dumps(document, ensure_ascii=False).encode()
    return load_file(content, "hook.meta.yaml", layer="user")


@unhurried
@given(st.binary(max_size=300) | st.text(max_size=300).map(str.encode))
def test_arbitrary_bytes_never_raise_and_never_pass_in_silence(content: bytes) -> None:
    file = load_file(content, "hook.meta.yaml", layer="user")
    assert file.problems
    assert file.entries


@unhurried
@given(st.text(alphabet="[]{}&*!:-#|>'\"%@` \n\tab0.", max_size=120))
def test_arbitrary_punctuation_never_raises(text: str) -> None:
    file = load_file(text.encode(), "hook.meta.yaml", layer="user")
    assert {entry.event for entry in file.entries if entry.broken} == GATING


@unhurried
@given(documents)
def test_arbitrary_documents_never_raise_and_every_problem_has_its_place(document: object) -> None:
    file = load_document(document)
    for problem in file.problems:
        assert problem.line >= 1
        assert problem.column >= 1
        assert str(problem).startswith("hook.meta.yaml:")


@unhurried
@given(st.lists(entries | plain, max_size=4), st.integers(0, 4))
def test_law_2_neighbours_survive_any_bad_entry(others: list[object], place: int) -> None:
    good = {"id": "the-good-one", "type": "safety", "config": {"a": 1}}
    middleware = [*others[:place], good, *others[place:]]
    document = {"event": "PreToolUse", "middleware": middleware}
    file = load_document(document)
    (found,) = [entry for entry in file.entries if entry.id == "the-good-one"]
    assert found.broken is None
    assert found.config == {"a": 1}
    standing = len(file.entries)
    dropped = [entry for entry in others if isinstance(entry, dict) and entry.get("type") == "observability"]
    assert standing >= len(middleware) - len(dropped)
