"""Programs that read, write and move files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fairlead.shell.arguments import Arguments, read_arguments
from fairlead.shell.effects.effect import Action, Effect, EffectReader
from fairlead.shell.effects.files.in_place_edits import read_sed
from fairlead.shell.effects.own.own_names import second_name
from fairlead.shell.places.targets import Place, Surroundings, resolve
from fairlead.shell.places.world import is_folder
from fairlead.shell.script import Command, Word
from fairlead.shell.word_sets import names

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


def _truncate(command: Command, where: Surroundings) -> Iterator[Effect]:
    given = read_arguments(
        command.argv[1:], valued=("-s", "--size", "-r", "--reference"), long=("--size", "--reference")
    )
    size = given.text("-s", "--size")
    action = Action.WRITE if size.startswith("+") else Action.TRUNCATE
    yield from on_each(action, "truncate", command, given.operands, where)


def _mv(command: Command, where: Surroundings) -> Iterator[Effect]:
    given = read_arguments(command.argv[1:], valued=_COPY_VALUED)
    sources, destination = _sources(given)
    if destination is None:
        return
    aim = resolve(destination, command, where)
    for word in sources:
        target = resolve(word, command, where)
        yield Effect(Action.MOVE_AWAY, "mv", command, target, True, what=_shown(command), detail=aim.path)
    origin = sources[0].text if sources else ""
    yield Effect(Action.OVERWRITE, "mv", command, aim, what=_shown(command), detail=origin)
    yield from _into_directory(command, sources, destination, where)


def _cp(command: Command, where: Surroundings) -> Iterator[Effect]:
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
        yield Effect(action, command.name, command, aim, what=_shown(command), detail=origin)
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
                Action.OVERWRITE, command.name, command, target, what=_shown(command), detail=source.text
            )


def _ln(command: Command, where: Surroundings) -> Iterator[Effect]:
    given = read_arguments(command.argv[1:], valued=("-t", "--target-directory", "-S", "--suffix"))
    sources, destination = _sources(given)
    read = [resolve(word, command, where) for word in sources]
    for target in read:
        yield Effect(Action.READ, "ln", command, target, what=_shown(command))
    if destination is None and sources and sources[0].known:  # a link of the same name, here
        destination = Word(sources[0].text.rstrip("/").rsplit("/", 1)[-1] or ".")
    if destination is not None:
        if any("fairlead" in target.real for target in read):
            yield from second_name(sources, destination, command, where)
        action = Action.OVERWRITE if given.has("-f", "--force") else Action.WRITE
        if action is Action.OVERWRITE and any(word.text == "/dev/null" for word in sources):
            action = Action.TRUNCATE
        target, origin = resolve(destination, command, where), sources[0].text if sources else ""
        yield Effect(action, "ln", command, target, what=_shown(command), detail=origin)
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


def _tee(command: Command, where: Surroundings) -> Iterator[Effect]:
    given = read_arguments(command.argv[1:])
    emptied = Action.TRUNCATE if command.stdin.text == "" else Action.OVERWRITE
    action = Action.WRITE if given.has("-a", "--append") else emptied
    yield from on_each(action, command.name, command, given.operands, where)


def _fallocate(command: Command, where: Surroundings) -> Iterator[Effect]:
    """It makes room; or it makes holes in what is there."""
    given = read_arguments(command.argv[1:], valued=("-l", "--length", "-o", "--offset"))
    loses = given.has(*_HOLES)
    yield from on_each(
        Action.TRUNCATE if loses else Action.WRITE, "fallocate", command, given.operands, where
    )


_HOLES = ("-p", "--punch-hole", "-z", "--zero-range", "-c", "--collapse-range")


def _written(command: Command, where: Surroundings) -> Iterator[Effect]:
    yield from on_each(Action.WRITE, command.name, command, read_arguments(command.argv[1:]).operands, where)


_DD_OPERANDS = (("of=", Action.OVERWRITE), ("if=", Action.READ), ("wipe=", Action.OVERWRITE))


def _dd(command: Command, where: Surroundings) -> Iterator[Effect]:
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
                yield Effect(action, "dd", command, target, what=_shown(command))


_SET_ID_PROGRAMS = names("sudo su passwd mount umount ping newgrp chsh chfn gpasswd pkexec at crontab doas")
"""They run as root whoever starts them, and what gets their mode does so, too."""


def _chmod(command: Command, where: Surroundings) -> Iterator[Effect]:
    given = read_arguments([_mode_word(word) for word in command.argv[1:]], valued=("--reference",))
    recursive = given.has("-R", "--recursive")
    mode = given.operands[0].text.lstrip("\0") if given.operands else ""
    model = given.text("--reference").rsplit("/", 1)[-1]
    if model:
        mode = "u+s" if model in _SET_ID_PROGRAMS else "as another file"
    for word in given.operands[0 if model else 1 :]:
        target = resolve(word.replace(text=word.text.lstrip("\0")), command, where)
        yield Effect(
            Action.CHANGE_PERMISSIONS, "chmod", command, target, recursive, what=_shown(command), detail=mode
        )


def _mode_word(word: Word) -> Word:
    """`-x` and `-rwx` are modes, not options; only -R, -c, -v and -f are."""
    text = word.text
    is_mode = text.startswith("-") and not text.startswith("--") and not set(text[1:]) <= set("Rcvf")
    return word.replace(text="\0" + text) if is_mode else word


def _chown(command: Command, where: Surroundings) -> Iterator[Effect]:
    given = read_arguments(command.argv[1:], valued=("--from", "--reference"))
    recursive = given.has("-R", "--recursive")
    owner = given.operands[0].text if given.operands else ""
    for word in given.operands[0 if given.has("--reference") else 1 :]:
        target = resolve(word, command, where)
        yield Effect(
            Action.CHANGE_OWNER, command.name, command, target, recursive, what=_shown(command), detail=owner
        )


def _chattr(command: Command, where: Surroundings) -> Iterator[Effect]:
    given = read_arguments([_mode_word(word) for word in command.argv[1:]])
    recursive = given.has("-R")
    mode = given.operands[0].text.lstrip("\0") if given.operands else ""
    for word in given.operands[1:]:
        target = resolve(word, command, where)
        yield Effect(
            Action.CHANGE_PERMISSIONS,
            command.name,
            command,
            target,
            recursive,
            what=_shown(command),
            detail=mode,
        )


def _install(command: Command, where: Surroundings) -> Iterator[Effect]:
    yield from _cp(command, where)
    given = read_arguments(command.argv[1:], valued=_COPY_VALUED)
    mode = given.text("-m", "--mode")
    if mode and given.operands:
        target = resolve(given.operands[-1], command, where)
        yield Effect(Action.CHANGE_PERMISSIONS, "chmod", command, target, what=_shown(command), detail=mode)


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
    what = _shown(command)
    for word in words:
        yield Effect(action, name, command, resolve(word, command, where), recursive, forced, what)


def _shown(command: Command) -> str:
    return " ".join([word.text or "?" for word in command.argv])[:200]


def _compress(command: Command, where: Surroundings) -> Iterator[Effect]:
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


def _rename(command: Command, where: Surroundings) -> Iterator[Effect]:
    """`rename EXPRESSION FILE...`: each file may get another name."""
    given = read_arguments(command.argv[1:], valued=("-e", "-E"))
    if not given.has("-n", "--nono", "--no-act", "--dry-run"):
        files = given.operands if given.has("-e", "-E") else given.operands[1:]
        yield from on_each(Action.MOVE_AWAY, "rename", command, files, where)


def _cpio(command: Command, where: Surroundings) -> Iterator[Effect]:
    given = read_arguments(command.argv[1:], valued=("-D", "--directory", "-F", "-H"))
    directory = given.value("-D", "--directory")
    if given.has("-i", "--extract") and directory is not None:
        yield Effect(Action.WRITE, "cpio", command, resolve(directory, command, where), what=_shown(command))
    elif given.has("-o", "--create", "-p", "--pass-through"):
        listed = [Word(line) for line in (command.stdin.text or "").splitlines()[:_MOST_LISTED] if line]
        yield from on_each(Action.READ, "cpio", command, listed, where)


_MOST_LISTED = 200


def _augtool(command: Command, where: Surroundings) -> Iterator[Effect]:
    """`augtool set /files/etc/hosts/1/ipaddr X` writes below /etc, to a file that the path begins with."""
    texts = [word.text for word in command.argv[1:]]
    if {"set", "rm", "ins", "clear", "mv", "defnode", "setm"} & set(texts):
        paths = [Word(text.removeprefix("/files")) for text in texts if text.startswith("/files/")]
        yield from on_each(Action.WRITE, "augtool", command, paths, where)


TABLE: dict[str, EffectReader] = {
    "augtool": _augtool,
    "truncate": _truncate,
    "gtruncate": _truncate,
    "mv": _mv,
    "gmv": _mv,
    "cp": _cp,
    "gcp": _cp,
    "install": _install,
    **dict.fromkeys(("gzip", "bzip2", "xz", "zstd", "compress", "lzma"), _compress),
    "cpio": _cpio,
    **dict.fromkeys(("rename", "prename", "perl-rename", "file-rename", "mmv"), _rename),
    "ln": _ln,
    "tee": _tee,
    "sponge": _tee,
    "fallocate": _fallocate,
    "touch": _written,
    "mkdir": _written,
    **dict.fromkeys(("dd", "dcfldd", "dc3dd", "sg_dd"), _dd),
    "sed": read_sed,
    "gsed": read_sed,
    "chmod": _chmod,
    "chown": _chown,
    "chgrp": _chown,
    "chattr": _chattr,
}
