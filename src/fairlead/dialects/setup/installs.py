"""Where each agent keeps its hooks, and what has to stand there. One entry of a table per agent."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping

from fairlead.dialects.agent_registry import dialect_named
from fairlead.dialects.agents.javascript_plugins.plugin_source import amp_plugin, opencode_plugin
from fairlead.dialects.setup.read_places import is_read
from fairlead.dialects.setup.shell_line import command_line
from fairlead.errors import SettingsError
from fairlead.model.event_name import GATING, event_named
from fairlead.model.value import Value
from fairlead.settings.change import Change, JsonEntries, OwnFile, TomlBlock
from fairlead.settings.json_edit import Beside, Default, Edit, Item

SECONDS = 60
"""How long an agent is told to wait. The client answers by itself long before that."""


class Site(Value):
    """Whose settings: the agent's variables are read as the agent reads them."""

    home: str
    project: str
    environment: Mapping[str, str]
    scope: str = "user"

    def folder(self, variable: str, user: str, project: str) -> str:
        if self.scope == "project":
            return os.path.join(self.project, project)
        moved = self.environment.get(variable, "") if variable else ""
        return moved or os.path.join(self.home, user)


class Client(Value):
    """The command that an agent runs."""

    path: str
    home: str = ""

    def words(self, agent: str, event: str) -> list[str]:
        return [self.path, *(["--home", self.home] if self.home else []), agent, event]

    def line(self, agent: str, event: str) -> str:
        return command_line(self.words(agent, event), agent, event)


Maker = Callable[[Site, Client], list[Change]]


class Install(Value):
    """How one agent is found and set up. `tried` is the version of a real client that was run with it."""

    make: Maker
    programs: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    """Under the home folder: signs that the agent is used here."""
    tried: str = ""
    note: str = ""


def changes_for(agent: str, site: Site, client: Client) -> list[Change]:
    """What has to stand where this machine's agent reads it."""
    every = INSTALLS[agent].make(site, client)
    return [change for change in every if is_read(agent, change.path, home=site.home)]


def hook_files(changes: list[Change]) -> list[str]:
    """Those that hold the hooks. A file of another kind beside them may serve several places."""
    return [change.path for change in changes if type(change) is type(changes[0])]


# --- the forms that agents share ---


def _groups(
    agent: str,
    events: Iterable[str],
    client: Client,
    *,
    timeout: int = SECONDS,
    matchers: tuple[str, ...] = ("",),
) -> tuple[Edit, ...]:
    """Claude's form: hooks.EVENT is a list of groups, each with a matcher and a list of handlers."""
    failure = {"onFailure": "block"} if agent == "claude" else {}
    return tuple(
        Item(
            ("hooks", event),
            {
                **({"matcher": matcher} if matcher else {}),
                "hooks": [
                    {
                        "type": "command",
                        "command": client.line(agent, event),
                        "timeout": timeout,
                        **(failure if event_named(event) in GATING else {}),
                    }
                ],
            },
        )
        for event in events
        for matcher in matchers
    )


def _claude(site: Site, client: Client) -> list[Change]:
    folder = site.folder("CLAUDE_CONFIG_DIR", ".claude", ".claude")
    file = (
        "settings.local.json" if site.scope == "project" else "settings.json"
    )  # the local one is not shared
    events = (
        "PreToolUse",
        "PermissionRequest",
        "PostToolUse",
        "PostToolUseFailure",
        "UserPromptSubmit",
        "SessionStart",
        "SessionEnd",
        "Stop",
        "SubagentStart",
        "SubagentStop",
        "PreCompact",
        "Notification",
        "ConfigChange",
        "PreModelSwitch",
        "Elicitation",
    )
    return [JsonEntries(f"{folder}/{file}", _groups("claude", events, client))]


_CODEX_EVENTS = (
    "PreToolUse",
    "PermissionRequest",
    "PostToolUse",
    "UserPromptSubmit",
    "SessionStart",
    "Stop",
    "SubagentStart",
    "SubagentStop",
    "PreCompact",
)


