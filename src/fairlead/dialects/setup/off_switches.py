"""Files of a project or a machine that switch a user's hooks off, agent by agent."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping

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
    "factory": (
        (".factory/settings.json", ("hooks", "hooksDisabled"), True),
        (".factory/hooks.json", ("hooksDisabled",), True),
    ),
    "llxprt": (
        (".llxprt/settings.json", ("hooksConfig", "enabled"), False),
        (".llxprt/settings.json", ("tools", "enableHooks"), False),
        ("/etc/llxprt-code/settings.json", ("hooksConfig", "enabled"), False),
        ("/etc/llxprt-code/settings.json", ("tools", "enableHooks"), False),
    ),
}
"""The file, the setting, and the value of it that means off."""
_OF_USER: Mapping[str, tuple[tuple[str, tuple[str, ...], bool], ...]] = {
    "codex": ((".codex/config.toml", ("features", "hooks"), False),),
    "copilot": ((".copilot/settings.json", ("disableAllHooks",), True),),
}
"""The same below the user's home, where the file is another one than the hooks stand in."""
_LEFT_OUT = {
    "gemini": (".gemini/settings.json",),
    "llxprt": (".llxprt/settings.json", ".config/llxprt-code/settings.json"),
}
"""Files with a list of the hooks that are left out, each by its command."""


def switch_files(agent: str) -> list[str]:
    """The files of a project, relative to it, that can switch the agent's hooks off."""
    return sorted({name for name, _, _ in _SWITCHES.get(agent, ()) if not os.path.isabs(name)})


def switched_off(
    agent: str, project: str, *, home: str, ours: Collection[str] = ()
) -> Iterator[tuple[str, str]]:
    """Path and setting of each switch that is set in the project, on the machine, or by the user.

    `ours` are the commands of our hooks: some agents keep a list of those that they leave out.
    """
    for name, setting, off in _SWITCHES.get(agent, ()):
        path = os.path.join(project, name)
        if _value(path, setting) is off:
            yield path, ".".join(setting)
    for name, setting, off in _OF_USER.get(agent, ()):
        path = os.path.join(home, name)
        if _value(path, setting) is off:
            yield path, ".".join(setting)
    for name in _LEFT_OUT.get(agent, ()):
        for path in dict.fromkeys(os.path.join(folder, name) for folder in (home, project)):
            named = _value(path, ("hooksConfig", "disabled"))
            if isinstance(named, list) and any(each in ours for each in named):
                yield path, "hooksConfig.disabled"


def _value(path: str, setting: tuple[str, ...]) -> object:
    value = _document(path)
    for key in setting:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _document(path: str) -> object:
    """None for what is not there, or cannot be read: the agent cannot read it either."""
    try:
        content = files.read(path)
        if content is None:
            return None
        return document_of(content.decode("utf-8"), path)
    except (SettingsError, ValueError):
        return None
