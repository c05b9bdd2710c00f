"""Starts a new segment when the current one is full, without losing a line of any writer.

The full segment is renamed. A writer that still holds it open and writes once more writes into the renamed
file, which readers read all the same; before its next line it sees that the name leads elsewhere.
"""

from __future__ import annotations

import os

from fairlead.platforms import here

CURRENT = "journal.jsonl"
_LOCK = "rotate.lock"


def segment_name(number: int) -> str:
    return f"journal.{number:06d}.jsonl"


def segment_number(name: str) -> int | None:
    """The number of a full segment, or None for any other file."""
    digits = name.removeprefix("journal.").removesuffix(".jsonl")
    return int(digits) if digits.isdecimal() and segment_name(int(digits)) == name else None


def full_segments(directory: str) -> list[str]:
    """The names of the full segments, oldest first."""
    numbers = [number for name in os.listdir(directory) if (number := segment_number(name)) is not None]
    return [segment_name(number) for number in sorted(numbers)]


def rotate(directory: str, inode: int) -> bool:
    """Renames the current segment, unless another writer did so and it has another inode."""
    lock = os.open(
        os.path.join(directory, _LOCK), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600
    )
    try:
        here.lock(lock)
        current = os.path.join(directory, CURRENT)
        if os.stat(current).st_ino != inode:
            return False
        os.rename(current, os.path.join(directory, segment_name(_next_number(directory))))
        return True
    except FileNotFoundError:
        return False
    finally:
        os.close(lock)


def _next_number(directory: str) -> int:
    """One more than the last, so that a missing number is a missing segment."""
    full = full_segments(directory)
    return (segment_number(full[-1]) or 0) + 1 if full else 1
