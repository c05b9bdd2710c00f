"""How an agent sends a tool call: which fields carry what is judged, as templates of what is really sent.

A word in angle brackets is a slot. In the payload: `<event>`, `<session>`, `<cwd>`, `<call>` (the agent's id
of it), `<tool>` and `<input>`. In the input: `<command>`, `<commands>` (a list), `<typed>` (into a terminal),
`<path>`, `<paths>` (a list), `<content>`, `<old>`, `<patch>`, `<url>`, `<query>`; for the tool of an MCP
server `<server>`, `<name>` and `<arguments>`. All else stands for itself.
"""

from __future__ import annotations

from collections.abc import Mapping

from fairlead.model.value import Value

USUAL_PAYLOAD: Mapping[str, object] = {
    "hook_event_name": "<event>",
    "session_id": "<session>",
    "transcript_path": "",
    "cwd": "<cwd>",
    "tool_name": "<tool>",
    "tool_input": "<input>",
    "tool_use_id": "<call>",
}


class SentCall(Value):
    """`tools` are the names of those that take this input, with blanks between them."""

    tools: str
    input: object
    payload: Mapping[str, object] = USUAL_PAYLOAD
