"""The repository around a folder: where it begins, and its own settings."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.shell.expansion.reading import Reading
from fairlead.shell.expansion.redirections import code_text
from fairlead.shell.expansion.state import State
from fairlead.shell.following.git.git_config_text import settings_in
from fairlead.shell.places.paths import absolute
from fairlead.shell.script import Word
from fairlead.shell.word_sets import names

_MOST_LEVELS = 8
_MOST_INCLUDED = 5
_OWN = names(
    """
    add am annotate apply archive bisect blame branch bugreport bundle cat-file check-attr check-ignore
    check-mailmap checkout checkout-index cherry cherry-pick citool clean clone column commit commit-graph
    commit-tree config count-objects credential describe diff diff-files diff-index diff-tree difftool
    fast-export fast-import fetch filter-branch for-each-ref for-each-repo format-patch fsck gc grep gui
    hash-object help hook index-pack init instaweb interpret-trailers lfs log ls-files ls-remote ls-tree
    maintenance merge merge-base merge-file merge-tree mergetool mv name-rev notes pack-objects patch-id
    prune pull push range-diff read-tree rebase reflog remote repack replace request-pull rerere reset
    restore rev-list rev-parse revert rm send-email shortlog show show-branch show-ref sparse-checkout
    stash status stripspace submodule switch symbolic-ref tag unpack-objects update-index update-ref
    update-server-info var verify-commit verify-tag version whatchanged worktree write-tree
    """
)
"""Commands of git's own, which no alias can be."""


class Repository:
    """`top` is where its files begin, `folder` where git keeps its own."""

    __slots__ = ("folder", "settings", "top")

    def __init__(self, top: str, folder: str, settings: dict[str, str]) -> None:
        self.top = top
        self.folder = folder
        self.settings = settings


def repository_around(run: Reading, state: State) -> Repository | None:
    """None where nothing is known of one."""
    for folder in _above(run, state.cwd or ""):
        text = code_text(run, Word(f"{folder}/.git/config"), state, searched=True)
        if isinstance(text, str):
            return Repository(folder, f"{folder}/.git", _settings(run, text, f"{folder}/.git", state))
        linked = code_text(run, Word(f"{folder}/.git"), state, searched=True)
        if isinstance(linked, str) and linked.startswith("gitdir:"):
            shared = linked[len("gitdir:") :].strip().partition("/worktrees/")[0]
            text = code_text(run, Word(f"{shared}/config"), state, searched=True)
            settings = dict(settings_in(text)) if isinstance(text, str) else {}
            return Repository(folder, shared, settings)
    return None


def _settings(run: Reading, text: str, folder: str, state: State) -> dict[str, str]:
    """Those of the file, and of files that it includes."""
    found = dict(settings_in(text))
    included = [value for key, value in settings_in(text) if key == "include.path"]
    for path in included[:_MOST_INCLUDED]:
        full = absolute(f"{run.home}{path[1:]}" if path.startswith("~/") else path, folder)
        more = code_text(run, Word(full), state, searched=True) if full else None
        found.update(settings_in(more) if isinstance(more, str) else ())
    return found


def _above(run: Reading, folder: str) -> Iterator[str]:
    for _ in range(_MOST_LEVELS):
        if folder in ("", run.home) or (run.top and not f"{folder}/".startswith(f"{run.top}/")):
            return
        yield folder
        folder = folder.rpartition("/")[0]


def may_be_alias(subcommand: str) -> bool:
    return bool(subcommand) and subcommand[:1] != "-" and subcommand not in _OWN


def alias_in_repository(run: Reading, subcommand: str, state: State) -> str | None:
    """What the repository's own settings make of a word that is no command of git."""
    found = repository_around(run, state)
    return found.settings.get(f"alias.{subcommand}".lower()) if found is not None else None
