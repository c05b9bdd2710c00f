"""Python that takes the whole machine: loops that fork, and texts and lists of a size that no memory has."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from fairlead.shell.effects.code.act import Act
from fairlead.shell.effects.code.python.tree_nodes import dotted, nodes_of
from fairlead.shell.effects.effect import Action

_NO_MEMORY = 5 * 10**10
_MUCH_EACH_ROUND = 10**6
_LARGEST_EXPONENT = 64
_MOST = 100_000
"""Nodes of loops that are looked at, those of loops in loops once for each."""


def taking_the_machine(nodes: Sequence[ast.AST]) -> Iterator[Act]:
    seen = 0
    for node in nodes:
        if isinstance(node, (ast.While, ast.For, ast.ListComp)):
            inside = nodes_of(node, enough=_MOST)
            seen += len(inside)
            if seen > _MOST:
                yield Act("unknown", detail="the loops are too many to follow")
                return
            found = _of_loop(node, inside)
        elif isinstance(node, ast.FunctionDef):
            found = _of_function(node)
        else:
            found = _at_once(node)
        if found:
            yield Act(str(Action.KILL), name=found)


def _at_once(node: ast.AST) -> str:
    taken = _allocated(node) if isinstance(node, ast.Call) else 0
    taken = _repeated(node) if isinstance(node, ast.BinOp) else taken
    return "exhaust" if taken >= _NO_MEMORY else ""


def _of_function(node: ast.FunctionDef) -> str:
    """One that starts a process and then itself."""
    plain = [each.value for each in node.body if isinstance(each, ast.Expr)]
    called = {dotted(each.func) for each in plain if isinstance(each, ast.Call)}
    return "fork-bomb" if node.name in called and called & {"os.fork", "fork", "subprocess.Popen"} else ""


def _of_loop(node: ast.AST, inside: Sequence[ast.AST]) -> str:
    calls = [dotted(inner.func) for inner in inside if isinstance(inner, ast.Call)]
    called = {name.rpartition(".")[2] for name in calls}
    if not isinstance(node, ast.For) and any(name.endswith("fork") for name in calls):
        return "fork-bomb"
    waits = bool(called & _WAITING)
    if _is_very_long(node) and called & (_STARTING | {"fork"}) and not waits:
        return "fork-bomb"
    if not _is_endless(node, inside):
        return ""
    if called & _STARTING and not waits:
        return "fork-bomb"
    return "exhaust" if _grows(inside) or _fills(called) or _floods(calls, called) else ""


_STARTING = frozenset(("Popen", "Process", "Thread", "start_new_process", "spawnl", "spawnv", "posix_spawn"))
_WAITING = frozenset(
    ("sleep", "wait", "communicate", "poll", "input", "join", "recv", "accept", "get", "readline", "select")
)


def _fills(called: set[str]) -> bool:
    """Whether each round writes more to a file, and waits for nothing that would be written."""
    writes = bool(called & {"write", "write_bytes", "write_text"})
    return writes and not called & (_WAITING | {"read", "print"})


_FLOODING = frozenset(("sendp", "sendto", "send", "sendpfast"))
_ASKING = ("requests.", "httpx.", "urllib.request.")
_ANSWERED = (_WAITING - {"get"}) | {"json", "print", "read", "append", "write", "recvfrom"}


def _floods(calls: Sequence[str], called: set[str]) -> bool:
    """Whether each round sends something to another machine, and waits for nothing."""
    sends = bool(called & _FLOODING) or any(name.startswith(_ASKING) for name in calls)
    return sends and not called & _ANSWERED


_VERY_MANY = 500


def _is_very_long(node: ast.AST) -> bool:
    counted = node.iter if isinstance(node, ast.For) else None
    if not isinstance(counted, ast.Call) or dotted(counted.func) != "range" or not counted.args:
        return False
    return _number(counted.args[-1 if len(counted.args) < 3 else 1]) >= _VERY_MANY


def _allocated(node: ast.Call) -> int:
    made = dotted(node.func) in ("bytearray", "bytes") and len(node.args) == 1
    return _number(node.args[0]) if made else 0


def _is_endless(node: ast.AST, inside: Sequence[ast.AST]) -> bool:
    if isinstance(node, ast.While):
        goes_on = isinstance(node.test, ast.Constant) and bool(node.test.value)
    else:
        counted = isinstance(node, ast.For) and isinstance(node.iter, ast.Call) and dotted(node.iter.func)
        goes_on = counted in ("itertools.count", "count", "itertools.repeat", "itertools.cycle", "cycle")
    return goes_on and not any(isinstance(inner, _LEAVING) for inner in inside)


_LEAVING = (ast.Break, ast.Return, ast.Raise)


def _grows(inside: Sequence[ast.AST]) -> bool:
    """Whether each round makes another text or list that is large."""
    return any(
        (isinstance(inner, ast.BinOp) and _repeated(inner) >= _MUCH_EACH_ROUND)
        or (isinstance(inner, ast.Call) and _allocated(inner) >= _MUCH_EACH_ROUND)
        for inner in inside
    )


def _repeated(node: ast.BinOp) -> int:
    """How often a text or a list is repeated: `"x" * 10**12`."""
    if not isinstance(node.op, ast.Mult):
        return 0
    for one, two in ((node.left, node.right), (node.right, node.left)):
        text = isinstance(one, ast.Constant) and isinstance(one.value, (str, bytes))
        if text or isinstance(one, ast.List):
            return _number(two)
    return 0


def _number(node: ast.expr) -> int:
    """The value of a plain number or of one that is computed from two."""
    if isinstance(node, ast.Constant):
        return int(node.value) if isinstance(node.value, (int, float)) and abs(node.value) < 1e30 else 0
    if not isinstance(node, ast.BinOp):
        return 0
    one, two = _number(node.left), _number(node.right)
    if isinstance(node.op, ast.Mult):
        return one * two
    if isinstance(node.op, ast.Pow) and 0 < one < 2**32 and 0 < two <= _LARGEST_EXPONENT:
        return int(one**two)
    if isinstance(node.op, ast.LShift) and 0 < two <= _LARGEST_EXPONENT:
        return one << two
    return 0
