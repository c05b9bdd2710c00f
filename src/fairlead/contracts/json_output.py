"""A program's answer: JSON on stdout, an exit code, or plain words, as agents' hook scripts give them.

Agents lose a deny that stands behind a log line, on the wrong stream, or beside a non-zero exit code. Here
an objection counts wherever it was printed, and what looks like JSON and cannot be read is a failure.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from fairlead.contracts.answer import is_answer, misread, read_answer
from fairlead.contracts.exit_code import broken, refusal
from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.hook import Capture, Hook, Outcome
from fairlead.model.timeline import Stream

CONTEXT_EVENTS = frozenset(
    {EventName.BEFORE_AGENT, EventName.PROMPT_EXPANSION, EventName.SESSION_START, EventName.SUBAGENT_START}
)
"""Where plain words on stdout are meant for the model; elsewhere they are for the person."""

_SPACE = " \t\r\n\v\f\ufeff\xa0"
_MOST_TRIES = 1000


class JsonOutput:
    def read(self, hook: Hook, event: Event, capture: Capture) -> Outcome:
        stdout, stderr = _texts(capture)
        said = _read_text(hook, stdout)
        shouted = _objection(_read_text(hook, stderr))
        failed = broken(hook, capture)
        if failed is not None:
            return _with_objection(failed, said, shouted)
        refused = refusal(hook, capture)
        if refused is not None:
            return _refused(refused, said, shouted)
        if said is None:
            return shouted or _words(event, stdout)
        return max((said, shouted or said), key=_strength)


def _texts(capture: Capture) -> tuple[str, str]:
    if capture.timeline is None:
        return "", ""
    texts = (capture.timeline.text(stream).strip(_SPACE) for stream in (Stream.STDOUT, Stream.STDERR))
    stdout, stderr = texts
    return stdout, stderr


def _read_text(hook: Hook, text: str) -> Outcome | None:
    """What the objects in the text say together; None when there is no object that is an answer."""
    if "{" not in text and not text.startswith("["):
        return None
    found = list(_objects(text))
    answers = [read_answer(hook, thing) for thing in found if isinstance(thing, Mapping) and is_answer(thing)]
    spoilt = next((thing for thing in found if isinstance(thing, str)), None)
    if spoilt is not None and (not answers or "ecision" in spoilt):
        answers.append(misread(hook, f"it printed what looks like JSON and cannot be read: {spoilt[:200]}"))
    if not answers:
        return None
    return max(reversed(answers), key=_strength)


def _strength(outcome: Outcome) -> tuple[bool, bool, Decision]:
    """Objections first, then failures, then everything else; the later of two equals wins."""
    return outcome.decision.objects, outcome.failure is not None, outcome.decision


def _objects(text: str) -> Iterator[Mapping[str, object] | str]:
    """Every JSON object in the text, in order; a piece that begins a line like one and is none, as text."""
    whole = _decoded(text)
    if isinstance(whole, str):
        whole = _decoded(whole.strip(_SPACE))
    if isinstance(whole, Mapping):
        yield whole
        return
    if isinstance(whole, list):
        yield text
        return
    place, tries = text.find("{"), 0
    while place >= 0 and tries < _MOST_TRIES:
        tries += 1
        found, end = _decoded_at(text, place)
        if found is not None:
            yield found
        elif not text[text.rfind("\n", 0, place) + 1 : place].strip(_SPACE):
            yield text[place:]
        place = text.find("{", end)
    if place >= 0:
        yield text[place:]


def _decoded(text: str) -> object:
    try:
        return _DECODER.decode(text)
    except (ValueError, RecursionError):
        return None


def _decoded_at(text: str, place: int) -> tuple[Mapping[str, object] | None, int]:
    try:
        found, end = _DECODER.raw_decode(text, place)
    except (ValueError, RecursionError):
        return None, place + 1
    return found, end


def _reject(constant: str) -> object:
    raise ValueError(f"{constant} is not JSON")


_DECODER = json.JSONDecoder(parse_constant=_reject)


def _objection(outcome: Outcome | None) -> Outcome | None:
    return outcome if outcome is not None and outcome.decision.objects else None


def _with_objection(failed: Outcome, said: Outcome | None, shouted: Outcome | None) -> Outcome:
    """A hook that broke after it had objected: both are told."""
    objection = _objection(said) or shouted
    return failed if objection is None else objection.replace(failure=failed.failure)


def _refused(refused: Outcome, said: Outcome | None, shouted: Outcome | None) -> Outcome:
    objection = _objection(said) or shouted
    if objection is None or objection.decision is Decision.ASK:
        return refused
    return objection if objection.reason else objection.replace(reason=refused.reason)


def _words(event: Event, text: str) -> Outcome:
    if not text or _decoded(text) == {}:
        return Outcome()
    if event.name in CONTEXT_EVENTS:
        return Outcome(additional_context=text)
    return Outcome(system_message=text)
