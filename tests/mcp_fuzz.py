"""Conversations with broken, ambiguous and hostile lines, and readers that understand them differently.

What must hold, whatever comes: nothing breaks; no reader finds a call in what the server gets that was not
judged, or that means something else than what was judged; no reader finds an answer to a judged call in what
the client gets that was not judged.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator
from typing import Any

from fairlead.doors.mcp.calls import Choice, McpCall, Ruling
from fairlead.doors.mcp.protocol import calling, demands
from fairlead.model.decision import Decision
from mcp_kit import CAN_ASK, GO, MODERN, PlayedJudge, Stage

EVIL, SECRET = "evil", "SECRET"
BLOCKED = Ruling(Decision.BLOCK, "Blocked by Fairlead: no.")
ASK = Ruling(Decision.ASK, "Blocked by Fairlead: ask.", question="?")


class Guard(PlayedJudge):
    """Blocks what speaks of evil, asks about what speaks of asking, and takes secrets out of results."""

    def __init__(self) -> None:
        super().__init__()
        self.passed: set[str] = set()
        self.results_seen: set[str] = set()

    def before(self, call: McpCall) -> Ruling:
        said = json.dumps([call.name, call.arguments])
        if EVIL in said.casefold():
            return BLOCKED
        if "ask" in said:
            return ASK
        self._pass(call)
        return GO

    def _pass(self, call: McpCall) -> None:
        """As it is, and as a careless reader takes the names of its arguments."""
        careless = json.loads(json.dumps(call.arguments), object_pairs_hook=_careless)
        for arguments in (call.arguments, careless):
            self.passed.add(meaning(call.method, call.id, call.name, arguments))

    def answered(self, call: McpCall, ruling: Ruling, choice: Choice) -> Ruling:
        if not choice:
            return BLOCKED
        self._pass(call)
        return GO

    def after(self, call: McpCall, ruling: Ruling, result: Any, *, schema: Any) -> Any:
        if SECRET in json.dumps(result):
            return {"content": [{"type": "text", "text": "taken out"}]}
        return None


def meaning(method: object, id: object, name: object, arguments: object) -> str:
    """Of a resource, its address is all that counts."""
    arguments = {} if method == "resources/read" else arguments
    return json.dumps([method, id, name, arguments or {}], sort_keys=True)


# --- readers ---


def _first_wins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    return dict(reversed(pairs))


_SHORT = {
    key.casefold(): key for key in (*calling.NAMES.values(), "jsonrpc", "id", "method", "params", "result")
}


def _careless(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """As Go did: whatever the case, and cut at a NUL."""
    short = [(key.partition("\0")[0].strip().casefold(), key, value) for key, value in pairs]
    return {_SHORT.get(folded, key): value for folded, key, value in short}


READERS: tuple[Callable[[list[tuple[str, Any]]], dict[str, Any]], ...] = (dict, _first_wins, _careless)
_ENDS = (re.compile(r"\n"), re.compile(r"\r\n|\r|\n"), re.compile("[\n\r\u2028\u2029\x85\x0b\x0c]"))


def readings(line: bytes) -> Iterator[Any]:
    text = line.decode("utf-8", "replace")
    for end in _ENDS:
        for part in end.split(text):
            for reader in READERS:
                try:
                    yield json.loads(part, object_pairs_hook=reader)
                except (ValueError, RecursionError):
                    break


# --- lines ---

_PLAIN: tuple[dict[str, Any], ...] = (
    {"id": 1, "method": "tools/call", "params": {"name": "t", "arguments": {"a": 1}}},
    {"id": 2, "method": "tools/call", "params": {"name": EVIL, "arguments": {"a": 1}}},
    {
        "id": 3,
        "method": "tools/call",
        "params": {"name": "ask", "arguments": {}, "_meta": {**MODERN, **CAN_ASK}},
    },
    {"id": 4, "method": "tools/call", "params": {"name": "t", "arguments": {"path": EVIL}}},
    {"id": 5, "method": "resources/read", "params": {"uri": "file:///x"}},
    {"id": 6, "method": "prompts/get", "params": {"name": EVIL}},
    {"id": 7, "method": "ping"},
    {"id": 8, "method": "tools/list", "params": {}},
    {"id": 9, "method": "tasks/get", "params": {"taskId": "T"}},
    {"method": "notifications/cancelled", "params": {"requestId": 1}},
    {"method": "notifications/initialized"},
    {"method": "tools/call", "params": {"name": EVIL}},
    {"id": 0, "result": {"action": "accept", "content": {"allow": True}}},
    {"id": 10, "method": "initialize", "params": {"capabilities": {"elicitation": {}}}},
)
_OF_SERVER: tuple[dict[str, Any], ...] = (
    {"id": 1, "result": {"content": [{"type": "text", "text": SECRET}]}},
    {"id": 4, "result": {"content": []}},
    {"id": 5, "result": {"contents": [{"text": SECRET}]}},
    {"id": 1, "error": {"code": 1, "message": SECRET}},
    {"id": 7, "result": {}},
    {"id": 8, "result": {"tools": [{"name": "t"}], "nextCursor": "c"}},
    {"id": 9, "result": {"taskId": "T", "result": {"content": [SECRET]}}},
    {"id": 1, "result": {"resultType": "task", "taskId": "T"}},
    {"id": 3, "result": {"resultType": "input_required", "inputRequests": {"k": {"method": "roots/list"}}}},
    {"id": 0, "method": "sampling/createMessage", "params": {"messages": [EVIL]}},
    {"id": 11, "method": "elicitation/create", "params": {"message": "hello"}},
    {"method": "notifications/progress", "params": {"progressToken": 1, "progress": 1}},
    {"method": "notifications/tasks", "params": {"taskId": "T", "result": {"content": [SECRET]}}},
    {"method": "notifications/tools/list_changed"},
)
_KEYS = ("method", "id", "params", "name", "arguments", "result", "uri", "jsonrpc", "a")
_VALUES = (
    '"tools/call"',
    f'"{EVIL}"',
    "1",
    "2",
    "null",
    "1.0",
    "true",
    '{"name":"evil"}',
    "[]",
    "1e400",
    "NaN",
    '"1"',
)
_NOISE = (
    b"\r",
    b"\x00",
    b"\xff",
    b" ",
    b"\t",
    b"\xef\xbb\xbf",
    "\u2028".encode(),
    b"\\u0000",
    b"{",
    b"}",
    b",",
    b'"',
    b"\n",
)


class Writer:
    """Makes lines, most of them wrong in one place."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def line(self, kinds: tuple[dict[str, Any], ...]) -> bytes:
        chance = self._random
        message = {"jsonrpc": "2.0", **chance.choice(kinds)}
        if "id" in message and chance.random() < 0.3:
            message["id"] = chance.choice([*range(12), "1", "5", "x"])
        text = self._shuffled(message)
        while chance.random() < 0.5:
            text = self._wrong(text)
        line = text.encode("utf-8", "surrogatepass")
        if chance.random() < 0.15:
            place = chance.randrange(len(line) + 1)
            line = line[:place] + chance.choice(_NOISE) + line[place + chance.randrange(2) :]
        return line.replace(b"\n", b" ") + b"\n"

    def _shuffled(self, message: dict[str, Any]) -> str:
        members = list(message.items())
        self._random.shuffle(members)
        return json.dumps(dict(members), ensure_ascii=self._random.random() < 0.5)

    def _wrong(self, text: str) -> str:
        return self._random.choice(_WRONGS)(self._random, text)


