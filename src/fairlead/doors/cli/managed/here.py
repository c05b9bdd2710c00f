"""The managed settings of this machine as any user sees them: a row for each agent that has some of ours."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.doors.cli.installation.facts import CHANGED, INSTALLED, AgentSettings
from fairlead.doors.cli.managed.standing import changes_standing, forms_here
from fairlead.errors import SettingsError
from fairlead.policy.places import Places
from fairlead.settings import files
from fairlead.settings.change import Change, applied, is_ours
from fairlead.settings.system_files import fault

MACHINE = "machine"
"""The scope of a file that only root writes."""


def machine_settings(places: Places) -> Iterator[AgentSettings]:
    if not places.managed:
        return
    for agent, managed in forms_here().items():
        try:
            if is_ours(files.read(managed.path) or b""):
                yield AgentSettings(agent, MACHINE, managed.path, _state(agent, places.of_machine))
        except SettingsError:
            yield AgentSettings(agent, MACHINE, managed.path, CHANGED)


def _state(agent: str, places: Places) -> str:
    whole = all(_is_whole(change) for change in changes_standing(agent, places))
    return INSTALLED if whole else CHANGED


def _is_whole(change: Change) -> bool:
    content = files.read(change.path)
    return content is not None and not fault(change.path) and applied(change, content) == content
