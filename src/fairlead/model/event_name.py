"""The events that Fairlead knows, and the names that agents have for them."""

from __future__ import annotations

from enum import StrEnum


class EventName(StrEnum):
    BEFORE_TOOL = "BeforeTool"
    AFTER_TOOL = "AfterTool"
    TOOL_FAILURE = "ToolFailure"
    TOOL_BATCH = "ToolBatch"
    TOOL_PERMISSION = "ToolPermission"
    TOOL_DENIED = "ToolDenied"
    BEFORE_AGENT = "BeforeAgent"
    AFTER_AGENT = "AfterAgent"
    AGENT_FAILURE = "AgentFailure"
    PROMPT_EXPANSION = "PromptExpansion"
    BEFORE_MODEL = "BeforeModel"
    AFTER_MODEL = "AfterModel"
    BEFORE_TOOL_SELECTION = "BeforeToolSelection"
    BEFORE_MODEL_SWITCH = "BeforeModelSwitch"
    AFTER_MODEL_SWITCH = "AfterModelSwitch"
    NOTIFICATION = "Notification"
    SESSION_START = "SessionStart"
    SESSION_END = "SessionEnd"
    SUBAGENT_START = "SubagentStart"
    SUBAGENT_STOP = "SubagentStop"
    PRE_COMPRESS = "PreCompress"
    POST_COMPRESS = "PostCompress"
    SETUP = "Setup"
    CONFIG_CHANGE = "ConfigChange"
    CWD_CHANGE = "CwdChange"
    DIRECTORY_ADDED = "DirectoryAdded"
    FILE_CHANGE = "FileChange"
    INSTRUCTIONS_LOADED = "InstructionsLoaded"
    WORKTREE_CREATE = "WorktreeCreate"
    WORKTREE_REMOVE = "WorktreeRemove"
    TASK_CREATED = "TaskCreated"
    TASK_COMPLETED = "TaskCompleted"
    TEAMMATE_IDLE = "TeammateIdle"
    ELICITATION = "Elicitation"
    ELICITATION_RESULT = "ElicitationResult"
    BEFORE_RESOURCE = "BeforeResource"
    AFTER_RESOURCE = "AfterResource"
    BEFORE_SERVER_PROMPT = "BeforeServerPrompt"
    AFTER_SERVER_PROMPT = "AfterServerPrompt"
    BEFORE_SAMPLING = "BeforeSampling"
    AFTER_SAMPLING = "AfterSampling"
    MESSAGE_DISPLAY = "MessageDisplay"
    OTHER = "Other"


GATING = frozenset(
    {
        EventName.BEFORE_TOOL,
        EventName.TOOL_PERMISSION,
        EventName.CONFIG_CHANGE,
        EventName.BEFORE_MODEL,
        EventName.BEFORE_RESOURCE,
        EventName.BEFORE_SERVER_PROMPT,
        EventName.BEFORE_SAMPLING,
    }
)
"""Events that are blocked when nothing can answer; all others inform (CONTRACT, "The hook command")."""

ORIGINAL_EVENTS = frozenset(
    {
        EventName.BEFORE_TOOL,
        EventName.AFTER_TOOL,
        EventName.BEFORE_AGENT,
        EventName.AFTER_AGENT,
        EventName.BEFORE_MODEL,
        EventName.AFTER_MODEL,
        EventName.BEFORE_TOOL_SELECTION,
        EventName.NOTIFICATION,
        EventName.SESSION_START,
        EventName.SESSION_END,
        EventName.PRE_COMPRESS,
    }
)
"""The eleven events of the hook system's specification: what the bus takes, and what a profile knows."""
RESULT_EVENTS = frozenset(
    {
        EventName.AFTER_TOOL,
        EventName.TOOL_FAILURE,
        EventName.TOOL_BATCH,
        EventName.AFTER_MODEL,
        EventName.AFTER_RESOURCE,
        EventName.AFTER_SERVER_PROMPT,
        EventName.AFTER_SAMPLING,
    }
)
"""Events about something that already happened: hooks may rewrite or withhold the result."""

