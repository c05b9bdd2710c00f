"""What this machine has asked elsewhere: kept through a restart, so that each question is answered once."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
from contextlib import suppress

from fairlead.fleet.questions.asks import REQUEST, Ask, read_message
from fairlead.fleet.refusal import RefusedError
from fairlead.model.value import Value
from fairlead.policy.places import read_own, write_private

OPEN = "open"
_KEY_FILE = "key"
_KEPT = 256
_LIMIT = 64 * 1024


class Agreed(Value):
    """Somebody has said yes, and it takes more than one."""

    key: str
    name: str
    reason: str


class Pending(Value):
    """A question that was, or will be, sent. `key` is the local question's; the clock of `until` is the one
    that nobody sets, in this start of the machine."""

    ask: bytes
    about: Ask
    key: str
    boot: str
    until: int
    state: str = OPEN
    sent: bool = False
    by: str = ""
    agreed: tuple[Agreed, ...] = ()

    @property
    def request(self) -> str:
        return self.about.request

    def is_over(self, *, wall: float, running: float, boot: str) -> bool:
        """By either clock: one that is set back makes nothing last longer."""
        return wall >= self.about.expires or boot != self.boot or running >= self.until


class PendingAsks:
    """In a folder of whoever runs the agent alone. One process has it, which reads it once."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._known: dict[str, Pending] | None = None

    def all(self) -> list[Pending]:
        """Newest first."""
        return sorted(self._all().values(), key=lambda each: -each.about.asked)

    def find(self, request: str) -> Pending | None:
        return self._all().get(request)

    def _all(self) -> dict[str, Pending]:
        if self._known is None:
            found = [self._read(name.removesuffix(".json")) for name in self._names()]
            self._known = {each.request: each for each in found if each}
        return self._known

    def _read(self, request: str) -> Pending | None:
        if not REQUEST.fullmatch(request):
            return None
        content = read_own(self._path(request), _LIMIT)
        try:
            kept = json.loads(content or b"")
            ask = base64.b64decode(kept["ask"])
            about = read_message(ask)
            if not isinstance(about, Ask) or about.request != request:
                return None
            texts = {name: str(kept[name]) for name in ("key", "boot", "state", "by")}
            agreed = tuple(Agreed(*map(str, each)) for each in kept.get("agreed", ()))
            return Pending(
                ask, about, until=int(kept["until"]), sent=bool(kept["sent"]), agreed=agreed, **texts
            )
        except (ValueError, KeyError, TypeError, RefusedError):
            return None

    def keep(self, pending: Pending) -> None:
        """On the disk when it returns. Raises OSError."""
        kept = {name: getattr(pending, name) for name in ("key", "boot", "until", "state", "sent", "by")}
        kept["agreed"] = [[each.key, each.name, each.reason] for each in pending.agreed]
        kept["ask"] = base64.b64encode(pending.ask).decode("ascii")
        write_private(self._path(pending.request), json.dumps(kept).encode())
        self._all()[pending.request] = pending
        for each in self.all()[_KEPT:]:
            del self._all()[each.request]
            with suppress(OSError):
                os.unlink(self._path(each.request))

    def keyed(self, purpose: str, *texts: str) -> str:
        """A hash that only this machine can make: short inputs could be guessed from a plain one."""
        said = "\0".join((purpose, *texts)).encode("utf-8", "surrogatepass")
        return hmac.new(self._secret(), said, hashlib.sha256).hexdigest()

    def _secret(self) -> bytes:
        path = os.path.join(self._folder, _KEY_FILE)
        secret = read_own(path, 64)
        if secret is None or len(secret) != 32:
            secret = os.urandom(32)
            write_private(path, secret)
        return secret

    def _names(self) -> list[str]:
        try:
            return [name for name in os.listdir(self._folder) if name.endswith(".json")]
        except FileNotFoundError:
            return []

    def _path(self, request: str) -> str:
        return os.path.join(self._folder, f"{request}.json")
