"""Subcommands of git that lose work which was not committed."""

from __future__ import annotations

import re
from collections.abc import Mapping

from fairlead.shell.arguments import Arguments
from fairlead.shell.effects.effect import Action
from fairlead.shell.effects.git.shared_branches import is_shared_branch
from fairlead.shell.effects.git.subcommand import Found, Subcommand
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.targets import is_build_output
from fairlead.shell.places.world import is_there
from fairlead.shell.script import Command, Word

_FILE_LIKE = lazy(
    r"\.(?:py[iwx]?|ipynb|[cm]?[jt]sx?|json[5lc]?|md|mdx|rst|txt|ya?ml|toml|ini|cfg|conf|env|lock|xml|html?|s?css|sass|less"
    r"|go|mod|sum|rs|java|kts?|scala|groovy|gradle|cs|fs|vb|csproj|sln|c|h|cc|cpp|cxx|hpp|hh|mm?|swift|rb|erb|php|pl|pm"
    r"|lua|exs?|erl|hs|ml|clj|dart|r|jl|sh|bash|zsh|fish|ps1|bat|sql|csv|tsv|tf|tfvars|hcl|proto|graphql|vue|svelte|astro"
    r"|svg|png|jpe?g|gif|pdf|log|snap|patch|diff|properties|plist|tmpl|tpl|j2)$",
    re.IGNORECASE,
)
_FILE_NAMES = frozenset(
    ("Makefile", "Dockerfile", "Gemfile", "Procfile", "LICENSE", "README", "Rakefile", "Justfile")
)
_BRANCH_LIKE = lazy(
    r"^(?:feature|feat|fix|bugfix|hotfix|release|renovate|dependabot|chore|refactor|perf|users?|pr|pull|origin|upstream"
    r"|refs|heads|remotes|tags|wip|topic|dev)/",
    re.IGNORECASE,
)
"""A prefix that people give to branches, where nothing of that name stands on the disk."""
_LONGEST_NAME = 1024


_LOCK_FILE = lazy(
    r"(?:[\w.@-]+/)*(?:package-lock\.json|pnpm-lock\.yaml|npm-shrinkwrap\.json|go\.sum|[\w-]+\.lock)"
)


def _are_lock_files(paths: list[str]) -> bool:
    """Whether only package managers write what these paths name, so that they can write it again."""
    return bool(paths) and all(_LOCK_FILE.fullmatch(path) for path in paths)


def _reset(command: Command, given: Arguments) -> Found:
    if given.has("--hard"):
        yield Action.DISCARD_GIT_WORK, "reset-hard", ""
    elif given.has("--merge"):
        yield Action.DISCARD_GIT_WORK, "reset-merge", ""


def _clean(command: Command, given: Arguments) -> Found:
    source = command.stdin.path.text if command.stdin.path else ""
    answered = command.stdin.kind in ("pipe", "text", "file") and source != "/dev/null"
    if given.has("-i", "--interactive") and not answered:
        return
    if given.has("-n", "--dry-run") or not given.has("-f", "--force", "-i"):
        return
    if given.operands and all(word.known and is_build_output(word.text) for word in given.operands):
        return
    yield Action.DISCARD_GIT_WORK, "clean-ignored" if given.has("-X") else "clean", ""


def _checkout(command: Command, given: Arguments) -> Found:
    if given.has("-f", "--force"):
        yield Action.DISCARD_GIT_WORK, "checkout-force", ""
    elif given.has("-B") and is_shared_branch(given.text("-B")):
        yield Action.REWRITE_HISTORY, "branch-reset", given.text("-B")
    elif given.has("-b", "-B", "--orphan", "--ours", "--theirs", "--track", "-t", "-2", "-3"):
        return
    elif given.has("-p", "--patch") and command.stdin.kind != "inherit":
        yield Action.DISCARD_GIT_WORK, "checkout-paths", "what the answers choose"
    elif (paths := _checked_out_paths(command, given)) and not _are_lock_files(paths):
        yield Action.DISCARD_GIT_WORK, "checkout-paths", " ".join(paths)


