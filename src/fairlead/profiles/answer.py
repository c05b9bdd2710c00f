"""The contract of hooks that run under a profile: the group has read them already."""

from __future__ import annotations

from fairlead.model.event import Event
from fairlead.model.failure import Failure, FailureCode, Stage
from fairlead.model.hook import Capture, Hook, Outcome


class ProfileAnswer:
    """Anything but the outcome that the group made of it is a failure, and never an allow."""

    def read(self, hook: Hook, event: Event, capture: Capture) -> Outcome:
        if isinstance(capture.value, Outcome):
            return capture.value
        message = f"it was not run under its profile {hook.run.profile!r}"
        failure = Failure(
            Stage.INTERPRETATION, FailureCode.INTERPRETATION_FAILURE, message, {"hook": hook.id}
        )
        return Outcome(reason=message, failure=capture.failure or failure)
