"""git, where it lays files over a folder that is not its own work tree, or over a home."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.shell.arguments import Arguments, read_arguments
from fairlead.shell.effects.git.subcommand_options import GLOBAL_VALUED
from fairlead.shell.effects.overlays.overlay import Overlay, here, path_of, unseen
from fairlead.shell.effects.overlays.patching import patch_overlays
from fairlead.shell.effects.together.feeding_commands import Sources
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.places.targets import Place, resolve
from fairlead.shell.script import Command, Word
from fairlead.shell.word_sets import names

_LAYING = names("checkout switch restore pull merge rebase reset read-tree checkout-index cherry-pick revert")
_CLONE_VALUED = names(
    "-b --branch -o --origin -u -c --config --depth --reference --template -j --jobs --filter"
)
_APPLY_VALUED = names("-p -C --directory --exclude --include --whitespace --recount")
_CHANGING_NOTHING = ("--check", "--stat", "--numstat", "--summary", "--cached", "--abort", "--quit", "--skip")


def laid_by_git(command: Command, sources: Sources, where: Surroundings) -> Iterator[Overlay]:
    outer = read_arguments(command.argv[1:], valued=GLOBAL_VALUED, until_operand=True)
    if not outer.operands or outer.has("--help", "-h", "--version"):
        return
    inside = _moved(command, outer, where)
    name, words = outer.operands[0].text, outer.operands[1:]
    if name in ("apply", "am"):
        yield from _applied(inside, name, words, sources, where)
    elif name == "clone":
        given = read_arguments(words, valued=_CLONE_VALUED)
        if len(given.operands) > 1 and not given.has("--bare", "--mirror", "-n", "--no-checkout"):
            yield from _over(inside, given.operands[1], where)
    elif name == "worktree" and words and words[0].text == "add":
        given = read_arguments(words[1:], valued=("-b", "-B", "--reason"))
        yield from _over(inside, given.operands[0] if given.operands else Word(""), where)
    elif name == "checkout-index" and (prefix := read_arguments(words).value("--prefix")) is not None:
        yield from _over(inside, prefix, where)
    elif name in _LAYING or (name == "stash" and any(word.text in ("pop", "apply") for word in words[:1])):
        told = outer.value("--work-tree") or command.assignments.get("GIT_WORK_TREE")
        yield from _over(inside, told if told is not None else Word("."), where)


def _moved(command: Command, outer: Arguments, where: Surroundings) -> Command:
    for word in outer.values.get("-C", ()):
        command = command.replace(cwd=path_of(word, command, where) or None)
    return command


def _over(command: Command, word: Word, where: Surroundings) -> Iterator[Overlay]:
    """Only over a home or what holds the guard's files: elsewhere git guards its own work tree."""
    if word.opaque or (command.cwd is None and not word.text.startswith("/")):
        return
    target = resolve(word, command, where)
    holds = any(kept.startswith(f"{target.path}/") for kept in where.guard)
    if target.path and (target.place in (Place.HOME_ROOT, Place.ROOT) or holds):
        yield Overlay(command, target.path, unseen("the files of a commit are not looked at"))


def _applied(
    command: Command, name: str, words: tuple[Word, ...], sources: Sources, where: Surroundings
) -> Iterator[Overlay]:
    given = read_arguments(words, valued=_APPLY_VALUED)
    if given.has(*_CHANGING_NOTHING) and not given.has("--apply"):
        return
    level = given.text("-p")
    top = here(command, where)
    folder = f"{top}/{given.text('--directory')}".rstrip("/") if top else ""
    overlay = Overlay(command, folder, unseen(""), strip=int(level) if level.isdecimal() else 1)
    for file in given.operands or (None,) if folder else ():
        yield from patch_overlays(overlay, file, command, sources, where)
