"""Whether a judgement may be made at once, or has to be made beside everything else."""

from __future__ import annotations

from collections.abc import Callable

from fairlead.doors.mcp.protocol.parts import T, Wire

LARGE = 64 * 1024
"""A line of this size is judged beside the others, however quick the judge is."""


def work(wire: Wire, line: bytes, job: Callable[[], T], then: Callable[[T], None], *, quick: bool) -> None:
    """`quick`: no hook of somebody else has a word in it."""
    if quick and len(line) < LARGE:
        then(job())
    else:
        wire.work(job, then)
