"""Which parts of a process may lie in large pages; the kernel does the rest, or not."""

from __future__ import annotations

import sys

from fairlead.doors.daemon.large_pages import use_large_pages, windows

MAPS = """\
00400000-00a00000 r-xp 00000000 fe:00 1 /usr/bin/python3.11
01000000-01500000 rw-p 00000000 00:00 0 [heap]
02100000-02900000 rw-p 00000000 00:00 0
03000000-03100000 rw-p 00000000 00:00 0
04000000-04400000 rw-p 00000000 fe:00 2 /usr/lib/a library.so
05000000-05400000 rw-s 00000000 00:00 0
06000000-06400000 ---p 00000000 00:00 0
7ffc0000-7fffffff rw-p 00000000 00:00 0 [stack]
"""


def test_only_whole_large_pages_of_private_data_are_taken():
    found = [(hex(start), length >> 20) for start, length in windows(MAPS.splitlines())]
    assert found == [("0x1000000", 4), ("0x2200000", 6)]


def test_a_process_is_the_same_afterwards():
    kept = [bytes([number % 256]) * 4096 for number in range(2000)]
    use_large_pages()
    assert all(kept[number] == bytes([number % 256]) * 4096 for number in range(2000))


def test_a_python_without_ctypes_does_without_them(monkeypatch):
    monkeypatch.setitem(sys.modules, "ctypes", None)
    use_large_pages()
