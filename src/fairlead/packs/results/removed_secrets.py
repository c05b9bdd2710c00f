"""The middleware `remove-secrets-from-results`: key material in a result does not reach the model.

Only what is certainly a key: one that its form gives away. A password that only its name makes one stays, since a
false removal breaks work: what the model read it may write back.
"""

from __future__ import annotations

import base64
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence

from fairlead.model.event import Event
from fairlead.model.facts import facts_of
from fairlead.model.hook import Evidence, Outcome
from fairlead.model.tool_call import ToolCall, ToolKind
from fairlead.packs.results.certain_keys import certain_keys
from fairlead.packs.results.looked_at import is_looked_at
from fairlead.secrets.detect import SHORTEST
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
_MOST = 64 << 20
"""Characters of one result that are looked at: no door takes more."""
_PIECE, _OVERLAP = 1 << 20, 1 << 16
"""More than any key is long, so that none is cut in two."""
_LEVELS = 3
"""How often JSON may stand within JSON."""
_ESCAPE = lazy(r"\\(?:u00([0-7][0-9A-Fa-f])|/|\\)")
_ENCODED = ("data", "blob")


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


def without_keys(value: object) -> tuple[object, tuple[str, ...]]:
    """The same data without key material, and the kinds of what was taken out; the same object where none was."""
    removal = _Removal()
    return removal.without(value), tuple(sorted(removal.kinds))


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
        if not depth:
            return self._deep(value)
        if isinstance(value, Mapping):
            return self._mapping(value, depth)
        if isinstance(value, list | tuple):
            items = [self.without(item, depth - 1) for item in value]
            return items if any(map(_is_other, items, value)) else value
        return value

    def _mapping(self, value: Mapping[object, object], depth: int) -> object:
        picture = _is_picture(value)
        changed: dict[object, object] = {}
        same = True
        for key, item in value.items():
            if picture and key in _ENCODED:
                new: object = item
            elif key == "blob" and isinstance(item, str):
                new = self._blob(item)
            else:
                new = self.without(item, depth - 1)
            name = self._text(key) if isinstance(key, str) else key
            same = same and new is item and name is key
            changed[name if name is key or name not in changed else f"{name} {len(changed)}"] = new
        return value if same else changed

    def _blob(self, letters: str) -> str:
        """Text that was encoded to travel is read by the model all the same."""
        try:
            text = base64.b64decode(letters, validate=True).decode("utf-8")
        except ValueError:
            return self._text(letters)
        new = self._text(text)
        return letters if new is text else base64.b64encode(new.encode("utf-8")).decode("ascii")

    def _deep(self, value: object) -> object:
        """Nobody nests data like this; it goes as a whole where a key is in it."""
        kinds: set[str] = set()
        waiting: list[object] = [value]
        while waiting:
            item = waiting.pop()
            if isinstance(item, str):
                kinds |= {kind for _, _, kind in _spans(item[: self._left])}
                self._left -= min(self._left, len(item))
            elif isinstance(item, Mapping):
                waiting += [*item, *item.values()]
            elif isinstance(item, list | tuple):
                waiting += item
        self.kinds |= kinds
        self.count += len(kinds)
        return mark(min(kinds)) if kinds else value

    def _text(self, text: str) -> str:
        looked_at = text[: self._left]
        self._left -= len(looked_at)
        if len(looked_at) < SHORTEST:
            return text
        parts: list[str] = []
        at = 0
        for start, end, kind in _spans(looked_at):
            if start < at:
                continue
            parts += [text[at:start], mark(kind)]
            at = end
            self.kinds.add(kind)
            self.count += 1
        return "".join((*parts, text[at:])) if parts else text


Span = tuple[int, int, str]


def _spans(text: str) -> list[Span]:
    """Where keys stand, in order; also those that are spelled with the escapes of JSON."""
    found = list(_plain_spans(text))
    plain, places = text, None
    for _ in range(_LEVELS):
        if "\\u00" not in plain and "\\/" not in plain:
            break
        plain, steps = _unescaped(plain)
        places = steps if places is None else [(now, _original(before, places)) for now, before in steps]
        for start, end, kind in _plain_spans(plain):
            found.append((_original(start, places), _original(end, places), kind))
    return sorted(found, key=lambda span: (span[0], -span[1]))


def _plain_spans(text: str) -> Iterator[Span]:
    """Piece by piece: another thread may run in between."""
    for start in range(0, len(text), _PIECE - _OVERLAP):
        for finding in certain_keys(text[start : start + _PIECE]):
            yield finding.start + start, finding.end + start, finding.kind
        if start + _PIECE >= len(text):
            return


Steps = list[tuple[int, int]]
"""Places in the text without escapes, each with its place in the one with them; between two, both go alike."""


def _unescaped(text: str) -> tuple[str, Steps]:
    parts: list[str] = []
    steps: Steps = [(0, 0)]
    at = length = 0
    for match in _ESCAPE.finditer(text):
        letter = "\\" if match[0] == "\\\\" else chr(int(match[1], 16)) if match[1] else "/"
        parts += [text[at : match.start()], letter]
        length += match.start() - at + 1
        at = match.end()
        steps += [(length - 1, match.start()), (length, at)]
    parts.append(text[at:])
    return "".join(parts), steps


def _original(place: int, steps: Steps) -> int:
    now, before = steps[bisect_right(steps, (place, len(steps) and steps[-1][1] + 1)) - 1]
    return before + place - now


def _is_other(one: object, other: object) -> bool:
    return one is not other


def _is_picture(value: Mapping[object, object]) -> bool:
    """Letters that stand for a picture or a sound may look like anything."""
    told = str(value.get("mimeType", value.get("media_type", "")))
    return (told.startswith(("image/", "audio/", "video/")) and "svg" not in told) or value.get("type") in (
        "image",
        "audio",
    )
