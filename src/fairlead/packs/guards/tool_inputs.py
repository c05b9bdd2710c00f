"""The middleware `validate-tool-inputs`: a call must have the shape of its kind before anyone judges it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.hook import Evidence, HookType, Outcome
from fairlead.model.tool_call import (
    ASKED_KEYS,
    COMMAND_KEYS,
    COMMAND_LIST_KEYS,
    LISTED_PATH_KEYS,
    LISTED_URL_KEYS,
    PATH_HOLDER_KEYS,
    PATH_KEYS,
    PATTERN_LIST_KEYS,
    TERMINAL_INPUT_KEYS,
    URL_KEYS,
    ToolKind,
)
from fairlead.model.value import Value

_LISTS = (*LISTED_PATH_KEYS, *PATTERN_LIST_KEYS, *PATH_HOLDER_KEYS, "edits")


class Field(Value):
    """One of `keys` must be there with a text; `listed`: or one of those with a list."""

    name: str
    keys: tuple[str, ...]
    listed: tuple[str, ...] = ()


FIELDS: dict[ToolKind, Field] = {
    ToolKind.SHELL: Field("command", (*COMMAND_KEYS, *TERMINAL_INPUT_KEYS), COMMAND_LIST_KEYS),
    ToolKind.READ: Field("path", PATH_KEYS, _LISTS),
    ToolKind.WRITE: Field("path", PATH_KEYS, _LISTS),
    ToolKind.EDIT: Field("path", PATH_KEYS, _LISTS),
    ToolKind.NOTEBOOK: Field("path", PATH_KEYS, _LISTS),
    ToolKind.FETCH: Field("address", (*URL_KEYS, *ASKED_KEYS), LISTED_URL_KEYS),
}


def validate_tool_inputs(
    event: Event, config: Mapping[str, object], previous: Sequence[Outcome]
) -> Outcome | None:
    """Blocks a call of a known kind that lacks its field, or has it in a shape that guards would not see."""
    call = event.tool
    if call is None or call.kind not in FIELDS:
        return None
    field, given = FIELDS[call.kind], call.input
    there = False
    for key in field.keys + field.listed:
        if key not in given:
            continue
        there, value = True, given[key]
        if isinstance(value, str) and "\0" not in value:
            continue
        problem = _problem(key, value, field)
        if problem:
            return _objection(f"{call.name}: {key} {problem}", key, given)
    return None if there else _objection(f"{call.name} has no {field.name}", field.keys[0], given)


def _problem(key: str, value: object, field: Field) -> str:
    if isinstance(value, str):
        return "has a NUL byte in it" if "\0" in value else ""
    if key in field.listed and isinstance(value, (list, tuple)):
        unread = key in COMMAND_LIST_KEYS and not all(map(_is_command, value))
        return "holds something that is no command" if unread else ""
    if value is None and key not in field.keys[:1]:
        return ""
    return f"must be a text, not {type(value).__name__}"


def _is_command(given: object) -> bool:
    line = given.get("command") if isinstance(given, Mapping) else given
    return isinstance(line, str) and "\0" not in line


def _objection(problem: str, key: str, tool_input: Mapping[str, object]) -> Outcome:
    return Outcome(
        decision=Decision.BLOCK,
        reason=f"{problem}. Call the tool again with a proper {key!r}.",
        type=HookType.VALIDATION,
        rule="validation/tool-input",
        evidence=(Evidence(key, detail=f"fields given: {', '.join(map(str, tool_input)) or 'none'}"),),
    )
