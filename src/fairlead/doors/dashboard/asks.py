"""Calls that wait for a person, and the person's answers from the dashboard."""

from __future__ import annotations

from fairlead.errors import UsageError
from fairlead.policy.places import Places
from fairlead.policy.questions import dismiss, find_question, grant, questions

_FIELDS = ("code", "agent", "summary", "reason", "asked", "cwd", "root", "session")


def open_questions(places: Places) -> list[dict[str, object]]:
    """Those that can still be answered, newest first."""
    return [{field: getattr(question, field) for field in _FIELDS} for question in questions(places)]


def answer(places: Places, code: str, word: str) -> dict[str, object]:
    """`approve` lets the call through once, if the agent makes it again; `deny` lets the refusal stand."""
    if word not in ("approve", "deny"):
        raise UsageError(f"{word!r} is no answer", hint="approve or deny")
    question = find_question(places, code)
    if word == "approve":
        grant(places, question)
    else:
        dismiss(places, question)
    return {"code": question.code, "answer": word}
