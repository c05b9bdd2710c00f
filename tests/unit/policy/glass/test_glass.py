"""One-time codes, what they sign, and the marker that counts only where one has signed it."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from fairlead.errors import UsageError
from fairlead.policy.glass.codes import BITS, ENTRY, entry_in, entry_of, new_code, secret_of, typed_code
from fairlead.policy.glass.in_force import entries_in_force
from fairlead.policy.glass.marker import read_glass, why_whole
from fairlead.policy.glass.one_time import SIGNATURE_LENGTH, public_of, sign, signer_of
from fairlead.policy.off import Off, ignored_marker, read_off, switch_on
from fairlead.policy.places import Places
from glass_kit import START, code_in_force, marker_of, name_codes, put_marker

SALT = bytes(range(8))
SECRET = bytes(range(32))


@given(message=st.binary(max_size=200), secret=st.binary(min_size=32, max_size=32))
@settings(max_examples=25)
def test_a_signature_names_its_key_and_no_other(message: bytes, secret: bytes) -> None:
    assert signer_of(message, sign(message, secret, SALT), SALT) == public_of(secret, SALT)


@given(one=st.binary(max_size=50), other=st.binary(max_size=50))
@settings(max_examples=25)
def test_a_signature_is_of_one_message_alone(one: bytes, other: bytes) -> None:
    assume(one != other)
    assert signer_of(other, sign(one, SECRET, SALT), SALT) != public_of(SECRET, SALT)


@given(at=st.integers(0, SIGNATURE_LENGTH - 1), letter=st.sampled_from("0123456789abcdef"))
@settings(max_examples=50)
def test_a_signature_with_another_digit_is_none(at: int, letter: str) -> None:
    signature = sign(b"x", SECRET, SALT)
    assume(signature[at] != letter)
    changed = signature[:at] + letter + signature[at + 1 :]
    assert signer_of(b"x", changed, SALT) != public_of(SECRET, SALT)


@pytest.mark.parametrize("text", ["", "00", "g" * SIGNATURE_LENGTH, "0" * (SIGNATURE_LENGTH + 2), "é" * 2680])
def test_what_is_no_signature_has_no_signer(text: str) -> None:
    assert signer_of(b"x", text, SALT) == ""


def test_a_code_has_a_hundred_bits_and_no_two_are_alike() -> None:
    codes = {new_code() for _ in range(500)}
    assert BITS == 100 and len(codes) == 500
    assert all(re.fullmatch(r"(?:[0-9A-HJKMNP-TV-Z]{5}-){4}[0-9A-HJKMNP-TV-Z]{5}", code) for code in codes)


def test_a_code_can_be_typed_in_any_way_that_it_can_be_read_out() -> None:
    code = next(code for code in iter(new_code, "") if "0" in code and "1" in code)
    spoken = code.lower().replace("-", " ").replace("0", "o").replace("1", "l")
    assert typed_code(spoken) == typed_code(f"  {code} ") == code


def test_groups_in_another_order_are_mostly_seen() -> None:
    """Each of the two has a letter that fits its own place: one of 1,024 wrong orders passes."""
    assert sum(_is_refused(*new_code().split("-")) for _ in range(100)) > 90


def _is_refused(one: str, other: str, *rest: str) -> bool:
    try:
        typed_code("-".join((other, one, *rest)))
    except UsageError:
        return True
    return False


def test_the_group_that_is_mistyped_is_named() -> None:
    code = "00000-00000-00000-00000-00000"
    with pytest.raises(UsageError, match="group 1 of the code is mistyped"):
        typed_code(code)
    with pytest.raises(UsageError, match="this has 3"):
        typed_code("7Q2")
    with pytest.raises(UsageError, match="mistyped"):
        typed_code("UUUUU-" + new_code()[6:])


def test_an_entry_says_nothing_of_its_code_and_differs_by_machine_and_salt() -> None:
    code = new_code()
    entries = {entry_of(code, SALT).text, entry_of(code, SALT, "m-1").text, entry_of(code, bytes(8)).text}
    assert len(entries) == 3
    assert all(ENTRY.fullmatch(text) and entry_in(text) for text in entries)
    assert entry_in("1-00-00") is None and entry_in("") is None


@pytest.fixture
def broken(places: Places) -> tuple[Places, str]:
    code, entry = code_in_force(places.fleet)
    return places, marker_of(code, entry, START)


def test_a_marker_that_a_code_has_signed_counts_until_its_time(broken: tuple[Places, str]) -> None:
    places, marker = broken
    later = START.replace(running=START.running + 599, wall=START.wall + 599)
    assert read_glass(places, marker, clock=lambda: START) is not None
    assert read_glass(places, marker, clock=lambda: later) is not None


@pytest.mark.parametrize(
    "now",
    [
        START.replace(running=START.running + 600),
        START.replace(wall=START.wall + 600),
        START.replace(running=START.running - 1),
        START.replace(boot="another"),
        START.replace(boot=""),
        START.replace(running=START.running + 600, wall=START.wall - 10**8),
        START.replace(running=0, wall=0),
    ],
)
def test_it_is_over_by_either_clock_and_with_the_machines_next_start(
    broken: tuple[Places, str], now: object
) -> None:
    places, marker = broken
    assert read_glass(places, marker, clock=lambda: now) is None  # type: ignore[arg-type,return-value]
    assert "is over" in why_whole(places, marker, clock=lambda: now)  # type: ignore[arg-type,return-value]


def test_a_clock_that_was_set_back_does_not_make_it_last_longer(broken: tuple[Places, str]) -> None:
    places, marker = broken
    years_ago = START.replace(wall=START.wall - 10**8)
    assert read_glass(places, marker, clock=lambda: years_ago) is not None
    assert read_glass(places, marker, clock=lambda: years_ago.replace(running=5_600)) is None


def test_nobody_can_sign_for_longer_than_a_day(places: Places) -> None:
    code, entry = code_in_force(places.fleet)
    marker = marker_of(code, entry, START, seconds=10**7)
    end = START.replace(running=START.running + 86_400, wall=START.wall + 86_399)
    assert read_glass(places, marker, clock=lambda: START) is not None
    assert read_glass(places, marker, clock=lambda: end) is None


@given(data=st.data())
@settings(max_examples=150)
def test_no_marker_but_the_signed_one_counts(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Whatever is changed, left out or added: also by who knows a marker that counts."""
    folder = tmp_path_factory.getbasetemp() / "glass"
    places = Places(*(str(folder / name) for name in ("config", "state", "run", "share", "system")))
    code, entry = _known(places)
    marker = marker_of(code, entry, START)
    at = data.draw(st.integers(0, len(marker)))
    cut = data.draw(st.integers(0, 5))
    put = data.draw(st.text(alphabet="0123456789abcdef=-\n #x", max_size=5))
    changed = marker[:at] + put + marker[at + cut :]
    assume(changed != marker)
    assert read_glass(places, changed, clock=lambda: START) is None


