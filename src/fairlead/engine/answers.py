"""What hooks in this process say, as outcomes. What a broken one means is said by the interpreter."""

from __future__ import annotations

from typing import Any

from fairlead.engine.interpreter import broken_outcome
from fairlead.model.answer import Answer, Execution
from fairlead.model.failure import Failure, FailureCode, Stage
from fairlead.model.hook import Hook, Outcome
from fairlead.model.tool_call import ToolCall, ToolKind, ToolResult, call_named


class NoAnswerError(Exception):
    """A hook did something that is no answer; the message says what."""


def rewritten(before: ToolCall, changed: ToolCall) -> ToolCall:
    """A call that a hook wrote anew. The kind belongs to the tool and not to the call, and guards ask for it:
    a call of the same tool keeps it, one of another has what its input looks like."""
    kind = changed.kind
    if changed.name == before.name and before.kind is not ToolKind.OTHER:
        kind = before.kind
    elif kind is ToolKind.OTHER:
        kind = call_named(changed.name, changed.input).kind
    if kind is changed.kind and changed.id:
        return changed
    return changed.replace(kind=kind, id=changed.id or before.id)


def outcome_of(hook: Hook, answer: object) -> Outcome:
    """What a hook in this process said. What it raised, or what makes no sense, is its `on_error` (law 2)."""
    if isinstance(answer, Outcome):
        return answer
    if isinstance(answer, Answer):
        return Outcome(answer.decision, answer.reason)
    if isinstance(answer, Exception):
        return broken_outcome(hook, raised(hook, answer))
    message = f"it returned {answer!r:.80}, which is no answer; return None for no opinion"
    return broken_outcome(hook, _failure(hook, Stage.INTERPRETATION, message))


def raised(hook: Hook, error: Exception) -> Failure:
    if isinstance(error, NoAnswerError):
        return _failure(hook, Stage.INTERPRETATION, str(error))
    text = f"{type(error).__name__}: {error}{_place(error)}"
    if isinstance(error, TimeoutError):
        return Failure(Stage.EXECUTION, FailureCode.TIMEOUT, text, {"hook": hook.id})
    return _failure(hook, Stage.EXECUTION, text)


def _place(error: BaseException) -> str:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return f" ({trace.tb_frame.f_code.co_filename}:{trace.tb_lineno})" if trace is not None else ""


def _failure(hook: Hook, stage: Stage, message: str) -> Failure:
    code = FailureCode.EXECUTION_FAILURE if stage is Stage.EXECUTION else FailureCode.INTERPRETATION_FAILURE
    return Failure(stage, code, message, {"hook": hook.id})


def as_execution(call: ToolCall, answer: Any, *, like: Any = None) -> Any:
    """A hook's plain result in the form that the others have."""
    if not isinstance(answer, ToolResult):
        return answer
    before = like if isinstance(like, Execution) else Execution(call)
    return before.replace(output=answer.output, ok=answer.ok, error=answer.error)
