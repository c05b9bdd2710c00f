"""Questions out, answers in, without a broker: which answers count, and that all others do nothing."""

from __future__ import annotations

import base64
import json
import math
import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from approvals_kit import People, join_fleet
from fairlead.doors.fleet.approvals.askers import Asker, askers_here
from fairlead.doors.fleet.approvals.carrier import AT_ONCE, RULE, Believed, Carrier
from fairlead.doors.fleet.approvals.desk import OpenAsk
from fairlead.doors.fleet.approvals.duty import _Belief, believed_here
from fairlead.doors.fleet.approvals.pending import Pending
from fairlead.errors import JournalError
from fairlead.fleet.bundles.roles import key_id
from fairlead.fleet.bundles.signatures import Signed
from fairlead.fleet.bundles.signing import FOR_BUNDLES, FOR_GRANTS, new_key
from fairlead.fleet.documents import write_document
from fairlead.fleet.moments import write_moment
from fairlead.fleet.questions.approvals import read_approvals
from fairlead.fleet.questions.asks import COUNTED, DENIED, EXPIRED, GRANTED, REFUSED, Closed, hash_of
from fairlead.fleet.questions.grants import Grant, signed_answer
from fairlead.fleet.refusal import RefusedError
from fairlead.journal.reader import read_records
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.tool_call import ToolCall, ToolKind
from fairlead.model.verdict import Verdict
from fairlead.policy.answers import questions
from fairlead.policy.glass.marker import Clock
from fairlead.policy.places import Places

SECRET = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"


class Ticking:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = Clock("5ad14f3e-0c5e-4f0b-a7b2-3f1ce6b02a11", 1000, int(time.time()))

    def __call__(self) -> Clock:
        return self.now

    def move(self, **changes: int | str) -> None:
        self.now = self.now.replace(**changes)


class Scene:
    """One machine with questions, and people who answer."""

    def __init__(self, folder: Path) -> None:
        self.people = People(folder / "keys", "ana", "ben", "eve")
        rows = [
            self.people.row("ana", rules=["packages/*"]),
            self.people.row("ben", machines=["m1"]),
        ]
        self.places = join_fleet(folder / "home", self.people, {"people": rows, "summary": True})
        self.clock = Ticking()
        self.believed = believed_here(self.places)
        self.carrier = Carrier(
            self.places, *askers_here(self.places), machine="m1", group="web", clock=self.clock
        )

    def event(self, command: str = "npm publish", session: str = "s1") -> Event:
        tool = ToolCall("Bash", {"command": command}, kind=ToolKind.SHELL)
        return Event(
            EventName.BEFORE_TOOL,
            native_name="PreToolUse",
            agent="claude",
            cwd="/p",
            root="/p",
            raw=b"",
            session=session,
            request=os.urandom(16).hex(),
            tool=tool,
        )

    def ask(self, command: str = "npm publish", rule: str = "packages/publish", **more: str) -> Event:
        event = self.event(command, **more)
        question = questions.question_about(
            event, Verdict(rule=rule, reason="why"), summary=f"Bash {command}"
        )
        questions.ask(self.places, question)
        return event

    def pending(self) -> Pending:
        (found,) = list(self.carrier.unsent(self.believed))
        self.carrier.sent(found)
        return found

    def answer(self, pending: Pending, who: str = "ana", *, yes: bool = True, at: float = 0) -> bytes:
        key = self.people.keys[who]
        return signed_answer(
            pending.ask, pending.about, key, yes=yes, reason="as planned", now=at or self.clock.now.wall
        )

    def take(self, answer: bytes) -> Closed | None:
        return self.carrier.take_answer(answer, self.believed)

    def passes(self, event: Event) -> bool:
        return questions.take(self.places, event.replace(request=os.urandom(16).hex())) is not None

    def rules(self) -> list[str]:
        lines = read_records(os.path.join(self.places.state, "journal"))
        return [line["verdict"]["rule"] for line in lines]


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return Scene(tmp_path)


