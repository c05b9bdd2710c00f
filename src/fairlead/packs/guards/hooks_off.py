"""Keeps a change of an agent's settings from switching its hooks off, this guard among them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fairlead.errors import SettingsError
from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.hook import Evidence, Outcome
from fairlead.settings import files
from fairlead.settings.formats.json_text import parse

RULE = "self-protection/hooks-off"


def keep_hooks_on(event: Event, config: Mapping[str, object], previous: Sequence[Outcome]) -> Outcome | None:
    """For the event that an agent fires when a settings file of its was changed, by whomever."""
    path = event.payload.get("file_path")
    if not isinstance(path, str) or not path:
        return None
    setting = _switch_in(path)
    if not setting:
        return None
    return Outcome(
        Decision.BLOCK,
        f"{path} would switch every hook off ({setting})",
        rule=RULE,
        evidence=(Evidence(setting, path),),
        alternative="A person can run `fairlead off` in their own terminal.",
    )


def _switch_in(path: str) -> str:
    """The setting that turns hooks off; empty also for what cannot be read: the agent cannot read it either."""
    try:
        content = files.read(path)
        document = parse((content or b"{}").decode("utf-8")).value
    except (SettingsError, UnicodeDecodeError):
        return ""
    if not isinstance(document, dict):
        return ""
    if document.get("disableAllHooks") is True:
        return "disableAllHooks"
    hooks = document.get("hooksConfig")
    return "hooksConfig.enabled" if isinstance(hooks, dict) and hooks.get("enabled") is False else ""
