"""The inputs of the events as types, and a guard for each: a checked input is one the type checker knows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NotRequired, TypedDict, TypeGuard

from fairlead.engine.validator import validate_input
from fairlead.model.event_name import EventName


class McpContext(TypedDict):
    server_name: str
    server_uri: NotRequired[str]


class BeforeToolInput(TypedDict):
    tool_name: str
    tool_input: Mapping[str, Any]
    mcp_context: NotRequired[McpContext]


class AfterToolInput(BeforeToolInput):
    tool_response: Mapping[str, Any]


class BeforeAgentInput(TypedDict):
    prompt: str


class AfterAgentInput(TypedDict):
    prompt: str
    prompt_response: str
    stop_hook_active: bool


class BeforeModelInput(TypedDict):
    llm_request: Mapping[str, Any]


class AfterModelInput(TypedDict):
    llm_request: Mapping[str, Any]
    llm_response: Mapping[str, Any]


class BeforeToolSelectionInput(TypedDict):
    llm_request: Mapping[str, Any]


class NotificationInput(TypedDict):
    notification_type: str
    message: str
    details: Mapping[str, Any]


class SessionStartInput(TypedDict):
    source: str


class SessionEndInput(TypedDict):
    reason: str


class PreCompressInput(TypedDict):
    trigger: str


def validate_before_tool_input(given: object) -> TypeGuard[BeforeToolInput]:
    return validate_input(EventName.BEFORE_TOOL, given) is None


def validate_after_tool_input(given: object) -> TypeGuard[AfterToolInput]:
    return validate_input(EventName.AFTER_TOOL, given) is None


def validate_before_agent_input(given: object) -> TypeGuard[BeforeAgentInput]:
    return validate_input(EventName.BEFORE_AGENT, given) is None


def validate_after_agent_input(given: object) -> TypeGuard[AfterAgentInput]:
    return validate_input(EventName.AFTER_AGENT, given) is None


def validate_before_model_input(given: object) -> TypeGuard[BeforeModelInput]:
    return validate_input(EventName.BEFORE_MODEL, given) is None


def validate_after_model_input(given: object) -> TypeGuard[AfterModelInput]:
    return validate_input(EventName.AFTER_MODEL, given) is None


def validate_before_tool_selection_input(given: object) -> TypeGuard[BeforeToolSelectionInput]:
    return validate_input(EventName.BEFORE_TOOL_SELECTION, given) is None


def validate_notification_input(given: object) -> TypeGuard[NotificationInput]:
    return validate_input(EventName.NOTIFICATION, given) is None


def validate_session_start_input(given: object) -> TypeGuard[SessionStartInput]:
    return validate_input(EventName.SESSION_START, given) is None


def validate_session_end_input(given: object) -> TypeGuard[SessionEndInput]:
    return validate_input(EventName.SESSION_END, given) is None


def validate_pre_compress_input(given: object) -> TypeGuard[PreCompressInput]:
    return validate_input(EventName.PRE_COMPRESS, given) is None
