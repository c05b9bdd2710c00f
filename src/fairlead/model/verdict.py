"""What the caller is told."""

from __future__ import annotations

from collections.abc import Mapping

from fairlead.model.decision import Decision
from fairlead.model.failure import NOTHING, Failure
from fairlead.model.hook import Evidence, HookType, Outcome
from fairlead.model.value import Value


class Verdict(Value):
    """One answer with everything behind it. `reason` is for the model, `rule` and `hook` say whose it is."""

    decision: Decision = Decision.CONTINUE
    reason: str = ""
    hook: str = ""
    rule: str = ""
    evidence: tuple[Evidence, ...] = ()
    alternative: str = ""
    stop: bool = False
    stop_reason: str = ""
    system_message: str = ""
    suppress_output: bool = False
    updated_input: Mapping[str, object] | None = None
    updated_output: object = None
    additional_context: str = ""
    extra: Mapping[str, object] = NOTHING
    outcomes: tuple[Outcome, ...] = ()
    failures: tuple[Failure, ...] = ()
    would: Outcome | None = None
    """The strongest that hooks in audit would have said, where it is stronger than what was said."""
    gating: bool = False
    """Whether a guard looked at the event, or the event gates by itself: the answer must then be explicit."""
    policy: str = ""
    milliseconds: float = 0.0
    approved_by: Mapping[str, object] = NOTHING
    """Who answered the question from elsewhere."""

    @property
    def is_silent(self) -> bool:
        """No objection, no approval, and nothing to say beside it: what nearly every call gets."""
        return self.decision <= Decision.ALLOW and not (
            self.stop
            or self.system_message
            or self.suppress_output
            or self.additional_context
            or self.extra
            or self.updated_input is not None
            or self.updated_output is not None
        )

    @property
    def breakdown(self) -> Failure | None:
        """The first failure that may have made this verdict: of a stage, or of a hook that has a say.

        A guard that breaks blocks. That is no decision about the call, and no test may take it for one.
        """
        if self.failures:
            return self.failures[0]
        having_a_say = (one for one in self.outcomes if one.type is not HookType.OBSERVABILITY)
        return next((one.failure for one in having_a_say if one.failure is not None), None)


class Reply(Value):
    """What a dialect made of a verdict: the bytes that the agent gets."""

    exit_code: int = 0
    stdout: bytes = b""
    stderr: bytes = b""
    degraded: str = ""
    """What the agent could not be told as it was meant, such as `ask became block`."""
