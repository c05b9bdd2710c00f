"""Calls that a person is asked about, and a person's answers: a code names the call, `approve` answers it.

The code is no secret: the model sees it. It only names the call; answers are given behind `require_human`.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import stat
import time
from collections.abc import Callable, Mapping
from itertools import islice

from fairlead.errors import TrustError
from fairlead.model.digest import sha256_hex
from fairlead.model.event import Event
from fairlead.model.excuse import ExactCommand
from fairlead.model.value import Value
from fairlead.model.verdict import Verdict
from fairlead.policy.places import Places, make_private, write_private
from fairlead.secrets.redact import redact_text

SECONDS = 600.0
"""How long a question can be answered, and then how long the answer can be used."""
_KEPT = 256
_FAR = 1e11
"""No question was asked later than that, in seconds since the epoch."""
_KEY = re.compile(r"[0-9a-f]{64}", re.ASCII)
CODE = 8
_SHOWN = 1024
"""What is kept of a name to be shown; the key holds all of it."""


class Question(Value):
    """A call that waits for a person, and all that an answer to it is bound to."""

    key: str
    agent: str
    summary: str
    reason: str
    asked: float
    cwd: str = ""
    """The folder in which the call would run."""
    root: str = ""
    """The project."""
    session: str = ""
    rule: str = ""
    command: str = ""
    """The one command that the rule objects to, and the folder that it runs in; empty where an exception
    could not name it and mean nothing else."""
    command_cwd: str = ""
    told: str = ""
    """Empty where the agent could ask nobody: then a yes lets the call through when it is made again."""
    tool: str = ""
    """The kind of tool; empty where no tool is called."""

    @property
    def code(self) -> str:
        return self.key[:CODE]


class Yes(Value):
    """A person's yes to one call. Who is at this machine has no name here; who answers from elsewhere does,
    and the id of the key that has signed."""

    name: str = ""
    key: str = ""
    reason: str = ""
    request: str = ""
    """Of the question, as it was sent away."""

    @property
    def words(self) -> str:
        return f"{self.name} (key {self.key}) approved this one call from elsewhere" if self.name else _HERE

    def as_json(self) -> dict[str, str]:
        return {name: getattr(self, name) for name in self._fields if getattr(self, name)}


_HERE = "a person approved this one call"
HERE = Yes()
Said = Callable[[], tuple[str, str]]


def key_of(event: Event) -> str:
    """Names the call: the same tool with the same input, in the same folder of the same project, by the same
    agent in the same session, and nothing else. A folder that became a link to another one is another one."""
    tool = event.tool
    folders = [event.root, event.cwd, os.path.realpath(event.cwd)]
    said: list[object] = [event.agent, event.session, folders, event.name, event.prompt]
    said += [tool.name, dict(tool.input)] if tool is not None else []
    text = json.dumps(said, sort_keys=True, default=str)
    return sha256_hex(text.encode("utf-8", "surrogatepass"))


def ask(places: Places, question: Question) -> str:
    """Keeps the question for `fairlead approve`, and gives back its code."""
    folder = os.path.join(_folder(places), "asked")
    if question.code.startswith("0"):
        _forget_oldest(folder)  # one in sixteen: to count them all costs more than the question
    _note(os.path.join(folder, question.code), json.dumps(_as_json(question)).encode())
    return question.code


def await_result(places: Places, event: Event) -> None:
    """Has a question that the agent itself puts to the person found again when the call has a result. It is
    done once the answer has left: a result comes later."""
    code, mark = key_of(event)[:CODE], _mark_of(places, event)
    question = _read(os.path.join(_folder(places), "asked", code)) if mark else None
    if question is not None and question.told:
        with contextlib.suppress(OSError):
            _forget_oldest(os.path.dirname(mark))
            _note(mark, json.dumps({"code": code}).encode())


def answered(places: Places, event: Event) -> None:
    """The call has a result, so whoever the agent asked about it has said yes: the question is gone."""
    mark = _mark_of(places, event)
    if mark and os.access(mark, os.F_OK):
        with contextlib.suppress(OSError):
            code = str((_load(mark) or {}).get("code", ""))
            os.unlink(mark)
            if code.isalnum():
                os.unlink(os.path.join(_folder(places), "asked", code))


def _mark_of(places: Places, event: Event) -> str:
    """Where a question that the agent asks itself is found by the call; empty for a call without a name."""
    if event.tool is None or not event.tool.id:
        return ""
    named = sha256_hex(f"{event.agent}\0{event.session}\0{event.tool.id}".encode("utf-8", "surrogatepass"))
    return os.path.join(_folder(places), "told", named[:32])


def question_about(
    event: Event, verdict: Verdict, *, summary: str, told: str = "", key: str = ""
) -> Question:
    """What a person has to know to answer it, without secrets; an exception would name none either."""
    exact = _exact_command(verdict)
    return Question(
        key or key_of(event),
        event.agent,
        summary[:500],
        redact_text(verdict.reason)[:500],
        time.time(),
        event.cwd[:_SHOWN],
        event.root[:_SHOWN],
        event.session[:_SHOWN],
        verdict.rule,
        exact.text,
        exact.cwd,
        told,
        str(event.tool.kind) if event.tool is not None else "",
    )


def _exact_command(verdict: Verdict) -> ExactCommand:
    for outcome in verdict.outcomes:
        exact = outcome.metrics.get("exact")
        if outcome.rule == verdict.rule and isinstance(exact, Mapping):
            text, cwd = str(exact.get("command", "")), str(exact.get("cwd", ""))
            if redact_text(text) == text:
                return ExactCommand(text, cwd)
    return ExactCommand("", "")


def _note(path: str, content: bytes) -> None:
    """In one step, while a call waits for it; of a question that is cut short nothing is seen.

    A file that is there is written over and then cut: one that is emptied first goes to the disk at once on
    ext4, and who asks the same again within seconds would wait for that.
    """
    flags = os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        descriptor = os.open(path, flags, 0o600)
    except FileNotFoundError:
        make_private(os.path.dirname(path))
        descriptor = os.open(path, flags, 0o600)
    try:
        os.ftruncate(descriptor, os.write(descriptor, content))
    finally:
        os.close(descriptor)


def questions(places: Places, *, owner: int | None = None) -> list[Question]:
    """Those that can still be answered, newest first; of another user for whoever may read them."""
    folder = os.path.join(_folder(places), "asked")
    found = [_read(os.path.join(folder, name), owner) for name in _names(folder, 2 * _KEPT)]
    alive = [question for question in found if question and question.asked + SECONDS > time.time()]
    return sorted(alive, key=lambda question: -question.asked)


def find_question(places: Places, code: str) -> Question:
    wanted = code.strip().lower()
    for question in questions(places):
        if question.code == wanted:
            return question
    raise TrustError(
        f"nothing waits for an answer with the code {code}", hint="`fairlead approve` lists what does"
    )


def grant(places: Places, question: Question, yes: Yes = HERE, *, seconds: float = SECONDS) -> None:
    """Callers ask `require_human` first, or have checked who has signed."""
    path = os.path.join(_folder(places), "given", question.key)
    given = {"until": time.time() + seconds, "request": "", "by": yes.as_json()}
    write_private(path, json.dumps(given).encode())
    dismiss(places, question)


def dismiss(places: Places, question: Question) -> None:
    """A person's no: the refusal stands, and the question is gone."""
    with contextlib.suppress(FileNotFoundError):
        os.unlink(os.path.join(_folder(places), "asked", question.code))


