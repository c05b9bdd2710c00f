"""Programs that walk a tree: find and its like, archives, patches."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from fairlead.shell.arguments import Arguments, read_arguments
from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.effects.files.find_targets import found_targets
from fairlead.shell.effects.program_effects import shown
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.places.targets import Place, resolve
from fairlead.shell.script import Command, Word
from fairlead.shell.word_sets import names

_TAKING = names("cp rsync scp tar zip cat base64 curl")
_EVERYONES = ("/", "/home", "/Users", "/root", "/etc", "/var")


def _searched_through(command: Command, texts: Sequence[str]) -> Iterator[Effect]:
    """A search through the whole machine: for names that rules may know as those of keys, or for all files of
    a kind, to take them along."""
    taken = [after for option, after in pairwise(texts) if option in ("-exec", "-execdir", "-ok")]
    if any(program.rsplit("/", 1)[-1] in _TAKING for program in taken):
        yield Effect(Action.READ_SECRET, "take-everything", command, what=shown(command))
    for option, value in pairwise(texts):
        if option in ("-name", "-iname", "-path", "-wholename"):
            yield Effect(Action.READ_SECRET, "key-search", command, what=shown(command), detail=value)


def read_find(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    texts = [word.text for word in command.argv[1:]]
    for target in found_targets(command, where):
        empty_here = "-empty" in texts and target.place in (
            Place.PROJECT,
            Place.PROJECT_ROOT,
            Place.GENERATED,
        )
        if "-delete" in texts and not empty_here:
            yield Effect(Action.DELETE, "find", command, target, True, True, shown(command))
        yield Effect(Action.LIST, "find", command, target)
        if target.path in _EVERYONES and "-maxdepth" not in texts:
            yield from _searched_through(command, texts)
    for option in ("-fprint", "-fprintf", "-fprint0", "-fls"):
        if option in texts[:-1]:
            word = command.argv[texts.index(option) + 2]
            yield Effect(
                Action.OVERWRITE, "find", command, resolve(word, command, where), what=shown(command)
            )


_TAR_VALUED = names(
    """
    -f -C -T -X --file --directory --exclude --files-from --checkpoint --checkpoint-action -I
    --strip-components
    """
)


def _extracted(
    command: Command, given: Arguments, directory: Word | None, where: Surroundings
) -> Iterator[Effect]:
    """Where it unpacks to, and the members that it was asked for by name."""
    if given.has("-O", "--to-stdout"):
        for word in given.operands:
            yield Effect(Action.READ, "tar", command, resolve(word, command, where))
        return
    target = resolve(directory if directory is not None else Word("."), command, where)
    if target.place not in (Place.PROJECT_ROOT, Place.HOME_ROOT):
        yield Effect(Action.WRITE, "tar", command, target, what=shown(command))
    inside = command.replace(cwd=target.path or command.cwd)
    for word in given.operands:
        yield Effect(Action.WRITE, "tar", command, resolve(word, inside, where), what=shown(command))


_RENAMING = lazy(r"(?:--(?:transform|xform)=)?[a-z]*s(.)(?:.{0,200}?)\1(/.{1,200}?)\1")


def _renamed_out(command: Command, where: Surroundings) -> Iterator[Effect]:
    """`tar xPf A --xform s@.*@/etc/x@`: whatever is in there is written to that path."""
    texts = [word.text for word in command.argv[1:]]
    if not any("P" in text for text in texts if "/" not in text) and "--absolute-names" not in texts:
        return
    for word in command.argv[1:]:
        renaming = _RENAMING.match(word.text)
        if renaming:
            path = word.replace(text=renaming[2])
            yield Effect(Action.OVERWRITE, "tar", command, resolve(path, command, where), what=shown(command))


def read_tar(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    yield from _renamed_out(command, where)
    words = list(command.argv[1:])
    if words and words[0].known and re.match(r"^[A-Za-z]+$", words[0].text):
        words[0] = words[0].replace(text="-" + words[0].text)
    given = read_arguments(words, valued=_TAR_VALUED)
    directory = given.value("-C", "--directory")
    inside = command
    if directory is not None and directory.known:
        base = directory.text if directory.text.startswith("/") else f"{command.cwd}/{directory.text}"
        inside = command.replace(cwd=base)
    if given.has("-x", "--extract", "--get"):
        yield from _extracted(command, given, directory, where)
    elif given.has("-c", "-r", "-u", "--create", "--append"):
        yield from _packed(given, command, inside, where)


def _packed(given: Arguments, command: Command, inside: Command, where: Surroundings) -> Iterator[Effect]:
    for word in given.operands:
        yield Effect(Action.READ, "tar", command, resolve(word, inside, where), True)
    archive = given.value("-f", "--file")
    if archive is not None and archive.text != "-":
        target = resolve(archive, command, where)
        yield Effect(Action.OVERWRITE, "tar", command, target, what=shown(command))
    if given.has("--remove-files"):
        for word in given.operands:
            target = resolve(word, inside, where)
            yield Effect(Action.DELETE, "tar", command, target, True, True, shown(command))


_PACKERS = names("7z 7za 7zz 7zr p7zip rar unrar")


def read_archive(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    """zip, 7z, rar: an archive, then what is packed; some ways to pack delete what they packed."""
    given = read_arguments(command.argv[1:], valued=("-x", "-i", "-P", "-d") if command.name == "zip" else ())
    operands = given.operands
    verb = operands[0].text if operands and command.name in _PACKERS else ""
    if verb:
        operands = operands[1:]
    if verb in ("x", "e"):
        yield from _unpacked(command, operands, where)
        return
    moves = (given.has("-m", "--move") and command.name == "zip") or verb in ("m", "mf")
    moves = moves or any(word.text in ("-sdel", "-df", "-dr", "-dw") for word in command.argv)
    for word in operands[1:]:
        target = resolve(word, command, where)
        yield Effect(Action.READ, "zip", command, target, True)
        if moves:
            yield Effect(Action.DELETE, "zip", command, target, True, True, shown(command))
    if operands and verb not in ("l", "t", "lb", "lt", "v", "vb"):
        yield Effect(
            Action.OVERWRITE, "zip", command, resolve(operands[0], command, where), what=shown(command)
        )


def _unpacked(command: Command, operands: Sequence[Word], where: Surroundings) -> Iterator[Effect]:
    """`7z x A -oDIR`, `unrar x A DIR/`."""
    into = [word.replace(text=word.text[2:]) for word in command.argv if re.match(r"^-o.", word.text)]
    for word in into or operands[1:]:
        yield Effect(Action.WRITE, "unpack", command, resolve(word, command, where), what=shown(command))


def read_unzip(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    given = read_arguments(command.argv[1:], valued=("-d", "-x", "-P"))
    directory = given.value("-d")
    if given.has("-p", "-c"):
        for word in given.operands[1:]:
            yield Effect(Action.READ, "unzip", command, resolve(word, command, where))
    if directory is not None and not given.has("-l", "-t", "-p", "-z"):
        target = resolve(directory, command, where)
        if target.place not in (Place.PROJECT_ROOT, Place.HOME_ROOT):
            yield Effect(Action.WRITE, "unzip", command, target, what=shown(command))
        inside = command.replace(cwd=target.path or command.cwd)
        for word in given.operands[1:]:
            member = resolve(word.replace(glob=True), inside, where)
            yield Effect(Action.WRITE, "unzip", command, member, what=shown(command))
