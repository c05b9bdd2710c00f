"""Broken glass by telephone: what is read out, what is signed, what is read back, and nothing else."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairlead.errors import FairleadError, JournalError, TrustError, UsageError
from fairlead.fleet.glass.answer_keys import AnswerKeys, Said, answer, new_keys, write_keys
from fairlead.fleet.glass.break_glass import RULE, WRONG, Breaking, Limits, is_spent, note_as_root
from fairlead.fleet.glass.challenge import ASKED, Kept, Membership, break_by_answer, make_challenge
from fairlead.fleet.glass.limits import read_limits
from fairlead.journal.reader import read_records
from fairlead.journal.writer import JournalWriter
from fairlead.policy.glass.challenges import WAITS, Asked, heard, spoken_answer
from fairlead.policy.glass.marker import Clock, read_glass
from fairlead.policy.places import Places
from glass_kit import START, answer_keys_in_force, code_in_force, name_codes

HERE = Membership("m1", "web", 7)
KEYS = AnswerKeys("web", "5a" * 32, "0001020304050607", 3)


class Phone:
    """A locked-out machine, and a file with keys at the centre."""

    def __init__(self, folder: Path) -> None:
        names = ("config", "state", "run", "share", "system")
        self.places = Places(*(str(folder / name) for name in names)).replace(
            system_fleet=str(folder / "fleet")
        )
        self.keys = str(folder / "ana.answers")
        write_keys(self.keys, KEYS)
        self.entries = answer_keys_in_force(self.places.fleet, KEYS, number=3)
        self.now = START

    def clock(self) -> Clock:
        return self.now

    def call(self, minutes: int = 10, membership: Membership = HERE, **more: str) -> Kept:
        wanted = Breaking("", more.get("reason", "the broker is down"), minutes)
        return make_challenge(self.places, wanted, Limits(), membership, clock=self.clock)

    def answer(self, asked: Asked) -> Said:
        return answer(self.keys, asked, reason="called back")

    def type(self, text: str, places: Places | None = None, wait: Callable[[float], None] = lambda _: None):  # type: ignore[no-untyped-def]
        return break_by_answer(places or self.places, text, Limits(), clock=self.clock, wait=wait)

    def break_glass(self) -> str:
        text = " ".join(spoken_answer(self.answer(self.call().challenge.asked).signature))
        self.type(text)
        return text

    def is_broken(self) -> bool:
        marker = Path(self.places.off_marker)
        return marker.exists() and read_glass(self.places, marker.read_text(), clock=self.clock) is not None

    def rules(self) -> list[str]:
        lines = read_records(os.path.join(self.places.state, "journal"))
        return [line["verdict"]["rule"] for line in lines]


@pytest.fixture
def phone(tmp_path: Path) -> Phone:
    return Phone(tmp_path)


def rows(said: Said) -> str:
    return " ".join(spoken_answer(said.signature))


def test_an_answer_breaks_the_glass_once_and_for_as_long_as_was_asked(phone: Phone) -> None:
    asked = phone.call(30).challenge.asked
    said = phone.answer(heard(asked.code.lower().replace("-", " "), asked.replace(mark="")))
    phone.type(rows(said).lower())
    assert phone.is_broken() and is_spent(phone.places, said.entry)
    assert phone.rules() == [ASKED, RULE]
    phone.now = START.replace(running=START.running + 1799, wall=START.wall + 1799)
    assert phone.is_broken()
    phone.now = START.replace(running=START.running + 1800)
    assert not phone.is_broken()


def test_the_record_names_the_person_the_reason_and_the_key(phone: Phone) -> None:
    phone.break_glass()
    *_, line = read_records(os.path.join(phone.places.state, "journal"))
    said = line["verdict"]["reason"]
    assert "the broker is down" in said and phone.entries[0].name in said
    assert f"record={line['id']}" in Path(phone.places.off_marker).read_text()


def test_an_answer_is_used_up(phone: Phone) -> None:
    text = phone.break_glass()
    os.unlink(phone.places.off_marker)
    with pytest.raises(TrustError, match="no challenge"):
        phone.type(text)
    phone.call()
    with pytest.raises(TrustError, match="no answer to your challenge"):
        phone.type(text)
    assert not phone.is_broken()


def test_a_challenge_that_is_put_back_finds_its_key_spent(phone: Phone) -> None:
    kept = phone.call()
    path = Path(phone.places.state, "glass", "challenge")
    before = path.read_bytes()
    text = rows(phone.answer(kept.challenge.asked))
    phone.type(text)
    os.unlink(phone.places.off_marker)
    path.write_bytes(before)
    path.chmod(0o600)
    with pytest.raises(TrustError, match="has been used"):
        phone.type(text)
    assert not phone.is_broken() and phone.rules() == [ASKED, RULE]


@pytest.mark.parametrize(
    "other",
    [
        {"machine": "m2"},
        {"group": "db"},
        {"bundle": 8},
        {"user": "mallory"},
        {"minutes": 11},
        {"mark": "0123456789"},
    ],
)
def test_an_answer_to_another_challenge_does_nothing(phone: Phone, other: dict) -> None:
    asked = phone.call().challenge.asked.replace(**other)
    group = {"group": asked.group}
    keys = KEYS.replace(**group)
    path = f"{phone.keys}.other"
    write_keys(path, keys)
    with pytest.raises(TrustError, match="no answer to your challenge"):
        phone.type(rows(answer(path, asked, reason="x")))
    assert not phone.is_broken() and phone.rules() == [ASKED, WRONG]


@pytest.mark.parametrize(
    "other", [{"machine": "m2"}, {"group": "db"}, {"bundle": 8}, {"user": "alicia"}, {"minutes": 60}]
)
def test_what_was_misheard_is_named_before_anything_is_signed(phone: Phone, other: dict) -> None:
    asked = phone.call().challenge.asked
    with pytest.raises(UsageError, match="another machine, group, bundle, user"):
        heard(asked.code, asked.replace(**other))


def test_a_challenge_waits_for_a_quarter_of_an_hour_of_the_clock_that_runs(phone: Phone) -> None:
    text = rows(phone.answer(phone.call().challenge.asked))
    for moved in (
        START.replace(running=START.running + WAITS),
        START.replace(running=START.running - 1),
        START.replace(boot="another"),
    ):
        kept = Path(phone.places.state, "glass", "challenge").read_bytes()
        phone.now = moved
        with pytest.raises(TrustError, match="is over"):
            phone.type(text)
        Path(phone.places.state, "glass", "challenge").write_bytes(kept)
    os.chmod(Path(phone.places.state, "glass", "challenge"), 0o600)
    phone.now = START.replace(running=START.running + WAITS - 1, wall=0)
    phone.type(text)
    assert phone.is_broken()


def test_one_that_waits_is_replaced_by_the_next(phone: Phone) -> None:
    first = phone.call().challenge.asked
    second = phone.call().challenge.asked
    assert first.code != second.code
    with pytest.raises(TrustError, match="no answer"):
        phone.type(rows(phone.answer(first)))
    phone.type(rows(phone.answer(second)))
    assert phone.is_broken()


def test_of_many_who_type_it_at_once_one_breaks_the_glass(phone: Phone) -> None:
    text = rows(phone.answer(phone.call().challenge.asked))

    def attempt(_: int) -> bool:
        try:
            phone.type(text)
        except FairleadError:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(attempt, range(8))) == 1


def test_without_a_record_nothing_happens_and_the_answer_is_still_good(
    phone: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = rows(phone.answer(phone.call().challenge.asked))

    def fails(*_: object) -> None:
        raise JournalError("no room")

    with monkeypatch.context() as patched:
        patched.setattr(JournalWriter, "write", fails)
        with pytest.raises(FairleadError, match="no room"):
            phone.type(text)
    assert not phone.is_broken() and not is_spent(phone.places, phone.entries[0])
    phone.type(text)
    assert phone.is_broken()


def test_it_is_spent_before_it_takes_effect(phone: Phone, monkeypatch: pytest.MonkeyPatch) -> None:
    text = rows(phone.answer(phone.call().challenge.asked))

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("fairlead.fleet.glass.challenge.write_private", killed)
    with pytest.raises(KeyboardInterrupt):
        phone.type(text)
    assert is_spent(phone.places, phone.entries[0]) and not phone.is_broken()


def test_wrong_answers_wait_and_lock_nobody_out(phone: Phone) -> None:
    waited: list[float] = []
    text = rows(phone.answer(phone.call().challenge.asked))
    wrong = rows(answer_of_nobody(phone))
    for _ in range(12):
        with pytest.raises(TrustError):
            phone.type(wrong, wait=waited.append)
    phone.type(text, wait=waited.append)
    assert waited == sorted(waited) and waited[-1] == 2.0
    assert phone.is_broken()


def answer_of_nobody(phone: Phone) -> Said:
    return Said(bytes(30), phone.entries[0], 0)


def test_the_policy_says_for_how_long_and_who(phone: Phone) -> None:
    path = name_codes(phone.places.fleet, [])
    path.write_text(path.read_text() + f"break_glass: {{answers: [{phone.entries[0].text}], minutes: 15}}\n")
    limits = read_limits(phone.places)
    assert limits == Limits(15, ())
    with pytest.raises(UsageError, match="1 to 15"):
        make_challenge(phone.places, Breaking("", "x", 16), limits, HERE)
    with pytest.raises(UsageError, match="reason"):
        make_challenge(phone.places, Breaking("", " ", 5), limits, HERE)
    with pytest.raises(TrustError, match="somebody"):
        make_challenge(phone.places, Breaking("", "x", 5), Limits(15, ("somebody",)), HERE)


def test_without_keys_for_answers_there_is_no_challenge(phone: Phone) -> None:
    code_in_force(phone.places.fleet)
    with pytest.raises(TrustError, match="no policy here names a key"):
        phone.call()


def test_a_slip_is_named_by_its_group_and_is_no_attempt(phone: Phone) -> None:
    text = rows(phone.answer(phone.call().challenge.asked))
    groups = text.split(" ")
    slipped = groups[5][:2] + ("7" if groups[5][2] != "7" else "8") + groups[5][3:]
    with pytest.raises(UsageError, match="group 6"):
        phone.type(" ".join([*groups[:5], slipped, *groups[6:]]))
    with pytest.raises(UsageError, match="group"):
        phone.type(" ".join([*groups[1:], groups[0]]))
    assert phone.rules() == [ASKED]


def test_root_keeps_in_mind_which_answers_were_used(phone: Phone) -> None:
    phone.break_glass()
    assert note_as_root(phone.places, phone.places.state) == [phone.entries[0].public]
    os.unlink(f"{phone.places.state}/glass/{phone.entries[0].public}.spent")
    assert is_spent(phone.places, phone.entries[0])


def test_a_folder_that_leads_elsewhere_is_not_written_to(phone: Phone, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    Path(phone.places.state).mkdir(parents=True, exist_ok=True)
    Path(phone.places.state, "glass").symlink_to(elsewhere)
    with pytest.raises(FairleadError):
        phone.call()
    assert list(elsewhere.iterdir()) == []


@pytest.mark.parametrize(
    "content", [b"", b"{}", b"[]", b'{"challenge": {"minutes": "x"}}', b"\xff", b"[" * 9000]
)
def test_a_challenge_that_was_tampered_with_is_none(phone: Phone, content: bytes) -> None:
    text = rows(phone.answer(phone.call().challenge.asked))
    Path(phone.places.state, "glass", "challenge").write_bytes(content)
    with pytest.raises(TrustError, match="no challenge"):
        phone.type(text)


def test_a_challenge_that_grants_itself_more_has_no_answer(phone: Phone) -> None:
    """Whoever can write the user's files changes what was asked, and what was answered fits no longer."""
    text = rows(phone.answer(phone.call().challenge.asked))
    path = Path(phone.places.state, "glass", "challenge")
    kept = json.loads(path.read_bytes())
    for name, value in (
        ("minutes", 60),
        ("start", START.running + 60),
        ("user", "mallory"),
        ("nonce", "0" * 32),
    ):
        path.write_text(json.dumps({**kept, "challenge": {**kept["challenge"], name: value}}))
        phone.now = START.replace(running=START.running + 60)
        with pytest.raises(TrustError, match="no answer to your challenge"):
            phone.type(text)
    assert not phone.is_broken()


