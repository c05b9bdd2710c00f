"""What passes between the wire and the judge: a request that a policy may speak of, and what comes of it."""

from __future__ import annotations

from collections.abc import Mapping

from fairlead.model.decision import Decision
from fairlead.model.value import Value

Choice = bool | None
"""Yes or no; None where the question was put aside without either, as by a client that nobody sits at."""


class McpCall(Value):
    """Something that one side asks of the other and that a policy may speak of."""

    server: str
    """The configured name of the server, as it stands in the judged name `mcp__N__tool`."""
    method: str
    """`tools/call`, `resources/read`, `prompts/get`, `completion/complete`; from the server
    `sampling/createMessage`, `elicitation/create`, `roots/list`."""
    name: str
    """The tool, the URI or the prompt; what a server asks for has none."""
    arguments: Mapping[str, object]
    """Those of the tool or the prompt; of all else the whole `params`."""
    meta: Mapping[str, object]
    """The `_meta` of the request."""
    id: str | int
    """As on the wire."""


class Ruling(Value):
    """What is to come of a call."""

    decision: Decision
    """CONTINUE, ALLOW and APPROVE: go on; ASK: ask the person or refuse; BLOCK and HALT: refuse."""
    text: str = ""
    """What the model is told where the call is refused, also where nobody could be asked."""
    arguments: Mapping[str, object] | None = None
    """Rewritten ones."""
    question: str = ""
    """For the person, escaped and cut; only of ASK."""
    code: str = ""
    """Of `fairlead approve CODE`, which `text` names; only of ASK."""
    request: str = ""
    """Fairlead's id of the request: the result belongs to it."""

    @property
    def goes_on(self) -> bool:
        return not self.decision.objects