def _codex(site: Site, client: Client) -> list[Change]:
    """Codex runs no hook that was not reviewed: its own record of a review is written along."""
    from fairlead.dialects.setup.codex_review import trust_block

    folder = site.folder("CODEX_HOME", ".codex", ".codex")
    trust_folder = site.replace(scope="user").folder("CODEX_HOME", ".codex", ".codex")
    hooks = JsonEntries(f"{folder}/hooks.json", _groups("codex", _CODEX_EVENTS, client))
    config = f"{trust_folder}/config.toml"
    return [hooks, TomlBlock(config, trust_block(hooks, config))]


def _gemini_like(agent: str, folder: str, timeout: int, extra: tuple[Edit, ...] = ()) -> Maker:
    def make(site: Site, client: Client) -> list[Change]:
        events = dialect_named(agent).events
        kept = [event for event in events if event not in _SKIPPED]
        where = site.folder("", folder, folder)
        return [
            JsonEntries(f"{where}/settings.json", (*extra, *_groups(agent, kept, client, timeout=timeout)))
        ]

    return make


_SKIPPED = frozenset(
    {
        "AfterModel",
        "BeforeToolSelection",
        "MessageDisplay",
        "InstructionsLoaded",
        "PostToolBatch",
        "SessionDelete",
    }
)
"""Events that fire many times a turn and that nothing of ours needs."""

_LLXPRT_SWITCHES = (Default(("hooksConfig", "enabled"), True), Default(("tools", "enableHooks"), True))


def _llxprt(site: Site, client: Client) -> list[Change]:
    """Newer ones keep the user's settings elsewhere, and read the older folder once."""
    old = _gemini_like("llxprt", ".llxprt", SECONDS * 1000, _LLXPRT_SWITCHES)(site, client)
    if site.scope == "project":
        return old
    usual = "Library/Preferences" if sys.platform == "darwin" else ".config"
    folder = site.environment.get("XDG_CONFIG_HOME", "") or os.path.join(site.home, usual)
    folder = site.folder("LLXPRT_CONFIG_HOME", os.path.join(folder, "llxprt-code"), "")
    return [*old, *(change.replace(path=f"{folder}/settings.json") for change in old)]


def _copilot(site: Site, client: Client) -> list[Change]:
    events = (
        "preToolUse",
        "permissionRequest",
        "postToolUse",
        "postToolUseFailure",
        "userPromptSubmitted",
        "sessionStart",
        "sessionEnd",
        "agentStop",
        "subagentStart",
        "subagentStop",
        "notification",
    )
    entries = {
        event: [{"type": "command", "bash": client.line("copilot", event), "timeoutSec": SECONDS}]
        for event in events
    }
    folder = os.path.join(site.folder("COPILOT_HOME", ".copilot", ".github"), "hooks")
    return [_own_json(f"{folder}/fairlead.json", {"version": 1, "hooks": entries})]


def _vscode(site: Site, client: Client) -> list[Change]:
    events = (
        "PreToolUse",
        "PostToolUse",
        "UserPromptSubmit",
        "SessionStart",
        "SubagentStart",
        "SubagentStop",
        "Stop",
    )
    entries = {
        event: [{"type": "command", "command": client.line("vscode", event), "timeout": SECONDS}]
        for event in events
    }
    folder = os.path.join(site.folder("", ".copilot", ".github"), "hooks")
    return [_own_json(f"{folder}/fairlead-vscode.json", {"hooks": entries})]


def _cursor(site: Site, client: Client) -> list[Change]:
    """Shell and MCP calls are judged at their own events, which can ask; the general one has the others."""
    gates = ("beforeShellExecution", "beforeMCPExecution", "beforeReadFile", "preToolUse", "subagentStart")
    others = ("beforeSubmitPrompt", "postToolUse", "postToolUseFailure", "sessionStart", "sessionEnd", "stop")
    edits: list[Edit] = [Default(("version",), 1)]
    for event in (*gates, *others):
        entry: dict[str, object] = {"command": client.line("cursor", event), "timeout": SECONDS}
        if event in gates:
            entry["failClosed"] = True
        if event == "preToolUse":
            entry["matcher"] = "^(?!Shell$|Read$|MCP:).*"
        edits.append(Item(("hooks", event), entry))
    return [JsonEntries(f"{site.folder('', '.cursor', '.cursor')}/hooks.json", tuple(edits))]


