"""Archives that are unpacked into a folder."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from fairlead.shell.arguments import Arguments, read_arguments
from fairlead.shell.effects.overlays.feeding import fed_overlays
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
from fairlead.shell.effects.overlays.overlay_programs import TARS
from fairlead.shell.effects.overlays.tar_words import TarWords, read_tar_words
from fairlead.shell.effects.together.feeding_commands import Sources
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.places.world import is_there, matching_paths
from fairlead.shell.script import Command, Word
from fairlead.shell.word_sets import names

_MOST_ARCHIVES = 20
Unpacker = Callable[[Command, Sources, Surroundings], Iterator[Overlay]]


def _tar(command: Command, sources: Sources, where: Surroundings) -> Iterator[Overlay]:
    words = read_tar_words(command)
    if not words.extracts:
        return
    for folder in _tar_folders(words, command, where):
        overlay = Overlay(
            command,
            folder,
            unseen("names are changed on the way"),
            strip=words.strip,
            only=_texts(words.operands),
            without=words.without,
            leads_out=words.leads_out,
        )
        if words.renames:
            yield overlay
        else:
            yield from _from_archives(overlay, words.archive, sources, where)


def _tar_folders(words: TarWords, command: Command, where: Surroundings) -> Iterator[str]:
    """Each folder that it changes to, seen from the one before, may be where some of it goes."""
    inside = command
    for word in words.folders:
        path = path_of(word, inside, where)
        if path:
            yield _with_top(path, words)
        inside = inside.replace(cwd=path or None)
    if not words.folders and (folder := here(command, where)):
        yield _with_top(folder, words)


def _with_top(folder: str, words: TarWords) -> str:
    if words.top is None:
        return folder
    archive = words.archive.text.rpartition("/")[2] if words.archive is not None else ""
    return f"{folder}/{words.top or re.sub(r'[.](?:tar.*|t[gbx]z)$', '', archive)}"


def _from_archives(
    overlay: Overlay, archive: Word | None, sources: Sources, where: Surroundings
) -> Iterator[Overlay]:
    """One overlay for each archive that the word names; without one it comes in."""
    command = overlay.command
    if archive is None:
        yield from fed_overlays(overlay, sources, where)
        return
    archive = in_loop(archive)
    if archive.opaque:
        yield overlay.replace(source=unseen("its name is not known"))
    elif WILD.search(archive.text) and (path := _absolute(archive, command)):
        for found in matching_paths(path, _MOST_ARCHIVES) or (path,):
            yield overlay.replace(source=Source(Kind.ARCHIVE, found))
    elif path := path_of(archive, command, where):
        yield overlay.replace(source=Source(Kind.ARCHIVE, path))


def _absolute(word: Word, command: Command) -> str:
    if word.text.startswith("/"):
        return word.text
    return f"{command.cwd}/{word.text}" if command.cwd else ""


def _texts(words: Sequence[Word]) -> tuple[str, ...]:
    """Members that are asked for; all, where one of them is not known."""
    return tuple(word.text for word in words) if all(word.known for word in words) else ()


def _into(word: Word | None, command: Command, where: Surroundings) -> str:
    return path_of(word, command, where) if word is not None else here(command, where)


def _unzip(command: Command, sources: Sources, where: Surroundings) -> Iterator[Overlay]:
    texts = [word.text for word in command.argv]
    cut = texts.index("-x") if "-x" in texts else len(texts)
    after = texts.index("-d", cut) if "-d" in texts[cut:] else len(texts)
    given = read_arguments((*command.argv[1:cut], *command.argv[after:]), valued=("-d", "-P"))
    folder = _into(given.value("-d"), command, where)
    if not given.operands or not folder or given.has("-l", "-t", "-p", "-c", "-z", "-Z", "-v"):
        return
    archive, *members = given.operands
    if archive.known and not is_there(path_of(archive, command, where)):
        longer = archive.replace(text=f"{archive.text}.zip")
        archive = longer if is_there(path_of(longer, command, where)) else archive
    overlay = Overlay(
        command,
        folder,
        unseen("names are changed on the way"),
        flat=given.has("-j"),
        only=() if given.has("-C") else _texts(members),
        without=tuple(texts[cut + 1 : after]),
        whole_names=True,
        leads_out=given.has("-:"),
    )
    yield from (overlay,) if given.has("-L") else _from_archives(overlay, archive, sources, where)


def _seven_zip(command: Command, sources: Sources, where: Surroundings) -> Iterator[Overlay]:
    """`7z x A -oDIR`, `unrar x A DIR/`."""
    words = [word for word in command.argv[1:] if not word.text.startswith("-")]
    if not words or words[0].text not in ("x", "e") or len(words) < 2:
        return
    told = [word.replace(text=word.text[2:]) for word in command.argv if re.match(r"^-o.", word.text)]
    rar = command.name in ("rar", "unrar")
    into = told[-1] if told else words[-1] if rar and words[2:] and words[-1].text.endswith("/") else None
    folder = _into(into, command, where)
    if folder:
        overlay = Overlay(command, folder, unseen(""), flat=words[0].text == "e", leads_out=True)
        yield from _from_archives(overlay, words[1], sources, where)


def _cpio(command: Command, sources: Sources, where: Surroundings) -> Iterator[Overlay]:
    valued = ("-D", "--directory", "-F", "-I", "--file", "-H", "-E", "-R", "-C", "-O")
    given = read_arguments(command.argv[1:], valued=valued)
    if given.has("-t", "--list"):
        return
    if given.has("-p", "--pass-through"):
        folder = _into(given.operands[-1] if given.operands else None, command, where)
        if folder:
            yield Overlay(command, folder, unseen("what is copied is read from a list"), leads_out=True)
        return
    folder = _into(given.value("-D", "--directory"), command, where)
    if folder and given.has("-i", "--extract"):
        overlay = Overlay(
            command,
            folder,
            unseen(""),
            only=_texts(given.operands),
            leads_out=not given.has("--no-absolute-filenames"),
        )
        yield from _from_archives(overlay, given.value("-F", "-I", "--file"), sources, where)


def _package(command: Command, sources: Sources, where: Surroundings) -> Iterator[Overlay]:
    """`dpkg -x PACKAGE DIR`: its format is not read here."""
    if {word.text for word in command.argv[1:3]} & _PACKAGE_WORDS and len(command.argv) > 3:
        folder = path_of(command.argv[-1], command, where)
        if folder:
            yield Overlay(command, folder, unseen("its format is not known"))


_PACKAGE_WORDS = names("-x -X -R --extract --vextract --raw-extract")
_TOLD_BY: dict[str, tuple[str, ...]] = {
    "unar": ("-o", "-output-directory"),
    "dtrx": (),
    "aunpack": ("-X", "--extract-to"),
    "ouch": ("-d", "--dir"),
    "unsquashfs": ("-d", "-dest"),
}


def _other(command: Command, sources: Sources, where: Surroundings) -> Iterator[Overlay]:
    """Unpackers of any form, with an option for the folder."""
    options = _TOLD_BY[command.name]
    given = read_arguments(command.argv[1:], valued=options)
    verb = given.operands[0].text if given.operands and command.name == "ouch" else ""
    archives = given.operands[1:] if verb in ("d", "decompress") else given.operands
    folder = _into(given.value(*options), command, where)
    if not folder or verb in ("c", "compress", "l", "list"):
        return
    for archive in archives[:_MOST_ARCHIVES]:
        yield from _from_archives(Overlay(command, folder, unseen("")), archive, sources, where)


def _python(command: Command, sources: Sources, where: Surroundings) -> Iterator[Overlay]:
    """`python -m zipfile -e A DIR`, `python -m tarfile -e A [DIR]`."""
    given: Arguments = read_arguments(command.argv[1:], valued=("-m", "-X", "-W"))
    module = given.text("-m")
    words = (*given.values.get("--extract", ()), *given.operands)
    if module not in ("zipfile", "tarfile") or not given.has("-e", "--extract") or not words:
        return
    folder = _into(words[1] if len(words) > 1 else None, command, where)
    if folder:
        overlay = Overlay(command, folder, unseen(""), leads_out=module == "tarfile")
        yield from _from_archives(overlay, words[0], sources, where)


UNPACKERS: dict[str, Unpacker] = {
    **dict.fromkeys(TARS, _tar),
    "unzip": _unzip,
    **dict.fromkeys(names("7z 7za 7zz 7zr p7zip rar unrar"), _seven_zip),
    **dict.fromkeys(names("cpio bsdcpio"), _cpio),
    **dict.fromkeys(names("dpkg dpkg-deb"), _package),
    **dict.fromkeys(_TOLD_BY, _other),
    "python": _python,
}
