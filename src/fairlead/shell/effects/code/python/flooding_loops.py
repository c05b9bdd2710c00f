"""Python that floods other machines: loops that send without waiting for an answer."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from fairlead.shell.effects.code.python.tree_nodes import dotted

_CHANGING = frozenset(("post", "put"))
_MANY_REQUESTS = 200
"""So often nobody asks the same of someone else."""
_NEAR = ("http://localhost", "http://127.", "http://0.0.0.0", "https://localhost", "http://host.docker")


def asks_an_address(inside: Sequence[ast.AST], asking: frozenset[str] | None = None) -> bool:
    """`session.get("http://…")`."""
    asking = asking or _REQUESTS
    for inner in inside:
        if isinstance(inner, ast.Call) and inner.args and dotted(inner.func).rpartition(".")[2] in asking:
            address = inner.args[0]
            told = str(address.value) if isinstance(address, ast.Constant) else ""
            if told.startswith("http") and (asking is _REQUESTS or not told.startswith(_NEAR)):
                return True
    return False


_REQUESTS = frozenset(("get", "post", "head", "request"))


WAITING = frozenset(
    ("sleep", "wait", "communicate", "poll", "input", "join", "recv", "accept", "get", "readline", "select")
)


def thrown_away(inside: Sequence[ast.AST]) -> set[str]:
    """Reads of which nobody looks at the answer: `await r.read()`."""
    plain = (each.value for each in inside if isinstance(each, ast.Expr))
    asked = (each.value if isinstance(each, ast.Await) else each for each in plain)
    called = {dotted(each.func).rpartition(".")[2] for each in asked if isinstance(each, ast.Call)}
    return called & {"read", "text", "json"}


_FLOODING = frozenset(("sendp", "sendto", "send", "sendpfast"))
_ASKING = ("requests.", "httpx.", "urllib.request.")
ANSWERED = (WAITING - {"get"}) | {"json", "print", "read", "append", "write", "recvfrom"}


def floods(calls: Sequence[str], called: set[str]) -> bool:
    """Whether each round sends something to another machine, and waits for nothing."""
    sends = bool(called & _FLOODING) or any(name.startswith(_ASKING) for name in calls)
    return sends and not called & ANSWERED


_MANY_CONNECTIONS = 200


def holds_many_open(rounds: int, inside: Sequence[ast.AST], called: set[str]) -> bool:
    """Whether it keeps hundreds of connections to one other machine, as nothing but a flood does."""
    if rounds < _MANY_CONNECTIONS or not called & {"append", "add"}:
        return False
    peers = (
        inner.args[0].elts[0] if isinstance(inner.args[0], ast.Tuple) and inner.args[0].elts else None
        for inner in inside
        if isinstance(inner, ast.Call)
        and inner.args
        and dotted(inner.func).rpartition(".")[2] in ("connect", "create_connection")
    )
    return any(isinstance(peer, ast.Constant) and peer.value not in _OWN_MACHINE for peer in peers)


_OWN_MACHINE = frozenset(("localhost", "127.0.0.1", "::1"))


def changes_often(rounds: int, inside: Sequence[ast.AST]) -> bool:
    """Whether it posts to the same server of others again and again."""
    return rounds >= _MANY_REQUESTS and asks_an_address(inside, _CHANGING)
