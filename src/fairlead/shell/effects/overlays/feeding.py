"""The archive that a command reads from its input: a file, a tree that is packed on the way, or something
that cannot be known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fairlead.shell.effects.overlays.overlay import Kind, Overlay, Source, path_of, unseen
from fairlead.shell.effects.overlays.overlay_programs import TARS
from fairlead.shell.effects.overlays.tar_words import TarWords, read_tar_words
from fairlead.shell.effects.together.feeding_commands import Sources
from fairlead.shell.effects.together.run_downloads import DOWNLOADERS
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.script import Command, Word
from fairlead.shell.word_sets import names

_PASSING = names(
    "cat gzip gunzip zcat gzcat pigz unpigz bzip2 bunzip2 bzcat lbzip2 xz unxz xzcat zstd unzstd zstdcat pv "
    "mbuffer buffer"
)
"""Programs that pass a file on as it is, or unpacked."""
_FROM_ELSEWHERE = DOWNLOADERS | names(
    "ssh docker podman kubectl oc aws gsutil gcloud rclone gh nc ncat socat"
)
_PRINTING_NOTHING = names("cd pushd popd set export true :")
_OF_PROJECT = names("git hg svn diff interdiff filterdiff quilt colordiff")
"""What they print comes out of the history, or was compared on the disk."""


def fed_overlays(overlay: Overlay, sources: Sources, where: Surroundings) -> Iterator[Overlay]:
    """The same overlay, with what comes in as its source."""
    command = overlay.command
    given = command.stdin.path
    piped = (other for other in sources.before(command) if other.name not in _PRINTING_NOTHING)
    feeding = sorted(piped, key=lambda other: other.position)
    if given is not None and not given.text.startswith("/dev/"):
        path = path_of(given, command, where)
        yield overlay.replace(source=_file(path))
    elif feeding and feeding[0].name in TARS and not feeding[1:]:
        yield from _packed_on_the_way(overlay, feeding[0], where)
    elif feeding:
        yield overlay.replace(source=_piped(feeding, where))
    else:
        network = command.stdin.opaque is not None and command.stdin.opaque.network
        yield overlay.replace(source=unseen("it comes out of a pipe", network=network))


def _file(path: str) -> Source:
    return Source(Kind.ARCHIVE, path) if path else unseen("its name is not known")


def _piped(feeding: Sequence[Command], where: Surroundings) -> Source:
    if all(command.name in _PASSING for command in feeding):
        first = feeding[0]
        files = [word for word in first.argv[1:] if not word.text.startswith("-")]
        given = first.stdin.path if not files else files[0] if len(files) == 1 else None
        if given is not None:
            return _file(path_of(given, first, where))
    network = any(command.name in _FROM_ELSEWHERE for command in feeding)
    name = feeding[0].name
    return unseen(f"it comes out of `{name}`", network=network, of_project=name in _OF_PROJECT)


def _packed_on_the_way(overlay: Overlay, packing: Command, where: Surroundings) -> Iterator[Overlay]:
    """`tar c dot | tar x -C ~`: what is packed is what is laid."""
    words = read_tar_words(packing)
    if not words.creates or words.renames:
        yield overlay.replace(source=unseen("it comes out of `tar`"))
        return
    for word in words.operands or (Word(""),):
        path = path_of(word, packing.replace(cwd=_folder(words, packing, where)), where)
        if word.opaque or not path:
            yield overlay.replace(source=unseen("what is packed is not known"))
        else:
            top = "" if word.text.startswith("/") else word.text.strip("/").removeprefix("./")
            yield overlay.replace(
                source=Source(Kind.TREE, path, prefix=f"{top}/" if top not in ("", ".") else ""),
                without=(*overlay.without, *words.without),
            )


def _folder(words: TarWords, packing: Command, where: Surroundings) -> str | None:
    return path_of(words.folders[-1], packing, where) or None if words.folders else packing.cwd
