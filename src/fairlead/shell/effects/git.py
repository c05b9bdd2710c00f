"""Git: which subcommands lose work, and which rewrite history."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from fairlead.shell.effects.effect import Action, Effect, EffectReader
from fairlead.shell.effects.git_add_ons import ADD_ONS
from fairlead.shell.effects.git_paths import touched_by_git
from fairlead.shell.effects.options import Arguments, read_arguments
from fairlead.shell.script import Command, Word
from fairlead.shell.targets import Surroundings

_GLOBAL_VALUED = ("-C", "-c", "--git-dir", "--work-tree", "--namespace", "--config-env", "--super-prefix")
_VALUED: dict[str, tuple[str, ...]] = {
    "checkout": ("-b", "-B", "--orphan", "--conflict", "--pathspec-from-file"),
    "switch": ("-c", "-C", "--create", "--force-create", "--orphan", "--conflict"),
    "restore": ("-s", "--source", "--conflict", "--pathspec-from-file"),
    "push": ("-o", "--push-option", "--receive-pack", "--exec", "--repo"),
    "clean": ("-e", "--exclude"),
    "commit": (
        "-m",
        "-F",
        "-C",
        "-c",
        "-t",
        "--message",
        "--file",
        "--author",
        "--date",
        "--template",
        "--fixup",
    ),
    "tag": ("-m", "-F", "-u", "--message", "--file", "--local-user"),
    "log": ("-S", "-G", "-n", "-L", "--grep", "--author", "--since", "--until", "--format", "--pretty"),
    "grep": ("-e", "-f", "-A", "-B", "-C", "-m"),
    "config": ("-f", "--file", "--type", "--default", "--blob"),
    "update-ref": ("-m",),
    "branch": (
        "-u",
        "--set-upstream-to",
        "--contains",
        "--merged",
        "--no-merged",
        "--points-at",
        "--sort",
        "--format",
    ),
}
_LONG: dict[str, tuple[str, ...]] = {
    "reset": ("--hard", "--soft", "--mixed", "--merge", "--keep", "--quiet", "--patch", "--help"),
    "clean": ("--force", "--dry-run", "--interactive", "--quiet", "--exclude", "--help"),
    "checkout": (
        "--force",
        "--ours",
        "--theirs",
        "--track",
        "--detach",
        "--orphan",
        "--patch",
        "--merge",
        "--help",
    ),
    "switch": ("--force", "--discard-changes", "--create", "--force-create", "--detach", "--track", "--help"),
    "restore": ("--staged", "--worktree", "--source", "--ours", "--theirs", "--patch", "--merge", "--help"),
    "branch": ("--delete", "--force", "--move", "--copy", "--list", "--all", "--help"),
    "worktree": ("--force",),
    "submodule": ("--force", "--all", "--recursive"),
    "fetch": ("--force", "--all", "--prune"),
    "push": ("--mirror", "--delete", "--prune", "--dry-run", "--tags", "--all"),
    "gc": ("--prune", "--aggressive", "--auto", "--force"),
}
_SHARED_BRANCH = re.compile(
    r"^(?:refs/heads/)?(?:main|master|trunk|develop|development|dev|staging|prod|production|stable|gh-pages"
    r"|release(?:[/-].*)?|hotfix/.*)$"
)
_FILE_LIKE = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,4}$")

Subcommand = Callable[[Command, Arguments], Iterator[tuple[Action, str, str]]]
"""Reads one subcommand into action, name and the detail that a reason shows."""


def is_shared_branch(name: str) -> bool:
    return bool(_SHARED_BRANCH.match(name))


def _git(command: Command, where: Surroundings) -> Iterator[Effect]:
    words = command.argv[1:]
    if command.name.startswith("git-"):
        words = (command.argv[0].replace(text=command.name[4:]), *words)
    outer = read_arguments(words, valued=_GLOBAL_VALUED, until_operand=True)
    if not outer.operands or outer.has("--help", "-h", "--version"):
        return
    name = outer.operands[0].text
    given = read_arguments(outer.operands[1:], valued=_VALUED.get(name, ()), long=_LONG.get(name, ()))
    if given.has("--help") or (given.flags == {"-h"} and not given.operands):
        return
    command = _moved(command, outer)
    shown = " ".join(word.text or "?" for word in command.argv)[:200]
    if name == "push" and any(
        re.match(r"(?i)remote\..*\.push=\+", word.text) for word in outer.values.get("-c", ())
    ):
        yield Effect(Action.REWRITE_HISTORY, "push-force", command, what=shown)
    reader = _SUBCOMMANDS.get(name)
    if reader is not None:
        for action, effect, detail in reader(command, _with_configuration(given, outer, name)):
            yield Effect(
                action, effect, command, what=shown, detail=detail, forced=given.has("-f", "--force")
            )
    yield from touched_by_git(name, given, command, where)


def _moved(command: Command, outer: Arguments) -> Command:
    """`git -C DIR` runs there."""
    for word in outer.values.get("-C", ()):
        cwd = command.cwd
        path = word.text if word.known else ""
        if path.startswith("/"):
            command = command.replace(cwd=path)
        elif cwd is not None:
            command = command.replace(cwd=f"{cwd}/{path}" if path else None)
    return command


def _with_configuration(given: Arguments, outer: Arguments, name: str) -> Arguments:
    """`-c clean.requireForce=false` stands for `--force`."""
    settings = " ".join(word.text.lower() for word in outer.values.get("-c", ()))
    if name == "clean" and re.search(r"clean\.requireforce=(?:false|no|off|0)", settings):
        return given.replace(flags=given.flags | {"-f"})
    return given


def _reset(command: Command, given: Arguments) -> Iterator[tuple[Action, str, str]]:
    if given.has("--hard"):
        yield Action.DISCARD_GIT_WORK, "reset-hard", ""
    elif given.has("--merge"):
        yield Action.DISCARD_GIT_WORK, "reset-merge", ""


def _clean(command: Command, given: Arguments) -> Iterator[tuple[Action, str, str]]:
    answered = command.stdin.kind in ("pipe", "text", "file")
    if given.has("-i", "--interactive") and not answered:
        return
    if given.has("-n", "--dry-run") or not given.has("-f", "--force", "-i"):
        return
    yield Action.DISCARD_GIT_WORK, "clean-ignored" if given.has("-X") else "clean", ""


def _checkout(command: Command, given: Arguments) -> Iterator[tuple[Action, str, str]]:
    if given.has("-f", "--force"):
        yield Action.DISCARD_GIT_WORK, "checkout-force", ""
    elif given.has("-B") and is_shared_branch(given.text("-B")):
        yield Action.REWRITE_HISTORY, "branch-reset", given.text("-B")
    elif given.has("-b", "-B", "--orphan", "--ours", "--theirs", "--track", "-t", "-2", "-3"):
        return
    elif paths := _checked_out_paths(command, given):
        yield Action.DISCARD_GIT_WORK, "checkout-paths", " ".join(paths)


def _checked_out_paths(command: Command, given: Arguments) -> list[str]:
    words = given.operands
    if given.has("--pathspec-from-file"):
        return ["the listed paths"]
    if given.dashes is not None:
        return [word.text or "?" for word in words[given.dashes :]] or ["?"]
    if len(words) > 1:
        return [word.text or "?" for word in words[1:]]
    return [word.text for word in words if _is_path(word, command)]


def _is_path(word: Word, command: Command) -> bool:
    """Whether the only operand of a checkout is a path: `.`, a glob, a file that stands there."""
    text = word.text
    if (
        text in (".", "..", "*")
        or text.startswith((":/", "./", "../", ":(", ":!"))
        or text.endswith("/")
        or word.glob
    ):
        return True
    return bool(_FILE_LIKE.search(text)) and not re.match(r"^v?\d", text)


def _switch(command: Command, given: Arguments) -> Iterator[tuple[Action, str, str]]:
    if given.has("-f", "--force", "--discard-changes"):
        yield Action.DISCARD_GIT_WORK, "switch-discard", ""
    elif is_shared_branch(given.text("-C", "--force-create")):
        yield Action.REWRITE_HISTORY, "branch-reset", given.text("-C", "--force-create")


def _restore(command: Command, given: Arguments) -> Iterator[tuple[Action, str, str]]:
    only_index = given.has("-S", "--staged") and not given.has("-W", "--worktree")
    if not only_index and not given.has("--ours", "--theirs", "-2", "-3"):
        yield Action.DISCARD_GIT_WORK, "restore", " ".join(word.text or "?" for word in given.operands)


def _stash(command: Command, given: Arguments) -> Iterator[tuple[Action, str, str]]:
    first = given.operands[0].text if given.operands else ""
    if first in ("drop", "clear"):
        yield Action.DISCARD_GIT_WORK, f"stash-{first}", ""


def _remove(command: Command, given: Arguments) -> Iterator[tuple[Action, str, str]]:
    if given.has("--cached", "-n", "--dry-run"):
        return
    whole = any(word.text in (".", "*", ":/", "./") for word in given.operands)
    if given.has("-f", "--force") or whole:
        yield Action.DISCARD_GIT_WORK, "rm-forced", ""


def _push(command: Command, given: Arguments) -> Iterator[tuple[Action, str, str]]:
    if given.has("-n", "--dry-run"):
        return
    refspecs = [word.text if word.known else word.prefix for word in given.operands[1:]]
    shared = [ref for ref in refspecs if is_shared_branch(ref.lstrip("+").rsplit(":", 1)[-1])]
    forced = "-f" in given.flags or any(
        flag.startswith("--for") and not flag.startswith("--force-") for flag in given.flags
    )
    first = given.operands[0].text if given.operands else ""
    if given.has("--mirror"):
        yield Action.REWRITE_HISTORY, "push-mirror", ""
    elif forced or any(ref.startswith("+") for ref in (*refspecs, first)):
        yield Action.REWRITE_HISTORY, "push-force", ""
    elif given.has("-d", "--delete", "--prune") or any(
        ref.startswith(":") and ref != ":" for ref in refspecs
    ):
        yield Action.REWRITE_HISTORY, "push-delete-shared" if shared else "push-delete", " ".join(refspecs)
    elif re.match(r"^(?:https?|git|ssh)://|^[\w.-]+@[\w.-]+:", first):
        yield Action.SEND_DATA, "push-address", first
    elif given.has("--force-with-lease") and shared:
        yield Action.REWRITE_HISTORY, "push-lease-shared", " ".join(shared)


def _branch(command: Command, given: Arguments) -> Iterator[tuple[Action, str, str]]:
    forced = given.has("-f", "--force")
    if given.has("-D") or (given.has("-d", "--delete") and forced):
        deleted = " ".join(word.text or "?" for word in given.operands)
        yield Action.REWRITE_HISTORY, "branch-delete", deleted
    elif forced or given.has("-M", "-C"):
        names = [word.text for word in given.operands]
        if any(is_shared_branch(name) for name in names[-2:]) and forced:
            yield Action.REWRITE_HISTORY, "branch-move", " ".join(names)


def _update_ref(command: Command, given: Arguments) -> Iterator[tuple[Action, str, str]]:
    text = command.stdin.text
    moved = [
        word.text for word in given.operands[:1] if is_shared_branch(word.text) and len(given.operands) > 1
    ]
    if moved and not given.has("-d", "--stdin"):
        yield Action.REWRITE_HISTORY, "branch-move", moved[0]
    if given.has("-d", "--delete") or (given.has("--stdin") and (text is None or "delete" in text)):
        yield Action.REWRITE_HISTORY, "update-ref", ""


def _reflog(command: Command, given: Arguments) -> Iterator[tuple[Action, str, str]]:
    first = given.operands[0].text if given.operands else ""
    if first in ("expire", "delete") and not given.has("--dry-run", "-n"):
        yield Action.REWRITE_HISTORY, "reflog-expire", ""


def _gc(command: Command, given: Arguments) -> Iterator[tuple[Action, str, str]]:
    if given.text("--prune") in ("now", "all"):
        yield Action.REWRITE_HISTORY, "prune", ""


def _prune(command: Command, given: Arguments) -> Iterator[tuple[Action, str, str]]:
    if not given.has("-n", "--dry-run"):
        yield Action.REWRITE_HISTORY, "prune", ""


def _always(action: Action, name: str) -> Subcommand:
    def read(command: Command, given: Arguments) -> Iterator[tuple[Action, str, str]]:
        yield action, name, ""

    return read


def _tag(command: Command, given: Arguments) -> Iterator[tuple[Action, str, str]]:
    if given.has("-d", "--delete") and (len(given.operands) != 1 or not given.operands[0].known):
        yield Action.REWRITE_HISTORY, "tag-delete", ""


def _read_tree(command: Command, given: Arguments) -> Iterator[tuple[Action, str, str]]:
    if given.has("--reset") and given.has("-u"):
        yield Action.DISCARD_GIT_WORK, "read-tree-reset", ""


def _checkout_index(command: Command, given: Arguments) -> Iterator[tuple[Action, str, str]]:
    if given.has("-f", "--force"):
        yield Action.DISCARD_GIT_WORK, "checkout-index", ""


def _apply(command: Command, given: Arguments) -> Iterator[tuple[Action, str, str]]:
    if given.has("-R", "--reverse") and not given.has(
        "--check", "--stat", "--numstat", "--summary", "--cached"
    ):
        yield Action.DISCARD_GIT_WORK, "apply-reverse", ""


def _show(command: Command, given: Arguments) -> Iterator[tuple[Action, str, str]]:
    """`git show HEAD:f > f` is `git checkout HEAD -- f` in other words."""
    written = {
        redirect.target.text.removeprefix("./") for redirect in command.redirects if ">" in redirect.operator
    }
    for word in given.operands:
        path = word.text.partition(":")[2].removeprefix("./")
        if path and path in written:
            yield Action.DISCARD_GIT_WORK, "checkout-paths", path


_EXECUTING_SETTING = re.compile(
    r"^(?:core\.(?:hookspath|sshcommand|pager|editor|fsmonitor|askpass|gitproxy)|sequence\.editor|pager\..*"
    r"|credential(?:\..*)?\.helper|filter\..*\.(?:clean|smudge|process)|diff\..*\.(?:command|textconv)|diff\.external"
    r"|merge\..*\.driver|gpg(?:\..*)?\.program|uploadpack\.packobjectshook|protocol\.ext\.allow)$"
)

_RECOVERY_SETTING = re.compile(r"^gc\.(?:.*\.)?(?:reflogexpire|pruneexpire)")


def _config(command: Command, given: Arguments) -> Iterator[tuple[Action, str, str]]:
    words = [word.text for word in given.operands]
    if words[:1] == ["set"]:
        words = words[1:]
    if len(words) < 2 or given.has(
        "--get", "--get-all", "--get-regexp", "--list", "-l", "--unset", "--unset-all"
    ):
        return
    key, value = words[0].lower(), words[1].lower()
    unforced = key == "clean.requireforce" and value in ("false", "no", "off", "0")
    if unforced or (_RECOVERY_SETTING.match(key) and value in ("now", "0", "all")):
        yield Action.CHANGE_GIT, "config-clean-unforced", key
    elif key == "http.sslverify" and value in ("false", "0", "no"):
        yield Action.CHANGE_GIT, "config-executes", key
    elif re.match(r"^remote\..*\.push$", key) and value.startswith("+"):
        yield Action.CHANGE_GIT, "config-push-forced", key
    elif (
        _EXECUTING_SETTING.match(key) or (key.startswith("alias.") and value.startswith("!"))
    ) and value not in (
        "cat",
        "vim",
        "nano",
        "code --wait",
        "less",
        "store",
        "cache",
    ):
        yield Action.CHANGE_GIT, "config-executes", key


def _init(command: Command, given: Arguments) -> Iterator[tuple[Action, str, str]]:
    if given.has("--separate-git-dir"):
        yield Action.CHANGE_GIT, "separate-git-dir", given.text("--separate-git-dir")


def _credential(command: Command, given: Arguments) -> Iterator[tuple[Action, str, str]]:
    if given.operands and given.operands[0].text in ("fill", "get"):
        yield Action.READ_SECRET, "git-credential", ""


_SUBCOMMANDS: dict[str, Subcommand] = {
    "reset": _reset,
    "clean": _clean,
    "checkout": _checkout,
    "switch": _switch,
    "restore": _restore,
    "stash": _stash,
    "rm": _remove,
    "push": _push,
    "branch": _branch,
    "update-ref": _update_ref,
    "symbolic-ref": _update_ref,
    "reflog": _reflog,
    "gc": _gc,
    "prune": _prune,
    "tag": _tag,
    "read-tree": _read_tree,
    "checkout-index": _checkout_index,
    **ADD_ONS,
    "apply": _apply,
    "show": _show,
    "cat-file": _show,
    "config": _config,
    "init": _init,
    "credential": _credential,
    **dict.fromkeys(("credential-store", "credential-cache", "credential-osxkeychain"), _credential),
    **dict.fromkeys(("filter-branch", "filter-repo"), _always(Action.REWRITE_HISTORY, "filter-branch")),
}

TABLE: dict[str, EffectReader] = {"git": _git, "yadm": _git}
TABLE.update(dict.fromkeys((f"git-{name}" for name in _SUBCOMMANDS), _git))
