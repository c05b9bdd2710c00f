"""Agents that speak the API of chat completions, which most models can be had by."""

from __future__ import annotations

from collections.abc import Mapping

from fairlead.doors.cli.live.recipes.recipe import KEY, PROMPT, Recipe, command_input
from fairlead.doors.cli.live.recipes.vendor_api_agents import QUIET
from fairlead.doors.cli.live.stage import Document, Stage, about_hooks
from fairlead.model.event_name import EventName, event_named

QWEN = Recipe(
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
        PROMPT,
    ],
    environment=lambda stage: {"QWEN_CODE_NO_RELAUNCH": "true", "QWEN_TELEMETRY_ENABLED": "false"},
    shells={"run_shell_command": command_input(description="canary", is_background=False)},
    settings=lambda stage: {
        f"{stage.home}/.qwen/settings.json": {
            **QUIET,
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


COPILOT = Recipe(
    words=lambda stage: [
        "-p",
        PROMPT,
        "--no-color",
        "--no-auto-update",
        "--disable-builtin-mcps",
        "--allow-all",
        "--trust-folder",
    ],
    environment=_copilot_environment,
    shells={"bash": command_input(description="canary", mode="sync", initial_wait=30)},
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


OPENCODE = Recipe(
    words=lambda stage: ["run", "--auto", "--title", "canary", PROMPT],
    environment=_opencode_environment,
    shells={"bash": command_input(description="canary")},
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


KIMI = Recipe(
    words=lambda stage: ["-p", PROMPT],
    environment=_kimi_environment,
    shells={"Bash": command_input(description="canary")},
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


FACTORY = Recipe(
    words=lambda stage: [
        "exec",
        "--cwd",
        stage.project,
        "-m",
        "custom:canary-0",
        "--skip-permissions-unsafe",
        PROMPT,
    ],
    environment=lambda stage: {
        "FACTORY_AIRGAP_ENABLED": "1",
        "FACTORY_API_KEY": KEY,
        "FACTORY_DISABLE_KEYRING": "1",
        "FACTORY_DROID_AUTO_UPDATE_ENABLED": "false",
    },
    shells={"Execute": command_input(riskLevel="low", riskLevelReason="canary")},
    settings=_factory_settings,
    keeps=lambda key: about_hooks(key) or event_named(key) is not EventName.OTHER,
)

KILO = Recipe(
    words=OPENCODE.words,
    environment=lambda stage: {
        **{name.replace("OPENCODE_", "KILO_"): value for name, value in _opencode_environment(stage).items()},
        "KILO_DISABLE_SESSION_INGEST": "1",
        "KILO_TELEMETRY_LEVEL": "off",
    },
    shells=OPENCODE.shells,
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


CLINE = Recipe(
    words=lambda stage: ["--json", "-P", "openai-compatible", "-m", "canary", "-c", stage.project, PROMPT],
    environment=lambda stage: {"CLINE_NO_AUTO_UPDATE": "1", "CLINE_TELEMETRY_DISABLED": "1"},
    shells={"run_commands": lambda command: {"commands": [command]}},
    settings=_cline_settings,
)
