"""Under which paths the names of a source are written."""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase

from fairlead.shell.effects.overlays.listing.listed_names import Listing
from fairlead.shell.effects.overlays.overlay import Overlay
from fairlead.shell.places.paths import normal

_MOST_LINKS = 8


def picked_paths(overlay: Overlay, listing: Listing) -> Iterator[tuple[str, str]]:
    """Each name that is meant, with the absolute path to which it is written."""
    links = dict(listing.links)
    for name in listing.names:
        plain = _without_dots(name)
        if "\0" in plain or not _is_meant(plain, overlay):
            continue
        for kept in _kept_parts(plain, overlay):
            if kept and not (overlay.plain and kept.startswith(".")):
                aim = _through_links(kept, links) if links else kept
                yield name, _placed(aim, overlay, is_absolute=name.startswith("/"))


def _placed(aim: str, overlay: Overlay, *, is_absolute: bool) -> str:
    if aim.startswith("/") or (is_absolute and overlay.leads_out and not overlay.strip):
        return normal(f"/{aim}")
    return normal(f"{overlay.folder}/{aim}")


def _without_dots(name: str) -> str:
    while name.startswith(("./", "/")):
        name = name[1:] if name.startswith("/") else name[2:]
    return name


def _is_meant(name: str, overlay: Overlay) -> bool:
    if overlay.only and not any(_fits(name, pattern) for pattern in overlay.only):
        return False
    if overlay.whole_names:
        return not any(fnmatchcase(name, pattern) for pattern in overlay.without)
    return not any(_is_left_out(name, pattern) for pattern in overlay.without)


def _fits(name: str, pattern: str) -> bool:
    """A member, all that is below it, or a pattern."""
    plain = _without_dots(pattern).rstrip("/")
    return not plain or name == plain or name.startswith(f"{plain}/") or fnmatchcase(name, plain)


def _is_left_out(name: str, pattern: str) -> bool:
    plain = pattern.rstrip("/")
    if "/" in plain:
        anchored = plain.lstrip("/").removeprefix("./")
        return name == anchored or name.startswith(f"{anchored}/")
    parts = name.split("/")
    return any(fnmatchcase(part, plain) for part in (parts[:-1] if pattern.endswith("/") else parts))


def _kept_parts(name: str, overlay: Overlay) -> set[str]:
    if overlay.flat:
        return {name.rpartition("/")[2]}
    if overlay.dotted:
        return {"/".join(f".{p[4:]}" if p.startswith("dot-") else p for p in name.split("/"))}
    parts = name.split("/")
    if overlay.strip is None:
        return {name, "/".join(parts[1:]), parts[-1]}
    return {"/".join(parts[overlay.strip :])}


def _through_links(name: str, links: dict[str, str]) -> str:
    """`a/x` where `a` is a link to `/b` is `/b/x`."""
    for _ in range(_MOST_LINKS):
        parts = name.split("/")
        prefix = next((p for i in range(1, len(parts)) if (p := "/".join(parts[:i])) in links), None)
        if prefix is None:
            return name
        folder = prefix.rpartition("/")[0]
        aim, rest = links[prefix], name[len(prefix) + 1 :]
        name = f"{aim}/{rest}" if aim.startswith("/") or not folder else f"{folder}/{aim}/{rest}"
    return name
