"""A value of a call's input as people read it: never as Python would write it."""

from __future__ import annotations

import json


def shown_value(value: object) -> str:
    """A text as it is, anything else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
