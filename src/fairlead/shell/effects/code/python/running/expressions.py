"""What Python expressions may be, with what the calls in them do."""

from __future__ import annotations

import ast
import builtins
import os.path
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from fairlead.shell.effects.code.python.calls.call_acts import KNOWN
from fairlead.shell.effects.code.python.libraries.keepers import LABELS, SECRET, labelled
from fairlead.shell.effects.code.python.running.calling import call
from fairlead.shell.effects.code.python.running.elements import DIVIDED, element
from fairlead.shell.effects.code.python.running.operators import formatted, operate, sliced
from fairlead.shell.effects.code.python.running.refined_names import refined
from fairlead.shell.effects.code.python.running.searched_names import names_sought
from fairlead.shell.effects.code.python.running.shown_content import without_values
from fairlead.shell.effects.code.python.running.surrounding_values import CONSTANTS, around
from fairlead.shell.effects.code.python.running.thing import (
    HOLE,
    UNKNOWN,
    Instance,
    Local,
    Thing,
    any_of,
    deep_origins,
    elements_of,
    from_,
    joined,
    origins_of,
    text,
    unknown,
)

if TYPE_CHECKING:
    from fairlead.shell.effects.code.python.running.run import Run

_REACHED = frozenset(("os", "sys", "shutil", "subprocess", "builtins"))
"""Modules that others have imported: `shutil.os` is `os`."""
_ELEMENTS = 256
"""Elements of a comprehension that are followed."""
_RECEIVED = 4
"""Arguments with which a library may call a function back: `client.on_message = f`."""
_SAME_PATH = frozenset(("path", "name", "parent", "stem", "parents"))


_DEEPEST = 100


def evaluate(node: ast.expr | None, run: Run) -> Thing:
    if node is None:
        return UNKNOWN
    if run.depth > _DEEPEST:
        run.is_too_deep = True
        return UNKNOWN
    run.depth += 1
    handler = _EXPRESSIONS.get(type(node), _inside)
    found = handler(node, run)
    run.depth -= 1
    return found


def _inside(node: ast.expr, run: Run) -> Thing:
    inner = [evaluate(child, run) for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)]
    return unknown(origins=origins_of(inner))


def _constant(node: ast.Constant, run: Run) -> Thing:
    value = node.value
    if isinstance(value, str):
        return Thing((value,))
    if isinstance(value, bytes):
        try:
            return Thing((value.decode(),))
        except UnicodeDecodeError:
            return Thing((value.decode("latin-1"),))
    if isinstance(value, int):
        return Thing(number=int(value)) if abs(value) < 2**63 else UNKNOWN
    return UNKNOWN


def _name(node: ast.Name, run: Run) -> Thing:
    found = run.scope.find(node.id)
    if found is not None:
        return found
    for module in run.stars:
        if f"{module}.{node.id}" in KNOWN:
            return Thing(name=f"{module}.{node.id}", module=True)
    if len(run.stars) == 1 and not hasattr(builtins, node.id) and node.id != "__file__":
        return Thing(name=f"{run.stars[0]}.{node.id}", module=True)
    script = run.world.given.script
    if node.id == "__file__" and script:
        return text(os.path.join(run.world.cwd, script))
    return Thing(name=node.id, module=True)


def _attribute(node: ast.Attribute, run: Run) -> Thing:
    return attribute(evaluate(node.value, run), node.attr, run)


def attribute(owner: Thing, name: str, run: Run) -> Thing:
    if owner.ways:
        return any_of(attribute(way.replace(ways=()), name, run) for way in owner.ways)
    if owner.instance is not None:
        return _field(owner, name, run)
    if owner.local is not None and name in owner.local.fields:
        return owner.local.fields[name]
    if owner.fields is not None and name in owner.fields:
        return owner.fields[name]
    full = f"{owner.name}.{name}" if owner.name else f".{name}"
    if full in CONSTANTS:
        return text(CONSTANTS[full])
    found = around(full, run)
    if found is not None:
        return found
    if owner.texts and name in _SAME_PATH:
        return _part_of_path(owner, name)
    if name == "value" and owner.texts and not owner.name:
        return owner
    if name in _REACHED and owner.module and owner.name not in ("asyncio", name):
        return Thing(name=name, module=True)
    origins = deep_origins(owner)
    origins = origins - {SECRET} if name in LABELS else origins
    return Thing(name=full, origins=origins, peers=owner.peers, texts=())


