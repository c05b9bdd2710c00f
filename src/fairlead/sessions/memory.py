"""What a guard may ask about a session, and the memories of all sessions of a user."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence

from fairlead.model.digest import sha256_hex
from fairlead.model.event import Event
from fairlead.model.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    from fairlead.sessions.note import Note
    from fairlead.sessions.recollection import Recollection
else:
    Protocol = object

DAYS, MOST_DAYS = 3.0, 14.0
"""How long a note counts, if a policy says nothing else, and how long it can."""
_DAY = 86_400.0
_MEMORIES, _LONG = 64, 256


class Notes(Protocol):
    """Where notes are kept, by the key of their session."""

    def recollect(self, session: str, /) -> Recollection | None:
        """What they come to; None where there are none."""

    def add(self, session: str, notes: Sequence[Note], /) -> str:
        """What went wrong, in words; empty where nothing did. Never raises."""


class NoNotes:
    """Nothing is kept."""

    def recollect(self, session: str, /) -> Recollection | None:
        return None

    def add(self, session: str, notes: Sequence[Note], /) -> str:
        return ""


class _OneLook:
    """Notes that are looked up once, when they are first asked about."""

    __slots__ = ("_known", "_looked", "_notes")

    def __init__(self, notes: Notes) -> None:
        self._notes = notes
        self._known: Recollection | None = None
        self._looked = False

    def recollect(self, session: str, /) -> Recollection | None:
        if not self._looked:
            self._known, self._looked = self._notes.recollect(session), True
        return self._known

    def add(self, session: str, notes: Sequence[Note], /) -> str:
        self._looked = False
        return self._notes.add(session, notes)


class Memory(Value):
    """The questions about one session. Nothing is opened before the first of them; two memories of the same
    session are equal.

    Paths are absolute, with their links followed.
    """

    notes: Notes
    session: str
    days: float = DAYS
    """What was noted before so many is forgotten."""

    @property
    def state(self) -> tuple[object, ...]:
        """Something that is another as soon as something was noted, or an hour is over."""
        known = self.notes.recollect(self.session)
        changes = (id(known), known.changes) if known is not None else (0, 0)
        return (self.session, *changes, int(time.time() / 3600))

    def wrote(self, path: str) -> Note | None:
        """That this session made or changed the file; `existed` tells whether it was there before."""
        known = self.notes.recollect(self.session)
        return self._recent(known.written.get(path)) if known is not None else None

    def written_within(self, folder: str) -> list[Note]:
        """What it made or changed there, and the folder itself if it is the session's; the newest last."""
        known = self.notes.recollect(self.session)
        notes = map(known.written.get, known.written.within(folder)) if known is not None else ()
        return [note for note in notes if self._recent(note) and note is not None]

    def made(self, path: str) -> Note | None:
        """That the file or folder was not there before this session: to lose it is to lose nothing older.
        All that is in a folder that the session made counts as made by it, but for what it moved there."""
        known = self.notes.recollect(self.session)
        return self._recent(known.made(path)) if known is not None else None

    def fetched(self, path: str) -> Note | None:
        """That the file, or a folder above it, came from another machine; `source` is which."""
        known = self.notes.recollect(self.session)
        return self._recent(known.origin(path)) if known is not None else None

    def all_fetched(self) -> list[str]:
        """The paths of every file and folder that came from another machine."""
        known = self.notes.recollect(self.session)
        if known is None or not known.fetched:
            return []
        oldest = time.time() - self.days * _DAY
        return [note.subject for note in known.fetched if note.at > oldest]

    def checked(self, path: str) -> Note | None:
        """That what was fetched as this file was held against a checksum or a signature."""
        known = self.notes.recollect(self.session)
        return self._recent(known.checked.get(path)) if known is not None else None

    def touched(self, path: str) -> Note | None:
        """That a package manager of this session may have changed the file, which it keeps itself."""
        known = self.notes.recollect(self.session)
        return self._recent(known.touched.get(path)) if known else None

    def named(self, subject: str) -> Note | None:
        """That this session gave the name to something that was not there before."""
        known = self.notes.recollect(self.session)
        return self._recent(known.names.get(subject)) if known else None

    def holds_secret(self, path: str) -> Note | None:
        """That what a secret holds was put into the file; `source` is which."""
        known = self.notes.recollect(self.session)
        return self._recent(known.holding.get(path)) if known is not None else None

    def secret_read(self) -> Note | None:
        """The last secret that was shown to the model; `subject` is which."""
        known = self.notes.recollect(self.session)
        return self._recent(known.secrets.last()) if known is not None else None

    def untrusted_text(self) -> Note | None:
        """The last text that anybody may have written; `subject` is where it came from."""
        known = self.notes.recollect(self.session)
        return self._recent(known.untrusted.last()) if known is not None else None

    def instructed(self) -> Note | None:
        """The last text that told the agent what to do and was no person's of this session."""
        known = self.notes.recollect(self.session)
        return self._recent(known.instructed.last()) if known is not None else None

    def is_empty(self) -> bool:
        return self.notes.recollect(self.session) is None

    def has_fetched(self) -> bool:
        """Whether anything came from another machine."""
        known = self.notes.recollect(self.session)
        return known is not None and len(known.fetched) > 0

    def untrusted_before(self, moment: float) -> Note | None:
        """A text that anybody may have written, and that was there by then."""
        known = self.notes.recollect(self.session)
        told = (*known.untrusted, *known.instructed) if known is not None else ()
        return next((note for note in told if note.at <= moment and self._recent(note)), None)

    def _recent(self, note: Note | None) -> Note | None:
        return note if note is not None and time.time() - note.at < self.days * _DAY else None


