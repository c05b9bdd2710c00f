"""For authors of middleware files: what `process()` returns, and short ways to make it.

    from middleware_base import MiddlewareResult, allow, block

    def process(hook_input, config, previous_results):
        if "DROP TABLE" in hook_input.get("tool_input", {}).get("command", ""):
            return block("tables are not dropped by agents")
        return allow()

Inside a middleware file it is importable as `middleware_base`, in tests as `fairlead.middleware_base`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

__all__ = ["MiddlewareResult", "allow", "approve", "ask", "block", "halt", "proceed", "rewrite"]

_FIELDS = (
    "decision",
    "reason",
    "metrics",
    "updated_input",
    "additional_context",
    "system_message",
    "id",
    "type",
)


class MiddlewareResult:
    """What one middleware says: `r.decision` and `r["decision"]` are the same.

    `decision` is `allow` or `continue` (no objection), `block`, `ask`, `approve` or `halt`. `id` and `type`
    are filled in for the elements of `previous_results`; an author leaves them empty.
    """

    __slots__ = _FIELDS

    def __init__(
        self,
        decision: str,
        reason: str = "",
        metrics: Mapping[str, Any] | None = None,
        updated_input: Mapping[str, Any] | None = None,
        additional_context: str = "",
        system_message: str = "",
        *,
        id: str = "",
        type: str = "",
    ) -> None:
        self.decision = decision
        self.reason = reason
        self.metrics = dict(metrics) if metrics else {}
        self.updated_input = updated_input
        self.additional_context = additional_context
        self.system_message = system_message
        self.id = id
        self.type = type

    def __getitem__(self, key: str) -> Any:
        if key not in _FIELDS:
            raise KeyError(key)
        return getattr(self, key)

    def __contains__(self, key: object) -> bool:
        return key in _FIELDS

    def __iter__(self) -> Iterator[str]:
        return iter(_FIELDS)

    def __len__(self) -> int:
        return len(_FIELDS)

    def get(self, key: str, default: Any = None) -> Any:
        return getattr(self, key) if key in _FIELDS else default

    def keys(self) -> tuple[str, ...]:
        """With `[]`, what `dict(result)` needs."""
        return _FIELDS

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MiddlewareResult):
            return NotImplemented
        return dict(self) == dict(other)

    __hash__ = None  # type: ignore[assignment]  # its fields can be changed, and metrics are a dict

    def __repr__(self) -> str:
        said = {key: value for key, value in dict(self).items() if value not in ("", None, {})}
        return f"MiddlewareResult({', '.join(f'{key}={value!r}' for key, value in said.items())})"


def allow(reason: str = "", **metrics: Any) -> MiddlewareResult:
    """No objection: the agent's own permission flow still applies."""
    return MiddlewareResult("allow", reason, metrics)


def proceed(reason: str = "", **metrics: Any) -> MiddlewareResult:
    """No opinion; the word is `continue`, which Python keeps for itself."""
    return MiddlewareResult("continue", reason, metrics)


def block(reason: str, **metrics: Any) -> MiddlewareResult:
    return MiddlewareResult("block", reason, metrics)


def ask(reason: str, **metrics: Any) -> MiddlewareResult:
    """A person has to decide."""
    return MiddlewareResult("ask", reason, metrics)


def approve(reason: str = "", **metrics: Any) -> MiddlewareResult:
    """The call may run without asking anyone."""
    return MiddlewareResult("approve", reason, metrics)


def halt(reason: str, **metrics: Any) -> MiddlewareResult:
    """The call may not run, and the agent has to stop."""
    return MiddlewareResult("halt", reason, metrics)


def rewrite(updated_input: Mapping[str, Any], reason: str = "", **metrics: Any) -> MiddlewareResult:
    """No objection to this input instead of the given one; for hooks of type `transformation`."""
    return MiddlewareResult("allow", reason, metrics, updated_input=updated_input)
