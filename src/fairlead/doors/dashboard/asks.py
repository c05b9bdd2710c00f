"""Calls that wait for a person, and the person's answers from the dashboard."""

from __future__ import annotations

import time
from collections.abc import Mapping

from starlette.requests import Request

from fairlead.doors.dashboard.sources import Sources
from fairlead.errors import UsageError
from fairlead.policy.answers.grants import Grants
from fairlead.policy.answers.lasting_answers import ONCE, PROJECT, SESSION, WHILE, can_last, planned_exception
from fairlead.policy.answers.questions import Question, dismiss, find_question, grant, questions
from fairlead.policy.managed.forbidden import require_permitted

_FIELDS = ("code", "agent", "summary", "reason", "asked", "cwd", "root", "session", "rule", "command", "told")
_HOUR = 3600.0


def open_questions(sources: Sources, request: Request) -> list[dict[str, object]]:
    """Those that can still be answered, newest first, each with how long a yes could hold."""
    return [
        {field: getattr(question, field) for field in _FIELDS} | {"lengths": _lengths(question)}
        for question in questions(sources.places)
    ]


def _lengths(question: Question) -> list[str]:
    once = [] if question.told else [ONCE]
    if not can_last(question):
        return once
    return [*once, *([SESSION] if question.session else []), WHILE, PROJECT]


def answer(sources: Sources, request: Request, given: Mapping[str, object]) -> dict[str, object]:
    """`approve` lets the call through once, if made again, or makes an exception for its command: in its
    session, for an hour (`while`), or for good in this project. `deny` lets the refusal stand."""
    places, code = sources.places, request.path_params["code"]
    word, length = str(given.get("answer")), str(given.get("for", ONCE))
    if word not in ("approve", "deny"):
        raise UsageError(f"{word!r} is no answer", hint="approve or deny")
    question = find_question(places, code)
    if word == "approve":
        require_permitted(places, "approve", "let this call through")
    if word == "deny":
        dismiss(places, question)
    elif length not in _lengths(question):
        raise UsageError(f"this cannot be approved for {length!r}", hint=", ".join(_lengths(question)))
    elif length == ONCE:
        grant(places, question)
    else:
        now = time.time()
        planned = planned_exception(question, length, now=now, seconds=_HOUR)
        Grants(places).give_planned(planned, now=now)
        dismiss(places, question)
    return {"code": question.code, "answer": word}
