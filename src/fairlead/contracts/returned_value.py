"""What a Python hook returned: nothing, an outcome, a middleware result, or an object with the same words."""

from __future__ import annotations

from collections.abc import Mapping

from fairlead.contracts.answer import is_answer, misread, read_answer
from fairlead.model.event import Event
from fairlead.model.hook import Capture, Hook, Outcome

_FIELDS = ("decision", "reason", "metrics", "updated_input", "additional_context", "system_message")
_NO_OPINION = Outcome()


class ReturnedValue:
    """None is no opinion; what is none of the known things is a failure (law 2)."""

    def read(self, hook: Hook, event: Event, capture: Capture) -> Outcome:
        if capture.failure is not None:
            return Outcome(reason=capture.failure.message, failure=capture.failure)
        value = capture.value
        if value is None:
            return _NO_OPINION
        if isinstance(value, Outcome):
            return value
        if isinstance(value, Mapping) and (is_answer(value) or not value):
            return read_answer(hook, value)
        if getattr(value, "decision", None) is not None:
            return read_answer(hook, _fields(value))
        return misread(hook, f"it returned {value!r:.80}, which is not a result; return None for no opinion")


def _fields(value: object) -> dict[str, object]:
    return {field: getattr(value, field, None) for field in _FIELDS}
