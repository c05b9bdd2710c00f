"""What each agent reads before its user's settings, as data: the file, its locks, and what gets round it.

`tried` is the version of a real client against which every switch of the table was tried; without one, the
form stands in the agent's documentation, and nobody has seen it at work.
"""

from __future__ import annotations

from collections.abc import Mapping

from fairlead.dialects.setup.description import Form
from fairlead.model.value import Value
from fairlead.settings.json_edit import Forced

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


_STARTER = "whoever starts it"
_WRITER = "a file of the user or of a project"


class Managed(Value):
    """One agent's managed form."""

    path: str
    form: ManagedForm = "entries"
    locks: tuple[Forced, ...] = ()
    """Without these, a setting of the user or a project switches the hooks off."""
    only: tuple[Forced, ...] = ()
    """With these, no hook runs but the managed ones: those of the user are dropped too."""
    tried: str = ""
    ways_round: tuple[WayRound, ...] = ()
    missing_client: str = "closed"
    note: str = ""


MANAGED: Mapping[str, Managed] = {
    "claude": Managed(
        "/etc/claude-code/managed-settings.json",
        only=(Forced(("allowManagedHooksOnly",), True),),
        tried="2.1.325",
        note="a running Claude Code takes it up by itself",
    ),
    "codex": Managed(
        "/etc/codex/requirements.toml",
        "codex requirements",
        locks=(Forced(("features", "hooks"), True),),
        only=(Forced(("allow_managed_hooks_only",), True),),
        tried="0.166.0",
    ),
    "gemini": Managed(
        "/etc/gemini-cli/settings.json",
        locks=(Forced(("hooksConfig", "enabled"), True),),
        tried="0.61.0",
        ways_round=(
            WayRound("hooksConfig.disabled: [COMMAND]", _WRITER),
            WayRound("GEMINI_CLI_SYSTEM_SETTINGS_PATH", _STARTER),
        ),
    ),
    "qwen": Managed(
        "/etc/qwen-code/settings.json",
        locks=(Forced(("disableAllHooks",), False),),
        tried="0.24.4",
        ways_round=(
            WayRound("--bare", _STARTER),
            WayRound("--safe-mode", _STARTER),
            WayRound("QWEN_CODE_SYSTEM_SETTINGS_PATH", _STARTER),
        ),
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
        tried="1.18.33",
        ways_round=(
            WayRound("--pure", _STARTER),
            WayRound("OPENCODE_PURE=1", _STARTER),
            WayRound("OPENCODE_TEST_MANAGED_CONFIG_DIR", _STARTER),
        ),
        note="without the plugin's own file its hooks are gone",
    ),
    "cursor": Managed("/etc/cursor/hooks.json"),
    "windsurf": Managed("/etc/windsurf/hooks.json"),
    "auggie": Managed("/etc/augment/settings.json"),
}
TRIED = tuple(agent for agent, managed in MANAGED.items() if managed.tried)


def managed_paths() -> tuple[str, ...]:
    return tuple(managed.path for managed in MANAGED.values())
