"""Fairlead: one hook engine for AI agents and scripts.

Public names are loaded on first use, so that `import fairlead` costs next to nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False  # what type checkers take for True; importing typing costs more than all the rest here
if TYPE_CHECKING:
    from fairlead.engine.system import HookSystem as HookSystem
    from fairlead.errors import FairleadError as FairleadError
    from fairlead.model.decision import Decision as Decision
    from fairlead.model.event import Event as Event
    from fairlead.model.event_name import EventName as EventName
    from fairlead.model.failure import Failure as Failure
    from fairlead.model.hook import Hook as Hook
    from fairlead.model.hook import HookType as HookType
    from fairlead.model.hook import Outcome as Outcome
    from fairlead.model.matcher import any_of as any_of
    from fairlead.model.matcher import not_ as not_
    from fairlead.model.tool_call import ToolCall as ToolCall
    from fairlead.model.tool_call import ToolKind as ToolKind
    from fairlead.model.verdict import Verdict as Verdict

__version__ = "0.1.0"

_PLACES = {
    "Decision": "fairlead.model.decision",
    "Event": "fairlead.model.event",
    "EventName": "fairlead.model.event_name",
    "FairleadError": "fairlead.errors",
    "Failure": "fairlead.model.failure",
    "Hook": "fairlead.model.hook",
    "HookSystem": "fairlead.engine.system",
    "HookType": "fairlead.model.hook",
    "Outcome": "fairlead.model.hook",
    "ToolCall": "fairlead.model.tool_call",
    "ToolKind": "fairlead.model.tool_call",
    "Verdict": "fairlead.model.verdict",
    "any_of": "fairlead.model.matcher",
    "not_": "fairlead.model.matcher",
}


def __getattr__(name: str) -> object:
    if name not in _PLACES:
        raise AttributeError(f"fairlead has no {name!r}")
    from importlib import import_module

    return getattr(import_module(_PLACES[name]), name)


def __dir__() -> list[str]:
    return sorted([*_PLACES, "__version__"])
