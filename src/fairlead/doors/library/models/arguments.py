"""Arguments as a model wrote them."""

from __future__ import annotations

import json


def arguments_from(text: str) -> dict[str, object]:
    """What is no JSON object is kept as text under `input`: guards must see it, and the tool says no."""
    try:
        given = json.loads(text) if text else {}
    except (ValueError, RecursionError):
        given = text
    return given if isinstance(given, dict) else {"input": given}