def test_a_yes_lets_the_call_through_once_and_says_whose_it_was(scene: Scene) -> None:
    event = scene.ask()
    closed = scene.take(scene.answer(scene.pending()))
    assert closed is not None and (closed.state, closed.by) == (GRANTED, "ana")
    assert not scene.passes(scene.event("npm publish --force"))
    assert not scene.passes(scene.event(session="s2"))
    yes = questions.take(scene.places, event)
    assert yes is not None and yes.name == "ana" and yes.reason == "as planned"
    assert yes.key == key_id(scene.people.role("ana").keys[0])
    assert not scene.passes(event)
    assert scene.rules() == [RULE]


def test_a_no_ends_the_question(scene: Scene) -> None:
    event = scene.ask()
    closed = scene.take(scene.answer(scene.pending(), yes=False))
    assert closed is not None and closed.state == DENIED
    assert questions.questions(scene.places) == [] and not scene.passes(event)
    scene.ask()
    assert list(scene.carrier.unsent(scene.believed)) == [], "a no is not asked about at once again"


def of_two(scene: Scene, *names: str) -> None:
    """From now on two have to say yes, and these people may; eve has two keys."""
    rows = [{"name": name.partition("-")[0], "key": scene.people.keys[name].public} for name in names]
    role = scene.people.role().replace(threshold=2)
    scene.believed = Believed(read_approvals({"people": rows}), role)


def states(*closed: Closed | None) -> list[str]:
    return [each.state if each else "" for each in closed]


def test_where_it_takes_two_two_people_let_the_call_through(scene: Scene) -> None:
    event = scene.ask()
    of_two(scene, "ana", "eve")
    pending = scene.pending()
    first = scene.take(scene.answer(pending))
    assert first is not None and (first.state, first.by) == (COUNTED, "ana, 1 of 2")
    assert not scene.passes(event)
    assert states(scene.take(scene.answer(pending, "eve"))) == [GRANTED]
    yes = questions.take(scene.places, event)
    assert yes is not None and yes.name == "ana and eve" and yes.reason == "as planned; as planned"
    assert scene.rules() == [f"{RULE}-counted", RULE]


def test_one_person_is_one_however_often_and_with_however_many_keys(scene: Scene, tmp_path: Path) -> None:
    event = scene.ask()
    scene.people = People(tmp_path / "more", "ana", "ana-2")
    of_two(scene, "ana", "ana-2")
    pending = scene.pending()
    again = [scene.take(scene.answer(pending)) for _ in range(3)]
    assert states(*again, scene.take(scene.answer(pending, "ana-2"))) == [COUNTED] * 3 + [REFUSED]
    assert not scene.passes(event)
    assert scene.rules() == [f"{RULE}-counted", f"{RULE}-refused"], "a yes that comes again is told once"


def test_the_first_yes_is_kept_through_a_restart_of_the_agent(scene: Scene) -> None:
    event = scene.ask()
    of_two(scene, "ana", "eve")
    pending = scene.pending()
    scene.take(scene.answer(pending))
    again = Carrier(scene.places, *askers_here(scene.places), machine="m1", group="web", clock=scene.clock)
    assert states(again.take_answer(scene.answer(pending, "eve"), scene.believed)) == [GRANTED]
    assert scene.passes(event)


def test_one_no_ends_it_before_and_after_the_first_yes(scene: Scene) -> None:
    of_two(scene, "ana", "eve")
    event = scene.ask()
    pending = scene.pending()
    assert states(scene.take(scene.answer(pending)), scene.take(scene.answer(pending, "eve", yes=False))) == [
        COUNTED,
        DENIED,
    ]
    assert states(scene.take(scene.answer(pending))) == [REFUSED]
    assert not scene.passes(event)


