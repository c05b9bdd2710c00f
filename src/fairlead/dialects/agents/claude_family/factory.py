"""Factory Droid: nine of Claude's events, with tool names of its own. Told to ask, it runs the command."""

from __future__ import annotations

from fairlead.dialects.agents.claude_family.claude_answers import ClaudeFamilyDialect, Family, Manners, Way
from fairlead.dialects.answers.abilities import INFORM, Can
from fairlead.dialects.payloads.mcp_names import spelled
from fairlead.dialects.payloads.payload_layout import Layout
from fairlead.dialects.payloads.sent_calls import SentCall
from fairlead.dialects.setup.description import HookFile, Setup, Switch
from fairlead.model.tool_call import ToolKind

KINDS = {
    "Execute": ToolKind.SHELL,
    "Create": ToolKind.WRITE,
    "Write": ToolKind.WRITE,
    "Edit": ToolKind.EDIT,
    "MultiEdit": ToolKind.EDIT,
    "ApplyPatch": ToolKind.PATCH,
    "Read": ToolKind.READ,
    "LS": ToolKind.LIST,
    "Glob": ToolKind.LIST,
    "Grep": ToolKind.SEARCH,
    "FetchUrl": ToolKind.FETCH,
    "WebSearch": ToolKind.WEB_SEARCH,
    "Task": ToolKind.SUBAGENT,
    "Skill": ToolKind.SKILL,
    "TodoWrite": ToolKind.TODO,
}

_INFORM = Manners(Way.NOTICE, INFORM.replace(halt=True, message=True))
_TURN_END = Manners(Way.BLOCK, Can(halt=True, message=True, turn_end=True))
_GATE = Can(context=True, halt=True, message=True)
_EVENTS = {
    "PreToolUse": Manners(Way.PERMISSION, _GATE.replace(approve=True, rewrite=True)),
    "PostToolUse": Manners(Way.BLOCK, _GATE),
    "UserPromptSubmit": Manners(Way.BLOCK, _GATE),
    "SessionStart": Manners(Way.NOTICE, INFORM.replace(context=True, halt=True, message=True)),
    "SessionEnd": _INFORM,
    "Notification": _INFORM,
    "PreCompact": Manners(Way.BLOCK, Can(halt=True, message=True)),
    "Stop": _TURN_END,
    "SubagentStop": _TURN_END,
}


_MCP = "<server>___<name>"
"""A server's name may hold fewer underscores, a tool's may hold any."""

DIALECT = ClaudeFamilyDialect(
    Layout("factory", KINDS, root_variables=("FACTORY_PROJECT_DIR",), mcp=spelled(_MCP)),
    Family("factory", _EVENTS),
)

# as it sends its calls

CALLS = (
    SentCall("Execute", {"command": "<command>"}),
    SentCall("Create Write", {"file_path": "<path>", "content": "<content>"}),
    SentCall("Edit", {"file_path": "<path>", "old_str": "<old>", "new_str": "<content>"}),
    SentCall("MultiEdit", {"file_path": "<path>", "edits": [{"old_str": "<old>", "new_str": "<content>"}]}),
    SentCall("ApplyPatch", {"input": "<patch>"}),
    SentCall("Read", {"file_path": "<path>"}),
    SentCall("Grep Glob", {"pattern": "<query>", "path": "<path>"}),
    SentCall("LS", {"directory_path": "<path>"}),
    SentCall("FetchUrl", {"url": "<url>"}),
    SentCall(_MCP, "<arguments>"),
)

# as it is set up

SETUP = Setup(
    (
        HookFile(".factory", "settings.json", ".factory/settings.json"),
        # It has the events at its top, and each of them hides the one in `settings.json`.
        HookFile(
            ".factory",
            "hooks.json",
            ".factory/hooks.json",
            form="entries beside",
            read="with file",
            at=(),
        ),
    ),
    programs=("droid",),
    folders=(".factory",),
    tried="0.215.0",
    switches=(
        Switch(".factory/settings.json", ("hooks", "hooksDisabled"), True),
        Switch(".factory/hooks.json", ("hooksDisabled",), True),
    ),
    unseen=("a neighbour that stands first and says allow undoes a rewrite; `exec` runs no prompt hooks"),
)
