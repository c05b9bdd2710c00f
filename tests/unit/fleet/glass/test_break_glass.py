"""Breaking the glass: recorded, then spent, then broken; each code once, and the right one always."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from fairlead.errors import FairleadError, JournalError, TrustError, UsageError
from fairlead.fleet.glass.break_glass import (
    RULE,
    WRONG,
    Breaking,
    Limits,
    break_glass,
    is_spent,
    note_as_root,
)
from fairlead.fleet.glass.limits import read_limits
from fairlead.journal.reader import read_records
from fairlead.journal.writer import JournalWriter
from fairlead.policy.glass.codes import entry_of, new_code
from fairlead.policy.glass.marker import read_glass
from fairlead.policy.places import Places
from glass_kit import START, code_in_force, name_codes


@pytest.fixture
def places(tmp_path: Path) -> Places:
    return Places(*(str(tmp_path / name) for name in ("config", "state", "run", "share", "system")))


def wanted(code: str, **more: object) -> Breaking:
    return Breaking(**{"code": code, "reason": "the broker is down", "minutes": 10, **more})  # type: ignore[arg-type]


def broken(places: Places, code: str, limits: Limits = Limits(), **more: object) -> object:  # noqa: B008
    return break_glass(places, wanted(code, **more), limits, clock=lambda: START, wait=lambda seconds: None)


def lines(places: Places) -> list[dict]:
    return list(read_records(os.path.join(places.state, "journal")))


def is_broken(places: Places) -> bool:
    if not os.path.exists(places.off_marker):
        return False
    return read_glass(places, Path(places.off_marker).read_text(), clock=lambda: START) is not None


def test_a_right_code_breaks_the_glass_once_and_the_journal_says_why(places: Places) -> None:
    code, entry = code_in_force(places.fleet)
    broken(places, code)
    (line,) = lines(places)
    assert line["verdict"]["rule"] == RULE and "the broker is down" in line["verdict"]["reason"]
    assert is_broken(places) and is_spent(places, entry)
    assert f"record={line['id']}" in Path(places.off_marker).read_text()
    os.unlink(places.off_marker)
    with pytest.raises(TrustError, match="has been used"):
        broken(places, code)
    assert not is_broken(places)


def test_the_code_itself_is_written_nowhere(places: Places, tmp_path: Path) -> None:
    code, _ = code_in_force(places.fleet)
    broken(places, code)
    written = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    spoken = [part.encode() for part in (code, code.replace("-", ""), *code.split("-"))]
    assert not any(part in written for part in spoken)


def test_a_code_stays_spent_when_the_policy_changes(places: Places) -> None:
    code, entry = code_in_force(places.fleet)
    broken(places, code)
    name_codes(places.fleet, [])
    name_codes(places.fleet, [entry])
    with pytest.raises(TrustError, match="has been used"):
        broken(places, code)


def test_without_a_record_nothing_happens_and_the_code_is_still_good(
    places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, entry = code_in_force(places.fleet)

    def fails(*_: object) -> None:
        raise JournalError("no room")

    with monkeypatch.context() as patched:
        patched.setattr(JournalWriter, "write", fails)
        with pytest.raises(FairleadError, match="no room"):
            broken(places, code)
    with monkeypatch.context() as patched:
        patched.setattr(JournalWriter, "keep", lambda self: (_ for _ in ()).throw(OSError(5, "no disk")))
        with pytest.raises(FairleadError, match="nothing was changed"):
            broken(places, code)
    assert not is_broken(places) and not is_spent(places, entry)
    broken(places, code)
    assert is_broken(places)


def test_it_is_spent_before_it_takes_effect(places: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    code, entry = code_in_force(places.fleet)

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("fairlead.fleet.glass.break_glass.write_private", killed)
    with pytest.raises(KeyboardInterrupt):
        broken(places, code)
    assert is_spent(places, entry) and not is_broken(places)


def test_of_many_at_once_one_spends_the_code(places: Places) -> None:
    code, _ = code_in_force(places.fleet)

    def attempt(_: int) -> bool:
        try:
            broken(places, code)
        except TrustError:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(attempt, range(8))) == 1


def test_a_code_for_a_machine_works_on_that_machine_alone(places: Places) -> None:
    code, _ = code_in_force(places.fleet, machine="m-1")
    for machine in ("", "m-2"):
        with pytest.raises(TrustError, match="opens nothing"):
            broken(places, code, machine=machine)
    broken(places, code, machine="m-1")
    assert is_broken(places)


def test_wrong_codes_wait_longer_and_longer_and_never_keep_the_right_one_out(places: Places) -> None:
    code, entry = code_in_force(places.fleet)
    waited: list[float] = []
    for _ in range(30):
        with pytest.raises(TrustError, match="opens nothing"):
            break_glass(places, wanted(new_code()), Limits(), clock=lambda: START, wait=waited.append)
    break_glass(places, wanted(code), Limits(), clock=lambda: START, wait=waited.append)
    assert waited == sorted(waited) and waited[0] == 0 and waited[-1] == 2.0
    assert [line["verdict"]["rule"] for line in lines(places)] == [WRONG] * 30 + [RULE]
    assert is_broken(places)
    assert entry_of(code, entry.salt) == entry


def test_a_clock_that_cannot_wait_keeps_nobody_out(places: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(seconds: float) -> None:
        raise OSError(22, "Invalid argument")

    code, _ = code_in_force(places.fleet)
    monkeypatch.setattr("time.sleep", fails)
    break_glass(places, wanted(code), Limits(), clock=lambda: START)
    assert is_broken(places)


def test_a_mistyped_code_is_no_attempt(places: Places) -> None:
    code, _ = code_in_force(places.fleet)
    with pytest.raises(UsageError, match="mistyped"):
        broken(places, code[:-1] + ("0" if code[-1] != "0" else "1"))
    assert lines(places) == []


def test_the_policy_says_for_how_long_and_who(places: Places) -> None:
    code, _ = code_in_force(places.fleet, more="  minutes: 15\n  people: [ana, nobody-else]\n")
    limits = read_limits(places)
    assert limits == Limits(15, ("ana", "nobody-else"))
    with pytest.raises(UsageError, match="1 to 15"):
        broken(places, code, limits, minutes=16)
    with pytest.raises(TrustError, match="ana, nobody-else"):
        broken(places, code, limits)
    with pytest.raises(UsageError, match="reason"):
        broken(places, code, reason=" ")
    assert not is_broken(places)


@pytest.mark.parametrize(
    "text", ["{", "break_glass: 3\n", "- x\n", "break_glass: {minutes: -1, people: 3}\n"]
)
def test_a_policy_that_cannot_be_read_limits_nobody(places: Places, text: str) -> None:
    path = name_codes(places.fleet, [])
    path.write_text(text)
    assert read_limits(places) == Limits()


def test_root_keeps_in_mind_what_a_user_has_spent(places: Places, tmp_path: Path) -> None:
    places = places.replace(system_fleet=str(tmp_path / "fleet"))
    code, entry = code_in_force(places.fleet)
    assert note_as_root(places, places.state) == []
    broken(places, code)
    assert note_as_root(places, places.state) == [entry.public]
    assert note_as_root(places, places.state) == []
    os.unlink(f"{places.state}/glass/{entry.public}.spent")
    with pytest.raises(TrustError, match="has been used"):
        broken(places, code)


def test_a_name_that_no_policy_knows_is_not_noted_by_root(places: Places, tmp_path: Path) -> None:
    places = places.replace(system_fleet=str(tmp_path / "fleet"))
    code_in_force(places.fleet)
    folder = Path(places.state, "glass")
    folder.mkdir(parents=True)
    for name in ("..%2f", "0" * 64, "x"):
        (folder / f"{name}.spent").write_text("")
    assert note_as_root(places, places.state) == []
    assert not Path(places.system_fleet).exists()


def test_nobody_spends_a_code_for_all_without_having_it(places: Places, tmp_path: Path) -> None:
    places = places.replace(system_fleet=str(tmp_path / "fleet"))
    code, entry = code_in_force(places.fleet)
    _, other = code_in_force(places.fleet)
    name_codes(places.fleet, [entry, other])
    broken(places, code)
    signed = Path(places.state, "glass", f"{entry.public}.spent").read_text()
    forged = Path(places.state, "glass", f"{other.public}.spent")
    for content in ("", "0\n", signed, signed.replace(entry.text, other.text)):
        forged.write_text(content)
        assert other.public not in note_as_root(places, places.state)
    forged.unlink()
    os.mkfifo(forged)
    assert note_as_root(places, places.state) == []
    assert not is_spent(places.replace(state=str(tmp_path / "another")), other)


def test_without_codes_there_is_no_glass(places: Places) -> None:
    name_codes(places.fleet, [])
    with pytest.raises(TrustError, match="names a one-time code"):
        broken(places, new_code())
