"""Values as a model reads them."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from enum import Enum


def json_text(value: object) -> str:
    """A text as it is, and anything else as JSON; what JSON cannot say is written as Python prints it."""
    if isinstance(value, str) and not isinstance(value, Enum):
        return value
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False, default=_plain)
    except (TypeError, ValueError, RecursionError):
        return str(value)


def _plain(value: object) -> object:
    """What stands for a value that JSON has no word for."""
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, bytes | bytearray):
        return bytes(value).decode(errors="replace")
    if isinstance(value, Collection):
        return list(value)
    for method in ("model_dump", "isoformat"):  # records of pydantic; dates and times
        made: Callable[[], object] | None = getattr(value, method, None)
        if callable(made) and not isinstance(value, type):
            return made()
    fields = getattr(value, "__dataclass_fields__", None) or getattr(value, "_fields", None)
    if fields and not isinstance(value, type):
        return {name: getattr(value, name) for name in fields}
    return str(value)
