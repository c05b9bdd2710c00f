"""The middleware `approve-safe-operations`: a reviewed list of what only reads. Off unless a policy names it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.hook import HookType, Outcome
from fairlead.model.installation import NOWHERE, Installation
from fairlead.model.tool_call import ToolKind
from fairlead.packs.earlier.since_before import since_before
from fairlead.packs.judging.call_effects import Call, read_call
from fairlead.packs.judging.git_state import Inquiry
from fairlead.packs.judging.judge import find_matches
from fairlead.packs.judging.pack_table import PACKS
from fairlead.packs.rule import Level, Scene
from fairlead.sessions.memory import NO_MEMORIES, Memories
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.targets import Place
from fairlead.shell.programs.lookup import SHIPPED, Programs
from fairlead.shell.script import Command
from fairlead.shell.word_sets import names

_READING_TOOLS = frozenset((ToolKind.READ, ToolKind.SEARCH, ToolKind.LIST))
_INSIDE = frozenset((Place.PROJECT, Place.PROJECT_ROOT, Place.GENERATED, Place.TEMPORARY, Place.SINK))
_ANY_FLAGS = names(
    """
    ls pwd cat head tail wc cut tr grep egrep fgrep stat du df basename dirname realpath readlink true false
    test [ diff cmp comm nl md5sum sha1sum sha256sum uname whoami id echo printf type which fold rev column paste
    """
)
"""Programs that read and print, whatever their options."""

_FORBIDDEN: dict[str, str] = {
    "sort": r"^-o|^--output|^--compress-program|^-T|^--temporary-directory|^--files0-from",
    "rg": r"^--pre|^--hostname-bin|^-z$|^--search-zip",
    "find": r"^-(?:exec|execdir|ok|okdir|delete|fprint|fprintf|fprint0|fls)$",
    "fd": r"^-[a-zA-Z]*[xX]|^--exec",
    "tree": r"^-o|^--output",
    "date": r"^-s|^--set",
    "file": r"^-C|^--compile",
    "jq": r"^--run-tests",
}
_GIT = names(
    """
    status log diff show blame ls-files rev-parse describe shortlog ls-tree cat-file rev-list merge-base name-rev
    count-objects version whatchanged grep
    """
)
_GIT_FORBIDDEN = lazy(
    r"^--output|^--ext-diff|^--textconv|^-O|^--open-files-in-pager|^--exec|^-c$|^--upload-pack"
)
_GIT_LISTING = {
    "branch": names("-a -r -v -vv --list --all --show-current"),
    "tag": names("-l --list"),
    "remote": names("-v"),
}
_VERSIONS = names(
    "python python3 node npm cargo rustc go java ruby php gcc make cmake docker git pip uv pnpm yarn deno bun"
)


def approve_safe_operations(
    event: Event,
    config: Mapping[str, object],
    previous: Sequence[Outcome],
    installation: Installation = NOWHERE,
    programs: Programs = SHIPPED,
    memories: Memories = NO_MEMORIES,
) -> Outcome | None:
    """APPROVE where every part of the call is known to only read; no opinion on anything else."""
    call = read_call(event, installation, programs)
    if call is None or event.tool is None:
        return None
    safe = _safe_script(call) if call.is_shell else event.tool.kind in _READING_TOOLS and _inside(call)
    memory = memories.of(event)
    call = since_before(call, memory)
    scene = Scene(call.script, call.where, Inquiry(), Level.PARANOID, memory)
    if not safe or any(True for _ in find_matches(call.effects, tuple(PACKS), scene)):
        return None
    return Outcome(
        decision=Decision.APPROVE,
        reason="It only reads, and only what is in the project.",
        type=HookType.AUTHORIZATION,
        rule="safe-operations/read-only",
    )


def _inside(call: Call) -> bool:
    return bool(call.effects) and all(effect.target_place in _INSIDE for effect in call.effects)


def _safe_script(call: Call) -> bool:
    script = call.script
    if not script.commands or script.opaque or script.code:
        return False
    if any(effect.target is not None and effect.target_place not in _INSIDE for effect in call.effects):
        return False
    return all(_safe(command) for command in script.commands)


def _safe(command: Command) -> bool:
    if not command.argv or command.assignments or command.wrappers or "/" in command.argv[0].text:
        return False
    if not all(word.known for word in command.argv) or not all(map(_harmless_redirect, _redirected(command))):
        return False
    texts = [word.text for word in command.argv[1:]]
    if command.name == "git":
        return _safe_git(texts)
    if command.name == "uniq":
        return sum(not text.startswith("-") for text in texts) <= 1
    if command.name in _FORBIDDEN:
        return not any(re.match(_FORBIDDEN[command.name], text) for text in texts)
    if command.name in _VERSIONS and texts in (["--version"], ["-V"], ["version"]):
        return True
    return command.name in _ANY_FLAGS


def _redirected(command: Command) -> Sequence[tuple[str, str]]:
    return [(redirect.operator, redirect.target.text) for redirect in command.redirects]


def _harmless_redirect(redirect: tuple[str, str]) -> bool:
    operator, target = redirect
    return operator in ("<", "<<", "<<<", "<<-") or target in ("/dev/null", "1", "2", "-")


def _safe_git(texts: Sequence[str]) -> bool:
    words = list(texts)
    while words and words[0] in ("--no-pager", "-P", "--no-optional-locks"):
        words.pop(0)
    if not words or any(_GIT_FORBIDDEN.match(text) for text in words):
        return False
    name, rest = words[0], words[1:]
    checks: dict[str, Callable[[], bool]] = {
        "stash": lambda: rest[:1] in (["list"], ["show"]),
        "config": lambda: rest[:1] in (["--get"], ["--list"], ["-l"], ["get"], ["list"]),
        "reflog": lambda: not rest or rest[0] == "show",
    }
    if name in _GIT_LISTING:
        return all(text in _GIT_LISTING[name] for text in rest)
    return checks[name]() if name in checks else name in _GIT
