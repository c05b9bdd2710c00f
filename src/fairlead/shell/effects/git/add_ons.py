"""Subcommands of git that move refs, keep large files, or work on other trees than the one at hand."""

from __future__ import annotations

from collections.abc import Mapping

from fairlead.shell.arguments import Arguments
from fairlead.shell.effects.effect import Action
from fairlead.shell.effects.git.subcommand import Found, Subcommand
from fairlead.shell.script import Command


def _first(given: Arguments) -> str:
    return given.operands[0].text if given.operands else ""


def _worktree(command: Command, given: Arguments) -> Found:
    if _first(given) == "remove" and given.has("-f", "--force"):
        yield Action.DISCARD_GIT_WORK, "worktree-remove", ""


def _submodule(command: Command, given: Arguments) -> Found:
    if _first(given) in ("deinit", "update") and given.has("-f", "--force"):
        yield Action.DISCARD_GIT_WORK, "submodule-deinit", ""


def _fetch(command: Command, given: Arguments) -> Found:
    """`git fetch origin +main:main` moves a branch of this repository, whatever was on it."""
    moved = [
        word.text for word in given.operands[1:] if ":" in word.text and "refs/remotes/" not in word.text
    ]
    if moved and (given.has("-f", "--force") or any(text.startswith("+") for text in moved)):
        yield Action.REWRITE_HISTORY, "branch-reset", " ".join(moved)


def _replace(command: Command, given: Arguments) -> Found:
    if given.has("-f", "--force", "--graft", "--edit", "-d", "--delete"):
        yield Action.REWRITE_HISTORY, "filter-branch", ""


def _lfs(command: Command, given: Arguments) -> Found:
    if given.has("--dry-run", "-d"):
        return
    if _first(given) == "prune" and given.has("-f", "--force"):
        yield Action.REWRITE_HISTORY, "prune", ""
    elif _first(given) == "migrate" and any(
        word.text in ("import", "export") for word in given.operands[1:2]
    ):
        yield Action.REWRITE_HISTORY, "filter-branch", ""


def _annex(command: Command, given: Arguments) -> Found:
    if _first(given) in ("drop", "dropunused", "dropkey", "uninit") and given.has("-f", "--force"):
        yield Action.REWRITE_HISTORY, "prune", ""


ADD_ONS: Mapping[str, Subcommand] = {
    "worktree": _worktree,
    "submodule": _submodule,
    "fetch": _fetch,
    "replace": _replace,
    "lfs": _lfs,
    "annex": _annex,
}
