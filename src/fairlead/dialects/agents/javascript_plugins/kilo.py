"""Kilo Code: grown out of OpenCode, with its plugins in folders of its own and some more tools."""

from __future__ import annotations

from fairlead.dialects.agents.javascript_plugins import opencode
from fairlead.dialects.setup.description import HookFile
from fairlead.model.tool_call import ToolKind

_BY_SHAPE = (
    "agent_manager",
    "agent_manager_models",
    "background_process",
    "board_post",
    "board_read",
    "browser_open",
    "cancel_wakeup",
    "kilo_local_recall",
    "notebook_execute",
    "notify_user",
    "plan_enter",
    "plan_exit",
    "schedule_wakeup",
    "send_file",
)
"""Its own tools with an underscore, which would else pass for those of MCP servers."""

KINDS = {
    **opencode.KINDS,
    **dict.fromkeys(_BY_SHAPE, ToolKind.OTHER),
    "semantic_search": ToolKind.SEARCH,
    "suggest": ToolKind.ASK_USER,
}

DIALECT = opencode.spoken_by("kilo", KINDS)
CALLS = opencode.CALLS

# as it is set up

SETUP = opencode.SETUP.replace(
    files=(
        HookFile(
            "kilo",
            "plugin/fairlead.js",
            ".kilo/plugin/fairlead.js",
            "KILO_CONFIG_DIR",
            base="config",
            form="opencode plugin",
        ),
    ),
    programs=("kilo", "kilocode"),
    folders=(".config/kilo", ".kilo"),
    tried="7.7.7",
)
