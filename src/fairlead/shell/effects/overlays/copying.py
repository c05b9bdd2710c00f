"""Trees and lists of files that are copied, moved or linked into a folder."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator

from fairlead.model.value import Value
from fairlead.shell.arguments import Arguments, read_arguments
from fairlead.shell.effects.overlays.overlay import (
    WILD,
    Kind,
    Overlay,
    Source,
    here,
    in_loop,
    path_of,
    unseen,
)
from fairlead.shell.effects.overlays.overlay_programs import COPIERS, MERGERS, MIRRORS, MOVERS
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.paths import normal
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.places.world import is_file, is_folder, matching_paths
from fairlead.shell.script import Command, Word
from fairlead.shell.word_sets import names

_VALUED = names("-t --target-directory -S --suffix -m --mode -o --owner -g --group")
_MIRROR_VALUED = names(
    """
    -e --rsh --exclude --include --filter -f --exclude-from --include-from --files-from --port -T --temp-dir
    --link-dest --copy-dest --compare-dest --backup-dir --suffix --max-size --min-size --bwlimit --partial-dir
    """
)
_SECURE_COPY_VALUED = names("-c -F -i -J -l -o -P -S -X")
_LONG = names(
    "--recursive --archive --target-directory --no-target-directory --parents --dereference --backup --force"
)
_PREVIEWS = ("-n", "--dry-run", "--list-only", "--help", "--version")
_REMOTE = lazy(r"(?:[\w.-]+@)?[\w.-]+:(?!/?\\)|(?:rsync|sftp|scp|ssh)://")
_MOST_MATCHES = 500


class _Copy(Value):
    """One command: its sources, where they go, and how. `into`: each keeps its name below the destination."""

    command: Command
    sources: tuple[Word, ...]
    destination: Word
    into: bool
    trees: bool
    follows: bool = False
    keeps_paths: bool = False
    slash_means_contents: bool = False
    without: tuple[str, ...] = ()


def copied_trees(command: Command, where: Surroundings) -> Iterator[Overlay]:
    """What `cp`, `mv`, `rsync`, `ln` and their like lay where."""
    copy = _read(command, where)
    if copy is None:
        return
    folder = path_of(copy.destination, command, where)
    if not folder or (command.name in MIRRORS and _REMOTE.match(copy.destination.text)):
        return
    for word in copy.sources:
        yield from _laid(copy, word, folder, where)


def _read(command: Command, where: Surroundings) -> _Copy | None:
    if command.name in MIRRORS:
        return _mirror(command, where)
    given = read_arguments(command.argv[1:], valued=_VALUED, long=_LONG)
    target = given.value("-t", "--target-directory")
    if given.has("-d", "--directory") and command.name not in COPIERS:
        return None  # `install -d` makes folders
    if target is None and len(given.operands) == 1 and command.name in ("ln", "gln"):
        target = Word(".")
    if target is None and len(given.operands) < 2:
        return None
    sources = given.operands if target is not None else given.operands[:-1]
    destination = target if target is not None else given.operands[-1]
    is_file = given.has("-T", "--no-target-directory") or command.name in MERGERS
    into = not is_file and (target is not None or len(sources) > 1 or _is_folder(destination, command, where))
    trees = (
        command.name in MOVERS
        or command.name in MERGERS
        or (command.name in COPIERS and given.has("-r", "-R", "-a", "--recursive", "--archive"))
    )
    return _Copy(
        command,
        tuple(sources),
        destination,
        into,
        trees,
        follows=given.has("-L", "--dereference"),
        keeps_paths=given.has("--parents"),
        slash_means_contents=sys.platform == "darwin" and command.name in COPIERS,
    )


def _mirror(command: Command, where: Surroundings) -> _Copy | None:
    valued = _MIRROR_VALUED if command.name == "rsync" else _SECURE_COPY_VALUED
    given = read_arguments(command.argv[1:], valued=valued)
    if len(given.operands) < 2 or given.has(*_PREVIEWS):
        return None
    *sources, destination = given.operands
    return _Copy(
        command,
        tuple(sources),
        destination,
        into=len(sources) > 1 or _is_folder(destination, command, where),
        trees=given.has("-r", "-a", "--recursive", "--archive"),
        follows=given.has("-L", "--copy-links"),
        keeps_paths=given.has("-R", "--relative"),
        slash_means_contents=command.name == "rsync",
        without=_left_out(given),
    )


def _left_out(given: Arguments) -> tuple[str, ...]:
    """Names that rsync is told to leave out; told to take some of them all the same, it may take any."""
    if given.has("--include", "--include-from", "--filter", "-f"):
        return ()
    vcs = ("CVS", ".git", ".svn", ".hg", ".bzr") if given.has("-C", "--cvs-exclude") else ()
    return (*(word.text for word in given.values.get("--exclude", ()) if word.known), *vcs)


def _is_folder(word: Word, command: Command, where: Surroundings) -> bool:
    ends = word.text.endswith(("/", "/.")) or word.text in (".", "..", "~")
    return ends or is_folder(path_of(word, command, where) or "/dev/null")


def _laid(copy: _Copy, word: Word, folder: str, where: Surroundings) -> Iterator[Overlay]:
    word = in_loop(word)
    command, text = copy.command, word.text
    base = Overlay(command, folder, unseen(""), without=copy.without)
    contents = text.endswith(("/.", "/./")) or text in (".", "./", "..")
    contents = contents or (copy.slash_means_contents and text.endswith("/"))
    if command.name in MIRRORS and _REMOTE.match(text):
        yield from _from_elsewhere(copy, text, base, contents=contents)
    elif word.opaque:
        if copy.trees or copy.keeps_paths:
            yield base.replace(source=unseen("what is copied is not known"), plain=text.endswith("/*"))
    elif word.glob and WILD.search(text):
        yield from _matched(copy, word, base, where)
    elif path := path_of(word, command, where):
        into = copy.into or (copy.trees and command.name == "rsync" and not is_file(path))
        named = _kept_name(copy, text) if into and not contents else ""
        yield from _one(copy, path, base.replace(folder=normal(f"{folder}/{named}") if named else folder))


_NAMED_ELSEWHERE = COPIERS | MOVERS | names("install ginstall")
"""Programs of which it is known elsewhere under which name they write a single file."""


def _kept_name(copy: _Copy, text: str) -> str:
    plain = re.sub(r"/+\.?$", "", text)
    if copy.keeps_paths:
        return plain.rpartition("/./")[2].lstrip("/")
    return plain.rpartition("/")[2]


def _from_elsewhere(copy: _Copy, text: str, base: Overlay, *, contents: bool) -> Iterator[Overlay]:
    name = text.rstrip("/").rpartition(":")[2].rpartition("/")[2]
    source = unseen("it comes from another machine", network=True)
    if contents or not name or WILD.search(name):
        yield base.replace(source=source, plain=name.startswith("*"))
    elif copy.trees and copy.into:
        yield base.replace(folder=f"{base.folder}/{name}", source=source)
    elif copy.into:
        yield base.replace(source=Source(Kind.NAMES, text, names=(name,)))


def _matched(copy: _Copy, word: Word, base: Overlay, where: Surroundings) -> Iterator[Overlay]:
    """Each path that a glob stands for; where it stands for none yet, the folder in which it looks."""
    command = copy.command
    top = here(command, where)
    if not top:
        return
    pattern = normal(word.text if word.text.startswith("/") else f"{top}/{word.text}")
    matched = matching_paths(pattern, _MOST_MATCHES)
    plain = not word.text.rpartition("/")[2].startswith(".")
    folders = [path for path in matched if copy.trees and is_folder(path)]
    files = tuple(path.rpartition("/")[2] for path in matched if path not in folders)
    for path in folders:
        yield from _one(copy, path, base.replace(folder=f"{base.folder}/{path.rpartition('/')[2]}"))
    if files and copy.into:
        yield base.replace(source=Source(Kind.NAMES, word.text, names=files))
    if copy.trees and (not matched or len(matched) >= _MOST_MATCHES):
        wild = WILD.search(pattern)
        fixed = pattern[: wild.start()] if wild else pattern
        yield base.replace(source=Source(Kind.TREE, fixed.rpartition("/")[0] or "/"), plain=plain)


def _one(copy: _Copy, path: str, overlay: Overlay) -> Iterator[Overlay]:
    folder, _, name = overlay.folder.rpartition("/")
    if copy.trees and not is_file(path):
        yield overlay.replace(source=Source(Kind.TREE, path, follows=copy.follows))
    elif copy.keeps_paths or copy.command.name not in _NAMED_ELSEWHERE:
        yield overlay.replace(folder=folder or "/", source=Source(Kind.NAMES, path, names=(name,)))
