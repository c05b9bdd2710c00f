"""Whatever is done to a bundle: it is refused, nothing breaks, and what was in force stays in force."""

import gzip
import json
import tarfile
import zlib

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fairlead.doors.fleet.trial_home import policy_problems
from fairlead.fleet.bundles.archive import MANIFEST, SIGNATURES, Archive
from fairlead.fleet.bundles.building import build_bundle, open_unchecked, sign_bundle
from fairlead.fleet.bundles.manifest import FileMark, read_manifest
from fairlead.fleet.bundles.signatures import read_signatures, write_signatures
from fairlead.fleet.bundles.signing import FOR_BUNDLES
from fairlead.fleet.moments import DAY
from fairlead.fleet.refusal import Refusal, RefusalCode
from fleet_kit import (
    FOREIGN,
    NOW,
    ROLES,
    SECOND,
    SIGNING,
    Kept,
    bundle,
    manifest,
    member,
    policy,
    roles_of,
    tar_of,
)

IN_FORCE = bundle(5)
NEXT = bundle(6, files={**policy(), **policy("helm"), "programs/a.toml": b""})
PACKED = bundle(6, files={**policy(), **policy("helm")}, packed=True)
BLOCK = 512
Code = RefusalCode


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    kept = Kept(tmp_path_factory.mktemp("fleet") / "fleet")
    assert kept.take(bundle(4)) is None
    assert kept.take(IN_FORCE) is None
    return kept


def refused(kept: Kept, content: bytes, **options) -> Refusal:
    """The law itself."""
    before = kept.snapshot()
    found = kept.take(content, **options)
    assert isinstance(found, Refusal), "it was taken"
    assert kept.snapshot() == before
    assert kept.version == 5
    assert found.message
    return found


def parts(content: bytes) -> tuple[bytes, bytes, dict[str, bytes]]:
    opened, _ = open_unchecked(content)
    return opened.manifest_bytes, opened.signature_bytes, dict(opened.files)


def as_tar(content: bytes, *more, files=None, form=tarfile.USTAR_FORMAT) -> bytes:
    """The same signed manifest before other members."""
    manifest_bytes, signatures, own = parts(content)
    kept = own if files is None else files
    first = (member(MANIFEST, manifest_bytes), member(SIGNATURES, signatures))
    return tar_of(*first, *(member(name, data) for name, data in kept.items()), *more, form=form)


@settings(max_examples=120, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.data())
def test_a_bundle_with_any_bits_changed_is_refused(kept, data):
    content = bytearray(NEXT)
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    if bytes(content) != NEXT:
        refused(kept, bytes(content))


