"""Claude Code, with all of its events."""

from __future__ import annotations

from collections.abc import Mapping

from fairlead.dialects.agents.claude_family.claude_answers import ClaudeFamilyDialect, Family, Manners, Way
from fairlead.dialects.answers.abilities import INFORM, Can
from fairlead.dialects.payloads.payload_fields import Payload, mapping, text
from fairlead.dialects.payloads.payload_layout import NEEDED, Layout
from fairlead.dialects.payloads.sent_calls import SentCall
from fairlead.dialects.setup.description import HookFile, Setup, Switch
from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.tool_call import COMMON_TOOLS, mcp_parts
from fairlead.model.verdict import Verdict

KINDS = COMMON_TOOLS

_GATE = Can(halt=True, message=True)
_TURN_END = Can(halt=True, message=True, turn_end=True)
_INFORM = INFORM.replace(halt=True, message=True)


def _with_context(can: Can) -> Can:
    return can.replace(context=True)


_EVENTS: dict[str, Manners] = {
    "PreToolUse": Manners(
        Way.PERMISSION, Can(ask=True, approve=True, rewrite=True, context=True, halt=True, message=True)
    ),
    "PermissionRequest": Manners(
        Way.REQUEST,
        _GATE.replace(asks_itself=True, approve=True, rewrite=True),
        extras=(("updatedPermissions", list),),
    ),
    "PermissionDenied": Manners(Way.NONE, _INFORM, extras=(("retry", bool),)),
    "PostToolUse": Manners(
        Way.BLOCK,
        _GATE.replace(context=True, redact=True),
        output="updatedToolOutput",
        extras=(("classifierContext", str),),
    ),
    "PostToolUseFailure": Manners(Way.BLOCK, _with_context(_GATE)),
    "PostToolBatch": Manners(Way.BLOCK, _with_context(_GATE)),
    "UserPromptSubmit": Manners(
        Way.BLOCK,
        _with_context(_GATE),
        extras=(("sessionTitle", str), ("suppressOriginalPrompt", bool)),
    ),
    "UserPromptExpansion": Manners(Way.BLOCK, _with_context(_GATE)),
    "SessionStart": Manners(
        Way.NOTICE,
        _with_context(_INFORM),
        extras=(
            ("initialUserMessage", str),
            ("sessionTitle", str),
            ("watchPaths", list),
            ("reloadSkills", bool),
        ),
    ),
    "Setup": Manners(Way.NOTICE, _with_context(_INFORM)),
    "SessionEnd": Manners(Way.NOTICE, _INFORM),
    "Stop": Manners(Way.BLOCK, _with_context(_TURN_END)),
    "StopFailure": Manners(Way.NONE, _INFORM),
    "SubagentStart": Manners(Way.NOTICE, _with_context(_INFORM)),
    "SubagentStop": Manners(Way.BLOCK, _TURN_END),
    "PreCompact": Manners(Way.BLOCK, _GATE),
    "PostCompact": Manners(Way.NOTICE, _INFORM),
    "PreModelSwitch": Manners(Way.PERMISSION, _GATE.replace(ask=True, approve=True)),
    "PostModelSwitch": Manners(Way.NOTICE, _with_context(_INFORM)),
    "Notification": Manners(Way.NONE, _with_context(_INFORM)),
    "TeammateIdle": Manners(Way.BLOCK, _TURN_END),
    "TaskCreated": Manners(Way.BLOCK, _GATE),
    "TaskCompleted": Manners(Way.BLOCK, _TURN_END),
    "Elicitation": Manners(Way.ACTION, _GATE, extras=(("content", dict),)),
    "ElicitationResult": Manners(Way.ACTION, _GATE, extras=(("content", dict),)),
    "ConfigChange": Manners(Way.BLOCK, _GATE),
    "CwdChanged": Manners(Way.NOTICE, _INFORM, extras=(("watchPaths", list),)),
    "DirectoryAdded": Manners(Way.NONE, _INFORM),
    "FileChanged": Manners(Way.NOTICE, _INFORM, extras=(("watchPaths", list),)),
    "InstructionsLoaded": Manners(Way.NONE, _INFORM),
    "WorktreeCreate": Manners(Way.EXIT, _GATE),
    "WorktreeRemove": Manners(Way.NONE, _INFORM),
    "MessageDisplay": Manners(Way.DISPLAY, _GATE.replace(redact=True), output="displayContent"),
}


