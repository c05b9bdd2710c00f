"""The built-in layer, as values: a machine without policy files needs no YAML.

`builtin/hooks/**/hook.meta.yaml` says the same for readers; a test holds the two together.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from fairlead.model.event_name import EventName
from fairlead.model.hook import AUDIT, HookType
from fairlead.policy.reading.entry import Entry

LAYER = "built-in"
TELLS_RULES_APART = frozenset({"block-dangerous-commands", "protect-sensitive-files"})
"""Those that are themselves told to audit: some of their rules count all the same."""
SAVING = "block-dangerous-commands"
"""What may have a loss saved before it lets it pass."""

_GUARDS = (
    ("validate-tool-inputs", HookType.VALIDATION, True),
    ("block-dangerous-commands", HookType.SAFETY, True),
    ("protect-sensitive-files", HookType.SAFETY, True),
    ("approve-safe-operations", HookType.AUTHORIZATION, False),
)
_RESULTS = (
    ("remove-secrets-from-results", HookType.TRANSFORMATION),
    ("flag-instructions-in-results", HookType.TRANSFORMATION),
)
_SETTINGS_GUARD = "keep-hooks-on"
_REQUEST_GUARD = "guard-server-requests"
_FILE_GUARDS = ("validate-tool-inputs", "block-dangerous-commands", "protect-sensitive-files")
_OF_SERVERS = {
    EventName.BEFORE_RESOURCE: _FILE_GUARDS,
    EventName.AFTER_RESOURCE: tuple(name for name, _ in _RESULTS),
    EventName.BEFORE_SERVER_PROMPT: ("protect-sensitive-files",),
    EventName.AFTER_SERVER_PROMPT: tuple(name for name, _ in _RESULTS),
    EventName.BEFORE_SAMPLING: (_REQUEST_GUARD,),
    EventName.AFTER_SAMPLING: ("remove-secrets-from-results",),
    EventName.ELICITATION: (_REQUEST_GUARD,),
}
"""What looks at the requests of MCP, besides calls of tools."""
_OBSERVERS = ("log-operations", "emit-metrics", "track-token-usage", "debug-tracer")
_OBSERVED = (EventName.BEFORE_TOOL, EventName.AFTER_TOOL, EventName.AFTER_AGENT)


def default_entries(builtin_names: Collection[str]) -> list[Entry]:
    """Guards and what looks at results on, observers present but off: the journal records every call anyway.

    A guard that this installation lacks is broken, not absent (law 2).
    """
    guards = [
        _entry(name, type_, event, enabled=enabled)
        for event in (EventName.BEFORE_TOOL, EventName.TOOL_PERMISSION)
        for name, type_, enabled in _GUARDS
    ]
    results = [_entry(name, type_, EventName.AFTER_TOOL, enabled=True) for name, type_ in _RESULTS]
    settings = _entry(_SETTINGS_GUARD, HookType.SAFETY, EventName.CONFIG_CHANGE, enabled=True)
    servers = [
        _entry(name, BUILTIN_TYPES[name], event, enabled=True)
        for event, names in _OF_SERVERS.items()
        for name in names
    ]
    observers = [
        _entry(name, HookType.OBSERVABILITY, event, enabled=False)
        for event in _OBSERVED
        for name in _OBSERVERS
        if name in builtin_names
    ]
    return [_whole(entry, builtin_names) for entry in (*guards, settings, *results, *servers, *observers)]


def _entry(name: str, type_: HookType, event: EventName, *, enabled: bool) -> Entry:
    return Entry(name, type_, event, LAYER, builtin=name, enabled=enabled)


def _whole(entry: Entry, builtin_names: Collection[str]) -> Entry:
    if entry.id in builtin_names or not entry.enabled:
        return entry
    missing = entry.problem(
        "id", f"this installation has no built-in {entry.id!r}", hint="reinstall Fairlead"
    )
    return entry.break_with(missing)


BUILTIN_TYPES = {
    **{name: type_ for name, type_, _ in _GUARDS},
    _SETTINGS_GUARD: HookType.SAFETY,
    _REQUEST_GUARD: HookType.SAFETY,
    **dict(_RESULTS),
    **dict.fromkeys(_OBSERVERS, HookType.OBSERVABILITY),
}


def config_of(entry: Entry) -> Mapping[str, object]:
    """What a built-in is told: its `config`, what becomes of losses, which rules are only watched."""
    config = entry.config
    if entry.recover and entry.builtin == SAVING:
        config = {"recoverable": entry.recover, "save": True, **config}
    elif not entry.trusted:
        config = {name: value for name, value in config.items() if name not in ("recoverable", "save")}
    if entry.builtin not in TELLS_RULES_APART or not (entry.mode == AUDIT or entry.enforced or entry.watched):
        return config
    return {**config, "mode": entry.mode, "enforced": entry.enforced, "watched": entry.watched}
