"""A signed `off`: for one machine, once, for as long as it says, by whom the bundle names."""

from __future__ import annotations

import base64
import json
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from approvals_kit import People, join_fleet
from fairlead.errors import FairleadError, JournalError, TrustError
from fairlead.fleet.bundles.roles import Role
from fairlead.fleet.bundles.signatures import Signed
from fairlead.fleet.bundles.signing import FOR_GRANTS, FOR_OFF, new_key
from fairlead.fleet.documents import write_document
from fairlead.fleet.glass.off_grants import (
    OffGrant,
    check_grant,
    is_off_grant,
    new_grant,
    signed_grant,
    signed_too,
)
from fairlead.fleet.glass.taking_off import TAKEN, USED, take_grant, use_granted
from fairlead.fleet.questions.approvals import ApprovalRules, Approver, read_approvals
from fairlead.journal.reader import read_records
from fairlead.journal.writer import JournalWriter
from fairlead.policy.glass.granted import granted_path
from fairlead.policy.glass.marker import Clock, read_clock
from fairlead.policy.off import ignored_marker, read_off, switch_on

ANA, BEN, EVE = new_key(), new_key(), new_key()
NOW = 1_790_000_000
ROLE = Role((ANA.public, BEN.public))
RULES = ApprovalRules(
    (Approver("ana", ANA.public, off=True), Approver("ben", BEN.public, machines=("m2",), off=True))
)


def grant_for(machine: str = "m1", **more: object) -> OffGrant:
    made = new_grant(machine, "", minutes=30, reason="migration", now=NOW, within=3600)
    return made.replace(**more)


def checked(content: bytes, **more: object) -> tuple[OffGrant, tuple[str, ...]]:
    asked = {"machine": "m1", "role": ROLE, "rules": RULES, "minutes": 60, "now": NOW + 10, **more}
    return check_grant(content, **asked)  # type: ignore[arg-type]


def test_a_grant_of_somebody_who_may_is_one() -> None:
    grant = grant_for()
    assert checked(signed_grant(grant, ANA)) == (grant, ("ana",))


@pytest.mark.parametrize(
    ("content", "more", "words"),
    [
        (signed_grant(grant_for(), EVE), {}, "nobody who may"),
        (signed_grant(grant_for("m2"), ANA), {}, "is for m2"),
        (signed_grant(grant_for("m2"), BEN), {"machine": "m2"}, "nobody who may"),
        (signed_grant(grant_for(minutes=61), ANA), {}, "policy allows 60"),
        (signed_grant(grant_for(), ANA), {"now": NOW + 3600}, "can be taken"),
        (signed_grant(grant_for(), ANA), {"now": NOW - 601}, "can be taken"),
        (signed_grant(grant_for(expires=NOW + 8 * 86_400), ANA), {}, "can be taken"),
        (signed_grant(grant_for(), ANA), {"role": Role((BEN.public,))}, "nobody who may"),
        (signed_grant(grant_for(), ANA), {"role": Role()}, "nobody who may"),
        (signed_grant(grant_for(), ANA), {"rules": ApprovalRules()}, "nobody who may"),
        (
            signed_grant(grant_for(), ANA),
            {"rules": ApprovalRules((Approver("ana", ANA.public),))},
            "nobody who may",
        ),
        (signed_grant(grant_for(), ANA), {"role": ROLE.replace(threshold=2)}, "by ana, and it takes 2"),
        (b"{}", {}, "missing"),
        (b"\xff", {}, "cannot be read"),
        (b" " * 20_000, {}, "larger"),
    ],
)
def test_any_other_does_nothing(content: bytes, more: dict, words: str) -> None:
    with pytest.raises(TrustError, match=words):
        checked(content, **more)


def test_two_people_sign_the_same_grant_and_one_with_two_keys_is_one() -> None:
    grant, role = grant_for(), ROLE.replace(threshold=2)
    both = signed_too(signed_grant(grant, ANA), BEN)
    assert checked(both, role=role)[1] == ("ana", "ben")
    again = signed_too(signed_grant(grant, ANA), ANA)
    two_keys = ApprovalRules(tuple(Approver("ana", key.public, off=True) for key in (ANA, BEN)))
    for content, rules in ((again, RULES), (both, two_keys)):
        with pytest.raises(TrustError, match="takes 2"):
            checked(content, role=role, rules=rules)