def _windsurf(site: Site, client: Client) -> list[Change]:
    events = (
        "pre_run_command",
        "pre_write_code",
        "pre_read_code",
        "pre_mcp_tool_use",
        "pre_user_prompt",
        "post_run_command",
        "post_write_code",
        "post_mcp_tool_use",
    )
    edits = [
        Item(("hooks", event), {"command": client.line("windsurf", event), "show_output": True})
        for event in events
    ]
    folder = site.folder("", ".codeium/windsurf", ".windsurf")
    return [JsonEntries(f"{folder}/hooks.json", tuple(edits))]


def _kiro(site: Site, client: Client) -> list[Change]:
    triggers = ("PreToolUse", "PostToolUse", "UserPromptSubmit", "SessionStart", "Stop")
    entries = [
        {
            "name": f"fairlead {trigger}",
            "trigger": trigger,
            "action": {"type": "command", "command": client.line("kiro", trigger)},
            "timeout": SECONDS,
            "enabled": True,
        }
        for trigger in triggers
    ]
    folder = site.folder("", ".kiro", ".kiro")
    return [_own_json(f"{folder}/hooks/fairlead.json", {"version": "v1", "hooks": entries})]


def _factory(site: Site, client: Client) -> list[Change]:
    """`hooks.json` has the events at its top, and each of them hides the one in `settings.json`."""
    events = dialect_named("factory").events
    folder = site.folder("", ".factory", ".factory")
    edits = _groups("factory", events, client)
    hiding = tuple(Beside(edit.pointer[1:], edit.value) for edit in edits)
    return [JsonEntries(f"{folder}/settings.json", edits), JsonEntries(f"{folder}/hooks.json", hiding)]


def _auggie(site: Site, client: Client) -> list[Change]:
    """This one matcher is for every tool, those of MCP servers too; others are for the agent's own."""
    tools = ("PreToolUse", "PostToolUse")
    rest = ("PromptSubmit", "SessionStart", "SessionEnd", "Stop", "Notification")
    edits = (
        *_groups("auggie", tools, client, timeout=SECONDS * 1000, matchers=(".*",)),
        *_groups("auggie", rest, client, timeout=SECONDS * 1000),
    )
    return [JsonEntries(f"{site.folder('', '.augment', '.augment')}/settings.json", edits)]


def _kimi(site: Site, client: Client) -> list[Change]:
    import json

    if site.scope == "project":
        raise SettingsError("Kimi has no hooks in a project", hint="install it with --user")
    events = ("PreToolUse", "PostToolUse", "UserPromptSubmit", "SessionStart", "SessionEnd", "Stop")
    commands = {event: json.dumps(client.line("kimi", event), ensure_ascii=False) for event in events}
    blocks = [  # a basic string of TOML has the escapes of JSON
        f'[[hooks]]\nevent = "{event}"\ntimeout = {SECONDS}\ncommand = {command}\n'
        for event, command in commands.items()
    ]
    folders = (site.folder("KIMI_CODE_HOME", ".kimi-code", ""), site.folder("", ".kimi", ""))
    return [TomlBlock(f"{folder}/config.toml", "\n".join(blocks)) for folder in folders]


def _cline(site: Site, client: Client) -> list[Change]:
    events = ("PreToolUse", "PostToolUse", "UserPromptSubmit", "TaskStart", "TaskResume", "PreCompact")
    folder = site.folder("", "Documents/Cline/Hooks", ".clinerules/hooks")
    return [
        OwnFile(f"{folder}/{event}", f"#!/bin/sh\n{client.line('cline', event)}\n".encode(), mode=0o755)
        for event in events
    ]


