"""Where agents keep what decides about them: settings, hooks, plugins, lists of servers."""

from __future__ import annotations

import re
from collections.abc import Iterable

from fairlead.model.decision import Decision
from fairlead.model.hook import Evidence, Outcome
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.protected.hook_switches import NAMES

_FOLDERS = (
    r"\.claude|\.codex|\.gemini(?:/(?:config|antigravity(?:-cli)?))?|\.qwen|\.llxprt|\.copilot|\.cursor|\.codeium/windsurf"
    r"|\.windsurf|\.factory|\.kiro|\.augment|\.kimi(?:-code)?|\.amp|\.?opencode|\.crush|\.goose|\.cline|\.clinerules|\.roo|\.kilo(?:code)?"
    r"|\.amazonq|\.aws/amazonq|\.continue|\.junie|\.trae|\.iflow|\.antigravity|\.agents?"
    r"|\.config/(?:opencode|amp|goose|crush|github-copilot|kilo|llxprt-code)|Library/Preferences/llxprt-code"
)
"""Folders that belong to one agent each, in a home or in a project."""
_NAMES = (
    r"(?:managed[-_])?settings(?:\.[\w-]+)?\.(?:jsonc?|ya?ml|toml)|settings/.+|config\.(?:toml|jsonc?|ya?ml|ts)"
    r"|hooks?(?:\.(?:jsonc?|ya?ml|toml)|/.*)?|plugins?(?:/.*)?|extensions?(?:/.*)?|policies(?:/.*)?"
    r"|mcp(?:[-_](?:config|settings|servers))?\.json|mcp/.+\.json|permissions?\.(?:jsonc?|ya?ml)|cli(?:-config)?\.json"
    r"|\.env|(?:trustedFolders|trusted_hooks)\.json|(?:opencode|kilo|crush)\.jsonc?|skills/[^/]+/hooks(?:/.*)?"
)
"""What decides in any of them; commands, skills, rules for reading and notes do not."""
_DECIDING = lazy(_NAMES, re.IGNORECASE)
_FOR_HOOKS = ("hooks", "plugin", "plugins")
"""Folders in which every file counts."""
_IN_FOLDERS = lazy(rf"/(?:{_FOLDERS})/(?:{_NAMES})$", re.IGNORECASE)
_ELSEWHERE = lazy(
    r"/\.codex/rules/.+$|/\.kiro/agents/.+$|/\.github/(?:copilot/settings(?:\.local)?\.json|hooks(?:/.*)?)$"
    r"|/Documents/Cline/Hooks(?:/.*)?$|/\.claude\.json$|/\.mcp\.json$|/\.?(?:opencode|kilo|crush)\.jsonc?$|/hook\.meta\.ya?ml$"
    r"|/(?:claude_desktop_config|cline_mcp_settings|mcp_settings|mcp_config)\.json$|/\.vscode/(?:settings|tasks|mcp)\.json$"
    r"|/(?:Code|Cursor|VSCodium|Windsurf)[^/]*/User/(?:profiles/[^/]+/)?mcp\.json$|/github-copilot/intellij/mcp\.json$"
    r"|/\.github/mcp\.json$|/\.air/mcp\.json$"
    r"|/etc/(?:claude-code|codex|gemini-cli|qwen-code|llxprt-code|github-copilot|opencode|kilo|augment|cursor|windsurf)/.*$"
    r"|/Library/Application Support/(?:ClaudeCode/.*|(?:GeminiCli|QwenCode|opencode)/.*|(?:Cursor|Windsurf)/hooks\.json)$",
    re.IGNORECASE,
)
_WHOLE = lazy(
    r"/\.(?:claude|codex|gemini|qwen|cursor|factory|kiro|copilot|augment|windsurf|amp|opencode|kilo|kilocode|cline|clinerules|kimi(?:-code)?"
    r"|llxprt|config/(?:llxprt-code|opencode|amp|kilo))$"
)
_EDITOR = lazy(r"/(?:\.vscode|(?:Code|Cursor|VSCodium|Windsurf)[^/]*/User|\.?zed)/settings\.json$")
_APPROVES = lazy(
    r"[\"'](?:chat\.tools\.[\w.]{0,60}auto_?approve|chat\.agent\.[\w.]{0,60}auto_?approve|github\.copilot\.[\w.]{0,60}auto_?approve"
    r"|always_allow_tool_actions|claudeCode\.allowDangerouslySkipPermissions|[\w.-]{0,60}\b(?:yolo|autoRun|autoExecut\w{1,9})"
    r"(?:Mode|Enabled)?)[\"']\s{0,20}:(?!\s{0,20}(?:false|\{\s{0,20}\}|\[\s{0,20}\]|[\"']off))",
    re.IGNORECASE,
)