def test_a_signature_for_anything_else_is_none() -> None:
    content = grant_for().written()
    for purpose in (FOR_GRANTS, b"", FOR_OFF.replace(b"v1", b"v2")):
        signature = ANA.sign(content, purpose=purpose)
        made = write_document({"format": 1, **Signed(content, (signature,)).as_json("off")})
        with pytest.raises(TrustError, match="nobody who may"):
            checked(made)


WHOLE = signed_grant(grant_for(), ANA)


@given(st.integers(0, 8 * len(WHOLE) - 1))
@settings(max_examples=300)
def test_a_grant_with_another_bit_is_the_same_grant_or_none(bit: int) -> None:
    """Another bit in the id of a key, or in white space, changes nothing that was signed."""
    changed = bytearray(WHOLE)
    changed[bit // 8] ^= 1 << bit % 8
    try:
        found, names = checked(bytes(changed))
    except TrustError:
        return
    assert found == checked(WHOLE)[0] and names == ("ana",)


@given(st.data())
@settings(max_examples=200)
def test_no_signed_bit_can_be_changed(data: st.DataObject) -> None:
    document = json.loads(WHOLE)
    for name in ("off", "signature"):
        holder = document if name == "off" else document["signatures"][0]
        content = bytearray(base64.b64decode(holder[name]))
        bit = data.draw(st.integers(0, 8 * len(content) - 1))
        content[bit // 8] ^= 1 << bit % 8
        changed = json.loads(WHOLE)
        (changed if name == "off" else changed["signatures"][0])[name] = base64.b64encode(content).decode()
        with pytest.raises(TrustError):
            checked(write_document(changed))


@given(st.sampled_from(["m2", "m11", "", "M1"]))
def test_no_other_machine_takes_it(machine: str) -> None:
    assume(machine != "m1")
    with pytest.raises(TrustError):
        checked(WHOLE, machine=machine)


def test_who_may_switch_off_is_said_for_each_person() -> None:
    row = {"name": "ana", "key": ANA.public}
    assert not read_approvals({"people": [row]}).people[0].off
    assert read_approvals({"people": [{**row, "off": True}]}).people[0].off


# --- on a machine ---


class Scene:
    def __init__(self, folder: Path) -> None:
        self.people = People(folder / "keys", "ana", "ben")
        rows = [self.people.row("ana", off=True), self.people.row("ben")]
        self.places = join_fleet(folder / "home", self.people, {"people": rows})
        self.clock = read_clock()

    def now(self) -> Clock:
        return self.clock

    def grant(self, who: str = "ana", **more: object) -> bytes:
        made = new_grant("m1", "", minutes=30, reason="migration", now=self.clock.wall, within=3600)
        return signed_grant(made.replace(**more), self.people.keys[who])

    def forbid(self) -> None:
        path = Path(self.places.fleet, "current", "hooks", "managed.yaml")
        path.write_text("forbid: [off]\n")

    def switch_off(self, content: bytes) -> None:
        use_granted(self.places, take_grant(self.places, content, clock=self.now), clock=self.now)

    def rules(self) -> list[str]:
        lines = read_records(os.path.join(self.places.state, "journal"))
        return [line["verdict"]["rule"] for line in lines]


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return Scene(tmp_path)


def test_it_switches_off_where_off_is_forbidden_and_says_who_granted_it(scene: Scene) -> None:
    scene.forbid()
    scene.switch_off(scene.grant())
    off = read_off(scene.places)
    assert off is not None and off.granted == "ana" and "ana granted that" in off.words()
    assert scene.rules() == [TAKEN, USED] and ignored_marker(scene.places) == ""
    assert switch_on(scene.places) and read_off(scene.places) is None


def test_it_is_used_once(scene: Scene) -> None:
    content = scene.grant()
    scene.switch_off(content)
    with pytest.raises(TrustError, match="has been used"):
        scene.switch_off(content)
    switch_on(scene.places)
    os.unlink(granted_path(scene.places, json.loads(base64.b64decode(json.loads(content)["off"]))["id"]))
    with pytest.raises(TrustError, match="has been used"):
        scene.switch_off(content)


def test_of_many_at_once_one_takes_it(scene: Scene) -> None:
    content = scene.grant()

    def attempt(_: int) -> bool:
        try:
            take_grant(scene.places, content, clock=scene.now)
        except FairleadError:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(attempt, range(8))) == 1


def test_what_cannot_be_recorded_is_neither_taken_nor_used_up(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = scene.grant()

    def fails(*_: object) -> None:
        raise JournalError("no room")

    with monkeypatch.context() as patched:
        patched.setattr(JournalWriter, "write", fails)
        with pytest.raises(FairleadError, match="no room"):
            scene.switch_off(content)
    assert read_off(scene.places) is None
    scene.switch_off(content)
    assert read_off(scene.places) is not None


def test_it_is_used_up_before_it_is_there(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    content = scene.grant()

    def killed(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("fairlead.fleet.glass.taking_off.write_file", killed)
        with pytest.raises(KeyboardInterrupt):
            scene.switch_off(content)
    with pytest.raises(TrustError, match="has been used"):
        scene.switch_off(content)
    with pytest.raises(TrustError, match="nobody has granted"):
        use_granted(scene.places)


@pytest.mark.parametrize(
    "more",
    [
        {"running": 1801, "wall": 0},
        {"running": 0, "wall": 1801},
        {"running": -5, "wall": 0},
        {"boot": "5ad14f3e-0c5e-4f0b-a7b2-3f1ce6b02a11"},
    ],
)
def test_it_ends_by_either_clock_and_with_this_start_of_the_machine(scene: Scene, more: dict) -> None:
    now = scene.clock
    moved = {"running": now.running + more.get("running", 0), "wall": now.wall + more.get("wall", 0)}
    granted = take_grant(scene.places, scene.grant(), clock=scene.now)
    with pytest.raises(TrustError, match="is over"):
        use_granted(
            scene.places, granted, clock=lambda: now.replace(boot=more.get("boot", now.boot), **moved)
        )
    use_granted(scene.places, granted, clock=scene.now)
    assert read_off(scene.places) is not None


def test_a_clock_that_was_set_back_makes_no_old_grant_new(scene: Scene) -> None:
    content = scene.grant()
    seen = Path(scene.places.fleet, "seen.json")
    assert seen.exists()
    from fairlead.fleet.bundles.seen import read_seen

    known = read_seen(seen.read_bytes())
    later = known.with_group("web", known.of("web").replace(at=scene.clock.wall + 4000))
    seen.write_bytes(later.written())
    with pytest.raises(TrustError, match="can be taken"):
        scene.switch_off(content)


def test_a_grant_for_another_user_is_not_ours(scene: Scene) -> None:
    granted = take_grant(scene.places, scene.grant(user="nobody"), clock=scene.now)
    for named in (granted, None):
        with pytest.raises(TrustError):
            use_granted(scene.places, named, clock=scene.now)
    with pytest.raises(TrustError, match="no user"):
        take_grant(scene.places, scene.grant(user="nobody-here"), clock=scene.now)


def test_it_is_for_no_longer_than_the_policy_allows(scene: Scene) -> None:
    with pytest.raises(TrustError, match="policy allows 60"):
        scene.switch_off(scene.grant(minutes=61))


def test_who_may_answer_questions_may_not_switch_off_for_that(scene: Scene) -> None:
    with pytest.raises(TrustError, match="nobody who may"):
        scene.switch_off(scene.grant("ben"))


@pytest.mark.parametrize("name", ["fleet.yaml", "hooks/managed.yaml"])
def test_where_root_manages_the_machine_only_root_takes_grants(
    scene: Scene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    if os.getuid() != 0:
        pytest.skip("NOT RUN: only root can give a file to somebody else")
    scene.switch_off(scene.grant())
    system = tmp_path / "system"
    (system / name).parent.mkdir(parents=True)
    (system / name).write_text(Path(scene.places.user_enrolment).read_text())
    places = scene.places.replace(system=str(system), system_fleet=scene.places.fleet)
    assert read_off(places) is not None, "root's file"
    for path in Path(scene.places.fleet, "off").iterdir():
        os.chown(path, 12_345, 12_345)
    assert read_off(places) is None
    monkeypatch.setattr(os, "getuid", lambda: 12_345)
    with pytest.raises(TrustError, match="root takes grants"):
        take_grant(places, scene.grant(), clock=scene.now)


def test_a_marker_that_names_nothing_granted_switches_nothing_off(scene: Scene) -> None:
    marker = Path(scene.places.off_marker)
    marker.parent.mkdir(parents=True, exist_ok=True)
    for text in ("granted \n", "granted x\n", f"granted {'0' * 32}\n", "granted ../../x\n", "granted\n"):
        marker.write_text(text)
        marker.chmod(0o600)
        assert read_off(scene.places) is None, text
        assert "switches nothing off" in ignored_marker(scene.places)


def test_an_answer_to_a_question_is_no_grant_and_the_reverse() -> None:
    assert is_off_grant(WHOLE)
    for content in (b"{}", b"\xff", b"[]", b'{"grant": "x"}'):
        assert not is_off_grant(content)
