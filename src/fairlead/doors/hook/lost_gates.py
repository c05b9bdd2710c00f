"""What is told when a session starts: settings that keep hooks of ours from being asked.

An agent whose hooks are all off asks nobody, so what switches them off in a project is told in the sessions
of every agent that is guarded; and what takes a part of an agent's own hooks away, in its own.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

from fairlead.dialects.agent_registry import dialect_named
from fairlead.dialects.setup.installs import INSTALLS, changes_for, hook_files
from fairlead.dialects.setup.off_switches import switched_off
from fairlead.dialects.setup.site import Client, Site
from fairlead.errors import SettingsError
from fairlead.model.event import Event
from fairlead.policy.installed import client_path
from fairlead.policy.places import Places, home_of_user
from fairlead.settings import files
from fairlead.settings.change import applied
from fairlead.settings.ledger import Ledger

_MOST = 5


def words_at_start(event: Event, agent: str, places: Places, environment: Mapping[str, str]) -> str:
    """Empty where every hook that `install` wrote is asked, as far as the settings tell."""
    home = environment.get("HOME") or home_of_user()
    site = Site(home, event.root or event.cwd, environment)
    try:
        found = list(_found(agent, site, places))
    except (SettingsError, OSError) as error:
        found = [f"whether all hooks are asked cannot be told: {error}"]
    shown = [*found[:_MOST], *([f"and {len(found) - _MOST} more"] if len(found) > _MOST else [])]
    return f"Fairlead: {'; '.join(shown)}; `fairlead doctor` tells what to do" if shown else ""


def _found(agent: str, site: Site, places: Places) -> Iterator[str]:
    client = Client(client_path(places), _given_home(places))
    ledger = Ledger(places.installed)
    guarded = {entry.agent for entry in ledger.entries.values() if entry.agent in INSTALLS}
    for one in sorted(guarded, key=lambda name: name != agent):
        ours = [client.line(one, event) for event in dialect_named(one).events]
        for path, setting in switched_off(one, site.project, home=site.home, ours=ours):
            yield f"{path} switches the hooks of {one} off ({setting})"
    written = {entry.path for entry in ledger.entries.values() if entry.agent == agent}
    if agent in INSTALLS:
        yield from _changed(agent, site, client, written)


def _changed(agent: str, site: Site, client: Client, written: set[str]) -> Iterator[str]:
    """Files that hold our hooks, or would have to, and that are not as they were left."""
    for scope in ("user", "project"):
        try:
            changes = changes_for(agent, site.replace(scope=scope), client)
        except SettingsError:
            continue  # the agent has no settings of that scope
        if written.isdisjoint(hook_files(changes)):
            continue
        for change in changes:
            try:
                current = files.read(change.path)
                same = applied(change, current) == current
            except SettingsError as error:
                yield error.message
                continue
            if not same:
                yield f"hooks of {agent} are missing in {change.path}, or are not as `install` left them"


def _given_home(places: Places) -> str:
    """The folder after `--home`, with which the installed command was then written."""
    top = os.path.dirname(places.state)
    return top if places.share == os.path.join(top, "share") else ""
