"""Files of a project or a machine that switch a user's hooks off, agent by agent."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

from fairlead.errors import SettingsError
from fairlead.settings import files
from fairlead.settings.document import document_of

_SWITCHES: Mapping[str, tuple[tuple[str, tuple[str, ...], bool], ...]] = {
    "claude": (
        (".claude/settings.json", ("disableAllHooks",), True),
        (".claude/settings.local.json", ("disableAllHooks",), True),
        ("/etc/claude-code/managed-settings.json", ("disableAllHooks",), True),
        ("/etc/claude-code/managed-settings.json", ("allowManagedHooksOnly",), True),
    ),
    "codex": ((".codex/config.toml", ("features", "hooks"), False),),
    "gemini": ((".gemini/settings.json", ("hooksConfig", "enabled"), False),),
    "qwen": ((".qwen/settings.json", ("disableAllHooks",), True),),
    "copilot": (
        (".claude/settings.json", ("disableAllHooks",), True),
        (".github/copilot/settings.json", ("disableAllHooks",), True),
    ),
}
"""The file, the setting, and the value of it that means off."""


def switch_files(agent: str) -> list[str]:
    """The files of a project, relative to it, that can switch the agent's hooks off."""
    return sorted({name for name, _, _ in _SWITCHES.get(agent, ()) if not os.path.isabs(name)})


def switched_off(agent: str, project: str) -> Iterator[tuple[str, str]]:
    """Path and setting of each switch that is set in the project."""
    for name, setting, off in _SWITCHES.get(agent, ()):
        path = os.path.join(project, name)
        value: object = _document(path)
        for key in setting:
            value = value.get(key) if isinstance(value, dict) else None
        if value is off:
            yield path, ".".join(setting)


def _document(path: str) -> object:
    """None for what is not there, or cannot be read: the agent cannot read it either."""
    try:
        content = files.read(path)
        if content is None:
            return None
        return document_of(content.decode("utf-8"), path)
    except (SettingsError, ValueError):
        return None
