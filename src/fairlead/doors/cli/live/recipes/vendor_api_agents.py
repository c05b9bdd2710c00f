"""Agents that speak the API of their own vendor: Claude Code, Codex CLI, Gemini CLI, Auggie."""

from __future__ import annotations

import json
from collections.abc import Mapping

from fairlead.doors.cli.live.recipes.recipe import KEY, PROMPT, Recipe, command_input
from fairlead.doors.cli.live.stage import Document, Stage

_CLAUDE_LEAVES = frozenset(
    {
        "apiKeyHelper",
        "awsAuthRefresh",
        "awsCredentialExport",
        "enabledPlugins",
        "env",
        "extraKnownMarketplaces",
        "forceLoginMethod",
        "forceLoginOrgUUID",
        "gcpAuthRefresh",
        "mcpServers",
        "model",
        "otelHeadersHelper",
        "permissions",
        "sandbox",
        "statusLine",
    }
)
"""Sign-ins, servers and what would keep the canary from running. All else stays: Claude Code drops a whole
file for one wrong value."""


def _claude_settings(stage: Stage) -> Mapping[str, Document]:
    trusted = {stage.project: {"hasTrustDialogAccepted": True}}
    return {f"{stage.home}/.claude.json": {"hasCompletedOnboarding": True, "projects": trusted}}


def _claude_environment(stage: Stage) -> Mapping[str, str]:
    return {
        "ANTHROPIC_BASE_URL": stage.url,
        "ANTHROPIC_API_KEY": KEY,
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_AUTOUPDATER": "1",
        "DISABLE_ERROR_REPORTING": "1",
        "DISABLE_TELEMETRY": "1",
        "IS_SANDBOX": "1",
    }


CLAUDE = Recipe(
    words=lambda stage: [
        "-p",
        PROMPT,
        "--model",
        "claude-sonnet-4-5",
        "--strict-mcp-config",
        "--dangerously-skip-permissions",
    ],
    environment=_claude_environment,
    shells={"Bash": command_input(description="canary")},
    settings=_claude_settings,
    keeps=lambda key: key not in _CLAUDE_LEAVES,
)


def _codex_settings(stage: Stage) -> Mapping[str, Document]:
    provider = {
        "name": "canary",
        "base_url": f"{stage.url}/v1",
        "wire_api": "responses",
        "env_key": "CANARY_KEY",
        "request_max_retries": 0,
        "stream_max_retries": 0,
        "supports_websockets": False,
    }
    document = {
        "model": "gpt-5.5",
        "model_provider": "canary",
        "model_providers": {"canary": provider},
        "check_for_update_on_startup": False,
        "web_search": "disabled",
        "analytics": {"enabled": False},
        "features": {"plugins": False},
        "projects": {stage.project: {"trust_level": "trusted"}},
    }
    return {f"{stage.home}/.codex/config.toml": document}


CODEX = Recipe(
    words=lambda stage: [
        "exec",
        "--skip-git-repo-check",
        "--dangerously-bypass-approvals-and-sandbox",
        "-C",
        stage.project,
        PROMPT,
    ],
    environment=lambda stage: {"CANARY_KEY": KEY},
    shells={
        "exec_command": lambda command: {"cmd": command},
        "shell_command": command_input(),
        "shell": lambda command: {"command": ["bash", "-c", command]},
    },
    settings=_codex_settings,
)

QUIET: Document = {
    "telemetry": {"enabled": False},
    "privacy": {"usageStatisticsEnabled": False},
    "general": {"enableAutoUpdate": False, "disableAutoUpdate": True},
    "tools": {"useRipgrep": False},
}

GEMINI = Recipe(
    words=lambda stage: ["-p", PROMPT, "-m", "gemini-2.5-pro", "--yolo"],
    environment=lambda stage: {
        "GEMINI_API_KEY": KEY,
        "GOOGLE_GEMINI_BASE_URL": stage.url,
        "GEMINI_CLI_NO_RELAUNCH": "true",
        "GEMINI_CLI_TRUST_WORKSPACE": "true",
    },
    shells={"run_shell_command": command_input(description="canary")},
    settings=lambda stage: {
        f"{stage.home}/.gemini/settings.json": {
            **QUIET,
            "security": {"auth": {"selectedType": "gemini-api-key"}},
        }
    },
)


def _auggie_environment(stage: Stage) -> Mapping[str, str]:
    session = {"accessToken": KEY, "tenantURL": f"{stage.url}/", "scopes": ["read", "write"]}
    return {"AUGMENT_SESSION_AUTH": json.dumps(session), "AUGMENT_DISABLE_AUTO_UPDATE": "1"}


_AUGGIE_MODEL = {
    "name": "canary",
    "internal_name": "canary",
    "suggested_prefix_char_count": 0,
    "suggested_suffix_char_count": 0,
}
AUGGIE = Recipe(
    words=lambda stage: ["--print", "--output-format", "json", "--instruction", PROMPT],
    environment=_auggie_environment,
    shells={"launch-process": command_input(wait=True, max_wait_seconds=30, cwd=".")},
    service={
        "/get-models": {
            "default_model": "canary",
            "languages": [],
            "feature_flags": {"enable_hooks": True},
            "models": [_AUGGIE_MODEL],
        },
        "/agents/list-remote-tools": {"tools": []},
        "/agents/check-tool-safety": {"is_safe": True},
        "/find-missing": {"unknown_memory_names": [], "nonindexed_blob_names": []},
        "/batch-upload": {"blob_names": []},
        "/checkpoint-blobs": {"new_checkpoint_id": "canary"},
        "": {},
    },
)
