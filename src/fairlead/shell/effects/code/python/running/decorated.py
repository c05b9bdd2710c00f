"""What stands above and in a definition: decorators, and the fields of a class."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from fairlead.shell.effects.code.python.running.thing import Thing
from fairlead.shell.word_sets import names

_ANSWERING = names(
    "route get post put patch websocket message_handler callback_query_handler on_message event on"
)
_FOR_TESTS = ("pytest", "click", "typer", "responses", "respx", "mock", "unittest")
"""Modules whose decorators have such names, and that let nobody in."""


def answers_others(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a server or a bot calls the function with what others send: `@app.post("/run")`."""
    for each in node.decorator_list:
        target = each.func if isinstance(each, ast.Call) else each
        if isinstance(target, ast.Attribute) and target.attr in _ANSWERING:
            return not (isinstance(target.value, ast.Name) and target.value.id in _FOR_TESTS)
    return False


_HEARING = names(
    """
    dataReceived lineReceived data_received datagram_received datagramReceived handle_read found_terminator
    received_message messageReceived privmsg on_privmsg on_pubmsg message receive
    """
)


def hears_others(node: ast.AST, base: str) -> bool:
    """Whether it is a method that the library of the class's base calls with what others send."""
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) or not base.partition(".")[2]:
        return False
    served = node.name.startswith(("on_", "exposed_")) or node.name in _HEARING
    return served and not base.startswith(_FOR_TESTS)


def is_static(thing: Thing) -> bool:
    node = thing.local.node if thing.local is not None else None
    decorators = node.decorator_list if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) else []
    return any(isinstance(each, ast.Name) and each.id == "staticmethod" for each in decorators)


def fields_declared(node: ast.AST) -> list[tuple[str, ast.AST]]:
    """The fields of a dataclass, in order."""
    body = node.body if isinstance(node, ast.ClassDef) else []
    return [
        (each.target.id, each)
        for each in body
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)
    ]


def calls_when_unpickled(node: ast.ClassDef) -> Iterator[ast.Call]:
    """What `__reduce__` says that shall be called to make the object again: `return os.system, ("id",)`."""
    for method in node.body:
        if isinstance(method, ast.FunctionDef) and method.name in ("__reduce__", "__reduce_ex__"):
            for each in ast.walk(method):
                if isinstance(each, ast.Return) and isinstance(each.value, ast.Tuple):
                    yield from _called_by(each.value)


def _called_by(given: ast.Tuple) -> Iterator[ast.Call]:
    if len(given.elts) >= 2 and isinstance(given.elts[1], ast.Tuple):
        call = ast.Call(func=given.elts[0], args=given.elts[1].elts, keywords=[])
        yield ast.copy_location(call, given)
