"""Stage 2: model payloads into the neutral form that hooks see, and back."""

from __future__ import annotations

from collections.abc import Mapping

from fairlead.model.event import Event
from fairlead.model.failure import NOTHING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Protocol
else:
    Protocol = object


class Translator(Protocol):
    """Knows the shapes of model APIs, so that the engine need not. It is asked only of an event that has a
    model request."""

    def to_hooks(self, event: Event) -> Event:
        """Raises ValueError for a payload that it cannot translate."""

    def to_caller(self, given: Event, translated: Event, final: Event) -> Mapping[str, Any]:
        """`llm_request` and `llm_response` in the caller's own shape, where hooks changed them."""


class Untouched:
    """For systems whose events have no model payloads, or neutral ones."""

    def to_hooks(self, event: Event) -> Event:
        return event

    def to_caller(self, given: Event, translated: Event, final: Event) -> Mapping[str, Any]:
        changed: dict[str, Any] = {}
        if final.model_request != translated.model_request:
            changed["llm_request"] = final.model_request
        if final.model_response != translated.model_response:
            changed["llm_response"] = final.model_response
        return changed or NOTHING
