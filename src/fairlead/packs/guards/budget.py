"""`enforce-budget`: asks or blocks when a session, or all sessions of a day, have used what they may.

It counts what transcripts report, so the call that goes over the budget is the last one that is not asked about.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence

from fairlead.errors import PolicyError
from fairlead.model.decision import DECISION_WORDS, Decision
from fairlead.model.event import Event
from fairlead.model.hook import HookType, Outcome
from fairlead.store.ledger import read_usage, usage_of_day

_SESSION, _DAY = "session", "day"
_PRICED = {
    "input": "input_tokens",
    "output": "output_tokens",
    "cache_read": "cache_read_tokens",
    "cache_write": "cache_write_tokens",
}
_PAID = tuple(_PRICED.values())


def enforce_budget(
    event: Event, config: Mapping[str, object], previous: Sequence[Outcome], /
) -> Outcome | None:
    """Config: `tokens`, `usd`, `per` (session or day), `decision` (ask or block), `prices` in USD per million
    tokens by the beginning of a model's name, `state_dir`.

    What makes no sense raises: a budget that cannot be counted must not read as one that is kept.
    """
    per, decision = _period(config), _decision(config)
    used = list(_used(event, per, str(config.get("state_dir") or "")))
    tokens = sum(counts.get(field, 0) for _, counts in used for field in _PAID)
    limit = _number(config, "tokens")
    if limit is not None and tokens >= limit:
        return _over(decision, "tokens", f"{tokens:,} of {limit:,.0f} tokens are used", per)
    most = _number(config, "usd")
    if most is None:
        if limit is None:
            raise PolicyError("a budget needs `tokens` or `usd`")
        return None
    spent = sum(_price(model, counts, config) for model, counts in used)
    if spent >= most:
        return _over(decision, "usd", f"${spent:.2f} of ${most:.2f} are spent", per)
    return None


def _over(decision: Decision, what: str, text: str, per: str) -> Outcome:
    whose = "in this session" if per == _SESSION else "today"
    return Outcome(
        decision,
        f"The budget is used up: {text} {whose}.",
        type=HookType.AUTHORIZATION,
        rule=f"budget/{what}-per-{per}",
        alternative="Finish what is begun, and tell the user that the budget is used up.",
    )


def _used(event: Event, per: str, state_dir: str) -> Iterator[tuple[str, Mapping[str, int]]]:
    today = time.strftime("%Y-%m-%d")
    if event.transcript_path:
        account = "" if event.canary else today
        try:
            ledger = read_usage(event.transcript_path, state_dir=state_dir, day=account)
        except FileNotFoundError:
            ledger = None  # a session that has said nothing yet has no transcript
        if per == _SESSION and ledger is not None:
            yield ledger.usage.model, ledger.usage.totals
    if per == _DAY:
        yield from usage_of_day(today, state_dir=state_dir)


def _price(model: str, counts: Mapping[str, int], config: Mapping[str, object]) -> float:
    prices = config.get("prices")
    known = prices if isinstance(prices, Mapping) else {}
    names = [name for name in known if model.startswith(str(name))]
    if not any(counts.get(field) for field in _PAID):
        return 0.0
    if not names:
        raise PolicyError(f"`prices` has none for the model {model!r}", hint="USD per million tokens")
    price = known[max(names, key=len)]
    if not isinstance(price, Mapping):
        raise PolicyError(
            f"the price of {model!r} is not a mapping of input, output, cache_read, cache_write"
        )
    return sum(_cost(price, key, counts.get(field, 0)) for key, field in _PRICED.items())


def _cost(price: Mapping[str, object], key: str, tokens: int) -> float:
    value = price.get(key, price.get("input", 0) if key.startswith("cache") else 0)
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise PolicyError(f"the price {key!r} is not a number")
    return value * tokens / 1_000_000


def _number(config: Mapping[str, object], key: str) -> float | None:
    value = config.get(key)
    if value is not None and (not isinstance(value, int | float) or isinstance(value, bool) or value < 0):
        raise PolicyError(f"`{key}` is not a number")
    return value


def _period(config: Mapping[str, object]) -> str:
    per = config.get("per", _SESSION)
    if per not in (_SESSION, _DAY):
        raise PolicyError(f"`per` is {per!r}", hint="session or day")
    return str(per)


def _decision(config: Mapping[str, object]) -> Decision:
    word = config.get("decision", "ask")
    if word not in ("ask", "block"):
        raise PolicyError(f"`decision` is {word!r}", hint="ask or block")
    return DECISION_WORDS[str(word)]
