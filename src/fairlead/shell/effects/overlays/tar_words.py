"""What the words of a tar command say."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from fairlead.model.value import Value
from fairlead.shell.arguments import read_arguments
from fairlead.shell.script import Command, Word
from fairlead.shell.word_sets import names

_LONG = names(
    """
    --file --directory --cd --exclude --files-from --strip-components --transform --xform
    --anchored --ignore-case --no-wildcards
    --extract --get --create --append --update --list --to-stdout --absolute-names --one-top-level
    --exclude-vcs --exclude-from --use-compress-program --checkpoint --checkpoint-action --to-command
    """
)
_VALUED = names(
    """
    -f -C -T -X -I -b -H -L -N -V -F -K -s --file --directory --cd --exclude --files-from --exclude-from
    --strip-components --transform --xform --use-compress-program --checkpoint-action
    --to-command --mode --owner --group --mtime --format --suffix
    """
)
_OLD_VALUED = "fCTXIbHLNVFKs"


class TarWords(Value):
    """`folders` are those that it changes to, one after the other; `renames`: names are made anew."""

    extracts: bool
    creates: bool
    archive: Word | None
    folders: tuple[Word, ...]
    operands: tuple[Word, ...]
    strip: int
    without: tuple[str, ...]
    renames: bool
    leads_out: bool
    top: str | None
    """The folder of its own that it makes, where it is told to; empty for one named after the archive."""


def read_tar_words(command: Command) -> TarWords:
    given = read_arguments(tuple(_words(command)), valued=_VALUED, long=_LONG)
    shows = given.has("-O", "--to-stdout", "-t", "--list", "--to-command")
    packs = given.has("-c", "-r", "-u", "--create", "--append", "--update")
    pax = command.name == "pax"
    strip = given.text("--strip-components")
    by_other_rules = given.has("--anchored", "--ignore-case", "--no-wildcards")
    archive = given.value("-f", "--file")
    vcs = (".git", ".svn", ".hg", "CVS", ".bzr") if given.has("--exclude-vcs") else ()
    left_out = () if by_other_rules else given.values.get("--exclude", ())
    return TarWords(
        extracts=not shows and (given.has("-x", "--extract", "--get") or (pax and given.has("-r"))),
        creates=packs and not pax,
        archive=archive if archive is not None and archive.text != "-" else None,
        folders=_in_order(given.values),
        operands=() if given.has("--ignore-case") else given.operands,
        strip=int(strip) if re.fullmatch(r"\d{1,4}", strip) else 0,
        without=(*(word.text for word in left_out if word.known), *vcs),
        renames=given.has("--transform", "--xform", "-s") or (bool(strip) and not strip.isdigit()),
        leads_out=given.has("-P", "--absolute-names"),
        top=given.text("--one-top-level") if given.has("--one-top-level") else None,
    )


def _in_order(values: dict[str, tuple[Word, ...]]) -> tuple[Word, ...]:
    folders = [word for option in ("-C", "--directory", "--cd") for word in values.get(option, ())]
    return tuple(sorted(folders, key=lambda word: word.start))


def _words(command: Command) -> Iterator[Word]:
    """With each letter of an old-fashioned first word as an option, and what the environment adds."""
    words: Sequence[Word] = command.argv[1:]
    added = command.assignments.get("TAR_OPTIONS")
    for text in added.text.split() if added is not None and added.known else ():
        yield Word(text)
    if not words or words[0].opaque or not re.fullmatch(r"[A-Za-z]+", words[0].text):
        yield from words
        return
    rest = list(words[1:])
    for letter in words[0].text:
        yield Word(f"-{letter}")
        if letter in _OLD_VALUED and rest:
            yield rest.pop(0)
    yield from rest
