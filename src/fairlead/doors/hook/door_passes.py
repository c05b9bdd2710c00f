"""One call of an MCP tool that hooks see and a door sees: it is judged once.

A door has a folder, which tells its server and the client that started it. A hook call for a tool of that
server, made by the same client, leaves its verdict there; the door takes it up, once, when the same call
comes through. The folder is below Fairlead's own, where no agent writes, and what is in it counts for a
bounded time. Whatever cannot be told for sure (another client, two doors that fit, a kernel that shows no
parents) leaves nothing: then the call is judged twice.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress

from fairlead.errors import FairleadError
from fairlead.model.decision import DECISION_WORDS, Decision
from fairlead.model.digest import sha256_hex
from fairlead.model.event import Event
from fairlead.model.tool_call import ToolCall
from fairlead.model.value import Value
from fairlead.model.verdict import Verdict
from fairlead.platforms import here
from fairlead.policy.places import Places, make_private, read_own
from fairlead.policy.reload import Mark, is_settled, mark_of

SECONDS, ASKED_SECONDS = 60.0, 600.0
"""How long a verdict holds for the door; a person who is asked takes a while to answer."""
_PARENTS, _DOORS, _KEPT = 24, 64, 256
_ABOUT = "door"
_BYTES = 64 * 1024


class Passed(Value):
    """What a hook call said of the call."""

    decision: Decision
    text: str
    tool: str
    """As the agent spells it."""
    request: str
    call: str
    """The agent's own id of it."""
    session: str
    agent: str
    root: str
    policy: str
    until: float


class Passes:
    """What hooks leave for the doors of a user."""

    def __init__(self, places: Places) -> None:
        self._folder = places.mcp_doors

    def leave(self, event: Event, verdict: Verdict, refusal: str, *, caller: int = 0) -> None:
        """`refusal`: what the agent is told, where the call is not to run. Nothing that breaks here costs the
        agent its answer: the door judges for itself then."""
        if event.tool is None:
            return
        with suppress(OSError, FairleadError, ValueError, TypeError):
            folder = self._door_for(event.tool, caller or os.getpid())
            if folder:
                _leave(folder, event, verdict, refusal)

    def _door_for(self, tool: ToolCall, caller: int) -> str:
        """The folder of the one door that fits; empty where none does, or more than one."""
        fitting = []
        for name in os.listdir(self._folder)[:_DOORS]:
            folder = os.path.join(self._folder, name)
            about = _read(os.path.join(folder, _ABOUT))
            if about is not None and _may_lead_to(tool, str(about.get("server", ""))):
                fitting.append((folder, str(about.get("client", ""))))
        if not fitting:
            return ""
        clients = set(_lineage(caller))
        found = [folder for folder, client in fitting if client in clients]
        return found[0] if len(found) == 1 else ""


class DoorFolder:
    """What a door finds of its own calls."""

    def __init__(self, places: Places, server: str, *, client: int = 0) -> None:
        self._server = server
        self._folder = os.path.join(places.mcp_doors, f"{os.getpid()}-{os.urandom(6).hex()}")
        self._bare: Mark = ()
        """Of the folder, when nobody had left anything in it."""
        started = _process(client or os.getppid())
        if started is None:
            return  # no passes: every call is judged here
        with suppress(OSError, FairleadError):
            _sweep(places.mcp_doors)
            make_private(places.mcp_doors)
            make_private(self._folder)
            about = {"server": server, "client": started[0], "own": (_process(os.getpid()) or ("",))[0]}
            _write(os.path.join(self._folder, _ABOUT), about)

    def take(self, tool: str, given: Mapping[str, object]) -> Passed | None:
        """What was said of this call; one that lets it pass is used up by that, a refusal stays."""
        names = self._left()
        if len(names) < 2:
            return None
        beginning = f"{_digest(given)}."
        found = [
            (name, passed)
            for name in names
            if name.startswith(beginning)
            for passed in [_passed(os.path.join(self._folder, name))]
            if passed is not None and spells(passed.tool, self._server, tool)
        ]
        for _, passed in found:
            if passed.decision.stops:
                return passed
        for name, passed in sorted(found, key=lambda each: each[1].until):
            with suppress(OSError):
                os.unlink(os.path.join(self._folder, name))
                return passed
        return None

    def _left(self) -> list[str]:
        """Marked first and listed after, so that what comes in between is seen the next time."""
        mark = mark_of(self._folder)
        if mark == self._bare:
            return []
        names = _names(self._folder)
        if len(names) < 2 and is_settled(mark):
            self._bare = mark
        return names

    def close(self) -> None:
        _remove(self._folder)


def spells(spelling: str, server: str, tool: str) -> bool:
    """Whether an agent's name is that of this tool of this server: `mcp__N__tool`, Gemini's `mcp_N_tool`,
    Copilot's `N-tool`, OpenCode's `N_tool`, Kiro's `@N/tool`, Factory's `N___tool`, Auggie's `tool_N`."""
    n, t = _plain(server), _plain(tool)
    forms = (f"mcp__{n}__{t}", f"mcp_{n}_{t}", f"{n}_{t}", f"_{n}_{t}", f"{n}___{t}", f"{t}_{n}")
    return _plain(spelling) in forms


