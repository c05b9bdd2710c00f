"""Python that takes the whole machine: loops that fork, and texts and lists of a size that no memory has."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from fairlead.shell.effects.code.act import Act
from fairlead.shell.effects.code.python.tree_nodes import dotted
from fairlead.shell.effects.effect import Action

_NO_MEMORY = 5 * 10**10
_MUCH_EACH_ROUND = 10**6
_LARGEST_EXPONENT = 64


def taking_the_machine(nodes: Sequence[ast.AST]) -> Iterator[Act]:
    for node in nodes:
        if (
            (isinstance(node, (ast.While, ast.ListComp)) and _forks(node))
            or _starts_many(node)
            or (_is_endless(node) and _starts(node))
        ):
            yield Act(str(Action.KILL), name="fork-bomb")
        elif (
            (isinstance(node, ast.Call) and _allocated(node) >= _NO_MEMORY)
            or (isinstance(node, ast.BinOp) and _repeated(node) >= _NO_MEMORY)
            or (_is_endless(node) and (_grows(node) or _fills(node) or _floods(node)))
        ):
            yield Act(str(Action.KILL), name="exhaust")


def _forks(node: ast.AST) -> bool:
    return any(
        isinstance(inner, ast.Call) and dotted(inner.func).endswith("fork") for inner in ast.walk(node)
    )


def _starts(node: ast.AST) -> bool:
    """Whether each round starts a process and waits for none."""
    called = _called(node)
    return bool(called & _STARTING) and not called & _WAITING


_STARTING = frozenset(("Popen", "Process", "start_new_process", "spawnl", "spawnv", "posix_spawn"))
_WAITING = frozenset(
    ("sleep", "wait", "communicate", "poll", "input", "join", "recv", "accept", "get", "readline", "select")
)


def _called(node: ast.AST) -> set[str]:
    return {dotted(inner.func).rpartition(".")[2] for inner in ast.walk(node) if isinstance(inner, ast.Call)}


def _fills(node: ast.AST) -> bool:
    """Whether each round writes more to a file, and waits for nothing that would be written."""
    called = _called(node)
    return bool(called & {"write", "write_bytes", "write_text"}) and not called & (
        _WAITING | {"read", "print"}
    )


_FLOODING = frozenset(("sendp", "sendto", "send", "sendpfast"))
_ASKING = ("requests.", "httpx.", "urllib.request.")


def _floods(node: ast.AST) -> bool:
    """Whether each round sends something to another machine, and waits for nothing."""
    calls = [dotted(inner.func) for inner in ast.walk(node) if isinstance(inner, ast.Call)]
    called = {name.rpartition(".")[2] for name in calls}
    answered = called & ((_WAITING - {"get"}) | {"json", "print", "read", "append", "write", "recvfrom"})
    sends = bool(called & _FLOODING) or any(name.startswith(_ASKING) for name in calls)
    return sends and not answered


_VERY_MANY = 500


def _starts_many(node: ast.AST) -> bool:
    """Threads or processes by the thousand, that nobody waits for."""
    counted = node.iter if isinstance(node, ast.For) else None
    if not isinstance(counted, ast.Call) or dotted(counted.func) != "range" or not counted.args:
        return False
    called = _called(node)
    starts = bool(called & (_STARTING | {"Thread", "fork"})) and not called & _WAITING
    return starts and _number(counted.args[-1 if len(counted.args) < 3 else 1]) >= _VERY_MANY


def _allocated(node: ast.Call) -> int:
    made = dotted(node.func) in ("bytearray", "bytes") and len(node.args) == 1
    return _number(node.args[0]) if made else 0


def _is_endless(node: ast.AST) -> bool:
    if isinstance(node, ast.While):
        goes_on = isinstance(node.test, ast.Constant) and bool(node.test.value)
    else:
        counted = isinstance(node, ast.For) and isinstance(node.iter, ast.Call) and dotted(node.iter.func)
        goes_on = counted in ("itertools.count", "count", "itertools.repeat", "itertools.cycle", "cycle")
    leaving = (ast.Break, ast.Return, ast.Raise)
    return goes_on and not any(isinstance(inner, leaving) for inner in ast.walk(node))


def _grows(node: ast.AST) -> bool:
    """Whether each round makes another text or list that is large."""
    return any(
        (isinstance(inner, ast.BinOp) and _repeated(inner) >= _MUCH_EACH_ROUND)
        or (isinstance(inner, ast.Call) and _allocated(inner) >= _MUCH_EACH_ROUND)
        for inner in ast.walk(node)
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