Chance = random.Random


def _another_member(chance: Chance, text: str) -> str:
    """Beside the others, in the envelope or deeper, in a spelling of its own."""
    places = [each.end() for each in re.finditer(r"\{", text)] or [0]
    place = chance.choice(places)
    return f'{text[:place]}"{_spelled(chance, chance.choice(_KEYS))}":{chance.choice(_VALUES)},{text[place:]}'


def _last_member(chance: Chance, text: str) -> str:
    return f'{text[:-1]},"{_spelled(chance, chance.choice(_KEYS))}":{chance.choice(_VALUES)}}}'


def _spelled(chance: Chance, key: str) -> str:
    way = chance.randrange(7)
    if way == 0:
        return key.capitalize()
    if way == 1:
        return key.upper()
    if way == 2:
        return key + "\\u0000"
    if way == 3:
        return "".join(f"\\u{ord(each):04x}" for each in key)
    if way == 4:
        return key.replace("s", "\u017f").replace("k", "\u212a")
    if way == 5:
        return f" {key}"
    return key


def _respelled(chance: Chance, text: str) -> str:
    key = chance.choice(_KEYS)
    return text.replace(f'"{key}"', f'"{_spelled(chance, key)}"', 1)


def _hidden(chance: Chance, text: str) -> str:
    inner = f'{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"{EVIL}"}}}}'
    end = chance.choice(["\r", "\u2028", "\r\n"])
    return f'{{"jsonrpc":"2.0","method":"x","params":{end}{inner}{end}}}'