@pytest.mark.parametrize("gone", ["bundle", "roles"])
def test_a_yes_of_somebody_who_may_no_longer_is_not_counted(scene: Scene, gone: str) -> None:
    event = scene.ask()
    of_two(scene, "ana", "eve", "ben")
    pending = scene.pending()
    scene.take(scene.answer(pending))
    if gone == "bundle":
        of_two(scene, "eve", "ben")
    else:
        role = scene.people.role("ben", "eve").replace(threshold=2)
        scene.believed = scene.believed.replace(role=role)
    assert states(scene.take(scene.answer(pending, "eve"))) == [COUNTED]
    assert not scene.passes(event)
    assert states(scene.take(scene.answer(pending, "ben"))) == [GRANTED]


def test_two_answers_to_two_questions_are_not_two_answers_to_one(scene: Scene) -> None:
    of_two(scene, "ana", "eve")
    one, other = scene.ask("npm publish"), None
    first = scene.pending()
    other = scene.ask("npm publish --force")
    (second,) = [each for each in scene.carrier.unsent(scene.believed) if each.request != first.request]
    assert states(scene.take(scene.answer(first)), scene.take(scene.answer(second, "eve"))) == [COUNTED] * 2
    assert not scene.passes(one) and not scene.passes(other)


def test_the_first_answer_counts_and_later_ones_do_nothing(scene: Scene) -> None:
    event = scene.ask()
    pending = scene.pending()
    assert scene.take(scene.answer(pending, yes=False)).state == DENIED  # type: ignore[union-attr]
    late = scene.take(scene.answer(pending))
    assert late is not None and late.state == REFUSED and "already" in late.by
    assert not scene.passes(event)


def test_a_replayed_yes_does_nothing_once_it_was_used(scene: Scene) -> None:
    event = scene.ask()
    answer = scene.answer(scene.pending())
    scene.take(answer)
    assert scene.passes(event)
    scene.ask()
    assert scene.take(answer).state == REFUSED  # type: ignore[union-attr]
    assert not scene.passes(event)


def test_a_question_is_sent_once_for_all_its_tries(scene: Scene) -> None:
    scene.ask()
    scene.pending()
    scene.ask()
    assert list(scene.carrier.unsent(scene.believed)) == []
    again = Carrier(scene.places, *askers_here(scene.places), machine="m1", group="web", clock=scene.clock)
    assert list(again.unsent(scene.believed)) == [], "also after a restart"


def test_what_could_not_be_sent_is_sent_later_under_the_same_name(scene: Scene) -> None:
    scene.ask()
    (one,), (other,) = (list(scene.carrier.unsent(scene.believed)) for _ in range(2))
    assert one.request == other.request


@pytest.mark.parametrize(
    ("who", "why"),
    [("ben", "machine of their own"), ("eve", "may not answer"), ("stranger", "not signed by a key")],
)
def test_only_those_who_may_are_heard(scene: Scene, who: str, why: str) -> None:
    scene.people.keys["stranger"] = new_key()
    event = scene.ask()
    closed = scene.take(scene.answer(scene.pending(), who))
    assert closed is not None and closed.state == REFUSED and why in closed.by
    assert not scene.passes(event)
    assert scene.rules() == [f"{RULE}-refused"]


def test_nobody_answers_for_a_rule_that_is_not_theirs(scene: Scene) -> None:
    event = scene.ask("git push --force", "git/force-push")
    closed = scene.take(scene.answer(scene.pending()))
    assert closed is not None and "ana may not answer for git/force-push" in closed.by
    assert not scene.passes(event)


def test_an_answer_to_another_machine_does_nothing(scene: Scene, tmp_path: Path) -> None:
    event = scene.ask()
    pending = scene.pending()
    elsewhere = pending.about.replace(machine="m2")
    answer = signed_answer(
        elsewhere.written(), elsewhere, scene.people.keys["ana"], yes=True, reason="x", now=time.time()
    )
    assert "it is for m2" in scene.take(answer).by  # type: ignore[union-attr]
    other = Scene(tmp_path / "other")
    other.believed = scene.believed
    assert "asked no such question" in other.take(scene.answer(pending)).by  # type: ignore[union-attr]
    assert not scene.passes(event)