def grant_as_root(places: Places, user: int, question: Question, yes: Yes, *, seconds: float) -> None:
    """Where root carries the questions of all users, its answers lie where only root can write."""
    folder = _given_by_root(places, user)
    os.makedirs(folder, mode=0o755, exist_ok=True)
    seen = {"rule": question.rule, "summary": question.summary}
    given = {"until": time.time() + seconds, "key": question.key, "by": yes.as_json(), **seen}
    draft = os.path.join(folder, ".new")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o644)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        os.fchmod(file.fileno(), 0o644)
        file.write(json.dumps(given))
        file.flush()
        os.fsync(file.fileno())
    os.replace(draft, os.path.join(folder, question.key))
    _forget_oldest(folder)


def _given_by_root(places: Places, user: int) -> str:
    return os.path.join(places.system_fleet, "grants", str(user))


def take(
    places: Places, event: Event, key: str = "", *, local: bool = True, said: Said | None = None
) -> Yes | None:
    """Uses the grant of this call up. A second attempt of the same request finds it again.

    `local`: whether the yes of a person at this machine counts. Where it does not, and root carries the
    answers from elsewhere, what the user could have written counts for nothing. `said`: the rule and the
    summary of this call, which have to be those that were shown to whoever answered.
    """
    key = key or key_of(event)
    by_root = os.path.lexists(places.system_enrolment)
    yes = _take_own(places, event, key) if local or not by_root else None
    if yes is not None and (local or yes.name):
        return yes
    return _take_roots(places, event, key, said) if by_root else None


