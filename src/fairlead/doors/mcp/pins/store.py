"""The pins of one user: a private file for each configured name, which any number of doors may change.

A file that cannot be read lets nothing through: whoever spoilt it gains no first sight by it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from fairlead.doors.mcp.pins.server_identity import ServerIdentity
from fairlead.doors.mcp.pins.server_record import ServerKey, ServerRecord, from_json, key_in, to_json
from fairlead.errors import FairleadError
from fairlead.model.digest import sha256_hex
from fairlead.platforms import here
from fairlead.policy.places import Places, make_private, read_own, write_private

MOST_SERVERS = 1000
_LARGEST = 32 << 20
_END = ".json"


class PinError(FairleadError):
    """Pins that are not there, or cannot be read or written."""

    code = "PINS"


class PinStore:
    def __init__(self, places: Places) -> None:
        self.folder = os.path.join(places.state, "mcp", "pins")

    def path(self, key: ServerKey) -> str:
        named = f"{key.scope}\0{key.name}".encode("utf-8", "surrogatepass")
        return os.path.join(self.folder, sha256_hex(named)[:32] + _END)

    def read(self, key: ServerKey) -> ServerRecord:
        """An empty one where nothing is pinned. Raises PinError for a file that cannot be understood."""
        path = self.path(key)
        if not os.path.lexists(path):
            return ServerRecord(key)
        content = read_own(path, _LARGEST)
        try:
            return from_json(content or b"", key)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            raise PinError(
                f"the pins of {key.name!r} cannot be read: {path}",
                hint=f"forget them, and look at the server again: fairlead mcp unpin {key.name}",
            ) from error

    def change(self, key: ServerKey, step: Callable[[ServerRecord], ServerRecord]) -> ServerRecord:
        """What `step` makes of the record, as it is kept then. No other door comes in between."""
        with self._alone(key):
            before = self.read(key)
            after = step(before)
            if after is not before and after != before:
                if not os.path.lexists(self.path(key)):
                    self._make_room()
                write_private(self.path(key), to_json(after))
            return after

    def forget(self, key: ServerKey) -> bool:
        """False when there was nothing."""
        with self._alone(key):
            try:
                os.unlink(self.path(key))
            except FileNotFoundError:
                return False
            return True

    def stamp(self, key: ServerKey) -> tuple[int, int]:
        """Another one after each change."""
        try:
            found = os.stat(self.path(key))
        except OSError:
            return (0, 0)
        return (found.st_mtime_ns, found.st_ino)

    def servers(self) -> list[ServerKey]:
        """Of all that is pinned; a file that cannot be read is named by its path."""
        found: list[ServerKey] = []
        for name in self._names():
            try:
                found.append(key_in(read_own(os.path.join(self.folder, name), _LARGEST) or b""))
            except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
                continue
        return sorted(found, key=lambda key: (key.scope, key.name))

    def unreadable(self) -> list[str]:
        """Paths of files that are no pins any more."""
        known = {self.path(key) for key in self.servers()}
        return [path for name in self._names() if (path := os.path.join(self.folder, name)) not in known]

    def others(self, key: ServerKey) -> Iterator[ServerRecord]:
        """The servers that a model may see beside this one: the user's, and those of the same project."""
        for other in self.servers():
            if other != key and other.scope in ("", key.scope):
                with suppress(PinError):
                    yield self.read(other)

    def kin(self, key: ServerKey, identity: ServerIdentity) -> tuple[ServerRecord, ...]:
        """The same server under the same name, as it was seen in other projects."""
        found: list[ServerRecord] = []
        for other in self.servers():
            if other != key and other.name == key.name:
                with suppress(PinError):
                    record = self.read(other)
                    found += [record] if record.known(identity) else []
        return tuple(found)

    def _names(self) -> list[str]:
        try:
            return sorted(name for name in os.listdir(self.folder) if name.endswith(_END))
        except FileNotFoundError:
            return []

    def _make_room(self) -> None:
        if len(self._names()) >= MOST_SERVERS:
            raise PinError(
                f"{MOST_SERVERS} servers are pinned already",
                hint="`fairlead mcp pins` lists them; forget some: fairlead mcp unpin SERVER",
            )

    @contextmanager
    def _alone(self, key: ServerKey) -> Iterator[None]:
        """A lock that ends with the process that holds it, however that ends."""
        make_private(self.folder)
        flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
        descriptor = os.open(self.path(key).removesuffix(_END) + ".lock", flags, 0o600)
        try:
            here.lock(descriptor)
            yield
        finally:
            os.close(descriptor)
