"""Asks the kernel to keep what the daemon has loaded in large pages.

A call comes after some other program has run, and touches a thousand small pages and more that the processor
has to find again, in a virtual machine by two tables each. A large page takes the place of hundreds.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator

_LARGE = 2 * 1024 * 1024
_HUGEPAGE, _COLLAPSE = 14, 25
"""The advices of Linux: may be large, and make it so now (from 6.1 on)."""
_SWITCH = "/sys/kernel/mm/transparent_hugepage/enabled"


def use_large_pages() -> None:
    """Whatever the kernel, or a Python without ctypes, does not do of it stays as it was."""
    if not sys.platform.startswith("linux"):
        return
    try:
        import ctypes

        with open(_SWITCH) as switch, open("/proc/self/maps") as maps:
            if "[never]" in switch.read():
                return
            found = list(windows(maps))
        madvise = ctypes.CDLL(None).madvise
    except (ImportError, OSError, AttributeError):
        return
    for start, length in found:
        for advice in (_HUGEPAGE, _COLLAPSE):
            madvise(ctypes.c_void_p(start), ctypes.c_size_t(length), advice)


def windows(maps: Iterable[str]) -> Iterator[tuple[int, int]]:
    """Start and length of what of the process's own data could lie in large pages."""
    for line in maps:
        place, rights, _, _, _, *name = line.split()
        if not rights.startswith("rw-p") or name not in ([], ["[heap]"]):
            continue
        first, last = (int(end, 16) for end in place.split("-"))
        start, end = -(-first // _LARGE) * _LARGE, last // _LARGE * _LARGE
        if start < end:
            yield start, end - start
