"""The hooks that a command of git fires, where the repository keeps them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from shlex import quote
from types import MappingProxyType

from fairlead.shell.following.git.git_repository import repository_around
from fairlead.shell.following.recipe_files.project import Project
from fairlead.shell.following.recipe_files.step import Step
from fairlead.shell.places.paths import absolute
from fairlead.shell.script import Word
from fairlead.shell.word_sets import names

_COMMITTING = ("pre-commit", "prepare-commit-msg", "commit-msg", "post-commit")
_MERGING = ("pre-merge-commit", "prepare-commit-msg", "commit-msg", "post-merge")
_REBASING = ("pre-rebase", "post-checkout", "post-commit", "post-rewrite")
HOOKS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "commit": (*_COMMITTING, "post-rewrite"),
        "cherry-pick": _COMMITTING,
        "revert": _COMMITTING,
        "push": ("pre-push",),
        "checkout": ("post-checkout",),
        "switch": ("post-checkout",),
        "worktree": ("post-checkout",),
        "merge": _MERGING,
        "pull": (*_MERGING, *_REBASING),
        "rebase": _REBASING,
        "am": ("applypatch-msg", "pre-applypatch", "post-applypatch"),
        "gc": ("pre-auto-gc",),
        "reset": ("post-index-change",),
        "stash": ("post-index-change",),
        "send-email": ("sendemail-validate",),
        "p4": ("p4-pre-submit",),
    }
)
"""Commands of git, and the hooks that they fire."""
_SKIPPED = names("pre-commit commit-msg pre-push pre-merge-commit pre-rebase applypatch-msg pre-applypatch")
"""Hooks that `--no-verify` leaves out."""
_UNSURE = (".git/hooks", ".husky", ".githooks")
"""Where hooks may be, if nobody knows the settings of the repository."""


def read_git_hooks(project: Project) -> Iterator[Step]:
    """`project` is where git works; its operands begin with the subcommand."""
    words = [word.text for word in project.operands]
    fired = HOOKS.get(words[0], ()) if words else ()
    if words[:2] == ["hook", "run"]:
        fired = tuple(word for word in words[2:] if not word.startswith("-"))[:1]
    if not fired:
        return
    if _is_unverified(words):
        fired = tuple(name for name in fired if name not in _SKIPPED)
    top, folders = _folders(project)
    for name in fired:
        for folder in folders:
            file = project.file(f"{folder}/{name}")
            if file is None:
                continue
            yield Step(quote(file.path), f"git hook {name}", folder=top)
            break


def _is_unverified(words: list[str]) -> bool:
    short = words[0] == "commit" and any(
        word[:1] == "-" and word[1:2] != "-" and "n" in word.partition("m")[0] for word in words[1:]
    )
    return short or "--no-verify" in words or "--no-veri" in words


def _folders(project: Project) -> tuple[str, list[str]]:
    """The top of the working tree, and the folders in which its hooks are looked for."""
    found = repository_around(project.run, project.state)
    top = found.top if found is not None else project.run.top or project.folder
    told = next((text for text in map(_hooks_path, project.words) if text), "")
    told = told or (found.settings.get("core.hookspath", "") if found is not None else "")
    if told:
        path = f"{project.run.home}{told[1:]}" if told.startswith("~/") else absolute(told, top) or told
        return top, [path.removesuffix("/_"), path] if path.endswith("/.husky/_") else [path]
    if found is not None:
        return top, [f"{found.folder}/hooks"]
    return top, [f"{top}/{each}" for each in _UNSURE]


def _hooks_path(word: Word) -> str:
    key, equals, value = word.text.partition("=")
    return value if equals and key.lower() == "core.hookspath" else ""
