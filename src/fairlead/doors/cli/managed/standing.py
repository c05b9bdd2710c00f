"""The managed forms as this system has them, and what of ours stands there."""

from __future__ import annotations

from collections.abc import Mapping

from fairlead.dialects.managed.changes import managed_changes
from fairlead.dialects.managed.forms import Managed, managed_on
from fairlead.doors.cli.managed.program import machine_client, plugins_folder
from fairlead.platforms import here
from fairlead.policy.places import Places
from fairlead.settings import files
from fairlead.settings.change import Change, is_ours


def forms_here() -> Mapping[str, Managed]:
    return managed_on(here.SYSTEM)


def has_second_line(agent: str) -> bool:
    path = forms_here()[agent].second
    return bool(path) and is_ours(files.read(path) or b"")


def changes_standing(agent: str, places: Places) -> list[Change]:
    """What has to be there, with the second line if it was put there."""
    return managed_changes(
        agent,
        machine_client(places),
        plugins=plugins_folder(places),
        second=has_second_line(agent),
        system=here.SYSTEM,
    )
