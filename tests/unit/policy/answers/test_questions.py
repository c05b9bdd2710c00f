"""Questions to a person, as they are kept."""

from __future__ import annotations

from pathlib import Path

from fairlead.policy.answers.questions import Question, ask, questions
from fairlead.policy.places import Places, find_places


def question(summary: str) -> Question:
    return Question("ab" * 32, "claude", summary, "because", 4e9)


def asked(places: Places, *summaries: str) -> list[Question]:
    for summary in summaries:
        ask(places, question(summary))
    return questions(places)


def test_a_question_that_is_asked_again_is_the_last_one(tmp_path: Path) -> None:
    places = find_places(str(tmp_path))
    assert asked(places, "short", "a much longer one") == [question("a much longer one")]
    assert asked(places, "short") == [question("short")]


def test_a_question_is_nobody_elses_to_read(tmp_path: Path) -> None:
    places = find_places(str(tmp_path))
    asked(places, "short")
    (kept,) = (tmp_path / "state" / "questions" / "asked").iterdir()
    assert kept.stat().st_mode & 0o777 == 0o600
