"""What an exit code says beside everything else: 2 blocks, and any other but 0 is a hook that broke."""

from __future__ import annotations

from fairlead.model.decision import Decision
from fairlead.model.failure import Failure, FailureCode, Stage
from fairlead.model.hook import Capture, Hook, Outcome
from fairlead.model.timeline import Stream, Timeline

BLOCKS = 2
_SHOWN = 2000


def broken(hook: Hook, capture: Capture) -> Outcome | None:
    """The outcome of a hook that did not run to its end, ended with a code that is no answer, or said more
    than could be kept."""
    failure = capture.failure
    if failure is None and capture.exit_code not in (0, BLOCKS, None):
        said = printed(capture.timeline)
        words = f": {said[-300:]}" if said else ""
        failure = Failure(
            Stage.EXECUTION,
            FailureCode.EXECUTION_FAILURE,
            f"exit code {capture.exit_code}{words}",
            {"hook": hook.id, "exit_code": capture.exit_code},
        )
    if failure is None and capture.exit_code != BLOCKS and _is_cut(capture.timeline):
        words = "it printed more than is kept, and its answer may be in the rest"
        failure = Failure(Stage.INTERPRETATION, FailureCode.INTERPRETATION_FAILURE, words, {"hook": hook.id})
    return Outcome(reason=failure.message, failure=failure) if failure is not None else None


def _is_cut(timeline: Timeline | None) -> bool:
    return timeline is not None and timeline.truncated


def refusal(hook: Hook, capture: Capture) -> Outcome | None:
    """Exit code 2 blocks whatever else was printed; the reason is what there is."""
    if capture.exit_code != BLOCKS:
        return None
    reason = printed(capture.timeline) or f"{hook.id} blocked this and gave no reason"
    return Outcome(Decision.BLOCK, reason[:_SHOWN])


def printed(timeline: Timeline | None) -> str:
    """What the hook said to people: stderr, else stdout."""
    if timeline is None:
        return ""
    return timeline.text(Stream.STDERR).strip() or timeline.text(Stream.STDOUT).strip()