def _mcp(payload: Payload, name: str) -> tuple[str, str]:
    """By the field that names the server, since a server's own name may hold two underscores."""
    if not name.startswith("mcp__"):
        return "", ""
    server = text(mapping(payload, "mcp_server") or {}, "name")
    prefix = f"mcp__{server}__"
    return (server, name.removeprefix(prefix)) if server and name.startswith(prefix) else mcp_parts(name)


def _adjust(event: Event, verdict: Verdict, can: Can) -> Can:
    if verdict.decision is Decision.ASK and can.ask and not event.attended:
        can = can.replace(ask=False)
    if event.native_name == "Stop" and event.payload.get("stop_hook_active") is True:
        # Context on Stop makes the agent go on; once is help, each time is a loop.
        can = can.replace(context=False)
    if event.native_name == "PermissionRequest" and verdict.decision is not Decision.APPROVE:
        can = can.replace(rewrite=False)
    return can


_ASKS_SINCE = (2, 1, 279)
"""Before this version several users saw `ask` run the tool without a question."""


def _attended(environment: Mapping[str, str]) -> bool | None:
    """Whether a question would reach a person."""
    said = environment.get("CLAUDE_CODE_SESSION_ATTENDED")
    if said is None:
        return None
    version = _numbers_in(environment.get("AI_AGENT", ""))
    return said == "1" and (not version or version >= _ASKS_SINCE)


def _version(_payload: Payload, environment: Mapping[str, str]) -> str:
    said = environment.get("AI_AGENT")
    return ".".join(map(str, _numbers_in(said))) if said else ""


def _numbers_in(said: str) -> tuple[int, ...]:
    """`claude-code_2-1-325_harness` gives (2, 1, 325), anything else nothing."""
    words = said.split("_")
    numbers = words[1].split("-") if len(words) > 1 else []
    known = all(number.isascii() and number.isdigit() and len(number) < 10 for number in numbers)
    return tuple(map(int, numbers)) if known else ()


_LAYOUT = Layout(
    "claude",
    KINDS,
    root_variables=("CLAUDE_PROJECT_DIR",),
    result=("tool_response",),
    needed={
        **NEEDED,
        EventName.PROMPT_EXPANSION: ("command_name",),
        EventName.TOOL_FAILURE: ("error",),
        EventName.BEFORE_MODEL_SWITCH: ("to_model",),
        EventName.ELICITATION: ("mcp_server_name",),
        EventName.ELICITATION_RESULT: ("mcp_server_name", "action"),
    },
    mcp=_mcp,
    turn=("prompt_id",),  # MessageDisplay also has a turn_id, of another kind
    version=_version,
    attended=_attended,
)
DIALECT = ClaudeFamilyDialect(_LAYOUT, Family("claude", _EVENTS, adjust=_adjust))

# as it sends its calls

CALLS = (
    SentCall("Bash PowerShell Monitor", {"command": "<command>"}),
    SentCall("Read", {"file_path": "<path>"}),
    SentCall("NotebookRead", {"notebook_path": "<path>"}),
    SentCall("Write", {"file_path": "<path>", "content": "<content>"}),
    SentCall("Edit", {"file_path": "<path>", "old_string": "<old>", "new_string": "<content>"}),
    SentCall(
        "MultiEdit",
        {"file_path": "<path>", "edits": [{"old_string": "<old>", "new_string": "<content>"}]},
    ),
    SentCall("NotebookEdit", {"notebook_path": "<path>", "new_source": "<content>"}),
    SentCall("Grep Glob", {"pattern": "<query>", "path": "<path>"}),
    SentCall("LS", {"path": "<path>"}),
    SentCall("WebFetch", {"url": "<url>", "prompt": "read it"}),
    SentCall("mcp__<server>__<name>", "<arguments>"),
)

# as it is set up

_OFF = ("disableAllHooks",)
SETUP = Setup(
    (HookFile(".claude", "settings.json", ".claude/settings.local.json", "CLAUDE_CONFIG_DIR"),),
    (
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
    ),
    at_gates={"onFailure": "block"},
    programs=("claude",),
    folders=(".claude",),
    tried="2.1.325",
    broken="refused if told",
    switches=(
        Switch(".claude/settings.json", _OFF, True),
        Switch(".claude/settings.local.json", _OFF, True),
        Switch("/etc/claude-code/managed-settings.json", _OFF, True),
        Switch("/etc/claude-code/managed-settings.json", ("allowManagedHooksOnly",), True),
    ),
    unseen="files named with @, /skill typed by a person, and --bare or --safe-mode run no hooks",
)