@settings(max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.data())
def test_a_packed_bundle_with_bits_changed_is_refused_or_still_holds_the_same(kept, data):
    content = bytearray(PACKED)
    content[data.draw(st.integers(0, len(content) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    try:
        same = parts(bytes(content)) == parts(PACKED)
    except Exception as error:
        assert type(error).__name__ == "RefusedError"
        same = False
    if not same:
        refused(kept, bytes(content))


@settings(max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.sampled_from([NEXT, PACKED]), st.data())
def test_a_bundle_that_is_cut_or_goes_on_is_refused(kept, whole, data):
    at = data.draw(st.integers(0, len(whole) - 1))
    more = data.draw(st.binary(min_size=1, max_size=1100))
    refused(kept, data.draw(st.sampled_from([whole[:at], whole + more, whole[:at] + more + whole[at:]])))


@settings(max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.permutations(range(len(NEXT) // BLOCK)), st.data())
def test_a_bundle_whose_blocks_are_moved_lost_or_doubled_is_refused(kept, order, data):
    keep = data.draw(st.integers(0, len(order)))
    blocks = [NEXT[at * BLOCK : at * BLOCK + BLOCK] for at in range(len(NEXT) // BLOCK)]
    moved = b"".join(blocks[at] for at in (*range(keep), *(at for at in order if at >= keep)))
    doubled = b"".join(blocks[:keep] + blocks[max(keep - 1, 0) : keep] + blocks[keep:])
    for content in (moved, doubled):
        if content != NEXT:
            refused(kept, content)


@settings(max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.binary(max_size=4096), st.booleans())
def test_bytes_that_are_no_bundle_are_refused(kept, content, packed):
    refused(kept, gzip.compress(content) if packed else content)


NAMES = [
    "../x",
    "/etc/x",
    "hooks/../../x",
    "hooks/a/hook.meta.yaml",
    "HOOKS/a/hook.meta.yaml",
    "x",
    "taken.json",
]
KINDS = [
    tarfile.SYMTYPE,
    tarfile.LNKTYPE,
    tarfile.CHRTYPE,
    tarfile.FIFOTYPE,
    tarfile.DIRTYPE,
    tarfile.REGTYPE,
]


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.sampled_from(NAMES), st.sampled_from(KINDS), st.sampled_from([0, 1, 2]), st.integers(0, 3))
def test_a_signed_manifest_does_not_carry_what_it_does_not_name(kept, name, kind, form, place):
    extra, _ = member(name, type=kind, linkname="/etc/passwd" if kind != tarfile.REGTYPE else "")
    manifest_bytes, signatures, own = parts(NEXT)
    first = [member(MANIFEST, manifest_bytes), member(SIGNATURES, signatures)]
    members = [*first, *(member(path, data) for path, data in own.items())]
    members.insert(2 + place, (extra, b""))
    found = refused(kept, tar_of(*members, form=form))
    assert found.code in (Code.UNSAFE_PATH, Code.FILES_DIFFER, Code.UNREADABLE)


def test_files_that_were_swapped_added_or_removed_are_refused(kept):
    _, _, own = parts(NEXT)
    names = sorted(own)
    swapped = {**own, names[0]: own[names[1]], names[1]: own[names[0]]}
    added = {**own, "hooks/zzz/hook.meta.yaml": b"event: PreToolUse\n"}
    removed = {name: own[name] for name in names[1:]}
    grown = {**own, names[-1]: own[names[-1]] + b"\n"}
    for files in (swapped, added, removed, grown, {}):
        assert refused(kept, as_tar(NEXT, files=files)).code in (Code.FILES_DIFFER, Code.UNREADABLE)


def test_a_header_that_promises_gigabytes_is_refused_before_they_are_read(kept):
    content = bytearray(NEXT)
    for size in (
        b"77777777777\0",
        b"00100000000\0",
        b"\x80" + b"\xff" * 11,
        b"-0000000001\0",
        b"           \0",
    ):
        content[124:136] = size
        assert refused(kept, bytes(content)).code in (Code.UNREADABLE, Code.TOO_LARGE)


def test_gzip_that_unpacks_to_gigabytes_is_refused(kept):
    engine = zlib.compressobj(9, wbits=31)
    zeros = b"".join(engine.compress(bytes(1 << 20)) for _ in range(300)) + engine.flush()
    assert len(zeros) < 400_000
    refused(kept, zeros)
    archive = Archive(NEXT)
    head = NEXT[: 2 * BLOCK + -(-len(archive.manifest) // BLOCK) * BLOCK + BLOCK]
    refused(kept, gzip.compress(head + bytes(100 << 20)))


def test_a_file_above_the_bound_is_refused_unread(kept):
    assert refused(kept, NEXT + bytes(16 * 1024 * 1024)).code is Code.TOO_LARGE


def test_another_group_is_refused(kept):
    assert refused(kept, bundle(6, group="db")).code is Code.WRONG_GROUP


@given(st.integers(1, 4))
def test_an_older_version_is_refused(kept, version):
    assert refused(kept, bundle(version)).code is Code.OLDER


def test_a_second_bundle_of_the_same_version_is_refused(kept):
    assert refused(kept, bundle(5, files=policy("helm"))).code is Code.FORK
    assert refused(kept, bundle(5, created=NOW + 1)).code is Code.FORK


@given(st.integers(0, 10**9))
def test_an_expired_one_is_refused(kept, ago):
    assert refused(kept, bundle(6, created=1, expires=NOW + 60 - ago)).code is Code.EXPIRED


@given(st.integers(DAY + 1, 10**9))
def test_one_that_was_made_in_the_future_is_refused(kept, ahead):
    assert refused(kept, bundle(6, created=NOW + 60 + ahead)).code is Code.EXPIRED


def test_keys_that_are_not_believed_sign_nothing(kept):
    assert refused(kept, bundle(6, signers=())).code is Code.FORGED
    assert refused(kept, bundle(6, signers=(FOREIGN,))).code is Code.FORGED
    assert refused(kept, bundle(6, signers=(FOREIGN, SECOND))).code is Code.FORGED


def test_a_threshold_counts_keys_and_not_signatures(kept):
    two = roles_of(SIGNING, SECOND, threshold=2)
    assert refused(kept, bundle(6, signers=(SIGNING,)), anchor=two).code is Code.FORGED
    manifest_bytes, signatures, files = parts(bundle(6, signers=(SIGNING,)))
    twice = write_signatures(read_signatures(signatures) * 2)
    forged = tar_of(
        member(MANIFEST, manifest_bytes),
        member(SIGNATURES, twice),
        *(member(*each) for each in files.items()),
    )
    assert refused(kept, forged, anchor=two).code is Code.FORGED


def test_a_signature_of_one_key_is_not_that_of_another(kept):
    """The id of a believed key over the signature of a foreign one."""
    manifest_bytes, _, files = parts(bundle(6, signers=()))
    foreign = read_signatures(parts(bundle(6, signers=(FOREIGN,)))[1])[0]
    own = read_signatures(parts(bundle(6))[1])[0]
    forged = write_signatures([foreign.replace(keyid=own.keyid)])
    members = [member(MANIFEST, manifest_bytes), member(SIGNATURES, forged)]
    assert refused(kept, tar_of(*members, *(member(*each) for each in files.items()))).code is Code.FORGED


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.sampled_from([None, 0, 2, 4]), st.booleans(), st.booleans())
def test_a_manifest_that_was_written_anew_is_refused(kept, indent, ordered, trailing):
    manifest_bytes, signatures, files = parts(NEXT)
    again = (
        json.dumps(json.loads(manifest_bytes), indent=indent, sort_keys=ordered).encode() + b"\n" * trailing
    )
    assert again != manifest_bytes
    members = [member(MANIFEST, again), member(SIGNATURES, signatures)]
    assert refused(kept, tar_of(*members, *(member(*each) for each in files.items()))).code is Code.FORGED


MANIFESTS = [
    b"{}",
    b"[]",
    b"null",
    b"{" * 5000,
    b"[" * 100_000,
    b'{"format": 1, "format": 1}',
    b'{"format": NaN}',
    b'{"format": 1e400}',
    b'{"format": ' + b"9" * 10_000 + b"}",
    b"\xff\xfe{}",
    b'{"format": 2}',
]


@settings(max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.one_of(st.sampled_from(MANIFESTS), st.binary(max_size=300)), st.booleans())
def test_what_is_signed_and_no_manifest_is_refused(kept, content, good_key):
    """Also from somebody who has the key: a mistake there must not be one here."""
    signer = SIGNING if good_key else FOREIGN
    signatures = write_signatures([signer.sign(content, purpose=FOR_BUNDLES)])
    found = refused(kept, tar_of(member(MANIFEST, content), member(SIGNATURES, signatures)))
    assert found.code in (Code.UNREADABLE, Code.FORGED)


VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(), st.text(max_size=20), st.just([]), st.just({}), st.just("0" * 64)
)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.data())
def test_a_signed_manifest_with_one_field_changed_breaks_nothing(kept, data):
    """The believed key signs nonsense: taken only where it still is a manifest of these very files."""
    said = json.loads(parts(NEXT)[0])
    name = data.draw(st.sampled_from([*said, "files.path", "files.size", "extra"]))
    value = data.draw(VALUES)
    if name == "files.path":
        said["files"][data.draw(st.sampled_from([*NAMES, "hooks/A/x", "a/" * 40, "con", "a" * 300, ""]))] = {
            "sha256": "0" * 64,
            "size": 0,
        }
    elif name == "files.size":
        next(iter(said["files"].values()))["size"] = value
    else:
        said[name] = value
    content = json.dumps(said).encode()
    signatures = write_signatures([SIGNING.sign(content, purpose=FOR_BUNDLES)])
    _, _, files = parts(NEXT)
    made = tar_of(
        member(MANIFEST, content), member(SIGNATURES, signatures), *(member(*each) for each in files.items())
    )
    before = kept.snapshot()
    found = kept.take(made, group="nobody")  # so that even a good one is not taken
    assert isinstance(found, Refusal)
    assert kept.snapshot() == before


UNSAFE = [
    "../x",
    "/x",
    "a/../x",
    "a//x",
    "./x",
    "hooks/.git/x",
    "manifest.json",
    "Hooks/x",
    "nul",
    "a/b.",
    "é",
    "a b",
]


@pytest.mark.parametrize("path", UNSAFE)
def test_no_unsafe_path_is_taken_even_from_a_believed_key(kept, path):
    content = manifest(6).replace(files={path: FileMark("0" * 64, 0)}).written()
    signatures = write_signatures([SIGNING.sign(content, purpose=FOR_BUNDLES)])
    made = tar_of(member(MANIFEST, content), member(SIGNATURES, signatures), member(path))
    assert refused(kept, made).code is Code.UNSAFE_PATH
    assert Archive(made).manifest == content  # so that it is the path that is refused


@pytest.mark.parametrize("twins", [("hooks/a/x", "hooks/A/x"), ("hooks/a", "hooks/a/x"), ("lib/x", "LIB/y")])
def test_names_that_meet_on_some_disks_are_refused(kept, twins):
    content = manifest(6).replace(files={path: FileMark("0" * 64, 0) for path in twins}).written()
    signatures = write_signatures([SIGNING.sign(content, purpose=FOR_BUNDLES)])
    made = tar_of(
        member(MANIFEST, content), member(SIGNATURES, signatures), *(member(path) for path in twins)
    )
    assert refused(kept, made).code is Code.UNSAFE_PATH


def test_a_policy_that_cannot_be_read_is_refused(kept):
    broken = [
        {"hooks/a/hook.meta.yaml": b"event: PreToolUse\nmiddlewaer: []\n"},
        {"hooks/a/hook.meta.yaml": b"\xff"},
        {"hooks/a/hook.meta.yaml": b"event: PreToolUse\nmiddleware: [{id: x, type: safety, path: no.py}]"},
        {"programs/a.toml": b"[["},
        {"hooks/mode.yaml": b"mode: off\n"},
    ]
    for files in broken:
        assert refused(kept, bundle(6, files=files), loads=policy_problems).code is Code.BROKEN_POLICY


def test_what_is_whole_and_signed_is_taken(tmp_path):
    """So that the tests above refuse for their reason."""
    for content in (NEXT, PACKED):
        kept = Kept(tmp_path / str(len(content)))
        assert kept.take_checked(IN_FORCE) is None
        assert kept.take_checked(content) is None
        assert kept.version == 6
        assert read_manifest(parts(content)[0]).version == 6
        assert kept.store.damage() == ()


def test_building_twice_makes_the_same_bytes():
    assert bundle(7) == bundle(7)
    unsigned = build_bundle(manifest(7), dict(reversed(policy().items())))
    assert sign_bundle(unsigned, SIGNING) == bundle(7)
    assert sign_bundle(bundle(7), SIGNING) == bundle(7)
    assert ROLES.bundle.threshold == 1


def test_signatures_have_one_spelling(kept):
    """Nobody has signed that file, so that it could otherwise be written in many ways."""
    manifest_bytes, signatures, files = parts(NEXT)
    again = json.dumps(json.loads(signatures)).encode()
    members = [member(MANIFEST, manifest_bytes), member(SIGNATURES, again)]
    assert refused(kept, tar_of(*members, *(member(*each) for each in files.items()))).code is Code.UNREADABLE