def is_agent_settings(path: str) -> bool:
    return bool(_IN_FOLDERS.search(path) or _ELSEWHERE.search(path) or _WHOLE.search(path))


def is_beside(path: str, installed: Iterable[str]) -> bool:
    """Whether it decides about an agent that keeps its settings elsewhere, where `install` found them."""
    for file in installed:
        folder, _, _ = file.rpartition("/")
        if path == file:
            return True
        if path.startswith(f"{folder}/"):
            whole = folder.rpartition("/")[2].lower() in _FOR_HOOKS
            if whole or _DECIDING.fullmatch(path[len(folder) + 1 :]):
                return True
    return False


def is_agent_folder(path: str) -> bool:
    """The folder as a whole: to make it changes nothing."""
    return bool(_WHOLE.search(path))


def is_editor_settings(path: str) -> bool:
    """Mostly about tabs and fonts; what counts is what is written there."""
    return bool(_EDITOR.search(path))


_SERVERS = lazy(r"[\"'](?:context_servers|mcp)[\"']\s{0,20}:\s{0,20}\{\s{0,200}[^\s}]")
"""In the settings of Zed, and in those of older versions of VS Code."""


def approves_tools(paths: Iterable[str], text: str) -> Outcome | None:
    """A question, if the text lets the agent of an editor go on without one, or brings it a server."""
    if not any(map(is_editor_settings, paths)):
        return None
    found = _APPROVES.search(text)
    if found is not None:
        reason = "This setting lets an agent use its tools without asking; it is the person's to change."
        return _editor_question(found[0], reason, "An editor's agent would no longer ask before it acts.")
    found = _SERVERS.search(text)
    if found is not None:
        reason = "This setting starts MCP servers for the agent of an editor; it is the person's to change."
        return _editor_question(
            found[0], reason, "An editor's agent would get tools of a program that it names."
        )
    return None


_SWITCH = lazy(rf"(?:^|[\s'\";])({NAMES})\s{{0,20}}=", re.MULTILINE)


def starts_without_hooks(paths: Iterable[str], text: str) -> Outcome | None:
    """A refusal, if agents that read this file of variables would start without their hooks."""
    if not any(path.rpartition("/")[2].startswith(".env") for path in paths):
        return None
    found = _SWITCH.search(text)
    if found is None:
        return None
    return Outcome(
        decision=Decision.BLOCK,
        reason=f"{found[1]} makes an agent start without its hooks wherever it reads this file.",
        rule="self-protection/agent-without-hooks",
        system_message="Agents that are started here would no longer be guarded.",
        evidence=(Evidence(found[1], detail="in a file of variables that agents read"),),
        alternative="Leave that variable out.",
    )


def _editor_question(shown: str, reason: str, person: str) -> Outcome:
    return Outcome(
        decision=Decision.ASK,
        reason=reason,
        rule="self-protection/agent-settings",
        system_message=person,
        evidence=(Evidence(shown[:80], detail="in the settings of an editor"),),
        alternative="Show the setting to the person.",
    )
