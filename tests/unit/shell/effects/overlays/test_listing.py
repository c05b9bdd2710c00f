"""The names in trees, archives and patches, also in broken and hostile ones."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import random
import struct
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairlead.shell.effects.overlays.listing.archive_kinds import names_in
from fairlead.shell.effects.overlays.listing.folders import files_below
from fairlead.shell.effects.overlays.listing.listed_names import MOST_NAMES, Listing
from fairlead.shell.effects.overlays.listing.patch_names import patch_file_names, patch_names

LONG = "/".join(["a-folder-with-a-long-name"] * 12) + "/file.txt"
NAMES = (".bashrc", "src/main.py", "ünïcode/näme", LONG)


def tar_bytes(*members: tarfile.TarInfo | str, form: int = tarfile.PAX_FORMAT) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=form) as archive:
        for member in members:
            info = tarfile.TarInfo(member) if isinstance(member, str) else member
            archive.addfile(info, io.BytesIO(b"x" * info.size))
    return buffer.getvalue()


def zip_bytes(*names: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name in names:
            archive.writestr(name, "x")
    return buffer.getvalue()


def cpio_bytes(*names: str) -> bytes:
    parts = []
    for name in (*names, "TRAILER!!!"):
        encoded = name.encode() + b"\0"
        fields = [1, 0o100644, 0, 0, 1, 0, 3 if name != "TRAILER!!!" else 0, 0, 0, 0, 0, len(encoded), 0]
        head = b"070701" + b"".join(b"%08x" % field for field in fields) + encoded
        parts.append(head + b"\0" * (-len(head) % 4))
        if name != "TRAILER!!!":
            parts.append(b"abc\0")
    return b"".join(parts)


def old_cpio_bytes(*names: str) -> bytes:
    parts = []
    for name in (*names, "TRAILER!!!"):
        encoded = name.encode() + b"\0"
        fields = b"%06o%06o%06o%06o%06o%06o%06o" % (0, 0, 0o100644, 0, 0, 1, 0)
        parts.append(b"070707" + fields + b"%011o%06o%011o" % (0, len(encoded), 3) + encoded + b"abc")
    return b"".join(parts)


def listed(tmp_path: Path, data: bytes) -> Listing:
    file = tmp_path / "archive"
    file.write_bytes(data)
    found = names_in(str(file))
    assert found is not None
    return found


@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress, lzma.compress])
@pytest.mark.parametrize("form", [tarfile.PAX_FORMAT, tarfile.GNU_FORMAT])
def test_a_tar_is_listed_however_it_is_packed(
    pack: Callable[[bytes], bytes], form: int, tmp_path: Path
) -> None:
    found = listed(tmp_path, pack(tar_bytes(*NAMES, form=form)))
    assert (found.names, found.unseen) == (NAMES, "")


def test_a_zip_and_both_kinds_of_cpio_are_listed(tmp_path: Path) -> None:
    assert listed(tmp_path, zip_bytes(*NAMES)).names == NAMES
    assert listed(tmp_path, b"#!/bin/sh\n" + zip_bytes(*NAMES)).names == NAMES
    for pack in (cpio_bytes, old_cpio_bytes):
        found = listed(tmp_path, pack(*NAMES))
        assert (found.names, found.unseen) == (NAMES, "")


def test_contents_are_passed_over(tmp_path: Path) -> None:
    big = tarfile.TarInfo("big")
    big.size = 3_000_001
    for pack in (bytes, gzip.compress):
        assert listed(tmp_path, pack(tar_bytes(big, ".bashrc"))).names == ("big", ".bashrc")


def test_two_packed_parts_in_one_file_are_both_listed(tmp_path: Path) -> None:
    data = tar_bytes("a", ".bashrc")
    assert listed(tmp_path, gzip.compress(data[:700]) + gzip.compress(data[700:])).names == ("a", ".bashrc")


def test_an_archive_after_the_end_of_another_is_listed_too(tmp_path: Path) -> None:
    assert listed(tmp_path, tar_bytes("a") + tar_bytes(".bashrc")).names == ("a", ".bashrc")


def test_a_file_that_is_a_tar_and_a_zip_is_listed_as_both(tmp_path: Path) -> None:
    assert set(listed(tmp_path, tar_bytes("a") + zip_bytes(".bashrc")).names) == {"a", ".bashrc"}


def test_links_are_listed_with_where_they_lead_and_folders_are_not(tmp_path: Path) -> None:
    folder, link, hard = tarfile.TarInfo("folder"), tarfile.TarInfo("link"), tarfile.TarInfo("hard")
    folder.type = tarfile.DIRTYPE
    link.type, link.linkname = tarfile.SYMTYPE, "/elsewhere"
    hard.type, hard.linkname = tarfile.LNKTYPE, ".bashrc"
    found = listed(tmp_path, tar_bytes(folder, link, hard))
    assert found.names == ("link", "hard", ".bashrc")
    assert found.links == (("link", "/elsewhere"),)


def test_a_name_in_another_encoding_counts_beside_the_first(tmp_path: Path) -> None:
    info = zipfile.ZipInfo("plain.txt")
    name = b".bashrc"
    info.extra = struct.pack("<HHBI", 0x7075, 5 + len(name), 1, 0) + name
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(info, "x")
    assert set(listed(tmp_path, buffer.getvalue()).names) == {"plain.txt", ".bashrc"}


def test_backslashes_count_as_slashes_too(tmp_path: Path) -> None:
    data = zip_bytes("aXb").replace(b"aXb", b"a\\b")
    assert set(listed(tmp_path, data).names) == {"a\\b", "a/b"}


def test_a_second_end_in_the_comment_is_read_as_well(tmp_path: Path) -> None:
    assert set(listed(tmp_path, zip_bytes(".bashrc") + zip_bytes("a")).names) == {".bashrc", "a"}


def test_files_below_a_link_in_a_zip_cannot_be_told(tmp_path: Path) -> None:
    link = zipfile.ZipInfo("a")
    link.external_attr = 0o120777 << 16
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(link, "..")
        archive.writestr("a/.bashrc", "x")
    assert listed(tmp_path, buffer.getvalue()).unseen


def _swollen() -> bytes:
    info = tarfile.TarInfo("zeros")
    info.size = 80 << 20
    head = info.tobuf()
    packer = gzip.compress(head, 1)
    return packer + gzip.compress(bytes(info.size), 1) + gzip.compress(tar_bytes(".bashrc"))


def _with_hidden_header() -> bytes:
    """A link that claims to have content: some programs skip it, others read a header there."""
    link = tarfile.TarInfo("link")
    link.type, link.linkname, link.size = tarfile.SYMTYPE, "x", 512
    return link.tobuf() + tar_bytes(".bashrc")


def _with_broken_header() -> bytes:
    return tar_bytes("a")[:512] + b"junk" * 128 + tar_bytes(".bashrc")


def _with_wide_header() -> bytes:
    """A global header that renames whatever follows."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", pax_headers={"path": ".bashrc"}) as archive:
        archive.addfile(tarfile.TarInfo("a"))
    return buffer.getvalue()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"text",
        b"7z\xbc\xaf\x27\x1c" + bytes(600),
        b"\x1f\x8b" + bytes(100),
        gzip.compress(b"text" * 1000),
        zip_bytes("a")[:-22] + b"PK\x05\x06" + b"\xff" * 18,
        zip_bytes("a", "b").replace(b"PK\x01\x02", b"PK\x01\x03", 1),
        b"070701" + b"z" * 200,
        _swollen,
        _with_hidden_header(),
        _with_broken_header(),
        _with_wide_header(),
        tar_bytes(*(f"f{i}" for i in range(MOST_NAMES + 1))),
        zip_bytes(*(f"f{i}" for i in range(MOST_NAMES + 1))),
    ],
    ids=range(14),
)
def test_what_is_broken_too_large_or_unknown_says_so(
    data: bytes | Callable[[], bytes], tmp_path: Path
) -> None:
    found = listed(tmp_path, data() if callable(data) else data)
    assert found.unseen
    assert len(found.names) <= MOST_NAMES + 2


