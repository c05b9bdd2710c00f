"""Programs that copy between machines: what leaves, what is written here, what a mirror deletes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from fairlead.shell.arguments import Arguments, read_arguments
from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.effects.network.documents import is_document
from fairlead.shell.effects.program_effects import fits, shown
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.places.targets import Place, resolve
from fairlead.shell.script import Command, Word
from fairlead.shell.word_sets import names

_REMOTE = lazy(r"^(?:[\w.-]+@)?[\w.-]+:(?!//)|^(?:rsync|sftp|scp|ssh)://")


def read_copying(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    """scp and rsync: what leaves the machine, and what `--delete` removes at the other end."""
    valued = names(
        """
        -e -i -P -p -o -F -l -c -S -J --rsh --exclude --include --filter --exclude-from --files-from
        --port -f -T
        """
    )
    given = read_arguments(
        command.argv[1:],
        valued=[
            option
            for option in valued
            if not (command.name == "rsync" and option in ("-o", "-p", "-l", "-c", "-S", "-P", "-F", "-J"))
        ],
    )
    if given.has("--daemon"):
        yield Effect(Action.RUN_NETWORK_CODE, "tunnel", command, what=shown(command))
    if not given.operands or given.has("-n", "--dry-run", "--list-only", "--help"):
        return
    *sources, destination = given.operands
    to_remote = bool(_REMOTE.match(destination.text))
    for word in sources:
        path = word.text.rpartition(":")[2] if _REMOTE.match(word.text) else ""
        named = word.replace(text=path) if path else word
        if path or not _REMOTE.match(word.text):
            yield Effect(Action.READ, command.name, command, resolve(named, command, where), True)
    if to_remote:
        yield from _leaving(command, sources, where)
    elif sources:
        yield Effect(
            Action.WRITE, command.name, command, resolve(destination, command, where), what=shown(command)
        )
    if any(flag.startswith(("--del", "--remove-source")) for flag in given.flags):
        yield from _mirrored(command, given, sources, destination, where)


def _leaving(command: Command, sources: Sequence[Word], where: Surroundings) -> Iterator[Effect]:
    for word in sources:
        target = resolve(word, command, where)
        bare = command.name == "scp" or command.argv[-1].text.startswith("rsync://")
        whole = bare and target.place is Place.PROJECT_ROOT
        whole = whole or (target.place in (Place.HOME, Place.OUTSIDE) and _is_tree(command))
        whole = whole or (is_document(word.text) and _ADDRESSED.match(command.argv[-1].text) is not None)
        yield Effect(
            Action.SEND_DATA, "upload" if whole else "copy-out", command, target, what=shown(command)
        )


_ADDRESSED = lazy(r"^(?:rsync://)?(?:[\w.-]+@)?[\w-]+\.[\w.-]+:?")
"""A host by its whole name: one of a single word is set up in somebody's own settings."""


def _is_tree(command: Command) -> bool:
    """Whether whole directories are copied."""
    return any(re.match(r"^-[a-zA-Z]*[ra]|^--(?:recursive|archive)$", word.text) for word in command.argv[1:])


def _mirrored(
    command: Command, given: Arguments, sources: Sequence[Word], destination: Word, where: Surroundings
) -> Iterator[Effect]:
    if any(flag.startswith("--remove-source") for flag in given.flags):
        for word in sources:
            aim = resolve(destination, command, where).path
            target = resolve(word, command, where)
            yield Effect(Action.MOVE_AWAY, "rsync", command, target, True, what=shown(command), detail=aim)
        return
    if _REMOTE.match(destination.text):
        yield Effect(Action.SEND_DATA, "mirror-delete", command, what=shown(command))
    else:
        yield Effect(
            Action.DELETE, "rsync", command, resolve(destination, command, where), True, what=shown(command)
        )


_COPIERS: dict[str, str] = {
    "docker podman nerdctl finch": "cp",
    "kubectl oc k": "cp",
    "aws": "s3 cp|mv|sync",
    "gcloud": "storage|compute cp|mv|rsync|scp",
    "gsutil": "cp|mv|rsync",
    "az": "storage copy",
    "azcopy": "copy|cp|sync",
    "rclone": "copy|copyto|move|moveto|sync|bisync",
    "mc mcli": "cp|mv|mirror",
    "s3cmd": "get|put|sync|mv",
    "s5cmd": "cp|mv|sync",
    "b2": "sync|upload-file|download-file-by-name",
    "lxc incus": "file pull|push",
    "multipass": "transfer",
    "limactl": "copy|cp",
    "adb": "pull|push",
    "hdfs hadoop": "dfs|fs",
    "gh": "repo clone",
    "svn": "checkout|co|export",
    "hg": "clone",
}
COPYING = {program: path.split() for programs, path in _COPIERS.items() for program in programs.split()}
_ADDRESS = lazy(r"^[\w.-]+:(?!\\)|^[a-z][\w+.-]*://")
_PRIVATE = (Place.HOME, Place.HOME_ROOT, Place.SYSTEM, Place.ROOT, Place.OUTSIDE)


def copied(command: Command, where: Surroundings) -> Iterator[Effect]:
    """Subcommands that copy between here and a cloud, a container or another machine; the last operand is
    where to."""
    path = COPYING[command.name]
    given = read_arguments(
        command.argv[1:], valued=("--profile", "--region", "--exclude", "--include", "-c", "-n")
    )
    words = [word.text for word in given.operands]
    if not fits(path, words) or given.has("-n", "--dry-run", "--dryrun"):
        return
    *sources, destination = _without_values(given.operands[len(path) :]) or (Word(""),)
    leaves = bool(_ADDRESS.match(destination.text)) or _is_alias(command, destination)
    if sources and not leaves:
        yield Effect(
            Action.OVERWRITE, "copy", command, resolve(destination, command, where), what=shown(command)
        )
    elif leaves:
        for word in sources:
            if not _ADDRESS.match(word.text) and resolve(word, command, where).place in _PRIVATE:
                yield Effect(Action.SEND_DATA, "upload", command, what=shown(command))


def _without_values(operands: Sequence[Word]) -> Sequence[Word]:
    """Behind the address that something goes to stand only values of options that nobody listed."""
    last = max((i for i, word in enumerate(operands) if _ADDRESS.match(word.text)), default=0)
    return operands[: last + 1] if last else operands


def _is_alias(command: Command, word: Word) -> bool:
    """`mc cp a minio/bucket`: a place elsewhere has a name here."""
    return command.name in ("mc", "mcli") and not word.text.startswith(("/", ".", "~"))
