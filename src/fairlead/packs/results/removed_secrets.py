"""The middleware `remove-secrets-from-results`: key material in a result does not reach the model.

Only what is certainly a key: one that its form gives away. A password that only its name makes one stays, since a
false removal breaks work: what the model read it may write back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fairlead.model.event import Event
from fairlead.model.facts import facts_of
from fairlead.model.hook import Evidence, Outcome
from fairlead.model.tool_call import ToolCall, ToolKind
from fairlead.packs.results.certain_keys import certain_keys
from fairlead.packs.results.looked_at import is_looked_at
from fairlead.secrets.redact import mark
from fairlead.shell.lazy_pattern import lazy

RULE = "results/secret-removed"
_EXAMPLE_FILE = lazy(
    r"/(?:tests?|specs?|fixtures?|__tests__|testdata|test-data|examples?|mocks?|snapshots?)/|[._-](?:test|spec)\."
    r"|/test_[^/]+$|\.(?:md|rst|example|sample|snap)$"
)
"""Files whose keys are made up, and which are edited with them."""
_READING = frozenset((ToolKind.READ, ToolKind.SEARCH, ToolKind.EDIT, ToolKind.WRITE))
_DEEPEST = 100
_MOST = 4 << 20
"""Characters of one result that are looked at."""


def remove_secrets(
    event: Event, config: Mapping[str, object], previous: Sequence[Outcome], /
) -> Outcome | None:
    """Config: `except`, tools whose results are left as they are."""
    tool, result = event.tool, event.result
    if result is None or not (event.subject if tool is None else _is_real(tool, event.cwd, config)):
        return None
    name = event.subject if tool is None else tool.name
    removal = _Removal()
    output = removal.without(result.output)
    if not removal.kinds:
        return None
    kinds = ", ".join(sorted(removal.kinds))
    return Outcome(
        reason=f"the result of {name} holds {kinds}",
        rule=RULE,
        evidence=(Evidence(f"[{kinds}]", detail=f"{removal.count} in the result of {name}"),),
        updated_output=output,
        system_message=f"{name} gave key material ({kinds}); the model gets a mark in its place.",
        metrics={"removed": removal.count},
    )


def _is_real(tool: ToolCall, cwd: str, config: Mapping[str, object]) -> bool:
    return is_looked_at(tool, config) and not _is_example(tool, cwd)


def _is_example(tool: ToolCall, cwd: str) -> bool:
    if tool.kind not in _READING:
        return False
    paths = facts_of(tool, cwd).paths
    return bool(paths) and all(_EXAMPLE_FILE.search(fact.path) for fact in paths)


class _Removal:
    """One walk over a result, and what it took out."""

    def __init__(self) -> None:
        self.kinds: set[str] = set()
        self.count = 0
        self._left = _MOST

    def without(self, value: object, depth: int = _DEEPEST) -> object:
        """The same data, with a mark where a key stood; what holds none is the same object."""
        if isinstance(value, str):
            return self._text(value)
        if not depth or (isinstance(value, Mapping) and _is_picture(value)):
            return value
        if isinstance(value, Mapping):
            changed = {key: self.without(item, depth - 1) for key, item in value.items()}
            return changed if any(changed[key] is not item for key, item in value.items()) else value
        if isinstance(value, list | tuple):
            items = [self.without(item, depth - 1) for item in value]
            return items if any(map(_is_other, items, value)) else value
        return value

    def _text(self, text: str) -> str:
        looked_at, rest = text[: self._left], text[self._left :]
        self._left -= len(looked_at)
        parts: list[str] = []
        at = 0
        for finding in certain_keys(looked_at):
            if finding.start < at:
                continue
            parts += [looked_at[at : finding.start], mark(finding.kind)]
            at = finding.end
            self.kinds.add(finding.kind)
            self.count += 1
        return "".join((*parts, looked_at[at:], rest)) if parts else text


def _is_other(one: object, other: object) -> bool:
    return one is not other


def _is_picture(value: Mapping[object, object]) -> bool:
    """Letters that stand for a picture or a sound may look like anything."""
    told = str(value.get("mimeType", value.get("media_type", "")))
    return told.startswith(("image/", "audio/", "video/")) or value.get("type") in ("image", "audio")
