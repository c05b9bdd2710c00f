"""What is tried against the managed settings of six real agents, as data: the switch, and what comes of it.

Paths of `files` are below the home of the ordinary user, whose project is `project`. `damage` is a shell line
of root before the agent is started.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from fairlead.dialects.managed.forms import MANAGED
from fairlead.model.value import Value

OPEN, CLOSED = "open", "closed"
CLIENT = "/opt/fairlead/bin/fairlead-hook"
PLUGIN = "/opt/fairlead/plugins/fairlead-hook.js"
HOOKS_OFF = json.dumps({"disableAllHooks": True})
COMMAND = "<command>"
"""In a file: the command of the managed hook, as its own file has it."""


class Try(Value):
    """One switch, or one damage."""

    name: str
    expected: str
    files: Mapping[str, str] = {}
    env: Mapping[str, str] = {}
    args: tuple[str, ...] = ()
    damage: str = ""
    second: bool = False
    """Against the form with its second line."""


def _lined(tried: Try) -> Try:
    """The same against the second line, which closes it."""
    return tried.replace(name=f"{tried.name}, with --second-line", expected=CLOSED, second=True)


def _switch(name: str, expected: str = CLOSED, *, args: tuple[str, ...] = (), **env: str) -> Try:
    return Try(name, expected, args=args, env=env)


def _file(name: str, file: str, text: str, expected: str = CLOSED) -> Try:
    return Try(name, expected, {file: text})


def _damages(agent: str, *, private: str, malformed: str = CLOSED, missing: str = CLOSED) -> tuple[Try, ...]:
    path = MANAGED[agent].path
    return (
        Try("managed file cut off in the middle", malformed, damage=f"truncate -s 100 {path}"),
        Try("managed file readable by root alone", private, damage=f"chmod 600 {path}"),
        Try("our program is gone", missing, damage=f"mv {CLIENT} {CLIENT}.aside"),
        Try("our program is empty", missing, damage=f"truncate -s 0 {CLIENT}"),
        Try("the interpreter is gone", missing, damage="mv /opt/fairlead/env /opt/fairlead/env.aside"),
    )


_CLAUDE = (
    _file("disableAllHooks of the user", ".claude/settings.json", HOOKS_OFF),
    _file("disableAllHooks of the project", "project/.claude/settings.json", HOOKS_OFF),
    _file("disableAllHooks, local", "project/.claude/settings.local.json", HOOKS_OFF),
    _file("allow Bash(*) of the user", ".claude/settings.json", '{"permissions": {"allow": ["Bash(*)"]}}'),
    _switch("--settings disableAllHooks", args=("--settings", HOOKS_OFF)),
    _switch('--setting-sources ""', args=("--setting-sources", "")),
    _switch("--bare", args=("--bare",)),
    _switch("--safe-mode", args=("--safe-mode",)),
    _switch("CLAUDE_CODE_SIMPLE=1", CLAUDE_CODE_SIMPLE="1"),
    Try("managed file empty", OPEN, damage=f"truncate -s 0 {MANAGED['claude'].path}"),
    *_damages("claude", private=OPEN),
)
_HOOKS_FALSE = "[features]\nhooks = false\n"
_CODEX = (
    _file("features.hooks=false of the user", ".codex/config.toml", _HOOKS_FALSE),
    _file("features.hooks=false of the project", "project/.codex/config.toml", _HOOKS_FALSE),
    _switch("-c features.hooks=false", args=("-c", "features.hooks=false")),
    _switch("--disable hooks", args=("--disable", "hooks")),
    _switch("--ignore-user-config", args=("--ignore-user-config",)),
    Try(
        "features.hooks=false, and the lock taken out",
        OPEN,
        {".codex/config.toml": _HOOKS_FALSE},
        damage=f"sed -i '/^hooks = true/d' {MANAGED['codex'].path}",
    ),
    *_damages("codex", private=CLOSED),
)
_NO_CONFIG = json.dumps({"hooksConfig": {"enabled": False}})
_LEFT_OUT = json.dumps({"hooksConfig": {"disabled": [COMMAND]}})
_GEMINI_OPEN = (
    _file("hooksConfig.disabled of the user", ".gemini/settings.json", _LEFT_OUT, OPEN),
    _file("hooksConfig.disabled of the project", "project/.gemini/settings.json", _LEFT_OUT, OPEN),
    _switch("GEMINI_CLI_SYSTEM_SETTINGS_PATH", OPEN, GEMINI_CLI_SYSTEM_SETTINGS_PATH="/nonexistent"),
    Try(
        'managed file with "hooks": "x"', OPEN, damage=f'echo \'{{"hooks": "x"}}\' > {MANAGED["gemini"].path}'
    ),
)
_GEMINI_ENV = "GEMINI_CLI_SYSTEM_SETTINGS_PATH=/nonexistent\n"
_GEMINI = (
    _file("hooksConfig.enabled=false of the user", ".gemini/settings.json", _NO_CONFIG),
    _file("hooksConfig.enabled=false of the project", "project/.gemini/settings.json", _NO_CONFIG),
    _file(".gemini/.env of the user with the path", ".gemini/.env", _GEMINI_ENV),
    _file(".env of the project with the path", "project/.env", _GEMINI_ENV),
    *_GEMINI_OPEN,
    *map(_lined, _GEMINI_OPEN),
    *_damages("gemini", private=CLOSED),
)
_SAFE = "QWEN_CODE_SAFE_MODE=1\n"
_SAFE_IN_SETTINGS = json.dumps({"env": {"QWEN_CODE_SAFE_MODE": "1"}})
_QWEN = (
    _file("disableAllHooks of the user", ".qwen/settings.json", HOOKS_OFF),
    _file("disableAllHooks of the project", "project/.qwen/settings.json", HOOKS_OFF),
    _file("env QWEN_CODE_SAFE_MODE of the user", ".qwen/settings.json", _SAFE_IN_SETTINGS),
    _file("env QWEN_CODE_SAFE_MODE of the project", "project/.qwen/settings.json", _SAFE_IN_SETTINGS),
    _file("project's .env with QWEN_CODE_SAFE_MODE=1", "project/.env", _SAFE),
    _file("project's .env with QWEN_CODE_SIMPLE=1", "project/.env", "QWEN_CODE_SIMPLE=1\n"),
    _file("project's .env with the path", "project/.env", "QWEN_CODE_SYSTEM_SETTINGS_PATH=/nonexistent\n"),
    _file(".qwen/.env with QWEN_CODE_SAFE_MODE=1, of the project", "project/.qwen/.env", _SAFE, OPEN),
    _file("~/.env with QWEN_CODE_SAFE_MODE=1", ".env", _SAFE, OPEN),
    _switch("QWEN_CODE_SAFE_MODE=1", OPEN, QWEN_CODE_SAFE_MODE="1"),
    _switch("QWEN_CODE_SIMPLE=1", OPEN, QWEN_CODE_SIMPLE="1"),
    _switch("--bare", OPEN, args=("--bare",)),
    _switch("--safe-mode", OPEN, args=("--safe-mode",)),
    _switch("QWEN_CODE_SYSTEM_SETTINGS_PATH", OPEN, QWEN_CODE_SYSTEM_SETTINGS_PATH="/nonexistent"),
    Try('managed file with "hooks": "x"', OPEN, damage=f'echo \'{{"hooks": "x"}}\' > {MANAGED["qwen"].path}'),
    *_damages("qwen", private=CLOSED),
)
_POLICY_D = MANAGED["copilot"].path
_COPILOT = (
    _file("disableAllHooks of the user", ".copilot/settings.json", HOOKS_OFF),
    _file("disableAllHooks of the project", "project/.github/copilot/settings.json", HOOKS_OFF),
    _file("disableAllHooks in .claude/settings.json", "project/.claude/settings.json", HOOKS_OFF),
    _file(
        "disableAllHooks in a hook file",
        "project/.github/hooks/x.json",
        json.dumps({"version": 1, "disableAllHooks": True, "hooks": {}}),
    ),
    Try(
        "disableAllHooks in another policy file",
        CLOSED,
        damage='echo \'{"version": 1, "disableAllHooks": true}\' > /etc/github-copilot/policy.d/a.json',
    ),
    Try("managed file writable by all", OPEN, damage=f"chmod 666 {_POLICY_D}"),
    Try("managed file a link", OPEN, damage=f"mv {_POLICY_D} /opt/x.json; ln -s /opt/x.json {_POLICY_D}"),
    *_damages("copilot", private=OPEN, malformed=OPEN),
)
_OPENCODE_FILE = ".config/opencode/opencode.json"
_AGENT_MAY = json.dumps({"agent": {"build": {"permission": {"*": "allow"}}}})
_NO_PLUGINS = json.dumps({"plugin": []})
_OPENCODE = (
    _file("plugin: [] of the user", ".config/opencode/opencode.json", _NO_PLUGINS),
    _file("plugin: [] of the project", "project/opencode.json", _NO_PLUGINS),
    _switch("OPENCODE_CONFIG_CONTENT plugin: []", OPENCODE_CONFIG_CONTENT=_NO_PLUGINS),
    _switch("--pure", args=("--pure",)),
    _switch("OPENCODE_PURE=1", OPENCODE_PURE="1"),
    _switch("--pure and OPENCODE_PERMISSION", OPEN, args=("--pure",), OPENCODE_PERMISSION='{"*": "allow"}'),
    Try("--pure and permissions of an agent", OPEN, {_OPENCODE_FILE: _AGENT_MAY}, args=("--pure",)),
    _switch("OPENCODE_TEST_MANAGED_CONFIG_DIR", OPEN, OPENCODE_TEST_MANAGED_CONFIG_DIR="/home/dev"),
    Try("our plugin is gone", CLOSED, damage=f"rm {PLUGIN}"),
    Try("our plugin is broken", CLOSED, damage=f"echo '( // fairlead-hook' > {PLUGIN}"),
    *_damages("opencode", private=OPEN),
)
TRIES: Mapping[str, tuple[Try, ...]] = {
    "claude": _CLAUDE,
    "codex": _CODEX,
    "gemini": _GEMINI,
    "qwen": _QWEN,
    "copilot": _COPILOT,
    "opencode": _OPENCODE,
}
