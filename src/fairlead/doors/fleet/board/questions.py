"""The questions of agents that wait for a person, and the person's answers from the dashboard."""

from __future__ import annotations

from collections.abc import Mapping

from fairlead.doors.fleet.board.asked import Asked
from fairlead.doors.fleet.board.centre import Centre
from fairlead.errors import FairleadError

_SHOWN = 50


def about(centre: Centre, asked: Asked) -> object:
    from fairlead import __version__

    return {
        "version": __version__,
        "database": centre.database.shown,
        "asks": centre.questions is not None,
        "writable": centre.questions is not None and centre.questions.can_answer,
        "key": centre.questions.key_id if centre.questions is not None else "",
    }


def open_questions(centre: Centre, asked: Asked) -> object:
    """The oldest first, as many as a page has room for; `text` is a part of what they say."""
    if centre.questions is None:
        return {"connected": False, "total": 0, "found": 0, "asks": [], "trouble": "", "outcomes": []}
    text = asked.text("text").lower()
    everything = centre.questions.open_questions()
    found = [each for each in everything if _says(each, text)]
    return {
        "connected": True,
        "total": len(everything),
        "found": len(found),
        "asks": found[:_SHOWN],
        "trouble": centre.questions.trouble,
        "outcomes": centre.questions.told(),
    }


def _says(question: Mapping[str, object], text: str) -> bool:
    names = ("request", "machine", "group", "agent", "rule", "tool", "summary")
    return not text or any(text in str(question[name]).lower() for name in names)


def waiting(centre: Centre, asked: Asked) -> object:
    return {"waiting": len(centre.questions.open_questions()) if centre.questions is not None else 0}


def answer(centre: Centre, request: str, given: Mapping[str, object]) -> object:
    """Raises FairleadError."""
    if centre.questions is None:
        hint = "start it with --source nats://... and the --credentials of an approver"
        raise FairleadError("this dashboard is connected to no broker", hint=hint)
    return centre.questions.answer(request, given)