def test_what_was_shown_otherwise_is_not_what_was_asked(scene: Scene) -> None:
    """A broker that shows one thing and has another one signed."""
    event = scene.ask("npm publish")
    pending = scene.pending()
    shown = pending.about.replace(summary="Bash npm test")
    answer = signed_answer(
        shown.written(), shown, scene.people.keys["ana"], yes=True, reason="harmless", now=time.time()
    )
    assert "another question" in scene.take(answer).by  # type: ignore[union-attr]
    assert not scene.passes(event)


@given(data=st.data())
@settings(max_examples=120)
def test_no_field_of_an_answer_can_be_changed(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Also not by whoever has a key: what is signed again with other values names another question."""
    scene = _shared(tmp_path_factory)
    pending = scene.carrier.pending.all()[0]
    grant = json.loads(base64.b64decode(json.loads(scene.answer(pending))["grant"]))
    name = data.draw(st.sampled_from([field for field in grant if field not in ("reason", "at", "yes")]))
    value = grant[name]
    other = data.draw(_other(value))
    grant[name] = other
    content = write_document(grant)
    signer = data.draw(st.sampled_from(["ana", "old"]))
    signature = scene.people.keys["ana"].sign(content, purpose=FOR_GRANTS)
    if signer == "old":
        signature = scene.people.keys["ana"].sign(b"something else", purpose=FOR_GRANTS)
    answer = write_document({"format": 1, **Signed(content, (signature,)).as_json("grant")})
    closed = scene.take(answer)
    assert closed is None or closed.state == REFUSED, (name, other)


def _other(value: object) -> st.SearchStrategy[object]:
    if isinstance(value, str) and len(value) > 12:
        return st.sampled_from([value[:-1] + ("0" if value[-1] != "0" else "1"), value[1:], "", value + "0"])
    return st.sampled_from(["x1", "", 0, 2, None, "2020-01-01T00:00:00Z"]).filter(lambda one: one != value)


def _shared(factory: pytest.TempPathFactory, kept: dict[str, Scene] = {}) -> Scene:  # noqa: B006 - on purpose
    folder = factory.getbasetemp() / "approvals"
    if str(folder) not in kept:
        kept[str(folder)] = scene = Scene(folder)
        scene.ask()
        scene.pending()
    return kept[str(folder)]


@given(at=st.integers(0, 2000), byte=st.integers(0, 255))
@settings(max_examples=150)
def test_no_damaged_answer_counts_and_none_breaks_the_agent(
    at: int, byte: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    scene = _shared(tmp_path_factory)
    answer = scene.answer(scene.carrier.pending.all()[0], yes=False)
    damaged = answer[: at % len(answer)] + bytes((byte,)) + answer[at % len(answer) + 1 :]
    if damaged == answer or json_equal(damaged, answer):
        return
    closed = scene.take(damaged)
    assert closed is None or closed.state == REFUSED


def json_equal(one: bytes, other: bytes) -> bool:
    try:
        return bool(json.loads(one) == json.loads(other))
    except ValueError:
        return False


@given(content=st.binary(max_size=300))
def test_what_is_no_answer_at_all_does_nothing(
    content: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    assert _shared(tmp_path_factory).take(content) is None


def test_a_signature_for_another_purpose_is_none(scene: Scene) -> None:
    event = scene.ask()
    content = base64.b64decode(json.loads(scene.answer(scene.pending()))["grant"])
    signature = scene.people.keys["ana"].sign(content, purpose=FOR_BUNDLES)
    answer = write_document({"format": 1, **Signed(content, (signature,)).as_json("grant")})
    assert scene.take(answer).state == REFUSED  # type: ignore[union-attr]
    assert not scene.passes(event)


@pytest.mark.parametrize("change", [{"wall": 10**10}, {"running": 10**6}, {"boot": "another"}])
def test_no_answer_in_time_is_a_no_by_either_clock(scene: Scene, change: dict[str, int | str]) -> None:
    event = scene.ask()
    pending = scene.pending()
    scene.clock.move(**change)
    assert scene.take(scene.answer(pending, at=1)).state == REFUSED  # type: ignore[union-attr]
    assert [closed.state for closed in scene.carrier.over()] == [EXPIRED]
    assert not scene.passes(event)


def test_a_clock_that_was_set_back_makes_nothing_last_longer(scene: Scene) -> None:
    event = scene.ask()
    pending = scene.pending()
    scene.clock.move(wall=scene.clock.now.wall - 10**8, running=1000 + 601)
    assert scene.take(scene.answer(pending)).state == REFUSED  # type: ignore[union-attr]
    assert not scene.passes(event)


def test_an_answer_to_a_question_that_was_answered_here_does_nothing(scene: Scene) -> None:
    scene.ask()
    pending = scene.pending()
    (question,) = questions.questions(scene.places)
    questions.dismiss(scene.places, question)
    assert "nobody waits" in scene.take(scene.answer(pending)).by  # type: ignore[union-attr]


def test_without_a_record_nothing_is_granted(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    event = scene.ask()
    answer = scene.answer(scene.pending())

    def fails(*_: object, **__: object) -> str:
        raise JournalError("no room")

    with monkeypatch.context() as patched:
        patched.setattr("fairlead.doors.fleet.approvals.carrier.write_record", fails)
        with pytest.raises(JournalError):
            scene.take(answer)
    assert not scene.passes(event)
    assert scene.take(answer).state == GRANTED  # type: ignore[union-attr]


def test_what_leaves_holds_no_secret_no_plain_session_and_only_what_the_bundle_allows(scene: Scene) -> None:
    scene.ask(f"curl -H 'Authorization: token {SECRET}' x", session="my-session")
    pending = scene.pending()
    sent = pending.ask.decode()
    assert SECRET not in sent and "my-session" not in sent and "curl" in sent
    assert len(pending.ask) < 8192
    quiet = Believed(scene.believed.rules.replace(summary=False), scene.believed.role)
    scene.ask("npm unpublish", "packages/unpublish")
    (other,) = list(scene.carrier.unsent(quiet))
    assert other.about.summary == "" and b"npm" not in other.ask


def test_equal_calls_of_two_machines_cannot_be_told_from_their_hashes(scene: Scene, tmp_path: Path) -> None:
    other = Scene(tmp_path / "other")
    scene.ask()
    other.ask()
    assert scene.pending().about.input_hash != other.pending().about.input_hash


def test_a_flood_of_questions_does_not_bury_the_person(scene: Scene) -> None:
    for number in range(AT_ONCE + 15):
        scene.ask(f"npm publish {number}")
    assert len(list(scene.carrier.unsent(scene.believed))) == AT_ONCE


def test_a_flood_of_bad_answers_does_not_bury_the_journal(scene: Scene) -> None:
    for _ in range(100):
        assert scene.take(b"{}") is None
    assert len(scene.rules()) == 30


def test_a_question_that_the_agent_itself_puts_stays_here(scene: Scene) -> None:
    event = scene.event()
    question = questions.question_about(event, Verdict(rule="packages/publish"), summary="x", told="claude")
    questions.ask(scene.places, question)
    assert list(scene.carrier.unsent(scene.believed)) == []


def test_where_nobody_may_answer_nothing_leaves(scene: Scene) -> None:
    scene.ask()
    assert list(scene.carrier.unsent(Believed())) == []


@pytest.mark.parametrize(
    "section",
    [
        {"people": [{"name": "x", "key": "ed25519:AAAA"}]},
        {"people": [{"name": "x"}]},
        {"minutes": 0},
        {"sumary": True},
        {"webhook": {"url": "http://example.com/x"}},
        {"webhook": {"url": "https://example.com/x", "kind": "fax"}},
        {"people": [{"name": "x", "key": new_key().public, "machines": ["A B"]}]},
    ],
)
def test_a_section_that_means_nothing_is_refused(section: dict[str, object]) -> None:
    with pytest.raises(RefusedError):
        read_approvals(section)


def test_an_answer_names_the_bytes_that_its_giver_saw(scene: Scene) -> None:
    scene.ask()
    pending = scene.pending()
    grant = json.loads(base64.b64decode(json.loads(scene.answer(pending))["grant"]))
    assert grant["ask"] == hash_of(pending.ask) == OpenAsk(pending.ask, pending.about).as_json()["ask"]
    assert set(Grant._fields) <= set(grant)


def test_root_carries_the_questions_of_every_user_and_writes_nothing_into_their_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene = Scene(tmp_path)
    users = by_root(scene, tmp_path, monkeypatch)
    event = scene.ask()
    pending = scene.pending()
    before = sorted(Path(users.state, "questions").rglob("*"))
    assert scene.take(scene.answer(pending)).state == GRANTED  # type: ignore[union-attr]
    assert sorted(Path(users.state, "questions").rglob("*")) == before
    given = Path(users.system_fleet, "grants", str(os.getuid()), pending.key)
    assert given.stat().st_mode & 0o777 == 0o644
    first = questions.take(users, event, local=False)
    assert first is not None and first.name == "ana"
    assert questions.take(users, event, local=False) == first, "the same call, tried again after a crash"
    other = event.replace(request="another")
    assert questions.take(users, other, local=False) is None


def by_root(scene: Scene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Places:
    """The same machine, where root has enrolled it and carries what its users' agents ask."""
    system = tmp_path / "system"
    system.mkdir()
    (system / "fleet.yaml").write_text("")
    users = scene.places.replace(system=str(system), system_fleet=str(tmp_path / "fleet"))
    asker = Asker(users, os.getuid(), str(tmp_path / "fleet" / "asks" / "0"), by_root=True)
    scene.carrier = Carrier(users, asker, machine="m1", group="web", clock=scene.clock)
    monkeypatch.setattr(questions, "_load", _as_owned_by_root(questions._load, os.getuid()))
    return users


def rewrite(places: Places, **changes: object) -> None:
    """What a user can do to a question, which lies among their own files."""
    (path,) = Path(places.state, "questions", "asked").iterdir()
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))


