"""How agents write down what their models used: Claude Code, Codex and Gemini CLI."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

_REMEMBERED = 64  # message ids; a message is written once per block, and blocks of few messages interleave
_FIELDS = ("input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens", "reasoning_tokens")

Counts = dict[str, int]


class Usage:
    """Totals of one transcript. A message that is written again replaces what it counted before."""

    def __init__(self) -> None:
        self.totals: Counts = dict.fromkeys(_FIELDS, 0)
        self.messages = 0
        self.model = ""
        self._recent: dict[str, Counts] = {}

    @property
    def total(self) -> int:
        return sum(self.totals[field] for field in _FIELDS if field != "reasoning_tokens")

    def metrics(self) -> dict[str, object]:
        return {**self.totals, "total_tokens": self.total, "messages": self.messages, "model": self.model}

    def add(self, message: str, counts: Counts) -> None:
        before = self._recent.pop(message, None) if message else None
        if before is None:
            self.messages += 1
        for field in _FIELDS:
            self.totals[field] += counts.get(field, 0) - (before or {}).get(field, 0)
        if message:
            self._recent[message] = counts
            if len(self._recent) > _REMEMBERED:
                del self._recent[next(iter(self._recent))]

    def set(self, counts: Counts) -> None:
        """For agents that write running totals."""
        self.messages += 1
        self.totals = {field: counts.get(field, 0) for field in _FIELDS}

    def state(self) -> dict[str, object]:
        return {
            "totals": self.totals,
            "messages": self.messages,
            "model": self.model,
            "recent": self._recent,
        }

    @classmethod
    def from_state(cls, state: Mapping[str, object]) -> Usage:
        usage = cls()
        totals, recent = state["totals"], state["recent"]
        if not isinstance(totals, dict) or not isinstance(recent, dict):
            raise TypeError("not the state of a transcript")
        usage.totals |= {field: _number(totals.get(field)) for field in _FIELDS}
        usage.messages = _number(state["messages"])
        usage.model = str(state["model"])
        usage._recent = {str(key): _counts(value, {f: f for f in _FIELDS}) for key, value in recent.items()}
        return usage


def read_lines(lines: Iterable[bytes], usage: Usage) -> None:
    """Adds what JSON lines of any of the three agents report. Other lines are passed over."""
    for line in lines:
        if b'"usage"' not in line and b"token" not in line and b'"model"' not in line:
            continue
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(entry, dict):
            _claude(entry, usage)
            _codex(entry, usage)
            _gemini(entry, usage)


def read_whole(data: bytes) -> Usage:
    """A Gemini CLI session that is one JSON document."""
    usage = Usage()
    try:
        session = json.loads(data)
    except (ValueError, RecursionError):
        return usage
    messages = session.get("messages") if isinstance(session, dict) else None
    for message in messages if isinstance(messages, list) else []:
        if isinstance(message, dict):
            _gemini(message, usage)
    return usage


_CLAUDE = {
    "input_tokens": "input_tokens",
    "output_tokens": "output_tokens",
    "cache_read_tokens": "cache_read_input_tokens",
    "cache_write_tokens": "cache_creation_input_tokens",
}


def _claude(entry: dict[str, object], usage: Usage) -> None:
    message = entry.get("message")
    if not isinstance(message, dict) or not isinstance(message.get("usage"), dict):
        return
    usage.model = str(message.get("model") or usage.model)
    usage.add(str(message.get("id") or ""), _counts(message["usage"], _CLAUDE))


def _codex(entry: dict[str, object], usage: Usage) -> None:
    """`token_count` events carry the totals of the session; cached input is a part of the input."""
    payload = entry.get("payload")
    if not isinstance(payload, dict):
        return
    if entry.get("type") == "turn_context" and payload.get("model"):
        usage.model = str(payload["model"])
    info = payload.get("info")
    if payload.get("type") != "token_count" or not isinstance(info, dict):
        return
    total = info.get("total_token_usage")
    if isinstance(total, dict):
        cached = _number(total.get("cached_input_tokens"))
        usage.set(
            {
                "input_tokens": max(_number(total.get("input_tokens")) - cached, 0),
                "output_tokens": _number(total.get("output_tokens")),
                "cache_read_tokens": cached,
                "reasoning_tokens": _number(total.get("reasoning_output_tokens")),
            }
        )


def _gemini(entry: dict[str, object], usage: Usage) -> None:
    """Cached input is a part of the input, thoughts are not a part of the output."""
    tokens = entry.get("tokens")
    if not isinstance(tokens, dict):
        return
    usage.model = str(entry.get("model") or usage.model)
    cached, thoughts = _number(tokens.get("cached")), _number(tokens.get("thoughts"))
    counts = {
        "input_tokens": max(_number(tokens.get("input")) - cached, 0) + _number(tokens.get("tool")),
        "output_tokens": _number(tokens.get("output")) + thoughts,
        "cache_read_tokens": cached,
        "reasoning_tokens": thoughts,
    }
    usage.add(str(entry.get("id") or ""), counts)


def _counts(found: object, names: Mapping[str, str]) -> Counts:
    given = found if isinstance(found, dict) else {}
    return {field: _number(given.get(name)) for field, name in names.items()}


def _number(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else 0
