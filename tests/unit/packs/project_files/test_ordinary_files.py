"""Only ordinary files are read, and as the programs would read them that run them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from fairlead.packs.project_files.ordinary_files import as_text, read_ordinary

_MOST = 1000


def test_an_ordinary_file_is_read_with_its_identity(tmp_path: Path) -> None:
    path = tmp_path / "x.sh"
    path.write_bytes(b"echo hi\n")
    content = read_ordinary(str(path), _MOST)
    assert content is not None
    assert content.data == b"echo hi\n"
    assert content.identity[1:3] == (path.stat().st_ino, 8)


def test_a_file_with_exactly_the_most_bytes_is_read_and_one_more_is_too_many(tmp_path: Path) -> None:
    path = tmp_path / "x.sh"
    path.write_bytes(b"x" * _MOST)
    assert read_ordinary(str(path), _MOST) is not None
    path.write_bytes(b"x" * (_MOST + 1))
    assert read_ordinary(str(path), _MOST) is None


def test_a_fifo_a_folder_and_a_device_hold_nobody_up(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    assert read_ordinary(str(tmp_path / "fifo"), _MOST) is None
    assert read_ordinary(str(tmp_path), _MOST) is None
    assert read_ordinary("/dev/zero", _MOST) is None


def test_files_of_the_kernel_are_not_read() -> None:
    assert read_ordinary("/proc/self/status", 1 << 20) is None


def test_a_link_that_appears_in_between_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("x")
    (tmp_path / "link").symlink_to("real")
    assert read_ordinary(str(tmp_path / "link"), _MOST) is None


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"rm x\n", b"rm x\n"),
        (b"rm x\r\nls\r\n", b"rm x\nls\n"),
        (b"\xef\xbb\xbfrm x\n", b"rm x\n"),
        (b"\xff\xfe" + "rm x\n".encode("utf-16-le"), b"rm x\n"),
        (b"\xfe\xff" + "rm x\n".encode("utf-16-be"), b"rm x\n"),
        (b"echo a\nrm\0 x\n", b"echo a\nrm x\n"),
        (b"\x7fELF\2\1\1\0\0\0", None),
        (b"PK\3\4\0\0", None),
        (b"", b""),
    ],
)
def test_bytes_become_the_text_that_would_run(data: bytes, text: bytes | None) -> None:
    assert as_text(data) == text
