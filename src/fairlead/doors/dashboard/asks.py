"""Questions that an agent's call raised, and a human's answers from the dashboard."""

from __future__ import annotations

import time
from collections.abc import Mapping

from fairlead.errors import UsageError
from fairlead.model.decision import Decision
from fairlead.policy.grants import Grants
from fairlead.store.query import Query
from fairlead.store.reader import Call, IndexReader

_OPEN_FOR = 3600.0


class Asks:
    """A call that was asked about stays open for an hour, or until a human has answered here."""

    def __init__(self, grants: Grants) -> None:
        self._grants = grants
        self._answers: dict[str, str] = {}

    def open(self, reader: IndexReader) -> list[Mapping[str, object]]:
        since = time.time() - _OPEN_FOR
        asked = reader.calls(Query(decision=(int(Decision.ASK),), since=since, limit=200))
        return [{**call.as_json(), "answer": self._answers.get(call.id, "")} for call in asked]

    def answer(self, reader: IndexReader, line_id: str, word: str) -> str:
        """`approve` lets the next call through that the same rule would stop in the same project."""
        call = self._find(reader, line_id)
        if word not in ("approve", "deny"):
            raise UsageError(f"{word!r} is no answer", hint="approve or deny")
        if call.id in self._answers:
            raise UsageError(f"this was answered already: {self._answers[call.id]}")
        if word == "approve":
            if not call.rule:
                raise UsageError("no rule asked, so none can be excepted", hint="change the policy instead")
            now = time.time()
            self._grants.give(call.rule, scope=call.root, until=now + _OPEN_FOR, once=True, now=now)
        self._answers[call.id] = word
        return word

    def _find(self, reader: IndexReader, line_id: str) -> Call:
        since = time.time() - _OPEN_FOR
        asked = reader.calls(Query(decision=(int(Decision.ASK),), since=since, limit=-1))
        for call in asked:
            if call.id == line_id:
                return call
        raise UsageError(f"there is no open question {line_id!r}")
