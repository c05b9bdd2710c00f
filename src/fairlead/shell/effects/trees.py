"""Programs that walk a tree: find and its like, archives, patches."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from fairlead.shell.effects.effect import Action, Effect, EffectReader
from fairlead.shell.effects.options import read_arguments
from fairlead.shell.effects.subcommands import same_reader, shown
from fairlead.shell.script import Command, Word
from fairlead.shell.tables import names
from fairlead.shell.targets import Place, Surroundings, Target, is_generated, resolve

_NAME_TESTS = ("-name", "-iname", "-path", "-ipath", "-wholename", "-regex", "-iregex")


def _find(command: Command, where: Surroundings) -> Iterator[Effect]:
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
    for option in ("-fprint", "-fprintf", "-fprint0", "-fls"):
        if option in texts[:-1]:
            word = command.argv[texts.index(option) + 2]
            yield Effect(
                Action.OVERWRITE, "find", command, resolve(word, command, where), what=shown(command)
            )


def found_targets(command: Command, where: Surroundings) -> Iterator[Target]:
    """What a `find` would find, as targets: its starting points, narrowed by the names that it asks for."""
    starts, expression = _split(command.argv[1:])
    patterns = _patterns(expression)
    for word in starts or [Word(".")]:
        target = resolve(word, command, where)
        yield _narrowed(target, patterns) if patterns else target


def _narrowed(target: Target, patterns: Sequence[str]) -> Target:
    first = patterns[0].removeprefix("./").removeprefix("*/")
    if target.place is Place.TEMPORARY_ROOT:
        return target.replace(place=Place.TEMPORARY, pattern=first)
    if target.place not in (Place.PROJECT, Place.PROJECT_ROOT, Place.GENERATED):
        return target.replace(pattern=first)
    if all(
        is_generated(pattern.strip("*/").removeprefix("./") or pattern) or _in_generated(pattern)
        for pattern in patterns
    ):
        return target.replace(place=Place.GENERATED, pattern=first)
    if any(".git" in pattern.split("/") for pattern in patterns):
        return target.replace(place=Place.VCS, pattern=first)
    if any(pattern.strip("*./") == "" for pattern in patterns):
        return target
    place = Place.GENERATED if target.place is Place.GENERATED else Place.PROJECT
    return target.replace(place=place, pattern=f"**/{first}")


def _in_generated(pattern: str) -> bool:
    return any(is_generated(part) for part in pattern.split("/") if part.strip("*."))


def _split(words: Sequence[Word]) -> tuple[list[Word], list[str]]:
    starts: list[Word] = []
    for index, word in enumerate(words):
        if word.text.startswith(("-", "(", "!")) and word.text not in ("-H", "-L", "-P", "-O1", "-O2", "-O3"):
            return starts, [rest.text for rest in words[index:]]
        if not word.text.startswith("-"):
            starts.append(word)
    return starts, []


def _patterns(expression: Sequence[str]) -> list[str]:
    """The names asked for; none where a negation makes them say nothing about what is found."""
    found: list[str] = []
    for index, text in enumerate(expression[:-1]):
        if text in _NAME_TESTS:
            if index and expression[index - 1] in ("!", "-not"):
                continue
            found.append(expression[index + 1])
    return found


_TAR_VALUED = names(
    """
    -f -C -T -X --file --directory --exclude --files-from --checkpoint --checkpoint-action -I
    --strip-components
    """
)


def _tar(command: Command, where: Surroundings) -> Iterator[Effect]:
    words = list(command.argv[1:])
    if words and words[0].known and re.match(r"^[A-Za-z]+$", words[0].text):
        words[0] = words[0].replace(text="-" + words[0].text)
    given = read_arguments(words, valued=_TAR_VALUED)
    directory = given.value("-C", "--directory")
    if given.has("-x", "--extract", "--get"):
        target = (
            resolve(directory, command, where)
            if directory is not None
            else resolve(Word("."), command, where)
        )
        if target.place not in (Place.PROJECT_ROOT, Place.HOME_ROOT):
            yield Effect(Action.WRITE, "tar", command, target, what=shown(command))
    elif given.has("-c", "-r", "-u", "--create", "--append"):
        inside = command
        if directory is not None and directory.known:
            base = directory.text if directory.text.startswith("/") else f"{command.cwd}/{directory.text}"
            inside = command.replace(cwd=base)
        for word in given.operands:
            yield Effect(Action.READ, "tar", command, resolve(word, inside, where), True)
        archive = given.value("-f", "--file")
        if archive is not None and archive.text != "-":
            yield Effect(
                Action.OVERWRITE, "tar", command, resolve(archive, command, where), what=shown(command)
            )
        if given.has("--remove-files"):
            for word in given.operands:
                target = resolve(word, inside, where)
                yield Effect(Action.DELETE, "tar", command, target, True, True, shown(command))


def _archive(command: Command, where: Surroundings) -> Iterator[Effect]:
    """zip, 7z: the first operand is the archive, the rest is read; `-m` moves what it packs."""
    given = read_arguments(command.argv[1:], valued=("-x", "-i", "-P", "-d", "-o"))
    operands = given.operands[1:] if command.name in ("7z", "7za", "rar") else given.operands
    for word in operands[1:]:
        target = resolve(word, command, where)
        yield Effect(Action.READ, "zip", command, target, True)
        moves = given.has("-m") and command.name == "zip"
        if moves or any(word.text == "-sdel" for word in command.argv):
            yield Effect(Action.DELETE, "zip", command, target, True, True, shown(command))
    if operands:
        yield Effect(
            Action.OVERWRITE, "zip", command, resolve(operands[0], command, where), what=shown(command)
        )


def _unzip(command: Command, where: Surroundings) -> Iterator[Effect]:
    given = read_arguments(command.argv[1:], valued=("-d", "-x", "-P"))
    directory = given.value("-d")
    if given.has("-p", "-c"):
        for word in given.operands[1:]:
            yield Effect(Action.READ, "unzip", command, resolve(word, command, where))
    if directory is not None and not given.has("-l", "-t", "-p", "-z"):
        target = resolve(directory, command, where)
        if target.place not in (Place.PROJECT_ROOT, Place.HOME_ROOT):
            yield Effect(Action.WRITE, "unzip", command, target, what=shown(command))


TABLE: dict[str, EffectReader] = {
    **same_reader(_find, "find gfind"),
    **same_reader(_tar, "tar gtar bsdtar"),
    **same_reader(_archive, "zip 7z 7za rar"),
    "unzip": _unzip,
}