def _may_lead_to(tool: ToolCall, server: str) -> bool:
    """The same before the tool is known."""
    n, name = _plain(server), _plain(tool.name)
    if not n:
        return False
    return name.startswith((f"mcp__{n}__", f"mcp_{n}_", f"{n}_", f"_{n}_")) or name.endswith(f"_{n}")


def _plain(name: str) -> str:
    """As agents write what may not stand in the name of a tool."""
    return re.sub(r"[^A-Za-z0-9_]", "_", name)


def _leave(folder: str, event: Event, verdict: Verdict, refusal: str) -> None:
    assert event.tool is not None
    given = event.tool.input if verdict.updated_input is None else verdict.updated_input
    digest = _digest(given)
    path = os.path.join(folder, f"{digest}.{event.request[:64] or os.urandom(8).hex()}")
    asked = verdict.decision is Decision.ASK
    earlier = _passed(path)
    if earlier is not None and earlier.decision.stops and not refusal:
        return  # another settings file of the same agent refused this very call
    for name in _names(folder):
        if name.startswith(f"{digest}."):
            _drop_outdated(os.path.join(folder, name), refused=bool(refusal), asked=asked)
    if len(_names(folder)) >= _KEPT:
        _drop_oldest(folder)
    word = Decision.BLOCK if refusal else Decision.CONTINUE
    _write(
        path,
        {
            "decision": word.word,
            "text": refusal[:4096],
            "tool": event.tool.name,
            "request": event.request,
            "call": event.tool.id,
            "session": event.session,
            "agent": event.agent,
            "root": event.root,
            "policy": verdict.policy,
            "until": time.time() + (ASKED_SECONDS if asked and not refusal else SECONDS),
        },
    )


def _drop_outdated(path: str, *, refused: bool, asked: bool) -> None:
    """A refusal ends what let the same call pass before, a new question ends an older answer that nobody took
    up, and a call that may pass ends the refusal of an earlier one."""
    passed = _passed(path)
    if passed is None or refused or asked or passed.decision.stops:
        with suppress(OSError):
            os.unlink(path)


def _drop_oldest(folder: str) -> None:
    paths = [os.path.join(folder, name) for name in _names(folder) if name != _ABOUT]
    for path in sorted(paths, key=os.path.getmtime)[: _KEPT // 2]:
        with suppress(OSError):
            os.unlink(path)


def _digest(given: Mapping[str, object]) -> str:
    text = json.dumps(dict(given), sort_keys=True, separators=(",", ":"))
    return sha256_hex(text.encode("ascii"))[:32]


def _passed(path: str) -> Passed | None:
    """None for what is too old, too."""
    said = _read(path)
    if said is None:
        return None
    until = said.get("until")
    if not isinstance(until, int | float) or not time.time() < until <= time.time() + ASKED_SECONDS:
        return None
    texts = {name: said.get(name) for name in Passed._fields if name not in ("decision", "until")}
    decision = DECISION_WORDS.get(str(said.get("decision")))
    if decision is None or not all(isinstance(text, str) for text in texts.values()):
        return None
    return Passed(decision=decision, until=float(until), **texts)  # type: ignore[arg-type]  # checked above


def _read(path: str) -> dict[str, object] | None:
    content = read_own(path, _BYTES)
    if content is None:
        return None
    try:
        said = json.loads(content)
    except ValueError:
        return None
    return said if isinstance(said, dict) else None


def _write(path: str, said: Mapping[str, object]) -> None:
    """In one step; a draft begins with a point, which no digest does."""
    folder, name = os.path.split(path)
    draft = os.path.join(folder, f".{name}.{os.urandom(4).hex()}")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    with os.fdopen(os.open(draft, flags, 0o600), "w", encoding="ascii") as file:
        json.dump(said, file)
    os.replace(draft, path)


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


def _sweep(folder: str) -> None:
    """Folders of doors that were killed."""
    for name in _names(folder):
        path = os.path.join(folder, name)
        pid = name.partition("-")[0]
        about = _read(os.path.join(path, _ABOUT))
        alive = _process(int(pid)) if pid.isdecimal() else None
        if about is not None and (alive is None or alive[0] != about.get("own")):
            _remove(path)


def _remove(folder: str) -> None:
    for name in _names(folder):
        with suppress(OSError):
            os.unlink(os.path.join(folder, name))
    with suppress(OSError):
        os.rmdir(folder)


def _lineage(pid: int) -> Iterator[str]:
    """The process and those that led to it, each by its number and the moment of its start."""
    for _ in range(_PARENTS):
        found = _process(pid) if pid > 1 else None
        if found is None:
            return
        yield found[0]
        pid = found[1]


def _process(pid: int) -> tuple[str, int] | None:
    """What no other process was ever called, and its parent; None where the kernel does not show it."""
    return here.mark_of(pid)
