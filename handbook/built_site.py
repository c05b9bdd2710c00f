"""`python -m handbook.built_site DIR` names whatever a built site would load from elsewhere."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

POLICY = "default-src 'self' file: blob: data: 'unsafe-inline'"
"""Keeps a browser from loading anything else, whatever a script wants."""
_LOADING = frozenset(
    {"stylesheet", "icon", "preconnect", "preload", "prefetch", "modulepreload", "dns-prefetch", "manifest"}
)
"""Of a `link`, the kinds that a browser follows by itself."""
_SOURCES = frozenset({"src", "srcset", "poster", "data"})
_OUTSIDE = re.compile(r"(?:https?:)?//", re.IGNORECASE)
_STYLE_URL = re.compile(r"""(?:url\(|@import)\s*['"]?((?:https?:)?//[^'")\s]+)""", re.IGNORECASE)


class Page(HTMLParser):
    """What one page loads from elsewhere, and whether it has the policy."""

    def __init__(self) -> None:
        super().__init__()
        self.outside: list[str] = []
        self.guarded = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        kinds = set(given.get("rel", "").lower().split())
        if tag == "link" and kinds & _LOADING:
            self._look(given.get("href", ""))
        for name in given.keys() & _SOURCES:
            self._look(given[name])
        if tag == "meta" and given.get("http-equiv", "").lower() == "content-security-policy":
            self.guarded = given.get("content") == POLICY

    def _look(self, address: str) -> None:
        if _OUTSIDE.match(address):
            self.outside.append(address)


def faults(site: Path) -> Iterator[str]:
    """One line for each, with the file that it is in."""
    for file in sorted(site.rglob("*")):
        if file.suffix == ".html":
            yield from (
                f"{file.relative_to(site)}: {fault}" for fault in page_faults(file.read_text("utf-8"))
            )
        elif file.suffix in (".css", ".svg"):
            found = _STYLE_URL.findall(file.read_text("utf-8"))
            yield from (f"{file.relative_to(site)}: loads {address}" for address in found)


def page_faults(text: str) -> Iterator[str]:
    page = Page()
    page.feed(text)
    yield from (f"loads {address}" for address in page.outside)
    yield from (f"loads {address}" for address in _STYLE_URL.findall(text))
    if not page.guarded:
        yield "has no policy that keeps scripts from loading anything from elsewhere"


def main(arguments: list[str]) -> int:
    site = Path(arguments[0])
    if not (site / "index.html").is_file():
        print(f"{site} holds no site", file=sys.stderr)
        return 1
    found = list(faults(site))
    print("\n".join(found), end="\n" if found else "", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
