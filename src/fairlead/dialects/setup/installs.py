"""What `install` changes for an agent, from what the agent's module says about its setup."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping

from fairlead.dialects.agent_registry import AGENTS, setup_of
from fairlead.dialects.setup.description import HookFile, Setup
from fairlead.dialects.setup.hook_forms import Wanted, change_for
from fairlead.dialects.setup.site import Client, Site
from fairlead.errors import SettingsError
from fairlead.settings.change import Change, JsonEntries, TomlBlock

INSTALLS: Mapping[str, Setup] = {agent: setup_of(agent) for agent in AGENTS if agent != "generic"}


def changes_for(agent: str, site: Site, client: Client) -> list[Change]:
    """What has to stand where this machine's agent reads it."""
    return [
        change
        for file, changes in _by_file(agent, site, client)
        for change in changes
        if file is None or _is_read(agent, file, site)
    ]


def every_change(agent: str, site: Site, client: Client) -> list[Change]:
    """The same for all places that any version of the agent reads."""
    return [change for _, changes in _by_file(agent, site, client) for change in changes]


def hook_files(changes: list[Change]) -> list[str]:
    """Those that hold the hooks. A file of another kind beside them may serve several places."""
    return [change.path for change in changes if type(change) is type(changes[0])]


def _by_file(agent: str, site: Site, client: Client) -> Iterator[tuple[HookFile | None, list[Change]]]:
    """What belongs to no hook file comes last, without one."""
    setup = INSTALLS[agent]
    files = [file for file in setup.files if site.scope == "user" or file.project]
    if not files:
        raise SettingsError(f"{agent} has no hooks in a project", hint="install it with --user")
    for file in files:
        changes = change_for(Wanted(agent, setup, file, site.path_of(file), client))
        yield file, changes
        if setup.reviewed_in:
            hooks = [change for change in changes if isinstance(change, JsonEntries)]
            yield None, [_review(change, setup, site) for change in hooks]


def _review(hooks: JsonEntries, setup: Setup, site: Site) -> Change:
    """No hook runs that was not reviewed: the agent's own record of a review is written along."""
    from fairlead.dialects.setup.codex_review import trust_block

    folder = os.path.dirname(site.replace(scope="user").path_of(setup.files[0]))
    config = f"{folder}/{setup.reviewed_in}"
    return TomlBlock(config, trust_block(hooks, config))


def _is_read(agent: str, file: HookFile, site: Site) -> bool:
    """Whether `install` should write there now: agents have moved their settings, or read two files."""
    path = site.path_of(file)
    match file.read:
        case "always":
            return True
        case "with folder":
            return os.path.isdir(os.path.dirname(path))
        case "with file":
            return os.path.exists(path)
        case "unless older":
            # New settings that hold nothing but our hooks would keep the old ones from it.
            return os.path.exists(path) or not os.path.exists(site.path_of(INSTALLS[agent].files[0]))


def found_agents(site: Site, which: Callable[[str], str | None]) -> list[str]:
    """The agents that are used on this machine: their program, or the folder that they keep."""
    return [
        agent
        for agent, install in INSTALLS.items()
        if any(which(program) for program in install.programs)
        or any(os.path.isdir(os.path.join(site.home, folder)) for folder in install.folders)
    ]
