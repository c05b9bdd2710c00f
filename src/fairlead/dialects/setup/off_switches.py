"""Files of a project or a machine that switch a user's hooks off, agent by agent."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator

from fairlead.dialects.agent_registry import setup_of
from fairlead.errors import SettingsError
from fairlead.settings import files
from fairlead.settings.formats.document import document_of


def switch_files(agent: str) -> list[str]:
    """The files of a project, relative to it, that can switch the agent's hooks off."""
    switches = setup_of(agent).switches
    return sorted({one.file for one in switches if not one.of_user and not os.path.isabs(one.file)})


def switched_off(
    agent: str, project: str, *, home: str, ours: Collection[str] = ()
) -> Iterator[tuple[str, str]]:
    """Path and setting of each switch that is set in the project, on the machine, or by the user.

    `ours` are the commands of our hooks: some agents keep a list of those that they leave out.
    """
    setup = setup_of(agent)
    for switch in setup.switches:
        path = os.path.join(home if switch.of_user else project, switch.file)
        if _value(path, switch.setting) is switch.off:
            yield path, ".".join(switch.setting)
    for name in setup.left_out:
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
