"""For authors of plugins: the values that dialects, packs, executors and middleware take and give.

What a plugin has to be is in `fairlead.interfaces`; whether it is that, `fairlead.testing` checks.
"""

from __future__ import annotations

from fairlead.dialects.payloads.sent_calls import SentCall
from fairlead.errors import PayloadError, PluginError
from fairlead.interfaces import INTERFACE_VERSION
from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.event_name import GATING, EventName, event_named
from fairlead.model.failure import Failure, FailureCode, Stage
from fairlead.model.hook import Capture, Evidence, Hook, Outcome
from fairlead.model.timeline import Timeline
from fairlead.model.tool_call import ToolCall, ToolKind, ToolResult, call_named
from fairlead.model.verdict import Reply, Verdict
from fairlead.packs.rule import Level, Pack, Rule, Scene, Severity
from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.places.targets import Place

__all__ = [
    "GATING",
    "INTERFACE_VERSION",
    "Action",
    "Capture",
    "Decision",
    "Effect",
    "Event",
    "EventName",
    "Evidence",
    "Failure",
    "FailureCode",
    "Hook",
    "Level",
    "Outcome",
    "Pack",
    "PayloadError",
    "Place",
    "PluginError",
    "Reply",
    "Rule",
    "Scene",
    "SentCall",
    "Severity",
    "Stage",
    "Timeline",
    "ToolCall",
    "ToolKind",
    "ToolResult",
    "Verdict",
    "call_named",
    "event_named",
]
