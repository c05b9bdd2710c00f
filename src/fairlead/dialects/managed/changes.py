"""What has to stand in an agent's managed files."""

from __future__ import annotations

import json
from collections.abc import Iterator

from fairlead.dialects.agents.javascript_plugins.plugin_source import opencode_plugin
from fairlead.dialects.managed.forms import MANAGED, Managed
from fairlead.dialects.setup.description import Form
from fairlead.dialects.setup.hook_forms import Wanted, change_for
from fairlead.dialects.setup.installs import INSTALLS
from fairlead.dialects.setup.site import Client
from fairlead.errors import SettingsError
from fairlead.settings.change import Change, JsonEntries, OwnFile, TomlBlock
from fairlead.settings.json_edit import Forced, Item

_HOOK_FORMS: tuple[Form, ...] = ("entries", "own document")


def managed_changes(agent: str, client: Client, *, plugins: str, only: bool = False) -> list[Change]:
    """`plugins` is the folder for files that an agent loads; `only` drops the users' own hooks as well."""
    managed = MANAGED[agent]
    forced = (*managed.locks, *(managed.only if only else ()))
    wanted = _wanted(agent, managed, client)
    if managed.form == "codex requirements":
        return [TomlBlock(managed.path, "\n".join(_codex_tables(wanted)), forced)]
    if managed.form == "opencode managed":
        return _opencode(managed, client, plugins)
    return [_with_locks(change, forced) for change in change_for(wanted)]


def possible_locks(agent: str) -> tuple[Forced, ...]:
    """Every value that a change of this agent may have forced."""
    return (*MANAGED[agent].locks, *MANAGED[agent].only)


def _wanted(agent: str, managed: Managed, client: Client) -> Wanted:
    setup = INSTALLS[agent]
    file = setup.files[0]
    if managed.form in _HOOK_FORMS:
        file = next((each for each in setup.files if each.form == managed.form), file)
    return Wanted(agent, setup, file, managed.path, client)


def _with_locks(change: Change, forced: tuple[Forced, ...]) -> Change:
    if not forced:
        return change
    if not isinstance(change, JsonEntries):
        raise SettingsError(f"{change.path} has no place for a lock")
    return change.replace(edits=(*forced, *change.edits))


def _codex_tables(wanted: Wanted) -> Iterator[str]:
    """A basic string of TOML has the escapes of JSON."""
    for event in wanted.events:
        yield f"[[hooks.{event}]]"
        handlers = wanted.entry(event)["hooks"]
        assert isinstance(handlers, list)
        for handler in handlers:
            lines = (f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in handler.items())
            yield "\n".join((f"[[hooks.{event}.hooks]]", *lines)) + "\n"


def _opencode(managed: Managed, client: Client, plugins: str) -> list[Change]:
    """The plugin first: a configuration that names a missing one loads nothing, and says nothing."""
    plugin = f"{plugins}/fairlead-hook.js"
    words = client.words("opencode", "")[:-1]
    named = JsonEntries(managed.path, (Item(("plugin",), f"file://{plugin}"),))
    return [OwnFile(plugin, opencode_plugin(words, told=client.told)), named]
