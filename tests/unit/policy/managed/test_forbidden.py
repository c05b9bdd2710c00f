"""What managed.yaml forbids is read alike by the policy, by the quick reader, and by both clients."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fairlead.doors import client
from fairlead.policy.managed.forbidden import who_forbids
from fairlead.policy.managed.plain import plainly_forbids as text_forbids
from fairlead.policy.managed.rules import EVERYTHING, FORBIDDABLE, read_managed
from fairlead.policy.places import Places, find_places


@pytest.fixture
def places(tmp_path: Path) -> Places:
    return find_places(str(tmp_path / "home")).replace(system=str(tmp_path / "system"))


def written(places: Places, text: str) -> str:
    file = Path(places.system) / "hooks" / "managed.yaml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return str(file)


FORMS = (
    "forbid: [off, allow]\n",
    "forbid:\n  - off\n  - allow\n",
    "forbid:\n- off # the way out\n- allow\n",
    "lock: [secrets]\nforbid: [\"off\", 'allow']\n",
    "# ours\n---\nbreak_glass:\n  minutes: 5\n  codes: [1-"
    + "f0" * 8
    + "-"
    + "f0" * 32
    + "]\nforbid: [\n  off,\n  allow]\n",
)


@pytest.mark.parametrize("text", FORMS)
def test_every_plain_way_to_write_it_means_the_same(places: Places, text: str) -> None:
    path = written(places, text)
    managed, _, problems = read_managed(path)
    assert not problems
    assert managed.forbid == {"off", "allow"}
    for deed in FORBIDDABLE:
        assert text_forbids(text.encode(), deed) is (deed in managed.forbid)
        assert client.text_forbids(text.encode(), deed.encode()) is (deed in managed.forbid)
    assert who_forbids(places, "off") == path
    assert who_forbids(places, "trust") == ""


@pytest.mark.parametrize(
    "text",
    [
        "{forbid: [trust]}\n",
        "'forbid': [trust]\n",
        "forbid: &all [trust]\n",
        "forbid: *all\n",
        "x: 1\n",
        "  forbid: [trust]\n  lock: [git]\n",
        "--- {forbid: [trust]}\n",
        "lock: [git]\n--- {forbid: [trust]}\n",
        "lock: [git]\rforbid: [trust]\n",
        "# caf\u00e9\u2028forbid: [trust]\n",
        "lock: [git] #\u0085forbid: [trust]\n",
        "forbid: [of]\n",
        "forbid: [a#b, trust]\n",
        "forbid\n",
    ],
)
def test_what_is_not_plainly_written_forbids_everything(text: str) -> None:
    assert all(text_forbids(text.encode(), deed) for deed in FORBIDDABLE)
    assert all(client.text_forbids(text.encode(), deed.encode()) for deed in FORBIDDABLE)


def test_lines_may_end_as_on_windows(places: Places) -> None:
    path = Path(written(places, ""))
    path.write_bytes(b"forbid: [allow]\r\nlock: [git]\r\n")
    assert who_forbids(places, "allow") == str(path)
    assert who_forbids(places, "off") == ""
    assert not client.text_forbids(path.read_bytes(), b"off")


def test_a_file_that_is_not_there_forbids_nothing(places: Places) -> None:
    assert who_forbids(places, "off") == ""


@pytest.mark.parametrize(
    "text",
    ["forbid: [of]", "forbid: off", "lock: 3", "forbid: [off", "- off", "locks: [x]", "break_glass: {}"],
)
def test_a_file_with_a_mistake_forbids_and_locks_everything_and_is_told(places: Places, text: str) -> None:
    path = written(places, text)
    managed, _, problems = read_managed(path)
    assert problems
    assert all(who_forbids(places, deed) == path for deed in FORBIDDABLE)
    assert managed.forbid == set(FORBIDDABLE)
    assert managed.lock == (EVERYTHING,)


CODE = "1-" + "a" * 16 + "-" + "b" * 64


@pytest.mark.parametrize(
    ("glass", "words"),
    [
        ("{codes: [abc]}", "not how a code is kept"),
        ("{minutes: 5}", "no codes"),
        (f"{{codes: [{CODE}], minutes: 0}}", "whole number"),
        (f"{{codes: [{CODE}], people: [3]}}", "takes names"),
    ],
)
def test_codes_that_could_never_be_used_are_a_mistake(places: Places, glass: str, words: str) -> None:
    _, _, problems = read_managed(written(places, f"break_glass: {glass}"))
    assert any(words in problem.message for problem in problems)


def test_break_glass_is_for_the_people_that_it_names(places: Places) -> None:
    managed, _, _ = read_managed(
        written(places, f"break_glass: {{codes: [{CODE}], minutes: 5, people: [ann]}}")
    )
    (glass,) = managed.break_glass
    assert (glass.codes, glass.minutes) == ((CODE,), 5)
    assert glass.is_for("ann")
    assert not glass.is_for("bob")


PIECES = st.sampled_from(
    [
        "forbid:",
        "lock:",
        "break_glass:",
        "off",
        "allow",
        "[",
        "]",
        ",",
        "-",
        " ",
        "\n",
        "\n  ",
        "#",
        '"',
        "---",
        "\r",
        "\u2028",
        "of",
        "&a",
        "x: 1",
    ]
)


@given(st.lists(PIECES, max_size=14).map("".join))
@example("forbid: [allow]\nlock: [off]\n")
def test_the_quick_readers_agree_and_never_permit_what_the_policy_forbids(text: str) -> None:
    content = text.encode()
    quick = text_forbids(content, "off")
    assert client.text_forbids(content, b"off") is quick
    path = Path("/nonexistent/managed.yaml")
    assert quick or "off" not in read_text(content, path)


def read_text(content: bytes, path: Path) -> frozenset[str]:
    import tempfile

    with tempfile.NamedTemporaryFile(suffix=".yaml") as file:
        file.write(content)
        file.flush()
        managed, _, problems = read_managed(file.name)
    return frozenset() if problems else managed.forbid
