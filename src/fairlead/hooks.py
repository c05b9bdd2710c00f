"""The hook system for programs that own their events: a typed method for each, one result, failures as data.

handler = HookEventHandler(load_system(), Surroundings("session-1", "/path/to/project"))
handler.fire_before_tool("Bash", {"command": "ls"})
"""

from fairlead.doors.library.policy import load_system
from fairlead.engine.handler import HookEventHandler, Surroundings
from fairlead.engine.inputs import (
    AfterAgentInput,
    AfterModelInput,
    AfterToolInput,
    BeforeAgentInput,
    BeforeModelInput,
    BeforeToolInput,
    BeforeToolSelectionInput,
    McpContext,
    NotificationInput,
    PreCompressInput,
    SessionEndInput,
    SessionStartInput,
    validate_after_agent_input,
    validate_after_model_input,
    validate_after_tool_input,
    validate_before_agent_input,
    validate_before_model_input,
    validate_before_tool_input,
    validate_before_tool_selection_input,
    validate_notification_input,
    validate_pre_compress_input,
    validate_session_end_input,
    validate_session_start_input,
)
from fairlead.engine.system import HookSystem
from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.event_input import CompressTrigger, SessionEndReason, SessionStartSource
from fairlead.model.event_name import EventName
from fairlead.model.failure import Failure, FailureCode, Stage
from fairlead.model.hook import Hook, HookType, Outcome, Run
from fairlead.model.processed import AggregatedHookResult, ProcessedHookResult
from fairlead.model.verdict import Verdict

__all__ = [
    "AfterAgentInput",
    "AfterModelInput",
    "AfterToolInput",
    "AggregatedHookResult",
    "BeforeAgentInput",
    "BeforeModelInput",
    "BeforeToolInput",
    "BeforeToolSelectionInput",
    "CompressTrigger",
    "Decision",
    "Event",
    "EventName",
    "Failure",
    "FailureCode",
    "Hook",
    "HookEventHandler",
    "HookSystem",
    "HookType",
    "McpContext",
    "NotificationInput",
    "Outcome",
    "PreCompressInput",
    "ProcessedHookResult",
    "Run",
    "SessionEndInput",
    "SessionEndReason",
    "SessionStartInput",
    "SessionStartSource",
    "Stage",
    "Surroundings",
    "Verdict",
    "load_system",
    "validate_after_agent_input",
    "validate_after_model_input",
    "validate_after_tool_input",
    "validate_before_agent_input",
    "validate_before_model_input",
    "validate_before_tool_input",
    "validate_before_tool_selection_input",
    "validate_notification_input",
    "validate_pre_compress_input",
    "validate_session_end_input",
    "validate_session_start_input",
]
