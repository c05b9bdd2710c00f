"""The imports, constants and functions of a piece of Python code."""

from __future__ import annotations

import ast

from fairlead.shell.effects.code.python.expression_values import IMPORTING, MANY, dotted, each_of, values_of
from fairlead.shell.effects.code.text.given_from_outside import NOTHING_GIVEN, Given


class Names:
    """The imports and constants of one piece of code."""

    def __init__(self, home: str, cwd: str, given: Given = NOTHING_GIVEN) -> None:
        self.given = given
        self.home = home
        self.cwd = cwd
        self.folder = ""
        self.imports: dict[str, str] = {}
        self.values: dict[str, list[str]] = {}
        self.stars: list[str] = []
        self.entries: set[str] = set()
        self.parameters: dict[str, list[str]] = {}
        self.rest: dict[str, tuple[int, str]] = {}

    def learn(self, node: ast.AST) -> None:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            self._learn_import(node)
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                self._bind(target, values_of(node.value, self))
                if isinstance(target, ast.Name):
                    self._stand_for(target.id, node.value)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            self.parameters[node.name] = [argument.arg for argument in node.args.args]
            if node.args.vararg is not None:
                self.rest[node.name] = (len(node.args.args), node.args.vararg.arg)
        elif isinstance(node, (ast.For, ast.comprehension)):
            self._bind(node.target, each_of(node.iter, self))
            self._learn_entries(node.target, node.iter)
        elif isinstance(node, ast.With):
            for item in node.items:
                if item.optional_vars is not None:
                    self._bind(item.optional_vars, values_of(item.context_expr, self))

    def _learn_entries(self, target: ast.expr, source: ast.expr) -> None:
        """`for f in os.listdir(x)`, `for top, folders, files in os.walk(x): for f in files`."""
        listing = self.full(source.func) if isinstance(source, ast.Call) else ""
        if listing == "os.walk" and isinstance(target, ast.Tuple):
            self.entries.update(each.id for each in target.elts[1:] if isinstance(each, ast.Name))
        elif isinstance(target, ast.Name):
            listed = isinstance(source, ast.Name) and source.id in self.entries
            if listed or listing == "os.listdir":
                self.entries.add(target.id)

    def _learn_import(self, node: ast.Import | ast.ImportFrom) -> None:
        for alias in node.names:
            if isinstance(node, ast.ImportFrom):
                if alias.name == "*" and node.module:
                    self.stars.append(node.module)
                self.imports[alias.asname or alias.name] = f"{node.module}.{alias.name}"
            else:
                top = alias.name.split(".")[0]
                self.imports[alias.asname or top] = alias.name if alias.asname else top

    def learn_call(self, node: ast.Call) -> None:
        """What a function of the code itself is given."""
        if isinstance(node.func, ast.Lambda):
            parameters = [argument.arg for argument in node.func.args.args]
        else:
            parameters = self.parameters.get(dotted(node.func), [])
        start, rest = self.rest.get(dotted(node.func), (0, ""))
        if rest and len(node.args) > start:
            parts = [values_of(argument, self) for argument in node.args[start:]]
            self._bind(ast.Name(rest), ["\0".join(part[0] if part else "$UNKNOWN" for part in parts)])
        for parameter, argument in zip(parameters, node.args, strict=False):
            self._bind(ast.Name(parameter), values_of(argument, self))
            self._stand_for(parameter, argument)

    def _stand_for(self, name: str, value: ast.expr) -> None:
        """`f = os.system`: the name is another one for a function or a module."""
        if isinstance(value, (ast.Attribute, ast.Call, ast.Subscript)):
            full = self.full(value)
            direct = isinstance(value, ast.Attribute) or dotted(getattr(value, "func", value)) in _NAMING
            if full and (direct or isinstance(value, ast.Subscript)):
                self.imports[name] = full
        elif isinstance(value, ast.Name) and value.id in (*self.imports, "exec", "eval", "open"):
            self.imports[name] = self.imports.get(value.id, value.id)

    def _bind(self, target: ast.AST, found: list[str]) -> None:
        if isinstance(target, ast.Name) and found:
            self.values[target.id] = [*self.values.get(target.id, ()), *found][:MANY]
        elif isinstance(target, ast.Tuple) and found:
            for element in target.elts:
                self._bind(element, found)

    def full(self, node: ast.expr) -> str:
        """The name that a callee has after its imports: `sp.run` is `subprocess.run`."""
        name = self._named(node)
        head, _, rest = name.partition(".")
        head = self.imports.get(head, head)
        return f"{head}.{rest}" if rest else head

    def _named(self, node: ast.expr) -> str:
        """As `dotted`, with names that are put together: `getattr(os, 'sys' + 'tem')`, `d['system']`."""
        if isinstance(node, ast.Attribute):
            return f"{self._named(node.value)}.{node.attr}"
        if isinstance(node, ast.Call) and node.args:
            callee = dotted(node.func)
            if callee == "getattr" and len(node.args) > 1:
                found = values_of(node.args[1], self)
                return f"{self._named(node.args[0])}.{found[0]}" if found else dotted(node)
            if callee in IMPORTING and (found := values_of(node.args[0], self)):
                return found[0]
        if isinstance(node, ast.Subscript) and (found := values_of(node.slice, self)):
            return _looked_up(self._named(node.value), found[0])
        return dotted(node)


_NAMING = (*IMPORTING, "getattr")
_TABLES = ("globals", "locals", "vars", "sys.modules", "__builtins__", "builtins.__dict__")


def _looked_up(table: str, name: str) -> str:
    """`os.__dict__['system']` is `os.system`, `sys.modules['os']` is `os`."""
    if table.endswith(".__dict__"):
        return f"{table.removesuffix('.__dict__')}.{name}"
    return name if table in _TABLES else ""