def _batch(chance: Chance, text: str) -> str:
    return f"[{text}]"


def _twice(chance: Chance, text: str) -> str:
    return text + chance.choice(["", " ", "\r", ","]) + text


def _cut(chance: Chance, text: str) -> str:
    return text[: chance.randrange(len(text) + 1)]


def _deep(chance: Chance, text: str) -> str:
    depth = chance.choice([10, 200, 5000])
    return text.replace("1", "[" * depth + "]" * depth, 1)


def _value(chance: Chance, text: str) -> str:
    return re.sub(r'"(t|evil|2\.0|tools/call)"', lambda _: chance.choice(_VALUES), text, count=1)


_METHODS = ("TOOLS/CALL", "tools/call\\u0000", " tools/call", "tools\\/call")


def _method(chance: Chance, text: str) -> str:
    return text.replace("tools/call", chance.choice(_METHODS))


_WRONGS: tuple[Callable[[Chance, str], str], ...] = (
    *[_another_member, _respelled] * 2,
    *[_last_member, _hidden, _batch, _twice, _cut, _deep, _value, _method],
)


# --- what must hold ---


class Conversation:
    def __init__(self, seed: int) -> None:
        self._writer = Writer(seed)
        self._chance = random.Random(seed + 1)
        self.guard = Guard()
        self.stage = Stage(self.guard, listed=seed % 4 > 0)
        self.forwarded = self.messages = 0
        self._flying: dict[str, bool] = {}

    def step(self) -> None:
        self.messages += 1
        if self._chance.random() < 0.6:
            self.stage.client_line(self._writer.line(_PLAIN))
        else:
            self.stage.server_line(self._writer.line(_OF_SERVER))
        for line in self.stage.lines_at_server:
            self._check_at_server(line)
        for line in self.stage.lines_at_client:
            self._check_at_client(line)
        self.stage.notes.clear()

    def _check_at_server(self, line: bytes) -> None:
        assert line.endswith(b"\n") and line.count(b"\n") == 1, line
        for read in readings(line):
            assert not isinstance(read, list), line
            if isinstance(read, dict) and "method" in read:
                judged = str(read["method"]).strip("\0 ").casefold() in calling.JUDGED
                self._flying[_id(read)] = judged
                assert not judged or _meaning_of(read) in self.guard.passed, line
                self.forwarded += judged

    def _check_at_client(self, line: bytes) -> None:
        assert line.endswith(b"\n") and line.count(b"\n") == 1, line
        for read in readings(line):
            assert not isinstance(read, list), line
            if isinstance(read, dict):
                judged = self._flying.get(_id(read)) and "method" not in read
                assert not judged or SECRET not in json.dumps(read.get("result")), line
                asks = read.get("method") in demands.JUDGED and "id" in read
                assert not asks or EVIL not in json.dumps(read.get("params")), line


def _id(message: dict[str, Any]) -> str:
    """1 and "1" alike, as some readers take them."""
    return str(message.get("id"))


def _meaning_of(call: dict[str, Any]) -> str:
    params = call.get("params") or {}
    key = calling.NAMES.get(call["method"], "")
    arguments = params.get("arguments") if key == "name" else params
    return meaning(call["method"], call.get("id"), params.get(key), arguments)
