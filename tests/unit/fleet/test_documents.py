"""What comes from elsewhere as JSON or YAML: read strictly, and written so that it is read again."""

import json
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairlead.errors import FairleadError, PolicyError
from fairlead.fleet.bundles.freshness import Release, Rollout, read_statement
from fairlead.fleet.bundles.manifest import FileMark, read_manifest
from fairlead.fleet.bundles.roles import Role, Roles, key_bytes, key_id, read_roles
from fairlead.fleet.bundles.seen import Seen, SeenGroup, read_seen
from fairlead.fleet.bundles.signing import read_key, write_key
from fairlead.fleet.enrolment import is_enrolled, new_machine, parse_enrolment, read_enrolment, source_fault
from fairlead.fleet.moments import read_moment, write_moment
from fairlead.fleet.publishing.pointer import MAX_POINTER, Pointer, read_pointer
from fairlead.fleet.refusal import RefusedError
from fairlead.policy.places import find_places
from fleet_kit import FOREIGN, GROUP, NOW, ONLINE, ROLES, SIGNING, enrolled, manifest, roles_of, statement

RELEASE = Release(7, "a" * 64, "b" * 64, 1000)
SAID = statement(7, "a" * 64, percent=10, previous=RELEASE.replace(version=6), halted=True)
POINTER = Pointer(GROUP, RELEASE, NOW, 1, SAID, read_statement(SAID.content).rollout)
SEEN = Seen({GROUP: SeenGroup(7, "a" * 64, NOW, NOW, NOW, 7, "a" * 64)}, 1, NOW)
MADE = manifest(7, privacy={"x": [1]}, stale="ask").replace(files={"hooks/a": FileMark("c" * 64, 3)})
DOCUMENTS = [
    (POINTER, read_pointer),
    (SEEN, read_seen),
    (MADE, read_manifest),
    (ROLES, read_roles),
    (read_statement(SAID.content), read_statement),
]


@pytest.mark.parametrize(("value", "read"), DOCUMENTS, ids=lambda each: type(each).__name__)
def test_what_is_written_is_read_again(value, read):
    assert read(value.written()) == value
    assert value.written() == read(value.written()).written()


@pytest.mark.parametrize(("value", "read"), DOCUMENTS, ids=lambda each: type(each).__name__)
def test_a_key_too_many_too_few_or_twice_is_refused(value, read):
    said = json.loads(value.written())
    for name in said:
        with pytest.raises(RefusedError):
            read(json.dumps({**said, name: "No Such!"}).encode())
        if name not in (
            "privacy",
            "rollout",
            "break_glass",
            "approvals",
            "stale",
            "approval",
            "freshness",
            "anchor",
        ):
            with pytest.raises(RefusedError):
                read(json.dumps({key: each for key, each in said.items() if key != name}).encode())
    with pytest.raises(RefusedError, match="more"):
        read(json.dumps({**said, "more": 1}).encode())
    with pytest.raises(RefusedError, match="twice"):
        read(value.written().replace(b"{", b'{"version": 1, "version": 1, ', 1))


@pytest.mark.parametrize(("value", "read"), DOCUMENTS, ids=lambda each: type(each).__name__)
@given(data=st.data())
def test_any_other_json_is_refused_and_never_a_crash(value, read, data):
    said = json.loads(value.written())
    name = data.draw(st.sampled_from(sorted(said)))
    said[name] = data.draw(
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
            lambda inner: (
                st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3)
            ),
            max_leaves=5,
        )
    )
    try:
        read(json.dumps(said).encode())
    except RefusedError as error:
        assert error.refusal.message


def test_a_pointer_fits_into_its_bound():
    assert len(POINTER.written()) < MAX_POINTER / 3
    with pytest.raises(RefusedError, match="larger"):
        read_pointer(POINTER.written() + b" " * MAX_POINTER)


@given(st.integers(0, 250_000_000_000))
def test_a_time_is_read_as_it_was_written(seconds):
    assert read_moment(write_moment(seconds)) == seconds


@pytest.mark.parametrize("text", ["", "2026-11-19", "2026-11-19T08:00:00+00:00", "2026-13-19T08:00:00Z", "x"])
def test_another_spelling_of_a_time_is_none(text):
    with pytest.raises(ValueError, match=r".+"):
        read_moment(text)


@pytest.mark.parametrize(
    "roles",
    [
        Roles(1, Role()),
        Roles(1, Role((SIGNING.public,), 2)),
        Roles(1, Role((SIGNING.public, SIGNING.public))),
        Roles(1, Role((SIGNING.public,), 0)),
        Roles(1, Role(("ed25519:AAAA",))),
        Roles(1, Role((SIGNING.public,)), Role(("x",))),
    ],
)
def test_roles_that_could_never_sign_or_count_a_key_twice_are_refused(roles):
    with pytest.raises(ValueError, match=r".+"):
        roles.checked()
    with pytest.raises(RefusedError):
        read_roles(roles.written())


