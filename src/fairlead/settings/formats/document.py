"""What a settings file holds, whichever of the agents' formats it is in."""

from __future__ import annotations

import tomllib

from fairlead.settings.formats.json_text import parse


def document_of(text: str, path: str) -> object:
    """By the name of the file TOML, else JSON with comments. Raises SettingsError or ValueError."""
    return tomllib.loads(text) if path.endswith(".toml") else parse(text).value