def _field(owner: Thing, name: str, run: Run) -> Thing:
    made = owner.instance
    if made is None:
        return UNKNOWN
    if name in made.fields:
        return made.fields[name]
    fields = made.kind.local.fields if made.kind.local is not None else {}
    if name in fields:
        return _bound(fields[name], made, run)
    base = fields.get("__base__", UNKNOWN).name
    served = "RequestHandler" in base
    return unknown(f"{base}.{name}", from_("network", base) if served else frozenset())


def _bound(found: Thing, made: Instance, run: Run) -> Thing:
    """A method of an object; a property is called at once, and a static method knows no object."""
    if found.local is None or not isinstance(found.local.node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return found
    decorators = {ast.unparse(each).rpartition(".")[2] for each in found.local.node.decorator_list}
    if "staticmethod" in decorators:
        return found.replace(instance=None)
    method = found.replace(instance=made)
    return run.invoke(method, (), {}) if decorators & {"property", "cached_property"} else method


def _part_of_path(owner: Thing, name: str) -> Thing:
    texts = owner.texts
    if name == "parent":
        texts = tuple(map(_folder_of, texts))
    elif name == "name" and not owner.name.startswith(("tempfile", "open")):
        return owner.replace(entry=True)
    elif name == "parents":
        return owner.replace(name=f"{owner.name}.parents")
    elif name == "stem":
        texts = tuple(each.rpartition("/")[2].rpartition(".")[0] for each in texts)
    return owner.replace(texts=texts)


def _folder_of(path: str) -> str:
    if path.startswith(HOLE) and "/" not in path:
        return HOLE
    return path.rpartition("/")[0] or ("/" if path.startswith("/") else ".")


def _operation(node: ast.BinOp, run: Run) -> Thing:
    chain = [node]
    while isinstance(chain[-1].left, ast.BinOp):
        chain.append(chain[-1].left)
    found = evaluate(chain[-1].left, run)
    for each in reversed(chain):
        found = operate(each.op, found, evaluate(each.right, run))
    return found


def _negated(node: ast.UnaryOp, run: Run) -> Thing:
    value = evaluate(node.operand, run)
    if isinstance(node.op, ast.USub) and value.number is not None:
        return Thing(number=-value.number)
    return UNKNOWN if isinstance(node.op, ast.Not) else unknown(origins=value.origins)


def _fstring(node: ast.JoinedStr, run: Run) -> Thing:
    return formatted([(evaluate(part, run), isinstance(part, ast.FormattedValue)) for part in node.values])


def _sequence(node: ast.List | ast.Tuple | ast.Set, run: Run) -> Thing:
    items: list[Thing] = []
    for each in node.elts:
        if isinstance(each, ast.Starred):
            rest = evaluate(each.value, run)
            items += elements_of(rest, _ELEMENTS) or [unknown(origins=rest.origins)]
        else:
            items.append(evaluate(each, run))
    return Thing(items=tuple(items))


def _mapping(node: ast.Dict, run: Run) -> Thing:
    fields: dict[str, Thing] = {}
    for key, value in zip(node.keys, node.values, strict=True):
        found = evaluate(value, run)
        if key is None:
            fields.update(found.fields or {"": unknown(origins=found.origins)})
            continue
        told = evaluate(key, run)
        fields[told.texts[0] if told.texts else str(told.number)] = found
    return Thing(fields=fields)


def _subscript(node: ast.Subscript, run: Run) -> Thing:
    owner = evaluate(node.value, run)
    if isinstance(node.slice, ast.Slice):
        return sliced(owner, node.slice)
    return element(owner, evaluate(node.slice, run), run)


def _either(node: ast.IfExp, run: Run) -> Thing:
    evaluate(node.test, run)
    return joined(evaluate(node.body, run), evaluate(node.orelse, run))


def _any(node: ast.BoolOp, run: Run) -> Thing:
    return any_of([evaluate(value, run) for value in node.values])


def _passed(node: ast.Await | ast.Starred | ast.FormattedValue, run: Run) -> Thing:
    return evaluate(node.value, run)


def _yield(node: ast.Yield | ast.YieldFrom, run: Run) -> Thing:
    run.yielded(evaluate(node.value, run))
    return UNKNOWN


def _compared(node: ast.Compare | ast.UnaryOp, run: Run) -> Thing:
    """Yes or no: nothing of what was compared is in it."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr):
            evaluate(child, run)
    return UNKNOWN


def _walrus(node: ast.NamedExpr, run: Run) -> Thing:
    value = evaluate(node.value, run)
    assign(node.target, value, run)
    return value


def _lambda(node: ast.Lambda, run: Run) -> Thing:
    return run.defined(Thing(local=Local(node, run.scope), name="lambda"))


def _comprehension(node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp, run: Run) -> Thing:
    made: list[Thing] = []
    named: dict[str, Thing] = {}

    def produce(index: int) -> None:
        if index == len(node.generators):
            if isinstance(node, ast.DictComp):
                key, value = evaluate(node.key, run), evaluate(node.value, run)
                named.update((each, value) for each in key.texts or ("",))
            else:
                made.append(evaluate(node.elt, run))
            return
        part = node.generators[index]
        source = evaluate(part.iter, run)
        items = elements_of(source, _ELEMENTS)
        if items is None or (not items and isinstance(part.iter, ast.Call)):
            items = [unknown(source.name, deep_origins(source))]
        for item in items:
            if not run.step() and made:
                break
            assign(part.target, item, run)
            kept = len(run.sought)
            for test in part.ifs:
                evaluate(test, run)
                run.sought += names_sought(test, run)
                run.scope.names.update(refined(test, run))
            produce(index + 1)
            del run.sought[kept:]

    outer = run.scope
    run.scope = type(outer)(outer)
    produce(0)
    run.scope = outer
    if isinstance(node, ast.DictComp):
        return Thing(fields=named)
    return Thing(items=tuple(made))


def assign(target: ast.expr, value: Thing, run: Run) -> None:
    if isinstance(target, ast.Name):
        run.scope.put(target.id, value)
    elif isinstance(target, (ast.Tuple, ast.List)):
        _unpack(target.elts, value, run)
    elif isinstance(target, ast.Starred):
        assign(target.value, value, run)
    elif isinstance(target, ast.Attribute):
        _set_field(evaluate(target.value, run), target.attr, value, run)
    elif isinstance(target, ast.Subscript):
        _set_element(target, value, run)


def _unpack(targets: list[ast.expr], value: Thing, run: Run) -> None:
    items = value.items if value.items is not None and len(value.items) == len(targets) else None
    starred = any(isinstance(each, ast.Starred) for each in targets)
    for index, each in enumerate(targets):
        if items is not None and not starred:
            assign(each, items[index], run)
        else:
            rest = any_of(value.items) if value.items else unknown(value.name, deep_origins(value))
            first = index == 0 and value.name.endswith(DIVIDED)
            assign(each, labelled(without_values(rest)) if first else rest, run)


def _set_field(owner: Thing, name: str, value: Thing, run: Run) -> None:
    made = owner.instance
    if made is not None:
        before = made.fields.get(name)
        made.fields[name] = value if before is None or not run.scope.regions else joined(before, value)
    elif owner.name == "sys" and name in ("stdin", "stdout") and value.peers:
        run.dup_peers = value.peers
    elif name.startswith("on_") and value.local is not None and owner.name:
        received = unknown(owner.name, from_("network", owner.name))
        run.invoke(value, (received,) * _RECEIVED, {})


def _set_element(target: ast.Subscript, value: Thing, run: Run) -> None:
    owner = evaluate(target.value, run)
    key = evaluate(target.slice, run)
    if owner.name == "os.environ":
        if key.texts and value.texts and HOLE not in value.texts[0]:
            run.variables[key.texts[0]] = value.texts[0]
        return
    if owner.fields is not None and key.texts:
        assign(target.value, owner.replace(fields={**owner.fields, key.texts[0]: value}), run)
    elif owner.items is not None and key.number is not None and 0 <= key.number < len(owner.items):
        items = (*owner.items[: key.number], value, *owner.items[key.number + 1 :])
        assign(target.value, owner.replace(items=items), run)
    else:
        assign(target.value, owner.replace(origins=owner.origins | value.origins), run)


_EXPRESSIONS: Mapping[type[ast.AST], Callable[..., Thing]] = {
    ast.Constant: _constant,
    ast.Name: _name,
    ast.Attribute: _attribute,
    ast.BinOp: _operation,
    ast.UnaryOp: _negated,
    ast.Compare: _compared,
    ast.JoinedStr: _fstring,
    ast.List: _sequence,
    ast.Tuple: _sequence,
    ast.Set: _sequence,
    ast.Dict: _mapping,
    ast.Subscript: _subscript,
    ast.IfExp: _either,
    ast.BoolOp: _any,
    ast.Await: _passed,
    ast.Starred: _passed,
    ast.FormattedValue: _passed,
    ast.Yield: _yield,
    ast.YieldFrom: _yield,
    ast.NamedExpr: _walrus,
    ast.Lambda: _lambda,
    ast.ListComp: _comprehension,
    ast.SetComp: _comprehension,
    ast.GeneratorExp: _comprehension,
    ast.DictComp: _comprehension,
    ast.Call: call,
}