@pytest.mark.parametrize("key", ["../../../victim", "/victim", "", "A" * 64, "a" * 63, "a" * 64 + "\n"])
def test_a_question_names_no_file_that_root_would_write(
    scene: Scene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    users = by_root(scene, tmp_path, monkeypatch)
    scene.ask()
    rewrite(users, key=key)
    assert list(scene.carrier.unsent(scene.believed)) == []


@pytest.mark.parametrize("asked", [10**400, math.inf, math.nan, -1, "now", None, []])
def test_a_question_without_a_time_is_none_and_stops_nobody(
    scene: Scene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asked: object
) -> None:
    users = by_root(scene, tmp_path, monkeypatch)
    scene.ask()
    rewrite(users, asked=asked)
    scene.ask("npm publish again")
    (found,) = scene.carrier.unsent(scene.believed)
    assert found.about.summary == "Bash npm publish again"


def test_a_folder_full_of_files_does_not_hold_root_up(scene: Scene, tmp_path: Path) -> None:
    folder = Path(scene.places.state, "questions", "asked")
    folder.mkdir(parents=True, mode=0o700)
    for number in range(1000):
        (folder / str(number)).touch()
    read: list[str] = []
    real = questions._read
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(questions, "_read", lambda path, owner: read.append(path) or real(path, owner))
        questions.questions(scene.places, owner=os.getuid())
    assert len(read) <= 512


@pytest.mark.parametrize("change", [{"rule": "packages/other"}, {"summary": "Bash ls"}])
def test_a_yes_to_another_telling_of_the_call_lets_nothing_through(
    scene: Scene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: dict[str, str]
) -> None:
    users = by_root(scene, tmp_path, monkeypatch)
    event = scene.ask()
    honest = ("packages/publish", "Bash npm publish")
    rewrite(users, **change)
    assert scene.take(scene.answer(scene.pending())).state == GRANTED  # type: ignore[union-attr]
    assert questions.take(users, event, local=False, said=lambda: honest) is None


def test_a_yes_to_the_call_as_it_was_told_lets_it_through(
    scene: Scene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    users = by_root(scene, tmp_path, monkeypatch)
    event = scene.ask()
    assert scene.take(scene.answer(scene.pending())).state == GRANTED  # type: ignore[union-attr]
    honest = ("packages/publish", "Bash npm publish")
    assert questions.take(users, event, local=False, said=lambda: honest) is not None


def _as_owned_by_root(load: Callable[..., object], owner: int) -> Callable[..., object]:
    """Tests need not run as root to have its files."""
    return lambda path, wanted=None, **more: load(path, owner if (more.get("owner", wanted)) == 0 else None)


def test_where_no_local_person_may_answer_only_a_name_from_elsewhere_counts(scene: Scene) -> None:
    event = scene.ask()
    (question,) = questions.questions(scene.places)
    questions.grant(scene.places, question)
    assert questions.take(scene.places, event, local=False) is None
    event = scene.ask("npm publish again")
    assert scene.take(scene.answer(scene.pending())).state == GRANTED  # type: ignore[union-attr]
    assert questions.take(scene.places, event, local=False) is not None


def test_where_root_carries_the_answers_the_users_own_files_grant_nothing(
    scene: Scene, tmp_path: Path
) -> None:
    event = scene.ask()
    assert scene.take(scene.answer(scene.pending())).state == GRANTED  # type: ignore[union-attr]
    system = tmp_path / "system"
    system.mkdir()
    (system / "fleet.yaml").write_text("")
    managed = scene.places.replace(system=str(system), system_fleet=str(tmp_path / "fleet"))
    assert questions.take(managed, event, local=False) is None
    assert questions.take(managed, event) is not None


def test_an_answer_that_says_that_it_holds_longer_holds_as_long_as_the_question(scene: Scene) -> None:
    event = scene.ask()
    pending = scene.pending()
    grant = json.loads(base64.b64decode(json.loads(scene.answer(pending))["grant"]))
    content = write_document({**grant, "expires": "2099-01-01T00:00:00Z"})
    signature = scene.people.keys["ana"].sign(content, purpose=FOR_GRANTS)
    answer = write_document({"format": 1, **Signed(content, (signature,)).as_json("grant")})
    scene.clock.move(wall=pending.about.expires - 1, running=1001)
    assert scene.take(answer).state == GRANTED  # type: ignore[union-attr]
    (given,) = Path(scene.places.state, "questions", "given").iterdir()
    assert json.loads(given.read_text())["until"] <= time.time() + 2
    assert scene.passes(event)


def test_a_bundle_that_lets_others_answer_counts_from_the_next_look_on(scene: Scene, tmp_path: Path) -> None:
    belief = _Belief(scene.places)
    assert [each.name for each in belief.now().rules.people] == ["ana", "ben"]
    os.unlink(f"{scene.places.fleet}/current")
    assert belief.now() == Believed()


def test_an_answer_ends_when_its_giver_says_so(scene: Scene) -> None:
    event = scene.ask()
    pending = scene.pending()
    grant = json.loads(base64.b64decode(json.loads(scene.answer(pending))["grant"]))
    content = write_document({**grant, "expires": write_moment(scene.clock.now.wall - 1)})
    signature = scene.people.keys["ana"].sign(content, purpose=FOR_GRANTS)
    answer = write_document({"format": 1, **Signed(content, (signature,)).as_json("grant")})
    assert "its time is over" in scene.take(answer).by  # type: ignore[union-attr]
    assert not scene.passes(event)