def _opencode_like(agent: str, variable: str = "") -> Maker:
    """OpenCode, and what grew out of it: the same plugins, each in folders of its own name."""

    def make(site: Site, client: Client) -> list[Change]:
        config = site.environment.get("XDG_CONFIG_HOME", "") or os.path.join(site.home, ".config")
        folder = site.folder(variable, os.path.join(config, agent), f".{agent}")
        return [OwnFile(f"{folder}/plugin/fairlead.js", opencode_plugin(client.words(agent, "")[:-1]))]

    return make


def _amp(site: Site, client: Client) -> list[Change]:
    folder = site.folder("", ".config/amp", ".amp")
    return [OwnFile(f"{folder}/plugins/fairlead.ts", amp_plugin(client.words("amp", "")[:-1]))]


def _antigravity(site: Site, client: Client) -> list[Change]:
    edits: list[Edit] = []
    for event in ("PreToolUse", "PostToolUse", "Stop"):
        handler = {"type": "command", "command": client.line("antigravity", event)}
        edits.append(Item(("fairlead", event), {"matcher": "*", "hooks": [handler]}))
    folder = site.folder("", ".gemini/config", ".agents")
    return [JsonEntries(f"{folder}/hooks.json", (*edits, Default(("fairlead", "enabled"), True)))]


def _own_json(path: str, document: object) -> OwnFile:
    import json

    return OwnFile(path, json.dumps(document, indent=2).encode() + b"\n")


INSTALLS: Mapping[str, Install] = {
    "claude": Install(_claude, ("claude",), (".claude",), tried="2.1.325"),
    "codex": Install(_codex, ("codex",), (".codex",), tried="0.166.0"),
    "gemini": Install(
        _gemini_like("gemini", ".gemini", SECONDS * 1000), ("gemini",), (".gemini",), tried="0.61.0"
    ),
    "qwen": Install(_gemini_like("qwen", ".qwen", SECONDS), ("qwen",), (".qwen",), tried="0.24.4"),
    "copilot": Install(_copilot, ("copilot",), (".copilot",), tried="1.0.102"),
    "opencode": Install(_opencode_like("opencode"), ("opencode",), (".config/opencode",), tried="1.18.33"),
    "kilo": Install(
        _opencode_like("kilo", "KILO_CONFIG_DIR"),
        ("kilo", "kilocode"),
        (".config/kilo", ".kilo"),
        tried="7.7.7",
    ),
    "cursor": Install(_cursor, ("cursor", "cursor-agent"), (".cursor",)),
    "vscode": Install(_vscode, ("code",), (".vscode",)),
    "factory": Install(_factory, ("droid",), (".factory",), tried="0.215.0"),
    "llxprt": Install(_llxprt, ("llxprt",), (".llxprt", ".config/llxprt-code")),
    "auggie": Install(
        _auggie,
        ("auggie",),
        (".augment",),
        tried="0.36.0",
        note="Auggie runs hooks only where Augment's service has switched them on for the account",
    ),
    "cline": Install(_cline, ("cline",), ("Documents/Cline", ".cline"), tried="3.0.65"),
    "windsurf": Install(_windsurf, ("windsurf",), (".codeium/windsurf",)),
    "kiro": Install(_kiro, ("kiro", "kiro-cli"), (".kiro",)),
    "kimi": Install(_kimi, ("kimi",), (".kimi-code", ".kimi"), tried="2.1.0"),
    "amp": Install(_amp, ("amp",), (".config/amp",)),
    "antigravity": Install(_antigravity, ("antigravity",), (".gemini/antigravity",)),
}


READS_TOO: Mapping[str, tuple[tuple[str, str], ...]] = {
    "copilot": (("vscode", "user"), ("vscode", "project"), ("claude", "project")),
    "vscode": (("copilot", "user"), ("copilot", "project"), ("claude", "user"), ("claude", "project")),
    "cursor": (("claude", "user"), ("claude", "project")),
}
"""Whose settings an agent runs beside its own, by agent and scope."""


def found_agents(site: Site, which: Callable[[str], str | None]) -> list[str]:
    """The agents that are used on this machine: their program, or the folder that they keep."""
    return [
        agent
        for agent, install in INSTALLS.items()
        if any(which(program) for program in install.programs)
        or any(os.path.isdir(os.path.join(site.home, folder)) for folder in install.folders)
    ]
