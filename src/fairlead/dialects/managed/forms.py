"""What each agent reads before its user's settings, as data: the file, its locks, and what gets round it.

Paths are those of Linux; `elsewhere` has those of macOS and Windows, which were never tried on either.

`tried` is the version of a real client against which every switch of the table was tried; without one, the
form stands in the agent's documentation, and nobody has seen it at work.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath, PureWindowsPath

from fairlead.dialects.setup.description import Form
from fairlead.model.value import Value
from fairlead.settings.formats.json_edit import Forced, Included

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    ManagedForm = Form | Literal["codex requirements", "opencode managed"]
else:
    ManagedForm = str


class WayRound(Value):
    """A switch with which the agent starts without its managed hooks."""

    switch: str
    by: str
    """Who can use it: whoever starts the agent, or whoever writes a file of the user or a project."""
    second_line_closes: bool = False
    """Whether the agent has no tools that way, where the second line was put there."""


_STARTER = "whoever starts it"
_WRITER = "a file of the user or of a project"


class Managed(Value):
    """One agent's managed form."""

    path: str
    form: ManagedForm = "entries"
    locks: tuple[Lock, ...] = ()
    """Without these, a setting of the user or a project switches the hooks off."""
    only: tuple[Forced, ...] = ()
    """With these, no hook runs but the managed ones: those of the user are dropped too."""
    second: str = ""
    """A file of its own that keeps tools from an agent that asks nobody, and leaves them to one that asks."""
    tried: str = ""
    ways_round: tuple[WayRound, ...] = ()
    missing_client: str = "closed"
    note: str = ""
    elsewhere: Mapping[str, str] = {}
    """The path on other systems, by their names in the room `platforms`; without one, none is known."""


Lock = Forced | Included
WITHHELD = "?*"
"""A permission of OpenCode for every tool, spelled as nobody spells it: our plugin takes it out again, and
without the plugin it holds."""
_QWEN_SWITCHES = ("QWEN_CODE_SAFE_MODE", "QWEN_CODE_SIMPLE")
_APPLE = "/Library/Application Support"
_WINDOWS = "C:\\ProgramData"


MANAGED: Mapping[str, Managed] = {
    "claude": Managed(
        "/etc/claude-code/managed-settings.json",
        only=(Forced(("allowManagedHooksOnly",), True),),
        tried="2.1.325",
        note="a running Claude Code takes it up by itself",
        elsewhere={
            "macos": f"{_APPLE}/ClaudeCode/managed-settings.json",
            "windows": "C:\\Program Files\\ClaudeCode\\managed-settings.json",
        },
    ),
    "codex": Managed(
        "/etc/codex/requirements.toml",
        "codex requirements",
        locks=(Forced(("features", "hooks"), True),),
        only=(Forced(("allow_managed_hooks_only",), True),),
        tried="0.166.0",
        elsewhere={
            "macos": "/etc/codex/requirements.toml",
            "windows": f"{_WINDOWS}\\OpenAI\\Codex\\requirements.toml",
        },
    ),
    "gemini": Managed(
        "/etc/gemini-cli/settings.json",
        locks=(Forced(("hooksConfig", "enabled"), True),),
        second="/etc/gemini-cli/policies/fairlead.toml",
        tried="0.61.0",
        ways_round=(
            WayRound("hooksConfig.disabled: [COMMAND]", _WRITER, second_line_closes=True),
            WayRound("GEMINI_CLI_SYSTEM_SETTINGS_PATH", _STARTER, second_line_closes=True),
        ),
        elsewhere={
            "macos": f"{_APPLE}/GeminiCli/settings.json",
            "windows": f"{_WINDOWS}\\gemini-cli\\settings.json",
        },
    ),
    "qwen": Managed(
        "/etc/qwen-code/settings.json",
        locks=(
            Forced(("disableAllHooks",), False),
            Forced(("env", "QWEN_CODE_SAFE_MODE"), "0"),
            Forced(("env", "QWEN_CODE_SIMPLE"), "0"),
            # an `.env` of a project counts before these; one in `.qwen` is asked for no such list
            Included(("advanced", "excludedEnvVars"), ("DEBUG", "DEBUG_MODE", *_QWEN_SWITCHES)),
        ),
        tried="0.24.4",
        ways_round=(
            WayRound("--bare", _STARTER),
            WayRound("--safe-mode", _STARTER),
            WayRound("QWEN_CODE_SYSTEM_SETTINGS_PATH", _STARTER),
            WayRound("QWEN_CODE_SAFE_MODE=1", _STARTER),
            WayRound("QWEN_CODE_SIMPLE=1", _STARTER),
            WayRound(".qwen/.env and ~/.env with QWEN_CODE_SAFE_MODE=1", _WRITER),
        ),
        elsewhere={
            "macos": f"{_APPLE}/QwenCode/settings.json",
            "windows": f"{_WINDOWS}\\qwen-code\\settings.json",
        },
    ),
    "copilot": Managed(
        "/etc/github-copilot/policy.d/fairlead.json",
        "own document",
        tried="1.0.102",
        note="a file in policy.d that it cannot read is left out without a word",
    ),
    "opencode": Managed(
        "/etc/opencode/opencode.json",
        "opencode managed",
        locks=(Forced(("permission", WITHHELD), "deny"),),
        tried="1.18.33",
        ways_round=(
            WayRound("--pure and OPENCODE_PERMISSION", _STARTER),
            WayRound("--pure and permissions of an agent", f"{_STARTER}, with {_WRITER}"),
            WayRound("OPENCODE_TEST_MANAGED_CONFIG_DIR", _STARTER),
        ),
        note="without its plugin it has no tools",
        elsewhere={
            "macos": f"{_APPLE}/opencode/opencode.json",
            "windows": f"{_WINDOWS}\\opencode\\opencode.json",
        },
    ),
    "cursor": Managed(
        "/etc/cursor/hooks.json",
        elsewhere={"macos": f"{_APPLE}/Cursor/hooks.json", "windows": f"{_WINDOWS}\\Cursor\\hooks.json"},
    ),
    "windsurf": Managed(
        "/etc/windsurf/hooks.json",
        elsewhere={
            "macos": f"{_APPLE}/Windsurf/hooks.json",
            "windows": f"{_WINDOWS}\\Windsurf\\hooks.json",
        },
    ),
    "auggie": Managed("/etc/augment/settings.json"),
}
TRIED = tuple(agent for agent, managed in MANAGED.items() if managed.tried)


def managed_on(system: str) -> Mapping[str, Managed]:
    """The forms as `linux`, `macos` or `windows` has them. Where no path is known, there is no form."""
    if system == "linux":
        return MANAGED
    return {
        agent: _moved(managed, managed.elsewhere[system])
        for agent, managed in MANAGED.items()
        if system in managed.elsewhere
    }


def _moved(managed: Managed, path: str) -> Managed:
    """Its second line stands in the same folder as on Linux, in the way that the system writes paths."""
    if not managed.second:
        return managed.replace(path=path)
    pure = PureWindowsPath if "\\" in path else PurePosixPath
    beside = PurePosixPath(managed.second).relative_to(PurePosixPath(managed.path).parent)
    return managed.replace(path=path, second=str(pure(path).parent.joinpath(*beside.parts)))
