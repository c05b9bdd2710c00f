"""Notes by what they are about: so many, so much text, and the oldest go first."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.sessions.note import Note

_BESIDE = 64
"""What a line has besides its texts."""


class BoundedNotes:
    """One note for each subject, the newest last."""

    def __init__(self, most: int, most_bytes: int) -> None:
        self._most, self._most_bytes = most, most_bytes
        self._known: dict[str, Note] = {}
        self.bytes = 0

    def get(self, subject: str) -> Note | None:
        return self._known.get(subject)

    def put(self, note: Note) -> None:
        self.pop(note.subject)
        self._known[note.subject] = note
        self.bytes += weight_of(note)
        while len(self._known) > self._most or self.bytes > self._most_bytes:
            self.pop(next(iter(self._known)))

    def pop(self, subject: str) -> None:
        note = self._known.pop(subject, None)
        if note is not None:
            self.bytes -= weight_of(note)

    def pop_within(self, folder: str) -> None:
        for subject in self.within(folder):
            self.pop(subject)

    def within(self, folder: str) -> list[str]:
        """The folder itself, and what is below it."""
        below = f"{folder}/"
        subjects = list(self._known)  # another thread may add at the same time
        return [each for each in subjects if each == folder or each.startswith(below)]

    def last(self) -> Note | None:
        """Another thread may add at the same time; then it is asked again."""
        for _ in range(_PATIENCE):
            try:
                return next(reversed(self._known.values()), None)
            except RuntimeError:
                continue
        return None

    def __contains__(self, subject: object) -> bool:
        return subject in self._known

    def __iter__(self) -> Iterator[Note]:
        return iter(list(self._known.values()))

    def __len__(self) -> int:
        return len(self._known)


_PATIENCE = 8


def weight_of(note: Note) -> int:
    """At least as many bytes as its line has."""
    return _BESIDE + sum(map(_weight, (note.subject, note.source, note.program, note.call)))


def _weight(text: str) -> int:
    if text.isascii() and text.isprintable():
        return len(text) + text.count('"') + text.count("\\")
    return 12 * len(text)