def _take_own(places: Places, event: Event, key: str) -> Yes | None:
    given, used = (os.path.join(_folder(places), folder, key) for folder in ("given", "used"))
    content = _load(given)
    if content is None:
        again = _load(used) or {}
        return _yes_in(again) if event.request and again.get("request") == event.request else None
    make_private(os.path.dirname(used))
    try:
        os.rename(given, used)
    except FileNotFoundError:
        return None  # another call was quicker
    write_private(used, json.dumps({**content, "request": event.request}).encode())
    _forget_oldest(os.path.dirname(used))
    return _yes_in(content) if _is_good(content) else None


def _take_roots(places: Places, event: Event, key: str, said: Said | None) -> Yes | None:
    """The user cannot take root's file away, so what is used up is noted beside the user's own. The question
    lay among the user's files: what it told of the call may be another one's rule, or a harmless summary."""
    content = _load(os.path.join(_given_by_root(places, os.getuid()), key), owner=0)
    if content is None or content.get("key") != key or not _is_good(content):
        return None
    if said is not None and (content.get("rule"), content.get("summary")) != said():
        return None
    yes = _yes_in(content)
    used = os.path.join(_folder(places), "used", f"{key}.{yes.request[:32]}")
    make_private(os.path.dirname(used))
    try:
        descriptor = os.open(used, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    except FileExistsError:
        again = _load(used) or {}
        return yes if event.request and again.get("request") == event.request else None
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(json.dumps({"request": event.request, "by": yes.as_json()}))
    return yes


def _is_good(content: Mapping[str, object]) -> bool:
    until = content.get("until")
    return isinstance(until, int | float) and until > time.time()


def _yes_in(content: Mapping[str, object]) -> Yes:
    by = content.get("by")
    known = by if isinstance(by, dict) else {}
    return Yes(**{name: str(known.get(name, "")) for name in Yes._fields})


def approved_requests(places: Places) -> list[str]:
    """The newest requests that were let through by a person's yes."""
    folder = os.path.join(_folder(places), "used")
    found = (_load(os.path.join(folder, name)) for name in _names(folder))
    return [str(content["request"]) for content in found if content and content.get("request")]


def _folder(places: Places) -> str:
    return os.path.join(places.state, "questions")


def _as_json(question: Question) -> dict[str, object]:
    return {field: getattr(question, field) for field in Question._fields}


def _read(path: str, owner: int | None = None) -> Question | None:
    """None for what cannot be read, also where it does not say what it is bound to: no yes fits it."""
    content = _load(path, owner) or {}
    asked = content.get("asked")
    texts = {name: content.get(name) for name in Question._fields if name != "asked"}
    if not all(isinstance(text, str) for text in texts.values()) or not isinstance(asked, int | float):
        return None
    if not 0 <= asked < _FAR or not _KEY.fullmatch(str(texts["key"])):
        return None  # the key becomes the name of a file, also of root's
    return Question(asked=float(asked), **texts)  # type: ignore[arg-type]  # they are strings, as was checked


def _load(path: str, owner: int | None = None) -> dict[str, object] | None:
    """What its owner alone has written: this user, if nobody else is named."""
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY
    try:
        descriptor = os.open(path, flags)
    except OSError:
        return None
    with os.fdopen(descriptor, "rb") as file:
        found = os.fstat(descriptor)
        wanted = os.getuid() if owner is None else owner
        if found.st_uid != wanted or not stat.S_ISREG(found.st_mode):
            return None
        try:
            content = json.loads(file.read(65536))
        except (ValueError, OSError, RecursionError):
            return None
    return content if isinstance(content, dict) else None


def _names(folder: str, most: int | None = None) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            return [entry.name for entry in islice(entries, most)]
    except OSError:
        return []


def _forget_oldest(folder: str) -> None:
    names = _names(folder)
    if len(names) < _KEPT:
        return
    paths = [os.path.join(folder, name) for name in names]
    with contextlib.suppress(OSError):
        for path in sorted(paths, key=os.path.getmtime)[: _KEPT // 2]:
            os.unlink(path)
