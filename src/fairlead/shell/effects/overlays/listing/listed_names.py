"""The names in a tree or an archive, as far as they were found."""

from __future__ import annotations

from fairlead.model.value import Value

MOST_NAMES = 2_000
"""Files of one tree or archive that are looked at."""


class Listing(Value):
    """`names` are files and links, relative to where they are laid; folders alone change nothing.

    `links` are the symbolic ones among them with where they lead; `unseen` says why there may be more names,
    and is empty where these are all.
    """

    names: tuple[str, ...] = ()
    links: tuple[tuple[str, str], ...] = ()
    unseen: str = ""


TOO_MANY = f"it holds more than {MOST_NAMES:,} files"


class Found:
    """Names as they are found, up to the bound."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.links: list[tuple[str, str]] = []

    @property
    def full(self) -> bool:
        return len(self.names) >= MOST_NAMES

    def add(self, name: str, *, link: str = "") -> None:
        self.names.append(name)
        if link:
            self.links.append((name, link))

    def listing(self, unseen: str = "") -> Listing:
        return Listing(tuple(self.names), tuple(self.links), unseen)
