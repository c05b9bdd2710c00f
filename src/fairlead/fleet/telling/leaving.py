"""One journal line as the message that leaves the machine.

The message is made from nothing: each field that may be in it is read, checked against the form that it can
have, and put there. What has no such form (a prompt, a result) has no way in, whatever the line holds.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cache

from fairlead.fleet.telling.privacy import Privacy
from fairlead.model.decision import DECISION_WORDS
from fairlead.model.event_name import EventName
from fairlead.model.facts import facts_of
from fairlead.model.failure import Stage
from fairlead.model.hook import HookType
from fairlead.model.tool_call import ToolCall, ToolKind
from fairlead.model.value import Value
from fairlead.secrets.redact import redact_text

VERSION = 1
MASKED = "masked"
_COMMAND = 4096
_PATH = 512
_MOST = 16
"""Outcomes and failures of one line."""
_KNOWN: Mapping[str, tuple[str, ...]] = {
    "": ("v", "native_event", "root", "at", "after", "facts", "outcomes", "verdict", "rendered", "us",
         "redacted", "capped", "agent", "event", "session", "policy", "canary", "degraded", "ms"),
    "/facts": ("cwd", "gating", "tool", "result", "subagent", "prompt", "model_request", "model_response",
               "permission_mode", "attended", "transcript", "agent_version", "turn", "more", "bytes"),
    "/facts/tool": ("name", "kind", "input", "hash", "call", "mcp_server", "mcp_tool"),
    "/verdict": ("decision", "reason", "rule", "hook", "alternative", "stop", "stop_reason", "evidence",
                 "system_message", "suppress_output", "updated_input", "updated_output", "failures",
                 "additional_context", "extra", "would"),
}  # fmt: skip
"""Names that a journal line has by itself: they may be named as erased, and no other name may."""

Record = Mapping[str, object]
Json = dict[str, object]


class Origin(Value):
    """Where lines come from. The bundle is the one in force there; nobody is told of `homes`."""

    machine: str
    group: str
    user: str = ""
    homes: tuple[str, ...] = ()
    bundle_version: int = 0
    bundle_sha256: str = ""


def message_of(record: Record, privacy: Privacy, origin: Origin) -> Json:
    """Raises ValueError for a line that no journal of ours can hold: it has no id, or no place in a chain."""
    made = _Message(record, privacy, origin)
    made.fill()
    bundle = {"version": origin.bundle_version, "sha256": origin.bundle_sha256}
    return {
        "v": VERSION,
        "machine": origin.machine,
        "group": origin.group,
        "bundle": bundle if origin.bundle_version else None,
        "line": made.line,
        "erased": made.erased(),
        "masked": sorted(made.masked),
    }


def line_of(record: Record, privacy: Privacy, home: str) -> Json:
    """The line alone, for receivers that know of no fleet. What has no place in a chain is nothing."""
    made = _Message(record, privacy, Origin("", "", homes=(home,)))
    try:
        made.fill()
    except ValueError:
        return {}
    return made.line


class _Message:
    def __init__(self, record: Record, privacy: Privacy, origin: Origin) -> None:
        self._record = record
        self._privacy = privacy
        self._origin = origin
        self._homes = _homes_pattern(origin.homes)
        self._sent: set[str] = set()
        self.masked: set[str] = set()
        self.line: Json = {}

    def fill(self) -> None:
        self._place_in_chain()
        for name, place, read in _FIELDS:
            if name in self._privacy.fields:
                self._put(place, read(self, _at(self._record, place)))
        if "user" in self._privacy.fields:
            self._put("/user", self._privacy.pseudonym("user", self._origin.user))
        self._opted_in()

    def _place_in_chain(self) -> None:
        record = self._record
        line_id, writer, sequence = record.get("id"), record.get("writer"), record.get("seq")
        if not _is_form(_ID, line_id) or not _is_form(_HEX, writer) or not _is_number(sequence):
            raise ValueError("this line has no id, or no place in its writer's chain")
        previous, moment = record.get("prev"), record.get("ts")
        self.line |= {
            "id": line_id,
            "request": self._request(record.get("request")),
            "writer": writer,
            "seq": sequence,
            "prev": previous if _is_form(_HEX, previous) else "",
            "ts": moment if _is_form(_TIME, moment) else "",
        }
        if _is_form(_ID, record.get("observes")):
            self.line["observes"] = record["observes"]
        if _is_number(lines := _mapping(record.get("lost")).get("lines")):
            self.line["lost"] = {"lines": lines}

    def _request(self, given: object) -> str:
        """What a client of ours made; what another made may be anything, and becomes a pseudonym."""
        if _is_form(_REQUEST, given):
            return str(given)
        if given:
            self.masked.add("/request")
        return self._privacy.pseudonym("request", str(given)) if given else ""

    def _opted_in(self) -> None:
        rules = (_at(self._record, "/verdict/rule"), _at(self._record, "/verdict/would/rule"))
        named = [str(rule) for rule in rules if rule]
        if any(map(self._privacy.lets_command, named)):
            self._put("/facts/command", self._command())
        if any(map(self._privacy.lets_path, named)):
            self._put("/facts/path", self._path())

    def _command(self) -> str:
        facts = facts_of(self._call(), "")
        command = facts.command or ""
        shown = redact_text(self._homes.sub("[home]", redact_text(command)))[:_COMMAND]
        if shown != command:
            self.masked.add("/facts/command")
        return shown

    def _path(self) -> str:
        """Within the project, or not at all."""
        root = str(self._record.get("root") or "")
        if not root.startswith("/") or root == "/":
            return ""
        for fact in facts_of(self._call(), root).paths:
            inside = fact.path.removeprefix(root.rstrip("/") + "/")
            if inside == fact.path or ".." in inside.split("/"):
                self.masked.add("/facts/path")
                continue
            shown = redact_text(self._homes.sub("[home]", inside))[:_PATH]
            if shown != inside:
                self.masked.add("/facts/path")
            return shown
        return ""

    def _call(self) -> ToolCall:
        tool = _mapping(_at(self._record, "/facts/tool"))
        known = ToolKind(_among(_KINDS, tool.get("kind")) or "other")
        return ToolCall(str(tool.get("name") or ""), _mapping(tool.get("input")), known)

    def name(self, place: str, value: object) -> str:
        """An identifier; what does not look like one is not shown."""
        if not isinstance(value, str) or not value:
            return ""
        if _NAME.fullmatch(value) and not self._homes.search(value) and redact_text(value) == value:
            return value
        self.masked.add(place)
        return MASKED

    def session(self, value: object) -> str:
        shown = self._privacy.pseudonym("session", value) if isinstance(value, str) else ""
        if shown:
            self.masked.add("/session")
        return shown

    def _put(self, place: str, value: object) -> None:
        if value is None or value == "" or value == []:
            return
        self._sent.add(place)
        *folders, last = place.split("/")[1:]
        inside = self.line
        for folder in folders:
            inside = inside.setdefault(folder, {})  # type: ignore[assignment]  # only mappings are put there
        inside[last] = value

    def erased(self) -> list[str]:
        """The places of what the line has and the message has not."""
        found: set[str] = set()
        for folder, names in _KNOWN.items():
            inside = _mapping(_at(self._record, folder)) if folder else self._record
            for name in inside.keys() - {"v"}:
                place = f"{folder}/{name}" if name in names else f"{folder}/*"
                if inside[name] and not self._is_sent(place) and (folder or name not in self.line):
                    found.add(place)
        return sorted(found)

    def _is_sent(self, place: str) -> bool:
        return any(sent == place or sent.startswith(f"{place}/") for sent in self._sent)


_EVENTS, _KINDS, _STAGES, _TYPES = (frozenset(each) for each in (EventName, ToolKind, Stage, HookType))


def _word(words: Collection[str]) -> Callable[[_Message, object], object]:
    return lambda made, value: _among(words, value)


def _among(words: Collection[str], value: object) -> str:
    return value if isinstance(value, str) and value in words else ""


def _name(place: str) -> Callable[[_Message, object], object]:
    return lambda made, value: made.name(place, value)


def _true(made: _Message, value: object) -> object:
    return True if value else None


def _flag(made: _Message, value: object) -> object:
    return value if isinstance(value, bool) else None


def _milliseconds(made: _Message, value: object) -> object:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return round(float(value), 3) if math.isfinite(value) and 0 <= value < 1e9 else None


def _hash(made: _Message, value: object) -> object:
    return value if _is_form(_HEX, value) else None


def _would(made: _Message, value: object) -> object:
    given = _mapping(value)
    decision = _among(DECISION_WORDS, given.get("decision"))
    if not decision:
        return None
    rule, hook = (made.name(f"/verdict/would/{name}", given.get(name)) for name in ("rule", "hook"))
    return {"decision": decision, "rule": rule, "hook": hook}


def _failures(made: _Message, value: object) -> object:
    return [_failure(each) for each in _mappings(value)][:_MOST]


def _failure(given: Record) -> Json:
    code = given.get("code")
    return {"stage": _among(_STAGES, given.get("stage")), "code": code if _is_form(_CODE, code) else ""}


def _outcomes(made: _Message, value: object) -> object:
    """Of hooks that objected, failed, or would have objected; the others have nothing to tell."""
    return [shown for given in _mappings(value) if (shown := _outcome(made, given))][:_MOST]


def _outcome(made: _Message, given: Record) -> Json:
    failure = given.get("failure")
    word = _among(DECISION_WORDS, given.get("decision"))
    would = _among(DECISION_WORDS, _mapping(given.get("would")).get("decision"))
    objects = bool(word) and DECISION_WORDS[word].objects
    if not objects and not failure and not would:
        return {}
    shown: Json = {
        "hook": made.name("/outcomes/*/hook", given.get("hook")),
        "type": _among(_TYPES, given.get("type")),
        "decision": word,
        "rule": made.name("/outcomes/*/rule", given.get("rule")),
        "ms": _milliseconds(made, given.get("ms")) or 0,
    }
    if would:
        shown["would"] = would
    if isinstance(failure, Mapping):
        shown["failure"] = _failure(failure)
    return shown


_FIELDS: tuple[tuple[str, str, Callable[[_Message, object], object]], ...] = (
    ("agent", "/agent", _name("/agent")),
    ("event", "/event", _word(_EVENTS)),
    ("native_event", "/native_event", _name("/native_event")),
    ("session", "/session", _Message.session),
    ("policy", "/policy", _hash),
    ("canary", "/canary", _true),
    ("gating", "/facts/gating", _flag),
    ("attended", "/facts/attended", _flag),
    ("agent_version", "/facts/agent_version", _name("/facts/agent_version")),
    ("kind", "/facts/tool/kind", _word(_KINDS)),
    ("tool", "/facts/tool/name", _name("/facts/tool/name")),
    ("mcp_server", "/facts/tool/mcp_server", _name("/facts/tool/mcp_server")),
    ("mcp_tool", "/facts/tool/mcp_tool", _name("/facts/tool/mcp_tool")),
    ("decision", "/verdict/decision", _word(DECISION_WORDS)),
    ("rule", "/verdict/rule", _name("/verdict/rule")),
    ("hook", "/verdict/hook", _name("/verdict/hook")),
    ("would", "/verdict/would", _would),
    ("failures", "/verdict/failures", _failures),
    ("outcomes", "/outcomes", _outcomes),
    ("degraded", "/degraded", _true),
    ("ms", "/ms", _milliseconds),
)
"""Name in a bundle, place in the line and in the message, and how what stands there is checked."""

_ID = re.compile(r"[0-9A-HJKMNP-TV-Z]{26}")
_HEX = re.compile(r"[0-9a-f]{8,64}")
_REQUEST = re.compile(r"[0-9a-f]{16,64}")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/@+:-]{0,127}")
_CODE = re.compile(r"[A-Za-z_]{1,48}")
_HOME_NAME = r"[^/\\%\s\"'`;|&<>()]+"
_ANY_HOME = (
    r"(?:/home|/Users|/var/home|/export/home)(?:/\.?(?=/))*/[^/\s\"'`;|&<>()]+"
    rf"|(?i:%2F(?:home|Users)%2F){_HOME_NAME}|(?i:\b[a-z]:[/\\]{{1,4}}Users[/\\]{{1,4}}){_HOME_NAME}"
    r"|/root\b|~[A-Za-z_][\w.-]*"
)


@cache
def _homes_pattern(homes: tuple[str, ...]) -> re.Pattern[str]:
    own = [re.escape(home.rstrip("/")) for home in sorted(homes, key=len, reverse=True) if len(home) > 1]
    return re.compile("|".join([*own, _ANY_HOME]))


def _is_form(pattern: re.Pattern[str], value: object) -> bool:
    return isinstance(value, str) and pattern.fullmatch(value) is not None


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value < 1 << 53


def _at(record: Record, place: str) -> object:
    found: object = record
    for name in place.split("/")[1:]:
        found = _mapping(found).get(name)
    return found


def _mapping(value: object) -> Record:
    return value if isinstance(value, Mapping) else {}


def _mappings(value: object) -> Iterable[Record]:
    return (each for each in value if isinstance(each, Mapping)) if isinstance(value, list) else ()