def _checked_out_paths(command: Command, given: Arguments) -> list[str]:
    words = given.operands
    if given.has("--pathspec-from-file"):
        return ["the listed paths"]
    if given.dashes is not None:
        return [word.text or "?" for word in words[given.dashes :]]
    if len(words) > 1:
        return [word.text or "?" for word in words[1:]]
    return [word.text for word in words if _is_path(word, command)]


def _is_path(word: Word, command: Command) -> bool:
    """Whether the only operand of a checkout is a path: `.`, a glob, what is there, a file by its name."""
    text = word.text
    if (
        text in (".", "..", "*")
        or text.startswith((":/", "./", "../", ":(", ":!"))
        or text.endswith("/")
        or word.glob
    ):
        return True
    if word.known and command.cwd is not None and len(text) < _LONGEST_NAME:
        branch = is_there(f"{command.cwd}/.git/refs/heads/{text}")
        if branch or is_there(f"{command.cwd}/{text}"):
            return not branch
    named = _FILE_LIKE.search(text) or text.rsplit("/", 1)[-1] in _FILE_NAMES
    return bool(named) and not re.match(r"^v?\d", text) and not _BRANCH_LIKE.match(text)


def _switch(command: Command, given: Arguments) -> Found:
    if given.has("-f", "--force", "--discard-changes"):
        yield Action.DISCARD_GIT_WORK, "switch-discard", ""
    elif is_shared_branch(given.text("-C", "--force-create")):
        yield Action.REWRITE_HISTORY, "branch-reset", given.text("-C", "--force-create")


def _restore(command: Command, given: Arguments) -> Found:
    only_index = given.has("-S", "--staged") and not given.has("-W", "--worktree")
    paths = [word.text or "?" for word in given.operands]
    if not only_index and not given.has("--ours", "--theirs", "-2", "-3") and not _are_lock_files(paths):
        yield Action.DISCARD_GIT_WORK, "restore", " ".join(paths)


def _stash(command: Command, given: Arguments) -> Found:
    first = given.operands[0].text if given.operands else ""
    if first in ("drop", "clear"):
        yield Action.DISCARD_GIT_WORK, f"stash-{first}", ""


def _remove(command: Command, given: Arguments) -> Found:
    if given.has("--cached", "-n", "--dry-run"):
        return
    whole = any(word.text in (".", "*", ":/", "./") for word in given.operands)
    if given.has("-f", "--force") or whole:
        yield Action.DISCARD_GIT_WORK, "rm-forced", ""


def _read_tree(command: Command, given: Arguments) -> Found:
    if given.has("--reset") and given.has("-u"):
        yield Action.DISCARD_GIT_WORK, "read-tree-reset", ""


def _checkout_index(command: Command, given: Arguments) -> Found:
    if given.has("-f", "--force"):
        yield Action.DISCARD_GIT_WORK, "checkout-index", ""


def _apply(command: Command, given: Arguments) -> Found:
    if given.has("-R", "--reverse") and not given.has(
        "--check", "--stat", "--numstat", "--summary", "--cached"
    ):
        yield Action.DISCARD_GIT_WORK, "apply-reverse", ""


def _show(command: Command, given: Arguments) -> Found:
    """`git show HEAD:f > f` is `git checkout HEAD -- f` in other words."""
    written = {
        redirect.target.text.removeprefix("./") for redirect in command.redirects if ">" in redirect.operator
    }
    for word in given.operands:
        path = word.text.partition(":")[2].removeprefix("./")
        if path and path in written:
            yield Action.DISCARD_GIT_WORK, "checkout-paths", path


DISCARDS: Mapping[str, Subcommand] = {
    "reset": _reset,
    "clean": _clean,
    "checkout": _checkout,
    "switch": _switch,
    "restore": _restore,
    "stash": _stash,
    "rm": _remove,
    "read-tree": _read_tree,
    "checkout-index": _checkout_index,
    "apply": _apply,
    "show": _show,
    "cat-file": _show,
}
