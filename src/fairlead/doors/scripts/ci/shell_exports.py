"""What contracts set, as a file that any shell can source."""

from __future__ import annotations

import shlex
from collections.abc import Mapping

from fairlead.contracts.grammar import CALLERS_ALONE
from fairlead.contracts.modes import Flow


def shell_exports(variables: Mapping[str, str], flow: Flow, *, ends_with: int | None = None) -> str:
    """`export NAME='value'` for each variable; what the caller was asked to do is for it alone.

    With `ends_with` whoever sources the file ends there.
    """
    asked = {
        "__HOOKS_FLOW_TERMINATE": "true" if flow.terminate else "",
        "__HOOKS_FLOW_EXIT_CODE": "" if flow.exit_code is None else str(flow.exit_code),
        "__HOOKS_FLOW_ROUTE": flow.route,
    }
    lines = [
        f"{'' if name in CALLERS_ALONE else 'export '}{name}={shlex.quote(value)}\n"
        for name, value in variables.items()
    ]
    lines += [f"{name}={shlex.quote(value)}\n" for name, value in asked.items()]
    if ends_with is not None:
        lines.append(f"exit {ends_with}\n")
    return "".join(lines)
