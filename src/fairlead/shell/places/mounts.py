"""Folders of this machine that a container sees under another name: `docker run -v "$PWD":/w …`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.script import Command, Wrapper

_MOUNT = lazy(r"(?:^|,)(?P<key>source|src|target|destination|dst)=(?P<path>[^,]+)")
_MOST = 16


def host_path(path: str, command: Command) -> str:
    """Where a path in a container is on this machine; empty where it is not mounted from here."""
    for wrapper in command.wrappers:
        for inside, outside in _mounts(wrapper):
            if path == inside or path.startswith(inside.rstrip("/") + "/"):
                return outside.rstrip("/") + path[len(inside.rstrip("/")) :]
    return ""


def work_folder(command: Command) -> str:
    """Where a container starts: `-w /w`."""
    for wrapper in command.wrappers:
        texts = [word.text for word in wrapper.argv]
        for option, value in pairwise(texts):
            if option in ("-w", "--workdir"):
                return value
            if option.startswith("--workdir="):
                return option.partition("=")[2]
    return ""


def _mounts(wrapper: Wrapper) -> Iterator[tuple[str, str]]:
    texts = [word.text if word.known else "" for word in wrapper.argv]
    if "run" not in texts[:8]:
        return
    found = 0
    for index, text in enumerate(texts):
        option, equals, value = text.partition("=")
        if option not in ("-v", "--volume", "--mount"):
            option, equals, value = text[:2], "=" if text[2:3] == "/" else "", text[2:]
            if option != "-v":
                continue
        value = value if equals else "".join(texts[index + 1 : index + 2])
        pair = _pair(value)
        if pair is not None and found < _MOST:
            found += 1
            yield pair


def _pair(value: str) -> tuple[str, str] | None:
    """Inside and outside, for a folder of this machine; a volume has a name and no path."""
    if "=" in value:
        given = {match["key"]: match["path"] for match in _MOUNT.finditer(value)}
        outside = given.get("source") or given.get("src", "")
        inside = given.get("target") or given.get("destination") or given.get("dst", "")
    else:
        outside, _, rest = value.partition(":")
        inside = rest.partition(":")[0]
    return (inside, outside) if outside.startswith("/") and inside.startswith("/") else None
