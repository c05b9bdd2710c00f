"""Programs that read, write and move files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fairlead.shell.arguments import Arguments, read_arguments
from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.effects.own.own_names import second_name
from fairlead.shell.effects.program_effects import shown
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.places.targets import Place, resolve
from fairlead.shell.places.world import is_folder
from fairlead.shell.script import Command, Word

_COPY_VALUED = (
    "-t",
    "--target-directory",
    "-S",
    "--suffix",
    "-m",
    "--mode",
    "-o",
    "--owner",
    "-g",
    "--group",
)


def read_truncate(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    given = read_arguments(
        command.argv[1:], valued=("-s", "--size", "-r", "--reference"), long=("--size", "--reference")
    )
    size = given.text("-s", "--size")
    action = Action.WRITE if size.startswith("+") else Action.TRUNCATE
    yield from on_each(action, "truncate", command, given.operands, where)


def read_move(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    given = read_arguments(command.argv[1:], valued=_COPY_VALUED)
    sources, destination = _sources(given)
    if destination is None:
        return
    aim = resolve(destination, command, where)
    for word in sources:
        target = resolve(word, command, where)
        yield Effect(Action.MOVE_AWAY, "mv", command, target, True, what=shown(command), detail=aim.path)
    origin = sources[0].text if sources else ""
    yield Effect(Action.OVERWRITE, "mv", command, aim, what=shown(command), detail=origin)
    yield from _into_directory(command, sources, destination, where)


def read_copy(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    given = read_arguments(command.argv[1:], valued=_COPY_VALUED)
    sources, destination = _sources(given)
    recursive = given.has("-r", "-R", "-a", "--recursive", "--archive")
    aim = resolve(destination, command, where) if destination is not None else None
    read = [resolve(word, command, where) for word in sources]
    for target in read:
        yield Effect(Action.READ, command.name, command, target, recursive, detail=aim.path if aim else "")
    if aim is not None:
        assert destination is not None
        if any("fairlead" in target.real for target in read):
            yield from second_name(sources, destination, command, where)
        origin = sources[0].text if sources else ""
        action = Action.TRUNCATE if origin == "/dev/null" else Action.OVERWRITE
        yield Effect(action, command.name, command, aim, what=shown(command), detail=origin)
        yield from _into_directory(command, sources, destination, where)


def _into_directory(
    command: Command, sources: Sequence[Word], destination: Word, where: Surroundings
) -> Iterator[Effect]:
    """Into a directory each source keeps its name: `cp a.json .claude/` writes `.claude/a.json`."""
    text = destination.text
    is_directory = text.endswith(("/", "/.")) or text in (".", "..", "~") or len(sources) > 1
    if not is_directory:
        is_directory = is_folder(resolve(destination, command, where).path or "/dev/null")
    for source in sources if is_directory and destination.known else ():
        name = source.text.rstrip("/").rsplit("/", 1)[-1]
        if source.known and name not in ("", ".", ".."):
            target = resolve(destination.replace(text=f"{text.rstrip('/') or '/'}/{name}"), command, where)
            yield Effect(
                Action.OVERWRITE, command.name, command, target, what=shown(command), detail=source.text
            )


def read_link(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    given = read_arguments(command.argv[1:], valued=("-t", "--target-directory", "-S", "--suffix"))
    sources, destination = _sources(given)
    read = [resolve(word, command, where) for word in sources]
    for target in read:
        yield Effect(Action.READ, "ln", command, target, what=shown(command))
    if destination is None and sources and sources[0].known:  # a link of the same name, here
        destination = Word(sources[0].text.rstrip("/").rsplit("/", 1)[-1] or ".")
    if destination is not None:
        if any("fairlead" in target.real for target in read):
            yield from second_name(sources, destination, command, where)
        action = Action.OVERWRITE if given.has("-f", "--force") else Action.WRITE
        if action is Action.OVERWRITE and any(word.text == "/dev/null" for word in sources):
            action = Action.TRUNCATE
        target, origin = resolve(destination, command, where), sources[0].text if sources else ""
        yield Effect(action, "ln", command, target, what=shown(command), detail=origin)
        if not given.has("-T", "--no-target-directory"):
            inside = _into_directory(command, sources, destination, where)
            yield from (effect.replace(action=action) for effect in inside)


def _sources(given: Arguments) -> tuple[Sequence[Word], Word | None]:
    into = given.value("-t", "--target-directory")
    if into is not None:
        return given.operands, into
    if len(given.operands) < 2:
        return given.operands, None
    return given.operands[:-1], given.operands[-1]


def read_tee(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    given = read_arguments(command.argv[1:])
    emptied = Action.TRUNCATE if command.stdin.text == "" else Action.OVERWRITE
    action = Action.WRITE if given.has("-a", "--append") else emptied
    yield from on_each(action, command.name, command, given.operands, where)


def read_fallocate(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    """It makes room; or it makes holes in what is there."""
    given = read_arguments(command.argv[1:], valued=("-l", "--length", "-o", "--offset"))
    loses = given.has(*_HOLES)
    yield from on_each(
        Action.TRUNCATE if loses else Action.WRITE, "fallocate", command, given.operands, where
    )


_HOLES = ("-p", "--punch-hole", "-z", "--zero-range", "-c", "--collapse-range")


def read_writing(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    yield from on_each(Action.WRITE, command.name, command, read_arguments(command.argv[1:]).operands, where)


_DD_OPERANDS = (("of=", Action.OVERWRITE), ("if=", Action.READ), ("wipe=", Action.OVERWRITE))


def read_dd(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    for word in command.argv[1:]:
        text = word.text if word.known else word.prefix
        for key, action in _DD_OPERANDS:
            if text.startswith(key):
                named = word.replace(text=word.text[len(key) :], prefix=word.prefix[len(key) :])
                target = resolve(named, command, where)
                emptied = any(
                    other.text in ("if=/dev/null", "if=/dev/zero", "if=/dev/urandom")
                    for other in command.argv
                )
                outside = target.place in (Place.HOME, Place.HOME_ROOT, Place.OUTSIDE)
                if action is Action.OVERWRITE and (outside or (emptied and target.place is Place.PROJECT)):
                    action = Action.TRUNCATE
                yield Effect(action, "dd", command, target, what=shown(command))


def read_install(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    yield from read_copy(command, where)
    given = read_arguments(command.argv[1:], valued=_COPY_VALUED)
    mode = given.text("-m", "--mode")
    if mode and given.operands:
        target = resolve(given.operands[-1], command, where)
        yield Effect(Action.CHANGE_PERMISSIONS, "chmod", command, target, what=shown(command), detail=mode)


def on_each(
    action: Action,
    name: str,
    command: Command,
    words: Sequence[Word],
    where: Surroundings,
    *,
    recursive: bool = False,
    forced: bool = False,
) -> Iterator[Effect]:
    """The same action on each operand."""
    what = shown(command)
    for word in words:
        yield Effect(action, name, command, resolve(word, command, where), recursive, forced, what)


def read_compress(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    """gzip and its like replace the file, unless they are told to keep it."""
    given = read_arguments(command.argv[1:], valued=("-S", "--suffix"))
    if given.has("-c", "--stdout", "-k", "--keep", "-l", "-t", "--list", "--test"):
        yield from on_each(Action.READ, command.name, command, given.operands, where)
        return
    recursive = given.has("-r", "--recursive")
    for effect in on_each(
        Action.OVERWRITE, command.name, command, given.operands, where, recursive=recursive
    ):
        outside = recursive and effect.target_place >= Place.HOME
        yield effect.replace(action=Action.TRUNCATE) if outside else effect


def read_rename(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    """`rename EXPRESSION FILE...`: each file may get another name."""
    given = read_arguments(command.argv[1:], valued=("-e", "-E"))
    if not given.has("-n", "--nono", "--no-act", "--dry-run"):
        files = given.operands if given.has("-e", "-E") else given.operands[1:]
        yield from on_each(Action.MOVE_AWAY, "rename", command, files, where)


def read_cpio(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    given = read_arguments(command.argv[1:], valued=("-D", "--directory", "-F", "-H"))
    directory = given.value("-D", "--directory")
    if given.has("-i", "--extract") and directory is not None:
        yield Effect(Action.WRITE, "cpio", command, resolve(directory, command, where), what=shown(command))
    elif given.has("-o", "--create", "-p", "--pass-through"):
        for word in given.values.get("-F", ()):
            yield Effect(
                Action.OVERWRITE, "cpio", command, resolve(word, command, where), what=shown(command)
            )
        listed = [Word(line) for line in (command.stdin.text or "").splitlines()[:_MOST_LISTED] if line]
        yield from on_each(Action.READ, "cpio", command, listed, where)


_MOST_LISTED = 200


def read_augtool(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    """`augtool set /files/etc/hosts/1/ipaddr X` writes below /etc, to a file that the path begins with."""
    texts = [word.text for word in command.argv[1:]]
    if {"set", "rm", "ins", "clear", "mv", "defnode", "setm"} & set(texts):
        paths = [Word(text.removeprefix("/files")) for text in texts if text.startswith("/files/")]
        yield from on_each(Action.WRITE, "augtool", command, paths, where)
