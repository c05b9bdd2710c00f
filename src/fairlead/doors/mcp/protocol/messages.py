"""Lines of the protocol, read so that nobody could read them otherwise.

Readers of JSON differ: of two equal keys some take the first and some the last, some take `Name` for `name`,
some cut a key at a NUL. A message whose envelope leaves room for that is not passed on. What a policy judges
has to be unambiguous to its last member, and is sent on as it was understood, never as it came.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from enum import Enum

from fairlead.model.value import Value

DEEPEST = 128
"""Nesting that a judged message may have."""
LARGEST_ID = 2**53 - 1
"""Above it, some readers round."""

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
INVALID_PARAMS = -32602

_ENVELOPE = frozenset({"jsonrpc", "id", "method", "params", "result", "error"})
_PARAMS = frozenset(
    {
        "name",
        "arguments",
        "uri",
        "ref",
        "argument",
        "context",
        "_meta",
        "task",
        "taskId",
        "inputResponses",
        "requestState",
        "cursor",
        "requestId",
        "messages",
        "mode",
        "message",
        "requestedSchema",
        "url",
    }
)


class Kind(Enum):
    REQUEST = "request"
    NOTIFICATION = "notification"
    RESPONSE = "response"


class BadMessage(Exception):  # noqa: N818 - it is a message that is bad, and told to its sender
    """A line that is not passed on. `id` is the request's, where it can be told."""

    def __init__(self, why: str, *, code: int = INVALID_REQUEST, id: str | int | None = None) -> None:
        super().__init__(why)
        self.why = why
        self.code = code
        self.id = id
        self.answers = False
        """Whether it is an answer: who waits for `id` will get no other."""


class Message(Value):
    """One line: its bytes, and what the door needs to know of it."""

    line: bytes
    kind: Kind
    id: str | int | None
    method: str
    members: dict[str, object]
    plain: bool
    """Whether no object in it has a key twice, and each number is one: NaN and Infinity are read as null."""

    @property
    def params(self) -> Mapping[str, object]:
        params = self.members.get("params")
        return params if isinstance(params, dict) else {}

    @property
    def result(self) -> Mapping[str, object] | None:
        result = self.members.get("result")
        return result if isinstance(result, dict) else None


class Reader:
    """Reads the lines of one side."""

    def __init__(self) -> None:
        self._decoder = json.JSONDecoder(object_pairs_hook=self._object, parse_constant=self._no_number)
        self._outermost: list[tuple[str, object]] = []
        self._plain = True

    def read(self, line: bytes) -> Message:
        """`line` has its end. Raises BadMessage."""
        if b"\r" in line and line.find(b"\r") < len(line) - 2:
            line = line.replace(b"\r", b" ")  # some readers end lines there; in JSON it is but a blank
        self._plain = True
        members = self._decoded(line)
        if not isinstance(members, dict):
            what = "a batch" if isinstance(members, list) else "no object"
            raise BadMessage(f"one message is one object; this is {what}")
        if len(members) != len(self._outermost) or not members.keys() <= _ENVELOPE:
            _check_envelope([key for key, _ in self._outermost], members)
        kind = _kind(members)
        number = members.get("id")
        if number is not None or kind is Kind.REQUEST:
            number = _checked_id(number)
        method = members.get("method", "")
        if not isinstance(method, str):
            raise BadMessage("the method is no text", id=number)
        return Message(line, kind, number, method, members, self._plain)

    def _decoded(self, line: bytes) -> object:
        try:
            return self._decoder.decode(line.decode())
        except UnicodeDecodeError:
            why = "it is not UTF-8"
        except ValueError:
            why = "it is no JSON"
        except RecursionError:
            why = "it is nested too deep"
        raise BadMessage(why, code=PARSE_ERROR)

    def _object(self, pairs: list[tuple[str, object]]) -> dict[str, object]:
        """The last one of a message is its envelope."""
        self._outermost = pairs
        members = dict(pairs)
        if len(members) != len(pairs):
            self._plain = False
        return members

    def _no_number(self, _: str) -> None:
        self._plain = False


def _kind(members: Mapping[str, object]) -> Kind:
    answers = "result" in members or "error" in members
    if "method" not in members:
        if not answers:
            raise BadMessage("it is neither a request nor an answer")
        if "result" in members and "error" in members:
            raise BadMessage("it has a result and an error")
        return Kind.RESPONSE
    if answers:
        raise BadMessage("it is a request and an answer")
    return Kind.REQUEST if "id" in members else Kind.NOTIFICATION


def _checked_id(number: object) -> str | int:
    if type(number) is int and -LARGEST_ID <= number <= LARGEST_ID:
        return number
    if type(number) is str:
        return number
    raise BadMessage("an id is a text or a whole number below 2^53")


def _check_envelope(keys: list[str], members: Mapping[str, object]) -> None:
    """Raises for keys that some reader takes for another one."""
    key = confused(keys, _ENVELOPE)
    if key:
        id = members.get("id")
        meant = [folded(each) for each in keys]
        sure = meant.count("id") == 1
        known = id if sure and isinstance(id, int | str) else None
        problem = BadMessage(f"the key {key!r} can be read in two ways", id=known)
        problem.answers = "method" not in meant
        raise problem


def confused(keys: Iterable[str], known: Iterable[str] = ()) -> str:
    """A key that some reader takes for another of them, or for a known one that it is not; "" for none."""
    meant = {folded(name): name for name in known}
    seen = set()
    for key in keys:
        short = folded(key)
        if short in seen or meant.get(short, key) != key:
            return key
        seen.add(short)
    return ""


def folded(key: str) -> str:
    """As the most careless reader takes it."""
    return key.replace("\0", "").strip().casefold()


def check_judged(message: Message) -> None:
    """Raises BadMessage where what a policy judges could mean something else to who gets it."""
    params = message.members.get("params", {})
    why = _why_unclear(message, params)
    if why:
        raise BadMessage(why, id=message.id)


def _why_unclear(message: Message, params: object) -> str:
    if message.members.get("jsonrpc") != "2.0":
        return 'it lacks "jsonrpc": "2.0"'
    if not message.plain:
        return "it has a key twice in one object, or a number that is none"
    if not isinstance(params, dict):
        return "its params are no object"
    arguments = params.get("arguments", {})
    key = "" if params.keys() <= _PARAMS else confused(params, _PARAMS)
    if not key and isinstance(arguments, dict) and len(arguments) > 1:
        key = confused(arguments)
    if key:
        return f"the key {key!r} can be read in two ways"
    return "it is nested too deep" if too_deep(message) else ""


def too_deep(message: Message) -> bool:
    line = message.line
    if line.count(b"{") + line.count(b"[") <= DEEPEST:
        return False
    level: list[object] = [message.members]
    for _ in range(DEEPEST):
        level = [inner for each in level for inner in _inside(each)]
        if not level:
            return False
    return True


def _inside(value: object) -> Iterable[object]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))
_LINE_ENDS = {"\u2028": "\\u2028", "\u2029": "\\u2029", "\x85": "\\u0085"}
"""Some readers of lines take them for ends; in JSON they can stand only in a text."""


def encode(message: object) -> bytes:
    """One line. Raises ValueError for what is no JSON: NaN, Infinity, half of a surrogate pair."""
    text = _ENCODER.encode(message)
    if not text.isascii():
        for end, escaped in _LINE_ENDS.items():
            text = text.replace(end, escaped)
    return text.encode() + b"\n"
