"""Appends text to a file that an observer's config names."""

from __future__ import annotations

import os

from fairlead.errors import FairleadError
from fairlead.journal.files import expand, open_private, private_directory


def place(path: str, root: str) -> str:
    """`~` is the home of the uid; a relative path is seen from the project's root."""
    return os.path.join(root or "/", expand(path))


def append(path: str, text: str) -> str:
    """One write, into a file of mode 0600 in a folder made for it. Answers what went wrong, or nothing."""
    try:
        private_directory(os.path.dirname(path))
        descriptor = open_private(path)
    except FairleadError as error:
        return error.message
    data = text.encode("utf-8", "replace")
    try:
        written = os.write(descriptor, data)
    except OSError as error:
        return f"{path}: {error.strerror}"
    finally:
        os.close(descriptor)
    return "" if written == len(data) else f"{path}: only {written} of {len(data)} bytes were written"
