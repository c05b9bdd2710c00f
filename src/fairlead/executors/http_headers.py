"""Headers of an HTTP hook. Secrets come from a file or a variable that the policy names."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

from fairlead.journal.files import expand
from fairlead.model.hook import Header

_LONGEST = 8192
_VALUE = re.compile(r"[\t\x20-\x7e\x80-\xff]*")


class HeaderError(Exception):
    """Why a header cannot be sent. It never has the value in it."""


def filled_headers(
    headers: tuple[Header, ...], environment: Mapping[str, str], directory: str
) -> dict[str, str]:
    """By name, what is sent. Raises HeaderError for what is not there, or would break the request."""
    return {header.name: _filled(header, environment, directory) for header in headers}


def _filled(header: Header, environment: Mapping[str, str], directory: str) -> str:
    value = header.text
    if header.variable:
        if not environment.get(header.variable):
            raise HeaderError(f"header {header.name}: the variable {header.variable} is not set")
        value += environment[header.variable]
    if header.file:
        value += _read(header, directory)
    if not _VALUE.fullmatch(value):
        raise HeaderError(f"header {header.name}: its value has signs that no header may have")
    return value


def _read(header: Header, directory: str) -> str:
    path = os.path.join(directory, expand(header.file))
    try:
        with open(os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK), encoding="utf-8") as file:
            text = file.read(_LONGEST + 1).strip()
    except (OSError, ValueError) as error:
        raise HeaderError(f"header {header.name}: {path} cannot be read: {type(error).__name__}") from None
    if not text or len(text) > _LONGEST:
        raise HeaderError(f"header {header.name}: {path} is empty or too long")
    return text