@given(st.integers(0, 2**32), st.integers(1, 40), st.sampled_from([tar_bytes, zip_bytes, cpio_bytes]))
def test_no_damage_to_an_archive_raises(seed: int, damage: int, make: Callable[..., bytes]) -> None:
    import tempfile

    chance = random.Random(seed)
    data = bytearray(make(*NAMES))
    for _ in range(damage):
        data[chance.randrange(len(data))] = chance.randrange(256)
    with tempfile.NamedTemporaryFile() as file:
        file.write(bytes(data[: chance.randrange(len(data)) or None]))
        file.flush()
        assert isinstance(names_in(file.name), Listing)


def test_there_is_no_waiting_for_a_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert names_in(str(tmp_path / "pipe")) is None
    assert patch_file_names(str(tmp_path / "pipe")) is None
    assert names_in(str(tmp_path / "nothing")) is None


def test_a_tree_is_listed_with_its_links(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "c").write_text("")
    (tmp_path / "link").symlink_to("a")
    found = files_below(str(tmp_path))
    assert (set(found.names), found.links, found.unseen) == ({"a/b/c", "link"}, (("link", "a"),), "")
    assert set(files_below(str(tmp_path), follows=True).names) == {"a/b/c", "link/b/c"}


def test_a_tree_without_an_end_is_left(tmp_path: Path) -> None:
    (tmp_path / "itself").symlink_to(".")
    assert files_below(str(tmp_path), follows=True).unseen
    for number in range(MOST_NAMES + 1):
        (tmp_path / str(number)).touch()
    found = files_below(str(tmp_path))
    assert found.unseen
    assert len(found.names) == MOST_NAMES


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("--- a/x\n+++ b/x\n@@ -1 +1 @@\n", {"a/x", "b/x"}),
        ("--- x.orig\t2024-01-01 00:00:00\n+++ x y\t2024-01-01\n", {"x.orig", "x y"}),
        ("--- x 2024-01-01 00:00:00.0 +0000\n+++ /dev/null\n", {"x"}),
        ("diff --git a/m b/m\nold mode 100644\nnew mode 100755\n", {"a/m", "b/m"}),
        (
            'diff --git "a/\\303\\274" "b/\\303\\274"\nrename from y\nrename to z\n',
            {"a/Ã¼", "b/Ã¼", "y", "z"},
        ),
        ("*** a/x\n--- b/x\n***************\n*** 1,2 ****\n--- 1,2 ----\n", {"a/x", "b/x"}),
        ("Index: x\n===\n", {"x"}),
        ("no patch\n", set()),
    ],
)
def test_a_patch_names_its_files(text: str, names: set[str]) -> None:
    assert set(patch_names(text).names) == names
