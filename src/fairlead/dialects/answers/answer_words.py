"""The words of an answer, and the bytes that carry them."""

from __future__ import annotations

import json
from collections.abc import Mapping

from fairlead.model.decision import Decision
from fairlead.model.verdict import Reply, Verdict

LIMIT = 10_000
"""Claude spills longer strings to a file; the others cut or drop them."""

NO_ANSWER = (
    "it could not answer, so this is refused. A person can run `fairlead doctor` to see why, "
    "or `fairlead off` to go on without it; if these are gone, ~/.local/share/fairlead/bin/fairlead-hook off."
)


def refusal(verdict: Verdict) -> str:
    """Why a call may not run. Agents print it after words such as `hook error:`."""
    return _said("Blocked by Fairlead", verdict)


def question(verdict: Verdict) -> str:
    return _said("Fairlead asks", verdict)


def unasked(verdict: Verdict) -> str:
    """A refusal because nobody can be asked here."""
    return _said("Fairlead would ask a person, who cannot be asked here", verdict)


def halting(verdict: Verdict) -> str:
    return shortened(verdict.stop_reason or _said("Stopped by Fairlead", verdict))


def not_done(verdict: Verdict) -> str:
    """Where a turn ends, a no means: go on."""
    return _said("Not done yet, says Fairlead", verdict)


def withheld(verdict: Verdict) -> str:
    return _said("Withheld by Fairlead", verdict)


def unanswered() -> Verdict:
    """The verdict of the last resort."""
    return Verdict(Decision.BLOCK, NO_ANSWER, gating=True)


def _said(lead: str, verdict: Verdict) -> str:
    """A verdict that only stops says so in its stop reason."""
    reason = verdict.reason if verdict.decision.objects else verdict.stop_reason
    parts = [f"{lead}: {reason or verdict.reason or 'the policy gave no reason'}"]
    name = verdict.rule or verdict.hook
    if name:
        parts.append(f"[{name}]")
    if verdict.alternative:
        parts.append(f"Instead: {verdict.alternative}")
    said = " ".join(parts)
    return said if len(said) <= LIMIT else shortened(said)


def shortened(words: str) -> str:
    mark = " ... (cut)"
    return words if len(words) <= LIMIT else words[: LIMIT - len(mark)] + mark


def reply(answer: Mapping[str, object], *, exit_code: int = 0, stderr: str = "", degraded: str = "") -> Reply:
    """An empty answer is silence: nobody reads an empty object as "no opinion" everywhere."""
    if not answer:
        return Reply(exit_code, b"", said_aloud(stderr), degraded)
    try:
        stdout = _encode(answer).encode() + b"\n"
    except (TypeError, ValueError, RecursionError) as error:
        # A rewrite that is lost on the way would let the call run as it was.
        words = f"Blocked by Fairlead: its answer could not be written as JSON: {error}"
        return Reply(2, b"", said_aloud(words), "answer became block: it is not JSON")
    return Reply(exit_code, stdout, said_aloud(stderr), degraded)


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} has no JSON form")


_encode = json.JSONEncoder(allow_nan=False, default=_plain).encode


def said_aloud(words: str) -> bytes:
    """Words for stderr. Some agents parse JSON there, so what looks like it is made to look like text."""
    if not words:
        return b""
    if words.lstrip()[:1] in ("{", "["):
        words = f"Fairlead: {words}"
    return words.encode("utf-8", "backslashreplace") + b"\n"


_READ_BY_MODELS = ("textResultForLlm", "llmContent", "output", "text")
"""Fields of results that hold the words, beside what is for people or programs."""


def as_text(output: object) -> str:
    """A result as the words that a model reads, whole: the result that they replace was as long."""
    if isinstance(output, Mapping):
        words = (output.get(field) for field in _READ_BY_MODELS)
        output = next((text for text in words if isinstance(text, str)), output)
    return output if isinstance(output, str) else json.dumps(output, default=str)


_TEXT_FIELDS = ("stdout", "content", "text", "output", "result", "originalFile", "oldString", "newString")
_DROPPED_FIELDS = ("stderr",)


def blanked(output: object, words: str) -> object:
    """The same shape with other words: Claude ignores a replacement of another shape."""
    if isinstance(output, str):
        return words
    if isinstance(output, list):
        return [blanked(item, words) for item in output]
    if not isinstance(output, Mapping):
        return output
    return {key: _blanked_field(str(key), value, words) for key, value in output.items()}


def _blanked_field(key: str, value: object, words: str) -> object:
    if isinstance(value, str):
        if key in _DROPPED_FIELDS:
            return ""
        return words if key in _TEXT_FIELDS else value
    return blanked(value, words)
