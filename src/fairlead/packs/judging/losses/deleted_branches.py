"""Whether to delete a branch drops commits: not if another branch leads to them, nor if they are the session's own."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.packs.rule import Scene
from fairlead.sessions.memory import Memory
from fairlead.shell.arguments import Arguments, read_arguments
from fairlead.shell.effects.effect import Effect
from fairlead.shell.effects.git.scratch_repositories import TRANSPARENT, points_elsewhere
from fairlead.shell.effects.git.shared_branches import is_shared_branch
from fairlead.shell.effects.git.subcommand_options import GLOBAL_VALUED, VALUED
from fairlead.shell.script import Command
from fairlead.shell.word_sets import names as names_of

_DELETING = ("-D", "-d", "--delete")
_MOVING = names_of("reset update-ref symbolic-ref rebase filter-branch gc prune remote reflog fetch")
_CREATING = {"checkout": "-b", "switch": "-c", "worktree": "-b"}


def drops_commits(effect: Effect, scene: Scene) -> bool:
    """Whatever cannot be told counts as a loss."""
    command = effect.command
    if effect.name != "branch-delete" or command.cwd is None or points_elsewhere(scene.script):
        return True
    if any(wrapper.name not in TRANSPARENT or wrapper.place for wrapper in command.wrappers):
        return True
    told = [_told(each) for each in scene.script.commands if each.name == "git"]
    if any(_moves_branches(*each) for each in told):
        return True
    words = [
        word for name, given in told if name == "branch" and given.has(*_DELETING) for word in given.operands
    ]
    names = frozenset(word.text for word in words)
    if not names or not all(word.known and not word.glob for word in words):
        return True
    from fairlead.packs.repository.limits import CannotTell  # rare: few calls delete a branch

    try:
        return not all(_is_kept(name, names, command.cwd, scene.memory) for name in names)
    except (CannotTell, OSError, ValueError, RecursionError):
        return True


def _moves_branches(name: str, given: Arguments) -> bool:
    """Whether, after it, the branches are not where they were when the call was judged."""
    if name == "branch":
        return given.has("-f", "--force", "-M", "-m", "-C", "--move") and not given.has(*_DELETING)
    return name in _MOVING


def _is_kept(name: str, gone: frozenset[str], cwd: str, memory: Memory) -> bool:
    from fairlead.packs.repository.branches import HEADS, branch_commit, is_held_elsewhere
    from fairlead.packs.repository.git_folder import find_repository
    from fairlead.packs.repository.limits import Budget

    budget = Budget()
    repository = find_repository(cwd, budget)
    if repository is None or repository.has_reftable:
        return False
    refs = frozenset(f"{HEADS}{each}" for each in gone)
    note = memory.named(f"{repository.common}/{HEADS}{name}")
    if note is None and is_shared_branch(name):
        return False
    commit = branch_commit(repository, name, budget)
    if commit and is_held_elsewhere(repository, commit, refs, budget):
        return True
    if note is None:
        return False
    return is_held_elsewhere(repository, bytes.fromhex(note.source), refs, budget)


def created_branches(command: Command) -> Iterator[tuple[str, str]]:
    """The names that a command gives to new branches, as the ref of each, and the commit at which it begins: what
    is older than the session is kept as long as another branch leads there."""
    name, given = _told(command)
    option = _CREATING.get(name)
    named = given.value(option) if option is not None else None
    if (
        command.cwd is None
        or named is None
        or not named.known
        or any(each.place for each in command.wrappers)
    ):
        return
    start = given.operands[2 if name == "worktree" else 0 :]
    from fairlead.packs.repository.branches import HEADS, branch_commit, start_commit
    from fairlead.packs.repository.git_folder import find_repository
    from fairlead.packs.repository.limits import Budget, CannotTell

    try:
        budget = Budget()
        repository = find_repository(command.cwd, budget)
        if repository is None or branch_commit(repository, named.text, budget):
            return
        commit = start_commit(repository, start[0].text if start else "", budget)
        if commit:
            yield f"{repository.common}/{HEADS}{named.text}", commit.hex()
    except (CannotTell, OSError, ValueError, RecursionError):
        return


def _told(command: Command) -> tuple[str, Arguments]:
    """The subcommand, and what it is told."""
    outer = read_arguments(command.argv[1:], valued=GLOBAL_VALUED, until_operand=True)
    name = outer.operands[0].text if outer.operands and not outer.values else ""
    valued = {*VALUED.get(name, ()), _CREATING.get(name, "-b")} if name != "branch" else VALUED.get(name, ())
    return name, read_arguments(outer.operands[1:], valued=valued)
