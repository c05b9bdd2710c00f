"""Agents that have moved their settings, or read two files: which of the places count on this machine."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping


def is_read(agent: str, path: str, *, home: str) -> bool:
    """Whether `install` should write there now. The usual place of an agent always counts."""
    counts = _SECOND_PLACES.get(agent)
    return counts is None or counts(path, home)


def _kimi(path: str, _: str) -> bool:
    """Kimi CLI kept its settings in a folder that Kimi Code does not read; it may still be in use."""
    return not path.endswith("/.kimi/config.toml") or os.path.isdir(os.path.dirname(path))


def _factory(path: str, _: str) -> bool:
    """An event in `hooks.json` hides the one in `settings.json`: a new file would hide others' hooks."""
    return not path.endswith("/hooks.json") or os.path.exists(path)


def _llxprt(path: str, home: str) -> bool:
    """At its first start it takes the old settings over, unless there are new ones, which then count alone.

    New ones that hold nothing but our hooks would keep the old ones from it.
    """
    old = os.path.join(home, ".llxprt", "settings.json")
    return "/.llxprt/" in path or os.path.exists(path) or not os.path.exists(old)


_SECOND_PLACES: Mapping[str, Callable[[str, str], bool]] = {
    "kimi": _kimi,
    "factory": _factory,
    "llxprt": _llxprt,
}
