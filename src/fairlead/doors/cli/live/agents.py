"""How each agent is started without a terminal, with a played model for its own. One entry per agent."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping

from fairlead.doors.cli.live.played_model import Shells
from fairlead.doors.cli.live.stage import Document, Stage, about_hooks
from fairlead.model.event_name import EventName, event_named
from fairlead.model.failure import NOTHING
from fairlead.model.value import Value

KEY = "not-a-key"
"""What the played model is given in place of a key. It does not look at it."""
_PROMPT = "Run the commands of this check."


class Recipe(Value):
    """All permissions are given: what is then refused, the hooks have refused."""

    words: Callable[[Stage], list[str]]
    environment: Callable[[Stage], Mapping[str, str]]
    shells: Shells
    settings: Callable[[Stage], Mapping[str, Document]] = lambda stage: {}
    service: Mapping[str, object] = NOTHING
    """What the vendor's service would answer beside the model, by the end of the address."""
    keeps: Callable[[str], bool] = about_hooks
    """Which parts of the user's settings count, by their name at the top."""


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


def _command(**more: object) -> Callable[[str], Mapping[str, object]]:
    return lambda command: {"command": command, **more}


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


_CLAUDE = Recipe(
    words=lambda stage: [
        "-p",
        _PROMPT,
        "--model",
        "claude-sonnet-4-5",
        "--strict-mcp-config",
        "--dangerously-skip-permissions",
    ],
    environment=_claude_environment,
    shells={"Bash": _command(description="canary")},
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


_CODEX = Recipe(
    words=lambda stage: [
        "exec",
        "--skip-git-repo-check",
        "--dangerously-bypass-approvals-and-sandbox",
        "-C",
        stage.project,
        _PROMPT,
    ],
    environment=lambda stage: {"CANARY_KEY": KEY},
    shells={
        "exec_command": lambda command: {"cmd": command},
        "shell_command": _command(),
        "shell": lambda command: {"command": ["bash", "-c", command]},
    },
    settings=_codex_settings,
)

_QUIET: Document = {
    "telemetry": {"enabled": False},
    "privacy": {"usageStatisticsEnabled": False},
    "general": {"enableAutoUpdate": False, "disableAutoUpdate": True},
    "tools": {"useRipgrep": False},
}

_GEMINI = Recipe(
    words=lambda stage: ["-p", _PROMPT, "-m", "gemini-2.5-pro", "--yolo"],
    environment=lambda stage: {
        "GEMINI_API_KEY": KEY,
        "GOOGLE_GEMINI_BASE_URL": stage.url,
        "GEMINI_CLI_NO_RELAUNCH": "true",
        "GEMINI_CLI_TRUST_WORKSPACE": "true",
    },
    shells={"run_shell_command": _command(description="canary")},
    settings=lambda stage: {
        f"{stage.home}/.gemini/settings.json": {
            **_QUIET,
            "security": {"auth": {"selectedType": "gemini-api-key"}},
        }
    },
)

_QWEN = Recipe(
    words=lambda stage: [
        "--auth-type",
        "openai",
        "--openai-api-key",
        KEY,
        "--openai-base-url",
        f"{stage.url}/v1",
        "-m",
        "canary",
        "--yolo",
        "-p",
        _PROMPT,
    ],
    environment=lambda stage: {"QWEN_CODE_NO_RELAUNCH": "true", "QWEN_TELEMETRY_ENABLED": "false"},
    shells={"run_shell_command": _command(description="canary", is_background=False)},
    settings=lambda stage: {
        f"{stage.home}/.qwen/settings.json": {
            **_QUIET,
            "security": {"auth": {"selectedType": "openai"}, "folderTrust": {"enabled": False}},
        }
    },
)


def _copilot_environment(stage: Stage) -> Mapping[str, str]:
    return {
        "COPILOT_OFFLINE": "true",
        "COPILOT_AUTO_UPDATE": "false",
        "COPILOT_MODEL": "gpt-4.1",
        "COPILOT_PROVIDER_TYPE": "openai",
        "COPILOT_PROVIDER_BASE_URL": f"{stage.url}/v1",
        "COPILOT_PROVIDER_API_KEY": KEY,
        "COPILOT_PROVIDER_WIRE_API": "completions",
    }


_COPILOT = Recipe(
    words=lambda stage: [
        "-p",
        _PROMPT,
        "--no-color",
        "--no-auto-update",
        "--disable-builtin-mcps",
        "--allow-all",
        "--trust-folder",
    ],
    environment=_copilot_environment,
    shells={"bash": _command(description="canary", mode="sync", initial_wait=30)},
)


def _opencode_settings(stage: Stage, agent: str = "opencode") -> Mapping[str, Document]:
    """Its plugins also want a package from npm; the variables below say that there is none."""
    model = {"name": "canary", "tool_call": True, "limit": {"context": 100_000, "output": 4_000}}
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "name": "canary",
        "options": {"baseURL": f"{stage.url}/v1", "apiKey": KEY},
        "models": {"canary": model},
    }
    document = {
        "autoupdate": False,
        "share": "disabled",
        "model": "canary/canary",
        "small_model": "canary/canary",
        "enabled_providers": ["canary"],
        "provider": {"canary": provider},
        "permission": {"bash": "allow", "edit": "allow", "external_directory": "allow"},
    }
    return {f"{stage.home}/.config/{agent}/opencode.json": document}


