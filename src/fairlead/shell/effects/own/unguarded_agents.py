"""Agents that are started without what guards them, or that change their own settings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from fairlead.shell.effects.effect import Action, Effect, EffectReader
from fairlead.shell.effects.subcommand_tables import Danger, same_reader, shown, subcommand_reader
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.targets import Surroundings
from fairlead.shell.script import Command

_UNGUARDED = lazy(
    r"^--(?:(?:allow-)?dangerously-[\w-]+|(?:dangerously-)?skip-permissions(?:-unsafe)?|yolo|bare|setting-sources"
    r"|allow-all(?:-tools|-paths)?|trust-all(?:-tools)?|no-hooks|disable-hooks|skip-trust|full-auto|always-approve"
    r"|yolo=true|auto-approve(?:-all|-everything)?|autoapprove|auto[-_]run|auto-exec|yes-always|no-confirm"
    r"|(?:permission-mode|approval-mode|approval|mode|sandbox|ask-for-approval)="
    r"(?:bypassPermissions|yolo|danger-full-access|never|auto|full-auto))$"
)
_PAIRS = frozenset(
    (
        *(("--disable", "hooks"), ("-a", "never"), ("--ask-for-approval", "never"), ("--auto", "high")),
        *(("--mode", "auto"), ("--approval-mode", "auto"), ("--approval-mode", "full-auto")),
        *(("--edit-mode", "auto"), ("--autonomy", "high"), ("--confirmation", "never")),
    )
)
_VALUES = ("bypassPermissions", "yolo", "danger-full-access")
_SHORT = {
    **dict.fromkeys(("gemini", "gemini-cli", "qwen", "qwen-code", "crush", "interpreter", "cline"), ("-y",)),
    "cursor-agent": ("-f", "--force"),
    "aider": ("--yes",),
    "aider-chat": ("--yes",),
    "plandex": ("--full",),
    "goose": ("--auto",),
}
"""Options that only for these mean: ask no more."""
_MOVED = lazy(
    r"^(?:HOME|XDG_CONFIG_HOME|CLAUDE_CONFIG_DIR|CODEX_HOME|FAIRLEAD_\w+|(?:GEMINI|QWEN|COPILOT|CURSOR|AMP|OPENCODE|KILO|GOOSE|CRUSH)_(?:CLI_)?(?:HOME|CONFIG\w*)"
    r"|\w*(?:DISABLE|SKIP|NO)_(?:ALL_)?(?:HOOKS|GUARDS?|PERMISSIONS)\w*)$"
)
_OPEN_MODE = lazy(
    r"^(?:GOOSE_MODE|OPENCODE_PERMISSION|KILO_PERMISSION|OPENHANDS_MODE|CRUSH_YOLO|AIDER_YES\w*|CLINE_YOLO\w*)$"
)
_SWITCHED = lazy(
    r"disableAllHooks|approval_policy\s*=\s*.?never|hooks\s*=\s*false|hooksConfig|\"hooks\"\s*:|sandbox_mode\s*=\s*.?danger"
)
_OWN_SETTINGS = (
    Danger("mcp add|add-*|remove|import", "unguarded-agent"),
    Danger(
        "plugin|plugins|extension|extensions|skill|skills install|link|uninstall|disable|remove|update|i",
        "unguarded-agent",
    ),
    Danger("plugin marketplace add|remove", "unguarded-agent"),
    Danger("hooks|hook|features|feature disable|disable-*|remove|delete|off", "unguarded-agent"),
    Danger("trust|permissions|permission add|allow|set|grant", "unguarded-agent"),
)  # fmt: skip
_settings = subcommand_reader(
    Action.CHANGE_GUARD, _OWN_SETTINGS, valued=("-p", "--print", "-s", "--scope", "-t", "--transport", "-m")
)


def _agent(command: Command, where: Surroundings) -> Iterator[Effect]:
    texts = [word.text for word in command.argv[1:]]
    if texts[:2] in (["config", "set"], ["config", "remove"]) and re.search(
        r"hook|permission|sandbox|approval", " ".join(texts)
    ):
        yield Effect(Action.CHANGE_GUARD, "loosen", command, what=shown(command))
    if _asks_for_nothing(command, texts):
        yield Effect(Action.CHANGE_GUARD, "unguarded-agent", command, what=shown(command))
    for effect in _settings(command, where):
        own = any("fairlead" in text for text in texts)
        yield effect.replace(name="loosen") if own else effect


def _asks_for_nothing(command: Command, texts: list[str]) -> bool:
    named = any(_UNGUARDED.match(text) or text in _VALUES for text in texts)
    paired = any(pair in _PAIRS or pair[0] == "--settings" for pair in pairwise(texts))
    short = any(text in _SHORT.get(command.name, ()) for text in texts)
    switched = any(_SWITCHED.search(text) or text.startswith("--settings=") for text in texts)
    moved = any(_MOVED.match(name) for name in command.assignments)
    opened = any(
        _OPEN_MODE.match(name) and re.search(r"^(?:auto|1|true|yes)$|allow", word.text)
        for name, word in command.assignments.items()
    )
    return named or paired or short or switched or moved or opened


_copilot_known = subcommand_reader(
    Action.CHANGE_CLOUD, (Danger("app|env|svc|job|pipeline|task delete", "delete"),)
)
_goose_known = subcommand_reader(Action.CHANGE_DATABASE, (Danger("** reset|down-to", "reset"),))


def _copilot(command: Command, where: Surroundings) -> Iterator[Effect]:
    """Two programs have this name: an agent, and a tool that builds in a cloud."""
    yield from _agent(command, where)
    yield from _copilot_known(command, where)


def _goose(command: Command, where: Surroundings) -> Iterator[Effect]:
    """Two programs have this name: an agent, and one that migrates databases."""
    yield from _agent(command, where)
    yield from _goose_known(command, where)


TABLE: dict[str, EffectReader] = {
    "copilot": _copilot,
    "goose": _goose,
    **same_reader(
        _agent,
        "claude claude-code codex gemini gemini-cli qwen qwen-code cursor-agent droid opencode opencode-ai "
        "kimi kimi-cli auggie amp kiro-cli aider aider-chat crush cline openhands interpreter plandex gptme "
        "kilo kilocode codebuff iflow rovodev acli vibe q",
    ),
}
