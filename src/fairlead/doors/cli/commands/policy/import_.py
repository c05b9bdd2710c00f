"""`fairlead import`: hooks that an agent has already, as entries of a policy."""

from __future__ import annotations

import os
from collections.abc import Iterator

import click

from fairlead.dialects.setup.description import HookFile
from fairlead.doors.cli.given.one_of import OneOf
from fairlead.doors.cli.installation.installing import site_of
from fairlead.doors.cli.output import Session, note, say
from fairlead.doors.cli.policies.matching_proof import prove_matching
from fairlead.errors import FairleadError, RegistrationError, SettingsError
from fairlead.model.event_name import EventName, event_named
from fairlead.model.matching.agent_matcher import agent_matcher
from fairlead.model.value import Value
from fairlead.policy.human import require_human
from fairlead.policy.places import write_private
from fairlead.settings import files
from fairlead.settings.formats.json_edit import MARK
from fairlead.settings.formats.json_text import parse, strings_in

SETTINGS = {"claude": ("CLAUDE_CONFIG_DIR", ".claude"), "gemini": ("", ".gemini")}
_UNIT = {"claude": 1.0, "gemini": 0.001}
_TYPES = {
    EventName.SESSION_START: "transformation",
    EventName.BEFORE_AGENT: "transformation",
    EventName.NOTIFICATION: "observability",
    EventName.SESSION_END: "observability",
}


class Imported(Value):
    """One handler: the entry that it becomes, and the script that runs its command line."""

    event: str
    entry: dict[str, object]
    script: str = ""
    matcher: str = ""
    """As it stands in the agent's settings."""


class Refused(Value):
    """A handler that stays where it is, and why."""

    event: str
    why: str


@click.command(name="import")
@click.argument("agent", type=OneOf("agent to import from", SETTINGS))
@click.option(
    "--user", "scope", flag_value="user", default=True, help="From the user's settings (the default)."
)
@click.option("--project", "scope", flag_value="project", help="From this project's settings.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.pass_obj
def command(session: Session, agent: str, scope: str, yes: bool) -> int:
    """Make the hooks in AGENT's settings part of your policy, so that every agent is judged by them.

    Scripts run unchanged, with the time they had, for the tools that the agent itself would match. One that
    breaks, hangs or prints rubbish no longer lets the call through. The settings are not changed: take the
    hooks out there yourself, or they run twice. What cannot be taken over exactly is left where it is.

    \b
    Examples:
      fairlead import claude
      fairlead import gemini --project
    """
    variable, folder = SETTINGS[agent]
    path = site_of(scope).path_of(HookFile(folder, "settings.json", f"{folder}/settings.json", variable))
    handlers = list(_handlers(agent, path))
    found = [one for one in handlers if isinstance(one, Imported)]
    refused = [one for one in handlers if isinstance(one, Refused)]
    for left in refused:
        note(f"not imported: {left.event}: {left.why}")
    if not found:
        note(f"there are no hooks to import in {path}")
        return 1 if refused else 0
    for one in found:
        runs = one.script.splitlines()[1] if one.script else one.entry["url"]
        say(f"{one.event:<20} {one.entry['id']:<32} {runs}")
    require_human(session.places, f"run these {len(found)} hooks for every agent", yes=yes)
    for written in _write(os.path.join(session.places.config, "hooks", f"imported-{agent}"), found):
        say(f"wrote  {written}")
    names = prove_matching(agent, [str(one.matcher) for one in found if one.matcher])
    note(f"each matcher was tried on {names:,} names of tools, and matches those that {agent} matches")
    if refused:
        note(f"the hooks still stand in {path}; those that were not imported must stay there")
    else:
        note(f"the hooks still stand in {path}: take them out there, or they run twice")
    return 1 if refused else 0


def _handlers(agent: str, path: str) -> Iterator[Imported | Refused]:
    content = files.read(path)
    if content is None:
        return
    try:
        document = parse(files.text_of(content, path)).value
    except SettingsError as error:
        raise FairleadError(f"{path}:{error.message}", hint="mend the file first") from None
    events = document.get("hooks") if isinstance(document, dict) else None
    for event, groups in events.items() if isinstance(events, dict) else ():
        for group in groups if isinstance(groups, list) else ():
            handlers = group.get("hooks") if isinstance(group, dict) else None
            for handler in handlers if isinstance(handlers, list) else ():
                one = _imported(agent, event, group.get("matcher"), handler)
                if one is not None:
                    yield one


def _imported(agent: str, event: str, matcher: object, handler: object) -> Imported | Refused | None:
    if not isinstance(handler, dict) or any(MARK in text for text in strings_in(handler)):
        return None
    line, url = handler.get("command"), handler.get("url")
    if not isinstance(line, str) and not isinstance(url, str):
        return Refused(event, f"a handler of type {handler.get('type')!r} runs only inside {agent}")
    if event_named(event) is EventName.OTHER:
        return Refused(event, f"{agent} has no event of this name that Fairlead knows")
    entry: dict[str, object] = {"id": "", "type": _TYPES.get(event_named(event), "safety")}
    given = "" if matcher in (None, "*") else matcher
    if given != "":
        try:
            agent_matcher(agent, given)
        except RegistrationError as error:
            return Refused(event, f"matcher {given!r}: {error.message}")
        entry["matcher"] = {agent: given}
    timeout = handler.get("timeout")
    if isinstance(timeout, int | float) and not isinstance(timeout, bool):
        entry["timeout"] = max(1, round(timeout * _UNIT[agent]))
    if isinstance(line, str):
        words = [line, *(str(word) for word in handler.get("args") or [])]
        entry["protocol"] = agent
        return Imported(event, _named(entry, agent, event, line), _script(words), str(given))
    return Imported(event, {**_named(entry, agent, event, str(url)), "url": url}, matcher=str(given))


def _named(entry: dict[str, object], agent: str, event: str, line: str) -> dict[str, object]:
    """The same hook gets the same name when it is imported again."""
    import hashlib

    mark = hashlib.sha256(f"{event}\0{entry.get('matcher', '')}\0{line}".encode()).hexdigest()[:6]
    return {**entry, "id": f"{agent}-{event.lower()}-{mark}"}


def _script(words: list[str]) -> str:
    """The line as the agent gives it to a shell; words beside it are quoted."""
    from fairlead.model.facts import quoted

    return f"#!/bin/sh\n{' '.join([words[0], *(quoted(word) for word in words[1:])])}\n"


def _write(folder: str, found: list[Imported]) -> Iterator[str]:
    import yaml

    for event in dict.fromkeys(one.event for one in found):
        entries = []
        place = os.path.join(folder, event)
        for one in (one for one in found if one.event == event):
            entry = dict(one.entry)
            if one.script:
                entry["path"] = f"{entry['id']}.sh"
                script = os.path.join(place, str(entry["path"]))
                write_private(script, one.script.encode())
                os.chmod(script, 0o700)
            entries.append(entry)
        document = {"id": f"imported-{event}", "kind": "hook", "event": event, "middleware": entries}
        path = os.path.join(place, "hook.meta.yaml")
        write_private(path, yaml.safe_dump(document, sort_keys=False).encode())
        yield path