def test_a_key_has_one_spelling_and_one_id():
    assert len(key_bytes(SIGNING.public)) == 32
    assert key_id(SIGNING.public) != key_id(FOREIGN.public)
    for text in (
        SIGNING.public + "=",
        SIGNING.public[:-2] + "==",
        SIGNING.public.upper(),
        SIGNING.public + "\n",
    ):
        with pytest.raises(ValueError, match="no key"):
            key_bytes(text)


def test_a_private_key_is_not_shown(tmp_path):
    path = str(tmp_path / "key")
    write_key(path, SIGNING)
    assert read_key(path) == SIGNING.replace(path=path)
    assert "x01" not in repr(SIGNING)
    os.chmod(path, 0o644)
    with pytest.raises(FairleadError, match="can be read by others"):
        read_key(path)
    os.chmod(path, 0o600)
    for content in (b"", b"fairlead-key-v1 AAAA\n", b"x" * 1000):
        with open(path, "wb") as file:
            file.write(content)
        with pytest.raises(FairleadError, match="holds no key"):
            read_key(path)


# enrolment

TEXT = """\
machine: m-4f2a91c07be3d855
group: web
source: {source}
roles:
  version: 1
  bundle: {{keys: ["{key}"], threshold: 1}}
decisions: true
"""


def text(source: str = "folder:/srv", key: str = SIGNING.public) -> str:
    return TEXT.format(source=source, key=key)


def test_an_enrolment_is_read_as_people_write_it():
    found = parse_enrolment(text().encode(), "fleet.yaml")
    assert (found.machine, found.group, found.decisions) == ("m-4f2a91c07be3d855", "web", True)
    assert found.roles == Roles(1, Role((SIGNING.public,)))


def test_an_enrolment_is_read_as_it_was_written(tmp_path):
    roles = roles_of(SIGNING, FOREIGN, threshold=2, version=3, online=ONLINE)
    path = enrolled(tmp_path / "home/config", roles=roles)
    found = read_enrolment(find_places(str(tmp_path / "home")))
    assert found is not None
    assert found.roles == roles
    assert path.stat().st_mode & 0o777 == 0o644
    assert found.path == str(path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("group: web", "grup: web"), "fleet.yaml:2:1: unknown key 'grup'"),
        (("group: web", "group: Web"), "fleet.yaml:2:8: 'Web' is no name"),
        (("group: web\n", ""), "missing key 'group'"),
        (("decisions: true", "decisions: maybe"), "fleet.yaml:7:12"),
        (("version: 1", "version: 0"), "'version' must be"),
        (("threshold: 1", "threshold: 2"), "2 of 1 keys can never sign"),
        (("threshold: 1", "treshold: 1"), "unknown key 'treshold'"),
        (("folder:/srv", "folder:srv"), "absolute path"),
        (("folder:/srv", "http://example.org"), "http is for this machine alone"),
        (("folder:/srv", "ftp://example.org"), "is no kind of source"),
        (("folder:/srv", "nats://me:secret@example.org"), "no password"),
        (("decisions: true", "decisions: true\ntls_ca: ca.pem"), "must be an absolute path"),
        (("machine: m-", "machine: ../m-"), "is no name"),
    ],
)
def test_a_mistake_in_an_enrolment_is_told_with_its_place(change, message):
    with pytest.raises(PolicyError) as caught:
        parse_enrolment(text().replace(*change).encode(), "fleet.yaml")
    assert message in caught.value.message


def test_an_enrolment_that_others_could_have_written_is_not_believed(tmp_path):
    places = find_places(str(tmp_path / "home"))
    assert (is_enrolled(places), read_enrolment(places)) == (False, None)
    path = enrolled(tmp_path / "home/config")
    path.chmod(0o666)
    with pytest.raises(PolicyError, match="cannot be believed"):
        read_enrolment(places)
    path.unlink()
    (tmp_path / "elsewhere").write_text(text())
    path.symlink_to(tmp_path / "elsewhere")
    assert is_enrolled(places)
    with pytest.raises(PolicyError, match="cannot be believed"):
        read_enrolment(places)


def test_the_enrolment_of_the_system_wins(tmp_path):
    places = find_places(str(tmp_path / "home")).replace(system=str(tmp_path / "etc"))
    enrolled(tmp_path / "home/config", group="mine")
    enrolled(tmp_path / "etc", group="company")
    found = read_enrolment(places)
    assert found is not None
    assert found.group == "company"


@pytest.mark.parametrize(
    "source", ["tls://b.example:4222", "nats://127.0.0.1", "https://x.example/f", "http://[::1]:80"]
)
def test_sources_that_can_be(source):
    assert source_fault(source) == ""


def test_a_machine_gets_a_name_of_its_own():
    assert new_machine() != new_machine()
    assert parse_enrolment(text().replace("m-4f2a91c07be3d855", new_machine()).encode(), "p")
    assert Rollout().percent == 100
