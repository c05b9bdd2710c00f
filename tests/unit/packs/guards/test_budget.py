from __future__ import annotations

import json
from pathlib import Path

import pytest

from fairlead.errors import PolicyError
from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.tool_call import ToolCall
from fairlead.packs.guards.budget import enforce_budget

PRICES = {"claude": {"input": 3, "output": 15}, "claude-cheap": {"input": 1, "output": 1, "cache_read": 0.1}}


class Sessions:
    """Transcripts that say how many tokens were used."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._written = 0

    def use(self, session: str, given: int, made: int, model: str = "claude-x") -> None:
        self._written += 1
        usage = {"input_tokens": given, "output_tokens": made, "cache_read_input_tokens": 0}
        message = {"id": f"m{self._written}", "model": model, "usage": usage}
        with (self.folder / f"{session}.jsonl").open("a") as file:
            file.write(json.dumps({"type": "assistant", "message": message}) + "\n")

    def judge(self, session: str, *, canary: bool = False, **config: object):
        event = Event(
            EventName.BEFORE_TOOL,
            session=session,
            transcript_path=str(self.folder / f"{session}.jsonl"),
            tool=ToolCall("Bash", {"command": "ls"}),
            canary=canary,
        )
        return enforce_budget(event, {"state_dir": str(self.folder / "state"), **config}, ())


@pytest.fixture
def sessions(tmp_path: Path) -> Sessions:
    return Sessions(tmp_path)


def test_a_session_within_its_budget_is_not_asked_about(sessions: Sessions) -> None:
    sessions.use("a", 400, 100)
    assert sessions.judge("a", tokens=501) is None


def test_a_session_that_used_its_tokens_is_asked_about_or_blocked(sessions: Sessions) -> None:
    sessions.use("a", 400, 100)
    sessions.use("a", 400, 100)
    asked = sessions.judge("a", tokens=1000)
    assert (asked.decision, asked.rule) == (Decision.ASK, "budget/tokens-per-session")
    assert "1,000 of 1,000 tokens are used in this session" in asked.reason
    assert sessions.judge("a", tokens=1000, decision="block").decision is Decision.BLOCK


def test_a_day_counts_all_sessions(sessions: Sessions) -> None:
    for name in ("a", "b"):
        sessions.use(name, 400, 100)
        assert sessions.judge(name, tokens=1001, per="day") is None
    assert sessions.judge("a", tokens=1000, per="day").rule == "budget/tokens-per-day"
    assert sessions.judge("a", tokens=1000, per="session") is None


def test_what_a_canary_uses_is_on_no_account_of_the_day_and_is_judged_all_the_same(
    sessions: Sessions,
) -> None:
    sessions.use("doctor", 400, 100)
    assert sessions.judge("doctor", canary=True, tokens=500).rule == "budget/tokens-per-session"
    assert sessions.judge("other", tokens=1, per="day") is None


def test_dollars_are_counted_by_the_models_price(sessions: Sessions) -> None:
    sessions.use("a", 1_000_000, 100_000)
    assert sessions.judge("a", usd=4.51, prices=PRICES) is None
    over = sessions.judge("a", usd=4.50, prices=PRICES)
    assert over.rule == "budget/usd-per-session"
    assert "$4.50 of $4.50 are spent" in over.reason


def test_the_longest_name_of_a_model_has_its_price(sessions: Sessions) -> None:
    sessions.use("a", 1_000_000, 0, model="claude-cheap-1")
    assert sessions.judge("a", usd=1.0, prices=PRICES).decision is Decision.ASK
    assert sessions.judge("a", usd=1.01, prices=PRICES) is None


@pytest.mark.parametrize(
    "config",
    [
        {},
        {"tokens": "many"},
        {"tokens": -1},
        {"tokens": 1, "per": "week"},
        {"tokens": 1, "decision": "allow"},
        {"usd": 1},
        {"usd": 1, "prices": {"gpt": {"input": 1}}},
        {"usd": 1, "prices": {"claude": 3}},
        {"usd": 1, "prices": {"claude": {"input": "x"}}},
    ],
)
def test_law_2_a_budget_that_cannot_be_counted_raises(sessions: Sessions, config: dict[str, object]) -> None:
    sessions.use("a", 0, 1) if config.get("tokens") == 1 else sessions.use("a", 5, 5)
    with pytest.raises(PolicyError):
        sessions.judge("a", **config)


def test_a_session_without_a_transcript_has_used_nothing(sessions: Sessions) -> None:
    assert sessions.judge("new", tokens=1) is None
    assert enforce_budget(Event(EventName.BEFORE_TOOL), {"tokens": 1}, ()) is None


def test_law_2_a_transcript_that_is_no_file_is_no_zero(sessions: Sessions) -> None:
    (sessions.folder / "a.jsonl").mkdir()
    with pytest.raises(OSError, match=r"directory|not a file"):
        sessions.judge("a", tokens=1)
