"""Python code, followed statement by statement: both branches, loops over what is known, functions where
they are called.

The work is bounded: beyond a number of steps no function is followed into and no loop is repeated, so that
every statement is still seen once.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from fairlead.model.value import Value
from fairlead.shell.effects.code.act import Act
from fairlead.shell.effects.code.python.running.contexts import run_with
from fairlead.shell.effects.code.python.running.decorated import (
    answers_others,
    calls_when_unpickled,
    fields_declared,
    hears_others,
    is_static,
)
from fairlead.shell.effects.code.python.running.expressions import assign, attribute, evaluate
from fairlead.shell.effects.code.python.running.parameters import bind
from fairlead.shell.effects.code.python.running.refined_names import refined
from fairlead.shell.effects.code.python.running.scope import Scope
from fairlead.shell.effects.code.python.running.searched_names import left_if_not, names_sought
from fairlead.shell.effects.code.python.running.served import Served
from fairlead.shell.effects.code.python.running.shown_content import files_in
from fairlead.shell.effects.code.python.running.thing import (
    UNKNOWN,
    Instance,
    Local,
    Origin,
    Thing,
    any_of,
    deep_origins,
    elements_of,
    unknown,
)
from fairlead.shell.effects.code.text.given_from_outside import NOTHING_GIVEN, Given
from fairlead.shell.effects.effect import Action

_STEPS = 3000
_DEEPEST = 12
Defined = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


class World(Value):
    """Where the code runs, and what it is given."""

    home: str
    cwd: str
    given: Given = NOTHING_GIVEN
    source: str = ""


class Run:
    """`emit` takes what a call does; `acts` are all of it, in the order in which it happens."""

    def __init__(self, world: World, place: Callable[[Act, ast.Call, Run], Iterator[Act]]) -> None:
        self.world = world
        self.acts: dict[Act, None] = {}
        self.printed: list[Thing] = []
        self.files: dict[str, Thing] = {}
        """What the code itself wrote into files."""
        self.links: dict[str, str] = {}
        """Links that the code made, with what each leads to."""
        self.packed: frozenset[Origin] = frozenset()
        """What the code put into archives that are in memory."""
        self.shown: set[str] = set()
        """Files of which the code showed or handed on what is in them."""
        self.folder = ""
        self.went_to = ""
        """The first folder that was entered since the last look."""
        self.stood_in: frozenset[str] = frozenset()
        """Functions in whose place others stand that do nothing."""
        self.served = Served()
        self.tried: dict[int, set[str]] = {}
        """Passwords that one and the same call was given, one after the other."""
        self.answering: set[int] = set()
        """Functions that a server or a bot calls with what others say."""
        self.raised: list[Thing] = []
        """What exceptions were given."""
        self.variables: dict[str, str] = {}
        """Variables of the environment that the code set for what it runs."""
        self.stars: list[str] = []
        self.sought: list[tuple[str, ...]] = []
        """Names that the conditions which hold now compare with, outermost first."""
        self.dup_peers: tuple[str, ...] | None = None
        """Whose connection was put in the place of the standard streams."""
        self.scope = Scope()
        self.depth = 0
        """Expressions that are being followed inside one another."""
        self.is_too_deep = False
        self._place = place
        self._steps = _STEPS
        self._active: list[ast.AST] = []
        self._defined: list[Thing] = []
        self._entered: set[int] = set()
        self._returned: list[list[Thing]] = []

    def module(self, body: Sequence[ast.stmt]) -> None:
        self.block(body)
        for thing in self._defined:  # the list grows while functions in functions are followed
            if thing.local is not None and id(thing.local.node) not in self._entered:
                self.invoke(thing, (), {}, certainly=True)

    def emit(self, acts: Iterator[Act], node: ast.Call) -> None:
        for act in acts:
            for placed in self._place(act, node, self):
                self.acts.setdefault(placed)

    def evaluate(self, node: ast.expr | None) -> Thing:
        return evaluate(node, self)

    def assign(self, target: ast.expr, value: Thing) -> None:
        assign(target, value, self)

    def attribute(self, owner: Thing, name: str) -> Thing:
        return attribute(owner, name, self)

    def step(self) -> bool:
        """Whether work may still be repeated."""
        self._steps -= 1
        return self._steps > 0

    # statements

    def block(self, body: Sequence[ast.stmt]) -> None:
        kept = len(self.sought)
        for statement in body:
            handler = _STATEMENTS.get(type(statement))
            self.step()
            if handler is not None:
                handler(self, statement)
            else:
                self._expressions(statement)
            if isinstance(statement, (ast.Raise, ast.Assert)):
                self.shown |= files_in(map(self.evaluate, _expressions_in(statement)))
                if isinstance(statement, ast.Raise) and isinstance(statement.exc, ast.Call):
                    self.raised += map(self.evaluate, statement.exc.args[:1])
            if isinstance(statement, ast.If):
                self.sought += left_if_not(statement, self)
        del self.sought[kept:]

    def _expressions(self, node: ast.AST) -> None:
        for child in _expressions_in(node):
            evaluate(child, self)

    @contextmanager
    def _perhaps(self, sought: Sequence[tuple[str, ...]] = ()) -> Iterator[None]:
        self.scope.regions.append(set())
        self.sought += sought
        scope = self.scope
        try:
            yield
        finally:
            scope.regions.pop()
            if sought:
                del self.sought[-len(sought) :]

    def _import(self, node: ast.Import) -> None:
        for alias in node.names:
            self.imported(alias.name)
            top = alias.name.split(".")[0]
            self.scope.put(alias.asname or top, Thing(name=alias.name if alias.asname else top, module=True))

    def imported(self, module: str) -> None:
        """A module that the code itself wrote is run when it is imported."""
        for path, content in self.files.items() if self.files else ():
            if path.endswith(f"/{module}.py") or path == f"{module}.py":
                kinds = {kind for kind, _ in deep_origins(content)}
                if kinds & {"network", "socket"}:
                    self.acts.setdefault(Act(str(Action.RUN_NETWORK_CODE), name="download", text=path))
                self.acts.update((Act("code", each), None) for each in content.texts)

    def _import_from(self, node: ast.ImportFrom) -> None:
        for alias in node.names:
            if alias.name == "*" and node.module:
                self.stars.append(node.module)
            self.scope.put(alias.asname or alias.name, Thing(name=f"{node.module}.{alias.name}", module=True))

    def _assign(self, node: ast.Assign) -> None:
        value = evaluate(node.value, self)
        for target in node.targets:
            assign(target, value, self)

    def _annotated(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            assign(node.target, evaluate(node.value, self), self)

    def _augmented(self, node: ast.AugAssign) -> None:
        loaded = ast.BinOp(node.target, node.op, node.value)
        assign(node.target, evaluate(loaded, self), self)

    def _for(self, node: ast.For | ast.AsyncFor) -> None:
        source = evaluate(node.iter, self)
        items = elements_of(source)
        if items is None or (not items and isinstance(node.iter, ast.Call)):
            items = [unknown(source.name, deep_origins(source))]
        elif len(items) > 1 and not self.step():
            items = [any_of(items)]
        for item in items:
            with self._perhaps():
                assign(node.target, item, self)
                self.block(node.body)
            if self._steps <= 0:
                break
        with self._perhaps():
            self.block(node.orelse)

    def _while(self, node: ast.While) -> None:
        evaluate(node.test, self)
        with self._perhaps(names_sought(node.test, self)):
            self.block(node.body)
        with self._perhaps():
            self.block(node.orelse)

    def _if(self, node: ast.If) -> None:
        evaluate(node.test, self)
        narrowed = refined(node.test, self)
        kept = {name: self.scope.names[name] for name in narrowed if name in self.scope.names}
        with self._perhaps(names_sought(node.test, self)):
            self.scope.names.update(narrowed)
            self.block(node.body)
            self.scope.names.update(kept)
        with self._perhaps(names_sought(node.test, self, otherwise=True)):
            self.block(node.orelse)

    def _with(self, node: ast.With | ast.AsyncWith) -> None:
        run_with(node, self)

    def _try(self, node: ast.Try) -> None:
        self.block(node.body)
        for handler in node.handlers:
            with self._perhaps():
                if handler.name and self.raised:
                    self.scope.put(handler.name, any_of(self.raised))
                self.block(handler.body)
        self.block(node.orelse)
        self.block(node.finalbody)

    def _match(self, node: ast.Match) -> None:
        evaluate(node.subject, self)
        for case in node.cases:
            with self._perhaps():
                self.block(case.body)

    def _define(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        around = [evaluate(each, self) for each in (*node.decorator_list, *node.args.defaults)]
        thing = self.defined(Thing(local=Local(node, self.scope), name=node.name))
        if answers_others(node):
            self.answering.add(id(node))
        for each in reversed(around[: len(node.decorator_list)]):
            inner = self.invoke(each, (thing,), {}) if each.local is not None else UNKNOWN
            thing = inner if inner.local is not None else thing
        self.scope.put(node.name, thing)

    def defined(self, thing: Thing) -> Thing:
        """A function that is followed at the end, if nothing called it until then."""
        self._defined.append(thing)
        return thing

    def _class(self, node: ast.ClassDef) -> None:
        outer, inner = self.scope, Scope(self.scope)
        inherited: dict[str, Thing] = {}
        for base in node.bases:
            kind = evaluate(base, self)
            if kind.local is not None:
                inherited |= kind.local.fields
            inherited["__base__"] = kind
            self.answering.update(id(each) for each in node.body if hears_others(each, kind.name))
        before = len(self._defined)
        self.scope = inner
        self.block(node.body)
        for call in calls_when_unpickled(node):
            evaluate(call, self)
        self.scope = outer
        kind = Thing(local=Local(node, outer, inherited | inner.names), name=node.name)
        self.scope.put(node.name, kind)
        own = Instance(kind)
        for index in range(before, len(self._defined)):
            if not is_static(self._defined[index]):
                self._defined[index] = self._defined[index].replace(instance=own)

    def _return(self, node: ast.Return) -> None:
        value = evaluate(node.value, self) if node.value is not None else UNKNOWN
        if self._returned:
            self._returned[-1].append(value)

    def yielded(self, value: Thing) -> None:
        if self._returned:
            self._returned[-1].append(Thing(items=(value,), origins=value.origins))

    def _global(self, node: ast.Global | ast.Nonlocal) -> None:
        for name in node.names:
            self.scope.declare_global(name)

    # calls of the code's own functions

    def invoke(
        self, thing: Thing, given: Sequence[Thing], named: Mapping[str, Thing], *, certainly: bool = False
    ) -> Thing:
        """What a function of the code returns; it is followed into while there is work left."""
        local = thing.local
        if local is None or not isinstance(local.node, Defined):
            return UNKNOWN
        node = local.node
        stop = len(self._active) >= _DEEPEST or self._active.count(node) > 1
        if stop or (self._steps <= 0 and not certainly):
            return UNKNOWN
        self._entered.add(id(node))
        outer, inner = self.scope, Scope(local.scope if isinstance(local.scope, Scope) else self.scope)
        bind(node.args, thing, given, named, into=inner, run=self)
        self._active.append(node)
        self.scope = inner
        self._returned.append([])
        try:
            if isinstance(node, ast.Lambda):
                return evaluate(node.body, self)
            self.block(node.body)
            return any_of(self._returned[-1])
        finally:
            self._returned.pop()
            self._active.pop()
            self.scope = outer

    def instantiate(self, kind: Thing, given: Sequence[Thing], named: Mapping[str, Thing]) -> Thing:
        """An object of a class of the code itself."""
        made = Instance(kind)
        start = kind.local.fields.get("__init__") if kind.local is not None else None
        if start is not None:
            self.invoke(start.replace(instance=made), given, named)
        elif kind.local is not None:
            declared = [n for n, v in fields_declared(kind.local.node)]
            made.fields.update(zip(declared, given, strict=False))
            made.fields.update((name, value) for name, value in named.items() if name in declared)
        return Thing(instance=made, name=kind.name)


def _expressions_in(node: ast.AST) -> list[ast.expr]:
    return [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)]


_STATEMENTS: Mapping[type[ast.stmt], Callable[..., None]] = {
    ast.Import: Run._import,
    ast.ImportFrom: Run._import_from,
    ast.Assign: Run._assign,
    ast.AnnAssign: Run._annotated,
    ast.AugAssign: Run._augmented,
    ast.For: Run._for,
    ast.AsyncFor: Run._for,
    ast.While: Run._while,
    ast.If: Run._if,
    ast.With: Run._with,
    ast.AsyncWith: Run._with,
    ast.Try: Run._try,
    ast.TryStar: Run._try,
    ast.Match: Run._match,
    ast.FunctionDef: Run._define,
    ast.AsyncFunctionDef: Run._define,
    ast.ClassDef: Run._class,
    ast.Return: Run._return,
    ast.Global: Run._global,
    ast.Nonlocal: Run._global,
}
