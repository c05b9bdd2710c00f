"""Words and datagrams of StatsD. What an agent calls its tool can neither end a line nor start a tag."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

DATAGRAM = 1432
"""What fits one Ethernet frame with room for headers."""


def word(text: str) -> str:
    """One part of a metric's name, or the value of a tag."""
    safe = "".join(c if c.isascii() and (c.isalnum() or c in "_-") else "_" for c in text[:64])
    return safe or "none"


def dotted(text: str) -> str:
    """A prefix of several parts."""
    return ".".join(word(part) for part in text.split(".") if part)


def datagrams(lines: Iterable[str]) -> Iterator[bytes]:
    """As many lines in each as fit."""
    packet = ""
    for line in lines:
        if packet and len(packet) + len(line) >= DATAGRAM:
            yield packet.encode("ascii")
            packet = ""
        packet += f"\n{line}" if packet else line
    if packet:
        yield packet.encode("ascii")
