"""What the notes of one session come to: pure, bounded, and the same however often it is folded again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fairlead.sessions.bounded_notes import BoundedNotes
from fairlead.sessions.note import Kind, Note

_KIB = 1024
_HOUR = 3600.0
MARKS = 8
"""Of how many changes of a file it is known what was there before."""


class Recollection:
    """Notes that are folded in one by one. Who adds sees to it that nobody else does at the same time.

    Each kind is bounded for itself, so that nobody can make the guard forget a download by writing files.
    """

    def __init__(self, notes: Iterable[Note] = ()) -> None:
        self.written = BoundedNotes(1024, 160 * _KIB)
        self.fetched = BoundedNotes(256, 64 * _KIB)
        self.checked = BoundedNotes(64, 32 * _KIB)
        self.names = BoundedNotes(128, 32 * _KIB)
        self.touched = BoundedNotes(64, 32 * _KIB)
        self.holding = BoundedNotes(128, 32 * _KIB)
        self.secrets = BoundedNotes(8, 32 * _KIB)
        self.untrusted = BoundedNotes(8, 32 * _KIB)
        self.instructed = BoundedNotes(8, 32 * _KIB)
        self.changes = 0
        for note in notes:
            self.add(note)

    def add(self, note: Note) -> None:
        self.changes += 1
        kind, subject = note.kind, note.subject
        if kind is Kind.WROTE or kind is Kind.TOUCHED:
            self._changed(note, self._of_kind(kind))
        elif kind is Kind.OLDER:
            self.written.put(note.replace(kind=Kind.WROTE, existed=True, source=""))
        elif kind is Kind.GONE:
            for known in self._by_path():
                known.pop_within(subject)
        elif kind is Kind.REPLACED:
            self.fetched.pop(subject)
            self.checked.pop(subject)
            self.holding.pop(subject)
        else:
            if kind is Kind.FETCHED:
                self.checked.pop(subject)
            self._of_kind(kind).put(note)

    def _changed(self, note: Note, known: BoundedNotes) -> None:
        """What was there before the session first touched it stays so, until it is gone."""
        first = known.get(note.subject)
        if first is not None:
            marks = list(dict.fromkeys((*first.source.split(), *note.source.split())))
            note = note.replace(existed=first.existed, source=" ".join(marks[-MARKS:]))
        known.put(note)

    def knows(self, note: Note) -> bool:
        """Whether to add it would change no answer but, by less than an hour, how long ago it was."""
        kind, subject = note.kind, note.subject
        if kind is Kind.GONE:
            return not any(known.within(subject) for known in self._by_path())
        if kind is Kind.OLDER:
            old = self.written.get(subject)
            return old is not None and old.existed and not old.source and note.at - old.at < _HOUR
        if kind is Kind.REPLACED:
            return subject not in self.fetched and subject not in self.holding
        if kind is Kind.FETCHED:
            return False  # it may be another one by now
        old = self._of_kind(kind).get(subject)
        has_marks = kind is Kind.WROTE or kind is Kind.TOUCHED
        if old is None or (has_marks and note.source and note.source not in old.source.split()):
            return False
        return note.at - old.at < _HOUR

    def made(self, path: str) -> Note | None:
        """How the session made the file, or a folder above it that was not there before; nothing where
        something older came to lie on the way or below."""
        found = self.written.get(path)
        end = path.rfind("/")
        while found is None and end > 0:
            found = self.written.get(path[:end])
            end = path.rfind("/", 0, end)
        if found is None or found.existed:
            return None
        older = (self.written.get(each) for each in self.written.within(path))
        return None if any(note is not None and note.existed for note in older) else found

    def origin(self, path: str) -> Note | None:
        """How the file came from another machine: by itself, or with a folder above it. What the session
        has made there since is its own."""
        found = self.fetched.get(path)
        if found is not None or not self.fetched:
            return found
        end = path.rfind("/")
        while found is None and end > 0:
            found = self.fetched.get(path[:end])
            end = path.rfind("/", 0, end)
        own = self.written.get(path)
        made_since = found is not None and own is not None and not own.existed and own.at >= found.at
        return None if made_since else found

    def notes(self) -> Iterator[Note]:
        """The fewest that fold to the same."""
        for known in (*self._by_path(), *self._told()):
            yield from known

    def _by_path(self) -> tuple[BoundedNotes, ...]:
        return self.written, self.fetched, self.checked, self.holding, self.names, self.touched

    def _told(self) -> tuple[BoundedNotes, ...]:
        return self.secrets, self.untrusted, self.instructed

    def _of_kind(self, kind: Kind) -> BoundedNotes:
        return {
            Kind.WROTE: self.written,
            Kind.FETCHED: self.fetched,
            Kind.CHECKED: self.checked,
            Kind.NAMED: self.names,
            Kind.TOUCHED: self.touched,
            Kind.HOLDS_SECRET: self.holding,
            Kind.SECRET: self.secrets,
            Kind.UNTRUSTED: self.untrusted,
            Kind.INSTRUCTED: self.instructed,
        }[kind]

    def __len__(self) -> int:
        return sum(map(len, (*self._by_path(), *self._told())))
