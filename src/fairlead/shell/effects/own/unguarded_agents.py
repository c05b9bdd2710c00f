"""Agents that are started without what guards them, or that change their own settings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from fairlead.shell.effects.effect import Action, Effect, EffectReader
from fairlead.shell.effects.program_effects import shown
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.protected.hook_switches import switches_hooks_off
from fairlead.shell.script import Command

WITHOUT_HOOKS = "agent-without-hooks"
_UNGUARDED = lazy(
    r"^--(?:(?:allow-)?dangerously-[\w-]+|(?:dangerously-)?skip-permissions(?:-unsafe)?|yolo|bare|pure|safe-mode|ignore-user-config|setting-sources"
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
_WITHOUT_HOOKS = lazy(
    r"^--(?:bare|pure|safe-?mode|no-hooks|disable-hooks|ignore-user-config)(?:=(?!false$|0$).*)?$|^--disable=hooks$",
    re.IGNORECASE,
)
_HOOKS_OFF = lazy(
    r"^(?:--config=|-c)?\s{0,9}(?:features\.)?\"?hooks\"?\s{0,9}=\s{0,9}\"?false"
    r"|^(?:--config=|-c)?\s{0,9}features\s{0,9}=.{0,99}hooks\"?\s{0,9}=\s{0,9}\"?false"
    r"|^(?:--settings=)?\s{0,9}\{.*(?:disableAllHooks|hooksConfig)"
)
_ELSEWHERE = ("sudo", "doas", "su", "runuser", "setpriv", "pkexec", "bwrap", "proot", "firejail", "nsjail")
_LOOKS = frozenset(("update", "upgrade", "doctor", "help", "--help", "-h", "--version", "-v", "version"))
_MOVED = lazy(
    r"^(?:HOME|XDG_CONFIG_HOME|CLAUDE_CONFIG_DIR|CODEX_HOME|FAIRLEAD_\w+|(?:GEMINI|QWEN|COPILOT|CURSOR|AMP|OPENCODE|KILO|GOOSE|CRUSH)_(?:CLI_)?(?:HOME|CONFIG\w*)"
    r"|(?:GEMINI_CLI|QWEN_CODE)_SYSTEM_SETTINGS_PATH|OPENCODE_(?:PURE|TEST_\w+)|CLAUDE_CODE_SIMPLE"
    r"|\w*(?:DISABLE|SKIP|NO)_(?:ALL_)?(?:HOOKS|GUARDS?|PERMISSIONS)\w*)$"
)
_OPEN_MODE = lazy(
    r"^(?:GOOSE_MODE|OPENCODE_PERMISSION|KILO_PERMISSION|OPENHANDS_MODE|CRUSH_YOLO|AIDER_YES\w*|CLINE_YOLO\w*)$"
)
_SWITCHED = lazy(
    r"disableAllHooks|approval_policy\s*=\s*.?never|hooks\s*=\s*false|hooksConfig|\"hooks\"\s*:|sandbox_mode\s*=\s*.?danger"
)


def read_agent(command: Command, where: Surroundings, known: EffectReader) -> Iterator[Effect]:
    texts = [word.text for word in command.argv[1:]]
    if texts[:2] in (["config", "set"], ["config", "remove"]) and re.search(
        r"hook|permission|sandbox|approval", " ".join(texts)
    ):
        yield Effect(Action.CHANGE_GUARD, "loosen", command, what=shown(command))
    if _starts_without_hooks(command, texts):
        yield Effect(Action.CHANGE_GUARD, WITHOUT_HOOKS, command, what=shown(command))
    elif _asks_for_nothing(command, texts) or _as_somebody_else(command, texts):
        yield Effect(Action.CHANGE_GUARD, "unguarded-agent", command, what=shown(command))
    for effect in known(command, where):
        own = effect.action is Action.CHANGE_GUARD and any("fairlead" in text for text in texts)
        yield effect.replace(name="loosen") if own else effect


def _starts_without_hooks(command: Command, texts: list[str]) -> bool:
    """By a switch, or where other settings are those of the machine."""
    flagged = any(_WITHOUT_HOOKS.match(text) or _HOOKS_OFF.search(text) for text in texts)
    paired = ("--disable", "hooks") in pairwise(texts)
    elsewhere = any(wrapper.place.startswith("chroot:") for wrapper in command.wrappers)
    return flagged or paired or elsewhere or any(map(switches_hooks_off, command.assignments))


def _as_somebody_else(command: Command, texts: list[str]) -> bool:
    """Or where other files stand: nobody knows whether its hooks are there."""
    if _LOOKS.intersection(texts[:1]):
        return False
    return any(wrapper.name in _ELSEWHERE for wrapper in command.wrappers)


_SWITCHES = lazy(r"^FAIRLEAD_\w*(?:OFF|DISABLE|SKIP|BYPASS|ALLOW|TRUST|IGNORE|MODE|LEVEL|POLICY)")


def set_variables(command: Command) -> Iterator[Effect]:
    """A line that only sets what Fairlead reads from the environment, or one that hopes to switch it off."""
    if any(
        name.startswith("FAIRLEAD_") and (not command.argv or _SWITCHES.match(name))
        for name in command.assignments
    ):
        yield Effect(Action.CHANGE_GUARD, "unguarded-agent", command, what="FAIRLEAD_…")


def _asks_for_nothing(command: Command, texts: list[str]) -> bool:
    named = any(_UNGUARDED.match(text) or text in _VALUES for text in texts)
    paired = any(pair in _PAIRS or pair[0] == "--settings" for pair in pairwise(texts))
    switched = any(_SWITCHED.search(text) or text.startswith("--settings=") for text in texts)
    moved = any(_MOVED.match(name) for name in command.assignments)
    opened = any(
        _OPEN_MODE.match(name) and re.search(r"^(?:auto|1|true|yes)$|allow", word.text)
        for name, word in command.assignments.items()
    )
    return named or paired or switched or moved or opened
