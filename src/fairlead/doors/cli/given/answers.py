"""What waits for a person, and what a person gave: questions, exceptions, proposals' and saves' ids."""

from __future__ import annotations

import os
from collections.abc import Iterator

from fairlead.doors.cli.given.name import Name
from fairlead.doors.cli.output import Session


def _questions(session: Session) -> Iterator[tuple[str, str]]:
    from fairlead.policy.answers.questions import questions

    for question in questions(session.places):
        yield question.code, f"{question.agent}: {question.summary}"


def _exceptions(session: Session) -> Iterator[tuple[str, str]]:
    from fairlead.doors.cli.policies.exceptions_shown import shown
    from fairlead.policy.answers.grants import Grants

    for grant in Grants(session.places).all():
        yield grant.id, shown(grant)


def _saves(session: Session) -> Iterator[tuple[str, str]]:
    from fairlead.doors.cli.undoing import store_of
    from fairlead.undo.selection import of_project

    for found in of_project(store_of(session), os.getcwd()):
        yield found.manifest.id, found.manifest.what


def _lost_in(session: Session) -> Iterator[str]:
    from fairlead.doors.cli.undoing import store_of
    from fairlead.undo.selection import all_saves

    yield from dict.fromkeys(found.manifest.session for found in all_saves(store_of(session)))


QUESTION = Name("question", _questions)
EXCEPTION = Name("exception", _exceptions)
SAVE = Name("save", _saves)
SESSION_WITH_SAVES = Name("session", _lost_in)