_CODE = new_code()


def _known(places: Places) -> tuple[str, object]:
    entry = entry_of(_CODE, SALT)
    if not os.path.exists(places.fleet):
        name_codes(places.fleet, [entry])
    return _CODE, entry  # type: ignore[return-value]


def test_a_marker_of_another_user_does_not_count(
    broken: tuple[Places, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    places, marker = broken
    monkeypatch.setattr(os, "getuid", lambda: 4711)
    assert "another user's" in why_whole(places, marker, clock=lambda: START)


def test_a_code_that_no_policy_names_any_more_mends_the_glass(broken: tuple[Places, str]) -> None:
    places, marker = broken
    name_codes(places.fleet, [])
    assert "no policy names" in why_whole(places, marker, clock=lambda: START)


def test_a_code_behind_a_number_sign_is_not_in_force(places: Places) -> None:
    _, entry = code_in_force(places.fleet)
    path = Path(places.fleet) / "current/hooks/managed.yaml"
    path.write_text(f"forbid: [off]\n# {entry.text}\nlock: [x] # {entry.text}\n")
    assert entries_in_force(places) == []


def test_where_root_manages_the_machine_a_policy_that_the_user_could_write_names_no_code(
    places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    code_in_force(places.fleet)
    assert len(entries_in_force(places)) == 1
    os.makedirs(f"{places.system}/hooks")
    Path(places.system, "hooks/managed.yaml").write_text("forbid: [off]\n")
    monkeypatch.setattr("fairlead.policy.glass.in_force.is_roots", lambda path: False)
    assert entries_in_force(places) == []


def test_the_off_marker_of_a_broken_glass_needs_no_passphrase_and_says_what_it_is(
    places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, entry = code_in_force(places.fleet)
    Path(places.state).mkdir(exist_ok=True)
    Path(places.passphrase).write_text("x")
    put_marker(places, marker_of(code, entry, START))
    assert read_off(places) is None
    assert "is over" in ignored_marker(places)
    monkeypatch.setattr("fairlead.policy.glass.marker.read_clock", lambda: START)
    monkeypatch.setitem(read_glass.__kwdefaults__, "clock", lambda: START)
    assert read_off(places) == Off(START.wall + 600, glass=entry.name)
    assert f"with the code {entry.name}" in Off(1, glass=entry.name).words()
    assert switch_on(places)
    assert read_off(places) is None
    assert secret_of(code, entry.salt) != secret_of(code, entry.salt, "m-1")