def _opencode_environment(stage: Stage) -> Mapping[str, str]:
    return {
        "NPM_CONFIG_REGISTRY": f"{stage.url}/npm/",
        "NPM_CONFIG_FETCH_RETRIES": "0",
        "OPENCODE_DISABLE_AUTOUPDATE": "1",
        "OPENCODE_DISABLE_DEFAULT_PLUGINS": "1",
        "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
        "OPENCODE_DISABLE_MODELS_FETCH": "1",
        "OPENCODE_DISABLE_SHARE": "1",
    }


_OPENCODE = Recipe(
    words=lambda stage: ["run", "--auto", "--title", "canary", _PROMPT],
    environment=_opencode_environment,
    shells={"bash": _command(description="canary")},
    settings=_opencode_settings,
)


def _kimi_environment(stage: Stage) -> Mapping[str, str]:
    return {
        "KIMI_CODE_NO_AUTO_UPDATE": "1",
        "KIMI_DISABLE_CRON": "1",
        "KIMI_DISABLE_TELEMETRY": "1",
        "KIMI_MODEL_API_KEY": KEY,
        "KIMI_MODEL_BASE_URL": f"{stage.url}/v1",
        "KIMI_MODEL_MAX_CONTEXT_SIZE": "100000",
        "KIMI_MODEL_NAME": "canary",
        "KIMI_MODEL_PROVIDER_TYPE": "openai",
    }


_KIMI = Recipe(
    words=lambda stage: ["-p", _PROMPT],
    environment=_kimi_environment,
    shells={"Bash": _command(description="canary")},
)


def _factory_settings(stage: Stage) -> Mapping[str, Document]:
    model = {
        "model": "canary",
        "displayName": "canary",
        "baseUrl": f"{stage.url}/v1",
        "apiKey": KEY,
        "provider": "generic-chat-completion-api",
        "maxOutputTokens": 4_000,
    }
    return {f"{stage.home}/.factory/settings.json": {"customModels": [model]}}


_FACTORY = Recipe(
    words=lambda stage: [
        "exec",
        "--cwd",
        stage.project,
        "-m",
        "custom:canary-0",
        "--skip-permissions-unsafe",
        _PROMPT,
    ],
    environment=lambda stage: {
        "FACTORY_AIRGAP_ENABLED": "1",
        "FACTORY_API_KEY": KEY,
        "FACTORY_DISABLE_KEYRING": "1",
        "FACTORY_DROID_AUTO_UPDATE_ENABLED": "false",
    },
    shells={"Execute": _command(riskLevel="low", riskLevelReason="canary")},
    settings=_factory_settings,
    keeps=lambda key: about_hooks(key) or event_named(key) is not EventName.OTHER,
)

_KILO = Recipe(
    words=_OPENCODE.words,
    environment=lambda stage: {
        **{name.replace("OPENCODE_", "KILO_"): value for name, value in _opencode_environment(stage).items()},
        "KILO_DISABLE_SESSION_INGEST": "1",
        "KILO_TELEMETRY_LEVEL": "off",
    },
    shells=_OPENCODE.shells,
    settings=lambda stage: _opencode_settings(stage, "kilo"),
)


def _cline_settings(stage: Stage) -> Mapping[str, Document]:
    model = {"provider": "openai-compatible", "apiKey": KEY, "model": "canary", "baseUrl": f"{stage.url}/v1"}
    provider = {"settings": model, "updatedAt": "2026-01-01T00:00:00.000Z", "tokenSource": "manual"}
    document = {
        "version": 1,
        "lastUsedProvider": "openai-compatible",
        "modes": {},
        "providers": {"openai-compatible": provider},
    }
    return {f"{stage.home}/.cline/data/settings/providers.json": document}


_CLINE = Recipe(
    words=lambda stage: ["--json", "-P", "openai-compatible", "-m", "canary", "-c", stage.project, _PROMPT],
    environment=lambda stage: {"CLINE_NO_AUTO_UPDATE": "1", "CLINE_TELEMETRY_DISABLED": "1"},
    shells={"run_commands": lambda command: {"commands": [command]}},
    settings=_cline_settings,
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
_AUGGIE = Recipe(
    words=lambda stage: ["--print", "--output-format", "json", "--instruction", _PROMPT],
    environment=_auggie_environment,
    shells={"launch-process": _command(wait=True, max_wait_seconds=30, cwd=".")},
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

RECIPES: Mapping[str, Recipe] = {
    "claude": _CLAUDE,
    "codex": _CODEX,
    "gemini": _GEMINI,
    "qwen": _QWEN,
    "copilot": _COPILOT,
    "opencode": _OPENCODE,
    "kimi": _KIMI,
    "factory": _FACTORY,
    "kilo": _KILO,
    "cline": _CLINE,
    "auggie": _AUGGIE,
}

_KEPT_VARIABLES = ("PATH", "LANG", "LC_ALL", "SHELL", "USER", "LOGNAME", "NODE_EXTRA_CA_CERTS")
_PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy")
_NEAR = "127.0.0.1,localhost,::1"


def environment_for(recipe: Recipe, stage: Stage) -> dict[str, str]:
    """None of the user's variables but the harmless; every other host is behind a proxy that refuses."""
    return {
        **{name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ},
        **dict.fromkeys(_PROXIES, stage.url),
        "NO_PROXY": _NEAR,
        "no_proxy": _NEAR,
        "HOME": stage.home,
        "TMPDIR": stage.temporary,
        "TERM": "dumb",
        "NO_COLOR": "1",
        **recipe.environment(stage),
    }
