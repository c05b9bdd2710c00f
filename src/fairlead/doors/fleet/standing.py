"""How the agent is: what it tells of itself in status.json, for `fairlead fleet status` and heartbeats."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

from fairlead.policy.places import read_own

FILE_NAME = "status.json"
_MOST_BYTES = 256 * 1024
_LONGEST = 500
Facts = Mapping[str, object]


class Standing:
    """Facts by whom they are about. `write` puts them on the disk if there are others than before."""

    def __init__(self, folder: str) -> None:
        self._path = os.path.join(folder, FILE_NAME)
        self._facts: dict[str, dict[str, object]] = {}
        self._written = ""

    def tell(self, about: str, facts: Facts) -> None:
        kept = {key: value[:_LONGEST] if isinstance(value, str) else value for key, value in facts.items()}
        self._facts.setdefault(about, {}).update(kept)

    def of(self, about: str) -> Facts:
        return self._facts.get(about, {})

    def write(self) -> None:
        """In one step. A disk that is full loses the news of it, and nothing else."""
        text = json.dumps(self._facts, sort_keys=True, default=str)
        if text == self._written and os.path.isfile(self._path):
            return
        draft = f"{self._path}.new"
        try:
            with open(draft, "w", encoding="utf-8") as file:
                file.write(text)
            os.replace(draft, self._path)
        except OSError:
            return
        self._written = text


def read_standing(folder: str) -> dict[str, dict[str, Any]]:
    """Empty when no agent ever ran here, or when somebody else wrote it."""
    content = read_own(os.path.join(folder, FILE_NAME), _MOST_BYTES)
    try:
        found = json.loads(content or b"{}")
    except (ValueError, RecursionError):
        return {}
    facts = found if isinstance(found, dict) else {}
    return {str(about): dict(each) for about, each in facts.items() if isinstance(each, dict)}
