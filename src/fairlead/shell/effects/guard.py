"""Commands that loosen a guard: Fairlead's own, and agents started without one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from fairlead.shell.effects.effect import Action, Effect, EffectReader
from fairlead.shell.effects.options import read_arguments
from fairlead.shell.effects.subcommands import Danger, fits, same_reader, shown, subcommand_reader
from fairlead.shell.script import Command
from fairlead.shell.targets import Surroundings

LOOSENING = (
    "trust|allow|approve|off|disable|uninstall|import|untrust|revoke|install|init|unlock",
    "daemon stop|restart|kill",
    "packs|hooks|pack|hook disable|enable",
    "policy set|edit|import",
    "journal prune|clear|delete|rotate|purge",
    "grants|grant *",
    "exceptions add|allow",
    "config set",
    "dashboard",
)
_UNGUARDED = re.compile(
    r"^--(?:(?:allow-)?dangerously-[\w-]+|allow-all|skip-permissions-unsafe|yolo|bare|no-confirm|setting-sources|allow-all-tools|no-hooks|disable-hooks|skip-permissions|trust-all-tools"
    r"|skip-trust|full-auto|permission-mode=bypassPermissions|approval-mode=yolo)$"
)


_SWITCHES = frozenset(
    (("--disable", "hooks"), ("-a", "never"), ("--ask-for-approval", "never"), ("--auto", "high"))
)


def _fairlead(command: Command, where: Surroundings) -> Iterator[Effect]:
    yield from _own(command, 1)


def _own(command: Command, skipped: int) -> Iterator[Effect]:
    given = read_arguments(command.argv[skipped:], valued=("--home", "--policy", "--root"))
    words = [word.text for word in given.operands]
    if given.has("--help", "-h"):
        return
    if any(not word.known for word in given.operands[:2]) or any(
        fits(path.split(), words) for path in LOOSENING
    ):
        yield Effect(Action.CHANGE_GUARD, "loosen", command, what=shown(command))


def python_module(command: Command) -> Iterator[Effect]:
    """`python -m fairlead off`: the same by another door."""
    texts = [word.text for word in command.argv]
    for index, text in enumerate(texts):
        module = (
            texts[index + 1]
            if text == "-m" and index + 1 < len(texts)
            else text[2:]
            if text.startswith("-m")
            else ""
        )
        if module.split(".")[0] == "fairlead":
            yield from _own(command, index + (2 if text == "-m" else 1))
            return


def _agent(command: Command, where: Surroundings) -> Iterator[Effect]:
    texts = [word.text for word in command.argv[1:]]
    disabled = any(pair in _SWITCHES for pair in pairwise(texts))
    bypass = any(b in ("bypassPermissions", "yolo", "danger-full-access") for b in texts)
    moved = any(
        name in ("HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME", "XDG_CONFIG_HOME", "FAIRLEAD_HOME")
        for name in command.assignments
    )
    switched = any(
        re.search(r"disableAllHooks|approval_policy\s*=\s*.?never|hooks\s*=\s*false|hooksConfig", text)
        for text in texts
    )
    short = {
        "gemini": ("-y",),
        "gemini-cli": ("-y",),
        "qwen": ("-y",),
        "qwen-code": ("-y",),
        "cursor-agent": ("-f", "--force"),
    }.get(command.name, ())
    if any(text in short for text in texts):
        yield Effect(Action.CHANGE_GUARD, "unguarded-agent", command, what=shown(command))
    if texts[:2] in (["config", "set"], ["config", "remove"]) and re.search(
        r"hook|permission|sandbox", " ".join(texts)
    ):
        yield Effect(Action.CHANGE_GUARD, "loosen", command, what=shown(command))
    if moved or switched or disabled or bypass or any(_UNGUARDED.match(text) for text in texts):
        yield Effect(Action.CHANGE_GUARD, "unguarded-agent", command, what=shown(command))


def _hash(command: Command, where: Surroundings) -> Iterator[Effect]:
    """`hash -p /bin/true fairlead-hook` does the same as an alias."""
    if any(word.text.startswith("fairlead") for word in command.argv[2:]):
        yield Effect(Action.CHANGE_GUARD, "loosen", command, what=shown(command))


def _alias(command: Command, where: Surroundings) -> Iterator[Effect]:
    """`alias fairlead-hook=true` puts something else in its place."""
    if any(re.match(r"^fairlead(?:-\w+)?=", word.text) for word in command.argv[1:]):
        yield Effect(Action.CHANGE_GUARD, "loosen", command, what=shown(command))


_copilot_known = subcommand_reader(
    Action.CHANGE_CLOUD, (Danger("app|env|svc|job|pipeline|task delete", "delete"),)
)


def _copilot(command: Command, where: Surroundings) -> Iterator[Effect]:
    """Two programs have this name: an agent, and a tool that builds in a cloud."""
    yield from _agent(command, where)
    yield from _copilot_known(command, where)


TABLE: dict[str, EffectReader] = {
    **same_reader(_fairlead, "fairlead"),
    "alias": _alias,
    "hash": _hash,
    "copilot": _copilot,
    **same_reader(
        _agent,
        "claude claude-code codex gemini gemini-cli qwen qwen-code cursor-agent droid opencode opencode-ai "
        "kimi auggie amp kiro-cli",
    ),
}
