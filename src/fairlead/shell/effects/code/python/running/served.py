"""What servers of the code's own hand out, and to whom."""

from __future__ import annotations


class Served:
    """Changes while the code is followed."""

    def __init__(self) -> None:
        self.to_all = False
        """Whether a server answers whoever can reach this machine."""
        self.folders: set[str] = set()
        """Folders of which a server of a framework hands out what a request names."""
        self.listens = ""
        """The address on which it does so for others."""