NO_MEMORY = Memory(NoNotes(), "")
"""Of a call without a session: it knows nothing."""


class Memories:
    """The memories of all sessions, wherever their notes are kept."""

    def __init__(self, notes: Notes) -> None:
        self._notes = notes
        self._known: dict[tuple[str, str, float], Memory] = {}
        self._last: tuple[Event | None, float, Memory] = (None, 0.0, NO_MEMORY)

    def of(self, event: Event, *, days: float = DAYS) -> Memory:
        """Of the session that an event belongs to."""
        if not event.session or event.canary or days <= 0:
            return NO_MEMORY
        asked = (event.agent, event.session, days)
        found = self._known.get(asked)
        if found is None:
            if len(self._known) >= _MEMORIES:
                self._known.clear()
            found = Memory(self._notes, session_key(event.agent, event.session), days)
            if len(event.session) <= _LONG:
                self._known[asked] = found
        return found

    def judging(self, event: Event, *, days: float = DAYS) -> Memory:
        """The same for the guards that judge this very event: their questions share one look at the disk."""
        last, its_days, memory = self._last
        if last is event and its_days == days:
            return memory
        memory = self.of(event, days=days)
        if memory is not NO_MEMORY:
            memory = Memory(_OneLook(memory.notes), memory.session, days)
        self._last = (event, days, memory)
        return memory

    def note(self, event: Event, notes: Iterable[Note]) -> str:
        """Remembers of this event what is not yet known; what went wrong, in words."""
        if not event.session or event.canary:
            return ""
        key, now = self.of(event).session, time.time()
        news = _News(self._notes.recollect(key))
        fresh = []
        for note in notes:
            note = note.replace(at=now, call=event.request)
            if news.is_news(note):
                fresh.append(note)
        return self._notes.add(key, fresh) if fresh else ""


class _News:
    """Which notes of one call are worth keeping, asked in their order."""

    def __init__(self, known: Recollection | None) -> None:
        self._known = known
        self._said: set[tuple[str, str]] = set()
        self._taken_away = False

    def is_news(self, note: Note) -> bool:
        """Behind a note that takes something away, what was known may be news again."""
        said = (note.kind, note.subject)
        if not self._taken_away and (said in self._said or self._is_known(note)):
            return False
        self._said.add(said)
        self._taken_away = self._taken_away or note.takes_away
        return True

    def _is_known(self, note: Note) -> bool:
        if self._known is None:
            return note.takes_away and not self._said
        return self._known.knows(note)


NO_MEMORIES = Memories(NoNotes())
"""Of doors that keep none."""


def session_key(agent: str, session: str) -> str:
    return sha256_hex(f"{agent}\0{session}".encode("utf-8", "surrogatepass"))[:32]