# Spelled in any of camelCase, PascalCase, snake_case, kebab-case or with dots.
_ALIASES: dict[EventName, tuple[str, ...]] = {
    EventName.BEFORE_TOOL: (
        "PreToolUse",
        "tools/call",
        "tool.call",
        "tool_call",
        "tool.pre",
        "tool.execute.before",
        "beforeShellExecution",
        "beforeMCPExecution",
        "beforeReadFile",
        "beforeTabFileRead",
        "pre_run_command",
        "pre_read_code",
        "pre_write_code",
        "pre_mcp_tool_use",
        "preMcpToolCall",
    ),
    EventName.AFTER_TOOL: (
        "PostToolUse",
        "tool.result",
        "tool.post",
        "tool.execute.after",
        "afterShellExecution",
        "afterMCPExecution",
        "post_run_command",
        "post_read_code",
        "post_write_code",
        "post_mcp_tool_use",
    ),
    EventName.TOOL_FAILURE: ("PostToolUseFailure", "tool.fail"),
    EventName.TOOL_BATCH: ("PostToolBatch",),
    EventName.TOOL_PERMISSION: ("PermissionRequest", "permission.asked"),
    EventName.TOOL_DENIED: ("PermissionDenied", "permission.replied"),
    EventName.BEFORE_AGENT: (
        "UserPromptSubmit",
        "userPromptSubmitted",
        "PromptSubmit",
        "prompt.submit",
        "beforeSubmitPrompt",
        "pre_user_prompt",
        "chat.message",
        "agent.start",
    ),
    EventName.AFTER_AGENT: (
        "Stop",
        "agentStop",
        "turn.stop",
        "post_cascade_response",
        "post_cascade_response_with_transcript",
        "TaskComplete",
        "agent.end",
        "session.idle",
    ),
    EventName.AGENT_FAILURE: (
        "StopFailure",
        "Interrupt",
        "errorOccurred",
        "session.error",
        "TaskError",
        "TaskCancel",
        "agent_abort",
        "agent_error",
        "turn.fail",
    ),
    EventName.PROMPT_EXPANSION: (
        "UserPromptExpansion",
        "userPromptTransformed",
        "prompt.expand",
        "command.execute.before",
    ),
    EventName.BEFORE_MODEL: ("PreModelRequest", "model.pre", "PreInvocation"),
    EventName.AFTER_MODEL: (
        "PostModelRequest",
        "model.post",
        "PostInvocation",
        "afterAgentResponse",
        "afterAgentThought",
    ),
    EventName.BEFORE_MODEL_SWITCH: ("PreModelSwitch",),
    EventName.AFTER_MODEL_SWITCH: ("PostModelSwitch",),
    EventName.NOTIFICATION: ("notify",),
    EventName.SESSION_START: ("session.created", "TaskStart", "TaskResume", "agent_resume", "agentSpawn"),
    EventName.SESSION_END: ("session.deleted", "SessionShutdown", "SessionDelete"),
    EventName.PRE_COMPRESS: ("PreCompact", "compact.pre"),
    EventName.POST_COMPRESS: ("PostCompact", "compact.post", "session.compacted"),
    EventName.CWD_CHANGE: ("CwdChanged",),
    EventName.DIRECTORY_ADDED: ("workspaceOpen", "dir.add"),
    EventName.FILE_CHANGE: (
        "FileChanged",
        "afterFileEdit",
        "afterTabFileEdit",
        "file.edited",
        "PostFileCreate",
        "PostFileSave",
        "PostFileDelete",
    ),
    EventName.WORKTREE_CREATE: ("post_setup_worktree",),
    EventName.TASK_CREATED: ("TodoCreated", "PreTaskExec"),
    EventName.TASK_COMPLETED: ("TodoCompleted", "PostTaskExec"),
    EventName.BEFORE_RESOURCE: ("resources/read",),
    EventName.BEFORE_SERVER_PROMPT: ("prompts/get",),
    EventName.BEFORE_SAMPLING: ("sampling/createMessage",),
    EventName.ELICITATION: ("elicitation/create",),
}


def _folded(name: str) -> str:
    return "".join(character for character in name if character.isalnum()).lower()


_SPELLINGS = {name: event for event in EventName for name in (event.value, *_ALIASES.get(event, ()))}
_BY_NAME = {_folded(name): event for name, event in _SPELLINGS.items()}


def event_named(name: str) -> EventName:
    """The event that an agent, a policy or a seed calls `name`; OTHER when nobody does."""
    return _SPELLINGS.get(name) or _BY_NAME.get(_folded(name), EventName.OTHER)


def known_event_names() -> list[str]:
    """Every spelling that is understood, for help texts and for the nearest word in an error."""
    return sorted(_SPELLINGS)
