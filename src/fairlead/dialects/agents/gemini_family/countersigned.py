"""Gemini CLI where its second line stands: calls that were judged carry a sign; without one they are denied.

Gemini CLI asks its hooks first, and its administrator's policies about what the hooks made of a call. The
policy denies each call of these tools without the sign, and stands in a place that no switch moves. The sign
is no secret: it tells a session whose hooks answered from one whose hooks are off.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from fairlead.dialects.agents.gemini_family.gemini import DIALECT as GEMINI
from fairlead.dialects.answers.abilities import Can
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.verdict import Reply, Verdict

VARIABLE = "FAIRLEAD_COUNTERSIGN"
"""Set by the line in the machine's settings, and by nothing else."""
_FOLDER, _HERE = "dir_path", "."
_SIGN = "/./."
"""At the end of the folder of a shell command, which it leaves the same. The policies are asked again about
each part of a command line, and then see only its text and this folder."""
_JUDGED = "judged_by"
_SHELL = "run_shell_command"
_FILE_TOOLS = ("write_file", "replace")
_REASON = (
    "Fairlead did not judge this call: its hooks are off in this session, so commands and changes of files "
    "are denied. A person can start Gemini CLI without the switch that turns them off."
)


def policy() -> str:
    """What `policies/` has to hold."""
    return "\n".join(
        (
            "# fairlead-hook: put here by `fairlead install --system --second-line`.",
            "# Calls that its hook has judged carry a sign; without one they are denied.",
            *_rule(_SHELL, rf'"{_FOLDER}":"[^"]*/\./\."'),
            *(line for tool in _FILE_TOOLS for line in _rule(tool, f'"{_JUDGED}":"fairlead"')),
        )
    )


def _rule(tool: str, sign: str) -> tuple[str, ...]:
    return (
        "[[rule]]",
        f'toolName = "{tool}"',
        f"argsPattern = '^(?!.*{sign})'",
        'decision = "deny"',
        "priority = 999",
        f"denyMessage = {json.dumps(_REASON)}",
        "",
    )


class Countersigned:
    """The dialect of Gemini CLI, with the sign put on a call that may go on, and off what comes back."""

    name = GEMINI.name
    events = GEMINI.events

    def decode(self, raw: bytes, *, native_event: str, environment: Mapping[str, str]) -> Event:
        event = GEMINI.decode(raw, native_event=native_event, environment=environment)
        if event.tool is None:
            return event
        return event.replace(tool=event.tool.replace(input=_without_sign(event.tool.input)))

    def render(self, event: Event, verdict: Verdict) -> Reply:
        tool = event.tool
        if event.name is EventName.BEFORE_TOOL and tool is not None:
            given = verdict.updated_input if verdict.updated_input is not None else tool.input
            signed = _with_sign(tool.name, given)
            if signed is not None:
                verdict = verdict.replace(updated_input=signed)
        return GEMINI.render(event, verdict)

    def last_resort(self, native_event: str) -> Reply:
        return GEMINI.last_resort(native_event)

    def abilities(self, native_event: str) -> Can:
        return GEMINI.abilities(native_event)


def _with_sign(tool: str, given: Mapping[str, object]) -> dict[str, object] | None:
    if tool == _SHELL:
        folder = given.get(_FOLDER)
        return {**given, _FOLDER: f"{folder if isinstance(folder, str) and folder else _HERE}{_SIGN}"}
    return {**given, _JUDGED: "fairlead"} if tool in _FILE_TOOLS else None


def _without_sign(given: Mapping[str, object]) -> Mapping[str, object]:
    folder = given.get(_FOLDER)
    if isinstance(folder, str) and folder.endswith(_SIGN):
        plain = folder.removesuffix(_SIGN)
        rest = {key: value for key, value in given.items() if key != _FOLDER}
        return rest if plain == _HERE else {**given, _FOLDER: plain}
    if _JUDGED in given:
        return {key: value for key, value in given.items() if key != _JUDGED}
    return given


DIALECT = Countersigned()
