"""Python that takes the whole machine: loops that fork, and texts and lists of a size that no memory has."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator, Sequence

from fairlead.shell.effects.code.act import Act
from fairlead.shell.effects.code.python.flooding_loops import (
    ANSWERED,
    WAITING,
    asks_an_address,
    changes_often,
    floods,
    holds_many_open,
    thrown_away,
)
from fairlead.shell.effects.code.python.tree_nodes import dotted, nodes_of
from fairlead.shell.effects.effect import Action

_NO_MEMORY = 5 * 10**10
_MUCH_EACH_ROUND = 10**6
_LARGEST_EXPONENT = 64
_MOST = 100_000
"""Nodes of loops that are looked at, those of loops in loops once for each."""


def taking_the_machine(nodes: Sequence[ast.AST]) -> Iterator[Act]:
    seen, idle = 0, set[str]()
    for node in nodes:
        if isinstance(node, (ast.While, ast.For, ast.ListComp, ast.DictComp)):
            inside = nodes_of(node, enough=_MOST)
            seen += len(inside)
            if seen > _MOST:
                yield Act("unknown", detail="the loops are too many to follow")
                return
            found = _of_loop(node, inside) or _starts(idle, inside)
        elif isinstance(node, ast.FunctionDef):
            found = _of_function(node)
            idle |= {node.name} if _only_computes(node) else set()
        else:
            found = _at_once(node) or _started_in_all(node, idle)
        if found:
            yield Act(str(Action.READ_SECRET if found == "watch" else Action.KILL), name=found)


_IN_ALL = frozenset(("submit", "apply_async", "map", "imap", "imap_unordered", "map_async", "starmap"))


def _started_in_all(node: ast.AST, idle: set[str]) -> str:
    """`Pool(cpu_count()).map(burn, …)`."""
    if (
        not isinstance(node, ast.Call)
        or not idle
        or not node.args
        or not isinstance(node.func, ast.Attribute)
    ):
        return ""
    first = node.args[0]
    started = node.func.attr in _IN_ALL and isinstance(first, ast.Name) and first.id in idle
    return "exhaust" if started else ""


def _only_computes(node: ast.FunctionDef) -> bool:
    """Whether it turns in a loop without end, and asks nobody for anything."""
    loops = (each for each in node.body if isinstance(each, ast.While))
    insides = ((loop, list(ast.walk(loop))) for loop in loops)
    return any(_is_endless(loop, in_it) and not _called_in(in_it) for loop, in_it in insides)


def _called_in(inside: Sequence[ast.AST]) -> bool:
    """Whether it calls anything but what computes."""
    calls = (dotted(inner.func) for inner in inside if isinstance(inner, ast.Call))
    waits = any(isinstance(inner, (ast.Await, ast.Yield)) for inner in inside)
    return waits or any(not name.startswith(_MATHS) and name not in _SUMS for name in calls)


_MATHS = ("math.", "random.", "hashlib.", "cmath.", "zlib.", "np.", "numpy.")
_SUMS = frozenset(("sum", "pow", "range", "sqrt", "abs", "hash", "sorted", "factorial", "len", "str", "int"))


def _starts(functions: set[str], inside: Sequence[ast.AST]) -> str:
    """Whether a loop sets one of these functions going again and again."""
    for inner in inside:
        targets = inner.keywords if isinstance(inner, ast.Call) else ()
        if any(isinstance(each.value, ast.Name) and each.value.id in functions for each in targets):
            return "exhaust"
    return ""


def _at_once(node: ast.AST) -> str:
    taken = _allocated(node) if isinstance(node, ast.Call) else 0
    taken = _repeated(node) if isinstance(node, ast.BinOp) else taken
    return "exhaust" if taken >= _NO_MEMORY else ""


def _of_function(node: ast.FunctionDef) -> str:
    """One that starts a process and then itself."""
    plain = [each.value for each in node.body if isinstance(each, ast.Expr)]
    called = {dotted(each.func) for each in plain if isinstance(each, ast.Call)}
    if _sets_itself_going(node.name, plain):
        return "fork-bomb"
    return "fork-bomb" if node.name in called and called & {"os.fork", "fork", "subprocess.Popen"} else ""


def _sets_itself_going(name: str, plain: Sequence[ast.expr]) -> bool:
    """`def f(): Thread(target=f).start()`."""
    return any(
        isinstance(inner, ast.keyword)
        and inner.arg == "target"
        and isinstance(inner.value, ast.Name)
        and inner.value.id == name
        for each in plain
        for inner in ast.walk(each)
    )


def _of_loop(node: ast.AST, inside: Sequence[ast.AST]) -> str:
    calls = [dotted(inner.func) for inner in inside if isinstance(inner, ast.Call)]
    called = {name.rpartition(".")[2] for name in calls}
    once = isinstance(node, ast.While) and any(isinstance(inner, ast.Break) for inner in inside)
    if not isinstance(node, ast.For) and any(name.endswith("fork") for name in calls) and not once:
        return "fork-bomb"
    waits = bool(called & WAITING)
    if any(_starts_itself(inner) for inner in inside if isinstance(inner, ast.Call)):
        return "fork-bomb"
    if _is_very_long(node) and called & (_STARTING | {"fork"}) and not waits:
        return "fork-bomb"
    if changes_often(_rounds(node), inside) and not waits:
        return "exhaust"
    if _rounds(node) >= _ALL_SPACE and called & {"write", "writelines"}:
        return "exhaust"
    if _rounds(node) * _each_round(inside) >= _NO_MEMORY or holds_many_open(_rounds(node), inside, called):
        return "exhaust"
    if not _is_endless(node, inside):
        return ""
    if called & _STARTING and not waits:
        return "fork-bomb"
    grows = _grows(inside) or (_collects(inside, called) and not waits) or _doubles(inside)
    heard = called - thrown_away(inside)
    flooded = floods(calls, heard) or (asks_an_address(inside) and not heard & ANSWERED)
    if "paste" in called:
        return "watch"
    fills = _fills(called) or _makes_files(inside) or (_writes_the_same(inside) and not called & WAITING)
    return "exhaust" if grows or flooded or fills or _mines(called) else ""


_ITSELF = frozenset(("__file__", "sys.argv[0]", "os.path.abspath(__file__)", "os.path.realpath(__file__)"))


def _starts_itself(call: ast.Call) -> bool:
    """`Popen([sys.executable, __file__])`, with nothing that tells the new one to do something else."""
    words = call.args[0].elts if call.args and isinstance(call.args[0], ast.List) else []
    started = dotted(call.func).rpartition(".")[2] == "Popen"
    return started and [ast.unparse(word) in _ITSELF for word in words] == [False, True]


def _writes_the_same(inside: Sequence[ast.AST]) -> bool:
    """Whether each round writes a text that no round makes."""
    made = {each.id for each in inside if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
    written = (
        each.args[0]
        for each in inside
        if isinstance(each, ast.Call) and each.args and dotted(each.func).rpartition(".")[2] == "write"
    )
    return any(isinstance(what, ast.Name) and what.id not in made for what in written)


def _makes_files(inside: Sequence[ast.AST]) -> bool:
    """Whether each round makes a file of another name: `open(f"/tmp/{i}", "w")`."""
    made = [each for each in inside if isinstance(each, ast.Call)]
    if any(_makes_another(each) for each in made):
        return True
    opened = [each for each in made if dotted(each.func) == "open"]
    return any(
        isinstance(each.args[0], (ast.JoinedStr, ast.BinOp))
        and isinstance(mode := each.args[1], ast.Constant)
        and str(mode.value)[:1] in ("w", "x")
        for each in opened
        if len(each.args) > 1
    )


_ALL_SPACE = 10**9
"""So often nobody writes to a file."""
_MAKING = frozenset(("mkdir", "makedirs", "mknod", "mkfifo", "touch", "symlink", "write_text", "write_bytes"))
_COUNTED = (ast.JoinedStr, ast.BinOp)


def _makes_another(call: ast.Call) -> bool:
    """`os.mkdir(f"d{i}")`, `Path(f"d{i}").touch()`."""
    name = dotted(call.func)
    if name in ("tempfile.mkstemp", "tempfile.mkdtemp"):
        return True
    owner = call.func.value if isinstance(call.func, ast.Attribute) else None
    if name.rpartition(".")[2] in ("copy", "copyfile", "copytree"):
        return isinstance(call.args[-1], _COUNTED) if call.args else False
    places = [*call.args[:1], *(owner.args[:1] if isinstance(owner, ast.Call) else ()), owner]
    return name.rpartition(".")[2] in _MAKING and any(isinstance(each, _COUNTED) for each in places)


def _mines(called: set[str]) -> bool:
    """Whether each round computes a hash and looks how it begins: nobody else does that without end."""
    return bool(called & {"hexdigest", "digest"}) and "startswith" in called and not called & WAITING


def _collects(inside: Sequence[ast.AST], called: set[str]) -> bool:
    """Whether each round adds to a list, and nothing that it asks for can come to an end."""
    ends = any(isinstance(inner, (ast.Try, ast.Await, ast.Yield)) for inner in inside)
    return bool(called & {"append", "extend"}) and not ends and not called & _COMING_TO_AN_END


_COMING_TO_AN_END = frozenset(("next", "send", "pop", "popleft", "read", "print", "exit", "_exit", "clear"))


def _doubles(inside: Sequence[ast.AST]) -> bool:
    """`s = s + s`, `s += s`, `s *= 2`."""
    for inner in inside:
        if isinstance(inner, ast.AugAssign) and isinstance(inner.target, ast.Name):
            same = isinstance(inner.value, ast.Name) and inner.value.id == inner.target.id
            if same and isinstance(inner.op, ast.Add):
                return True
        elif isinstance(inner, ast.Assign) and isinstance(inner.value, ast.BinOp):
            left, right = inner.value.left, inner.value.right
            names = {each.id for each in (left, right, *inner.targets) if isinstance(each, ast.Name)}
            if isinstance(inner.value.op, ast.Add) and len(names) == 1 and isinstance(left, ast.Name):
                return isinstance(right, ast.Name)
    return False


_STARTING = frozenset(("Popen", "Process", "Thread", "start_new_process", "spawnl", "spawnv", "posix_spawn"))
_LOGGING = tuple({name} for name in ("error", "warning", "critical", "info", "debug"))


def _fills(called: set[str]) -> bool:
    """Whether each round writes more to a file, and waits for nothing that would be written."""
    writes = bool(called & {"write", "write_bytes", "write_text", "syslog"}) or called in _LOGGING
    return writes and not called & (WAITING | {"read", "print", "next"})


_VERY_MANY = 500


def _is_very_long(node: ast.AST) -> bool:
    counted = node.iter if isinstance(node, ast.For) else None
    if not isinstance(counted, ast.Call) or dotted(counted.func) != "range" or not counted.args:
        return False
    return _number(counted.args[-1 if len(counted.args) < 3 else 1]) >= _VERY_MANY


def _rounds(node: ast.AST) -> int:
    """How often a loop with a plain number goes round."""
    if isinstance(node, ast.While):
        test = node.test
        bound = test.comparators[0] if isinstance(test, ast.Compare) and len(test.ops) == 1 else None
        return _number(bound) if bound is not None else 0
    counted = (
        node.generators[0].iter
        if isinstance(node, (ast.ListComp, ast.DictComp))
        else getattr(node, "iter", None)
    )
    if not isinstance(counted, ast.Call) or dotted(counted.func) != "range" or not counted.args:
        return 0
    return _number(counted.args[-1 if len(counted.args) < 3 else 1])


_KEEPING = ("append", "extend", "writestr", "write", "addfile")


def _each_round(inside: Sequence[ast.AST]) -> int:
    """What a round keeps: only where it is put into a list, as a comprehension does by itself."""
    keeps = any(
        isinstance(inner, (ast.ListComp, ast.DictComp))
        or (isinstance(inner, ast.Call) and dotted(inner.func).rpartition(".")[2] in _KEEPING)
        for inner in inside
    )
    made = (
        _allocated(inner) if isinstance(inner, ast.Call) else _repeated(inner)
        for inner in (inside if keeps else ())
        if isinstance(inner, (ast.Call, ast.BinOp))
    )
    return max(made, default=0)


_ARRAYS = frozenset(("ones", "zeros", "empty", "full", "rand", "randn", "random"))
_ENDLESS = ("itertools.count", "count", "itertools.repeat", "itertools.cycle", "cycle")
_TAKING_ALL = frozenset(("list", "tuple", "set", "sorted", "sum", "max", "min"))


def _allocated(node: ast.Call) -> int:
    """Bytes that a call takes at once: as they are told, or eight for each number of an array."""
    name = dotted(node.func)
    if name in ("bytearray", "bytes") and len(node.args) == 1:
        return _number(node.args[0])
    if name == "mmap.mmap" and len(node.args) > 1:
        return _number(node.args[1])
    if name in _TAKING_ALL and len(node.args) == 1 and isinstance(node.args[0], ast.Call):
        inner = node.args[0]
        endless = dotted(inner.func) in _ENDLESS and not (inner.args[1:] and "repeat" in dotted(inner.func))
        return _NO_MEMORY if endless else 0
    module, _, function = name.rpartition(".")
    if module in ("np", "numpy", "torch") and function in _ARRAYS and node.args:
        sizes = node.args[0].elts if isinstance(node.args[0], (ast.Tuple, ast.List)) else node.args
        return 8 * math.prod(_number(size) or 1 for size in sizes)
    return 0


def _is_endless(node: ast.AST, inside: Sequence[ast.AST]) -> bool:
    if isinstance(node, ast.While):
        goes_on = isinstance(node.test, ast.Constant) and bool(node.test.value)
    else:
        counted = isinstance(node, ast.For) and isinstance(node.iter, ast.Call) and dotted(node.iter.func)
        goes_on = counted in _ENDLESS
    if not goes_on:
        return False
    last = {id(left) for inner in inside if _is_full(inner) for left in ast.walk(inner)}
    return not any(isinstance(inner, _LEAVING) and id(inner) not in last for inner in inside)


_NO_ROOM = frozenset(("OSError", "IOError", "MemoryError", "Exception"))


def _is_full(node: ast.AST) -> bool:
    """What is done when there is no room any more, and not when something came to its end."""
    if not isinstance(node, ast.ExceptHandler):
        return False
    return node.type is None or dotted(node.type) in _NO_ROOM


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
