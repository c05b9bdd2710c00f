"""Subcommands of git that rewrite history, or lose the way back to it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from fairlead.shell.arguments import Arguments
from fairlead.shell.effects.effect import Action
from fairlead.shell.effects.git.shared_branches import is_shared_branch
from fairlead.shell.effects.git.subcommand import Found, Subcommand
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.script import Command

_DEPLOYING_REMOTE = lazy(
    r"(?:heroku|dokku|piku|scalingo|clever|gigalixir|production|prod|live|prod-\w+|\w+-prod)$"
)
"""Names that people give to a remote which starts what it is sent."""


def _push(command: Command, given: Arguments) -> Found:
    if given.has("-n", "--dry-run"):
        return
    refspecs = [word.prefix if word.opaque else word.text for word in given.operands[1:]]
    shared = [ref for ref in refspecs if is_shared_branch(ref.lstrip("+").rsplit(":", 1)[-1])]
    forced = "-f" in given.flags or any(
        flag.startswith("--for") and not flag.startswith("--force-") for flag in given.flags
    )
    first = given.operands[0].text if given.operands else ""
    mirrored = given.has("--prune") and any("*" in ref for ref in refspecs)
    if given.has("--mirror") or mirrored:
        yield Action.REWRITE_HISTORY, "push-mirror", ""
    elif forced or any(ref.startswith("+") for ref in (*refspecs, first)):
        yield Action.REWRITE_HISTORY, "push-force", ""
    elif given.has("-d", "--delete", "--prune") or any(
        ref.startswith(":") and ref != ":" for ref in refspecs
    ):
        unknown = any(not word.known for word in given.operands[1:])
        name = "push-delete-shared" if shared or unknown else "push-delete"
        yield Action.REWRITE_HISTORY, name, " ".join(refspecs)
    elif re.match(r"^(?:https?|git|ssh)://|^[\w.-]+@[\w.-]+:", first):
        yield Action.SEND_DATA, "push-address", first
    elif _DEPLOYING_REMOTE.match(first):
        yield Action.CHANGE_CLOUD, "go-live", ""
    elif given.has("--force-with-lease") and shared:
        yield Action.REWRITE_HISTORY, "push-lease-shared", " ".join(shared)


def _branch(command: Command, given: Arguments) -> Found:
    forced = given.has("-f", "--force")
    if given.has("-D") or (given.has("-d", "--delete") and forced):
        deleted = " ".join(word.text or "?" for word in given.operands)
        yield Action.REWRITE_HISTORY, "branch-delete", deleted
    elif forced or given.has("-M", "-C"):
        names = [word.text for word in given.operands]
        if any(is_shared_branch(name) for name in names[-2:]) and forced:
            yield Action.REWRITE_HISTORY, "branch-move", " ".join(names)


def _update_ref(command: Command, given: Arguments) -> Found:
    text = command.stdin.text
    moved = [
        word.text for word in given.operands[:1] if is_shared_branch(word.text) and len(given.operands) > 1
    ]
    if moved and not given.has("-d", "--stdin"):
        yield Action.REWRITE_HISTORY, "branch-move", moved[0]
    if given.has("-d", "--delete") or (given.has("--stdin") and (text is None or "delete" in text)):
        yield Action.REWRITE_HISTORY, "update-ref", ""


def _reflog(command: Command, given: Arguments) -> Found:
    first = given.operands[0].text if given.operands else ""
    if first in ("expire", "delete") and not given.has("--dry-run", "-n"):
        yield Action.REWRITE_HISTORY, "reflog-expire", ""


_SOON = lazy(r"(?:now|all|0|today|.*(?:second|minute|hour)s?\b)", re.I)
"""Ages at which git would drop what was lost today."""


def _gc(command: Command, given: Arguments) -> Found:
    if _SOON.match(given.text("--prune")):
        yield Action.REWRITE_HISTORY, "prune", ""


def _prune(command: Command, given: Arguments) -> Found:
    if not given.has("-n", "--dry-run"):
        yield Action.REWRITE_HISTORY, "prune", ""


def _tag(command: Command, given: Arguments) -> Found:
    if given.has("-d", "--delete") and (len(given.operands) != 1 or not given.operands[0].known):
        yield Action.REWRITE_HISTORY, "tag-delete", ""


def _filter(command: Command, given: Arguments) -> Found:
    if not given.has("--analyze", "--dry-run"):
        yield Action.REWRITE_HISTORY, "filter-branch", ""


HISTORY: Mapping[str, Subcommand] = {
    "push": _push,
    "send-pack": _push,
    "branch": _branch,
    "update-ref": _update_ref,
    "symbolic-ref": _update_ref,
    "reflog": _reflog,
    "gc": _gc,
    "prune": _prune,
    "tag": _tag,
    "filter-branch": _filter,
    "filter-repo": _filter,
}
