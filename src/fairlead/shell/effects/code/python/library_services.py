"""Databases, clouds and servers that Python code talks to."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from fairlead.shell.effects.code.act import Act
from fairlead.shell.effects.code.python.expression_values import values_of
from fairlead.shell.effects.code.python.imported_names import Names
from fairlead.shell.effects.effect import Action
from fairlead.shell.word_sets import names

_DROPS = names(
    """
    drop_database dropDatabase flushall flushdb drop_all drop_tables drop_collection delete_collection
    delete_index delete_database delete_table drop_table drop_index drop_schema truncate_table
    delete_all
    """
)


def service_acts(name: str, method: str, node: ast.Call, known: Names, text: str) -> Iterator[Act]:
    shown = ast.unparse(node)
    if method in ("execute", "executescript", "executemany", "raw", "read_sql") and node.args:
        yield from (Act("sql", sql) for sql in values_of(node.args[0], known))
    elif method == "delete" and "objects.all()" in shown:
        yield Act(str(Action.CHANGE_DATABASE), name="unbound", text=shown[:80])
    elif name.startswith(("requests.", "httpx.", "urllib.request.")) and _sends_variables(node):
        yield Act(str(Action.SEND_DATA), name="environment")
    elif name in ("requests.delete", "httpx.delete"):
        yield Act(str(Action.SEND_DATA), name="http-delete")
    elif (
        method in ("connect", "create_connection")
        and "socket" in text
        and ("dup2" in text or "pty.spawn" in text)
    ):
        yield Act(str(Action.RUN_NETWORK_CODE), name="remote-shell")
    elif method == "delete_many" and shown.endswith("({})"):
        yield Act(str(Action.CHANGE_DATABASE), name="unbound", text=shown[:80])
    elif method in _DROPS:
        yield Act(str(Action.CHANGE_DATABASE), name="drop", text=f"{method}()")


def _sends_variables(node: ast.Call) -> bool:
    """One variable in a header or as a login says who asks; all of them, or one elsewhere, are sent."""
    login = [keyword.value for keyword in node.keywords if keyword.arg in ("headers", "auth")]
    told = [*node.args, *(keyword.value for keyword in node.keywords if keyword.value not in login)]
    return any("os.environ" in ast.unparse(each) for each in told) or any(
        re.search(r"os\.environ(?!\[|\.get\()", ast.unparse(each)) for each in login
    )