# --- at the centre ---


def asked_by(number: int) -> Asked:
    return Asked("m1", "web", 7, "alice", 10, f"{number:010x}")


def test_a_key_answers_one_challenge_and_the_same_challenge_alike(phone: Phone) -> None:
    first, again = phone.answer(asked_by(1)), phone.answer(asked_by(1))
    assert (first.signature, first.entry) == (again.signature, again.entry)
    assert again.again and not first.again
    second = phone.answer(asked_by(2))
    assert second.entry != first.entry and second.left == 1
    phone.answer(asked_by(3))
    with pytest.raises(FairleadError, match="every key"):
        phone.answer(asked_by(4))
    assert phone.answer(asked_by(2)).signature == second.signature


def test_two_who_answer_at_once_never_use_one_key_twice(phone: Phone) -> None:
    with ThreadPoolExecutor(3) as pool:
        said = list(pool.map(lambda n: phone.answer(asked_by(n)), range(3)))
    assert len({each.entry for each in said}) == 3


def test_what_cannot_be_noted_is_not_signed(phone: Phone, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    before = Path(phone.keys).read_bytes()
    with monkeypatch.context() as patched:
        patched.setattr("fairlead.fleet.glass.answer_keys.write_file", full)
        with pytest.raises(FairleadError, match="nothing was signed"):
            phone.answer(asked_by(1))
    assert Path(phone.keys).read_bytes() == before


def test_keys_are_read_from_a_private_file_of_ours_alone(phone: Phone, tmp_path: Path) -> None:
    os.chmod(phone.keys, 0o644)
    with pytest.raises(FairleadError, match="can be read by others"):
        phone.answer(asked_by(1))
    os.chmod(phone.keys, 0o600)
    link = tmp_path / "link"
    link.symlink_to(phone.keys)
    for path in (link, tmp_path / "nothing", tmp_path):
        with pytest.raises(FairleadError):
            answer(str(path), asked_by(1), reason="x")
    Path(phone.keys).write_text("{}")
    with pytest.raises(FairleadError, match="holds no keys"):
        phone.answer(asked_by(1))
    with pytest.raises(FairleadError, match="there already"):
        write_keys(phone.keys, new_keys("web", 1))


def test_keys_of_another_group_sign_nothing(phone: Phone) -> None:
    with pytest.raises(FairleadError, match="of the group web"):
        phone.answer(asked_by(1).replace(group="db"))


@given(st.binary(min_size=30, max_size=30))
@settings(max_examples=200)
def test_an_answer_is_typed_as_it_was_read_out(signature: bytes) -> None:
    from fairlead.policy.glass.challenges import is_answer, typed_answer

    text = " ".join(spoken_answer(signature))
    assert is_answer(text) and typed_answer(text) == signature
    assert typed_answer(text.lower().replace("0", "o").replace("1", "l").replace(" ", "")) == signature
