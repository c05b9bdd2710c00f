"""The names that agents give to the tools of MCP servers, by how they are spelled."""

from __future__ import annotations

from collections.abc import Callable, Collection

from fairlead.dialects.payloads.payload_fields import Payload

Split = Callable[[Payload, str], tuple[str, str]]


def spelled(names: str, *, but: Collection[str] = ()) -> Split:
    """Splits names such as `@<server>/<name>` at the first of what stands between the two.

    `but` are tools of the agent itself whose names look like that.
    """
    prefix, _, rest = names.partition("<server>")
    between = rest.removesuffix("<name>")

    def parts(_: Payload, name: str) -> tuple[str, str]:
        if name in but or not name.startswith(prefix):
            return "", ""
        server, _found, tool = name.removeprefix(prefix).partition(between)
        return (server, tool) if server and tool else ("", "")

    return parts
