"""What a Python expression is, where that can be told without running it."""

from __future__ import annotations

import ast
import os.path
import re
from functools import reduce

from fairlead.shell.tables import names

_SAME = names(
    "glob.glob glob.iglob os.path.abspath os.path.realpath str pathlib.Path pathlib.PosixPath os.fspath"
)
_MANY = 16
"""Values that one name may have before it counts as unknown."""


class Names:
    """The imports and constants of one piece of code."""

    def __init__(self, home: str, cwd: str) -> None:
        self.home = home
        self.cwd = cwd
        self.imports: dict[str, str] = {}
        self.values: dict[str, list[str]] = {}
        self.stars: list[str] = []

    def learn(self, node: ast.AST) -> None:
        if isinstance(node, ast.Import):
            for alias in node.names:
                self.imports[alias.asname or alias.name.split(".")[0]] = (
                    alias.name if alias.asname else alias.name.split(".")[0]
                )
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                if alias.name == "*" and node.module:
                    self.stars.append(node.module)
                self.imports[alias.asname or alias.name] = f"{node.module}.{alias.name}"
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                self._bind(target, values_of(node.value, self))
        elif isinstance(node, (ast.For, ast.comprehension)):
            self._bind(node.target, _each_of(node.iter, self))
        elif isinstance(node, ast.With):
            for item in node.items:
                if item.optional_vars is not None:
                    self._bind(item.optional_vars, values_of(item.context_expr, self))

    def _bind(self, target: ast.AST, found: list[str]) -> None:
        if isinstance(target, ast.Name) and found:
            self.values[target.id] = [*self.values.get(target.id, ()), *found][:_MANY]
        elif isinstance(target, ast.Tuple) and found:
            for element in target.elts:
                self._bind(element, found)

    def full(self, node: ast.expr) -> str:
        """The name that a callee has after its imports: `sp.run` is `subprocess.run`."""
        if isinstance(node, ast.Call) and dotted(node.func) == "getattr" and len(node.args) > 1:
            found = values_of(node.args[1], self)
            name = f"{dotted(node.args[0])}.{found[0]}" if found else dotted(node)
        else:
            name = dotted(node)
        head, _, rest = name.partition(".")
        head = self.imports.get(head, head)
        return f"{head}.{rest}" if rest else head


def dotted(node: ast.expr) -> str:
    """`a.b.c` of an expression; `__import__('os').system`, `getattr(os, 'system')` are `os.system`."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return f"{dotted(node.value)}.{node.attr}"
    if isinstance(node, ast.Call):
        callee = dotted(node.func)
        literals = [a.value for a in node.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
        if callee in ("__import__", "importlib.import_module", "import_module") and literals:
            return literals[0]
        if callee == "getattr" and literals and node.args:
            return f"{dotted(node.args[0])}.{literals[0]}"
        return callee
    return ""


def values_of(node: ast.expr | None, known: Names) -> list[str]:
    """All texts that the expression can be; none where it cannot be told."""
    if isinstance(node, ast.Constant):
        if isinstance(node.value, bytes):
            return [node.value.decode("utf-8", "replace")]
        return [node.value] if isinstance(node.value, str) else []
    if isinstance(node, ast.Name):
        return known.values.get(node.id, [])
    if isinstance(node, ast.BinOp):
        return _joined(node, known)
    if isinstance(node, ast.JoinedStr):
        return _formatted(node, known)
    if isinstance(node, ast.Call):
        return _called(node, known)
    if isinstance(node, ast.Subscript) and dotted(node.value).endswith("environ"):
        return [known.home] if "HOME" in ast.unparse(node.slice) else []
    if isinstance(node, ast.Attribute):
        return _parent(node, known)
    if isinstance(node, (ast.List, ast.Tuple)) and node.elts:
        parts = [values_of(element, known) for element in node.elts]
        return ["\0".join(part[0] for part in parts)] if all(parts) else []
    return []


def _parent(node: ast.Attribute, known: Names) -> list[str]:
    if node.attr in ("parent", "absolute", "resolve"):
        found = values_of(node.value, known)
        return [os.path.dirname(path) for path in found] if node.attr == "parent" else found
    return []


def _joined(node: ast.BinOp, known: Names) -> list[str]:
    left, right = values_of(node.left, known), values_of(node.right, known)
    if isinstance(node.op, ast.Div):
        return [os.path.join(a, b) for a in left for b in right or ["*"]][:_MANY]
    if isinstance(node.op, ast.Add):
        return [a + b for a in left for b in right][:_MANY]
    if isinstance(node.op, ast.Mod) and right:
        return [re.sub(r"%[sdr]", lambda _: right[0].split("\0")[0], text) for text in left]
    if (
        isinstance(node.op, ast.Mult)
        and isinstance(node.right, ast.Constant)
        and isinstance(node.right.value, int)
    ):
        return [text * min(node.right.value, 100) for text in left]
    return []


def _formatted(node: ast.JoinedStr, known: Names) -> list[str]:
    texts = [""]
    for part in node.values:
        inner = part.value if isinstance(part, ast.FormattedValue) else part
        found = values_of(inner, known)
        if not found:
            return []
        texts = [text + value for text in texts for value in found][:_MANY]
    return texts


def _called(node: ast.Call, known: Names) -> list[str]:
    name = known.full(node.func)
    arguments = [values_of(argument, known) for argument in node.args]
    if name in ("tempfile.mkdtemp", "tempfile.mkstemp", "tempfile.gettempdir", "tempfile.TemporaryDirectory"):
        return ["/tmp/tmpXXXXXXXX"]  # noqa: S108 - a name that it could have
    if name in ("os.getcwd", "pathlib.Path.cwd", "os.getcwdb"):
        return [known.cwd]
    if name in ("pathlib.Path.home", "Path.home"):
        return [known.home]
    if name in ("os.getenv", "os.environ.get") and arguments and arguments[0] == ["HOME"]:
        return [known.home]
    if name == "os.path.join" and arguments and arguments[0]:
        return reduce(
            lambda made, more: [os.path.join(a, b) for a in made for b in more or ["*"]][:_MANY], arguments
        )
    if (
        name == "chr"
        and node.args
        and isinstance(node.args[0], ast.Constant)
        and isinstance(node.args[0].value, int)
    ):
        return [chr(node.args[0].value % 0x110000)]
    if name == "shlex.split" and arguments and arguments[0]:
        return ["\0".join(arguments[0][0].split())]
    if name in _SAME:
        return arguments[0] if arguments else [known.cwd]
    if name in ("os.path.expanduser", "os.path.expandvars"):
        return [_home(text, known) for text in (arguments[0] if arguments else [])]
    if name in (
        "base64.b64decode",
        "bytes.fromhex",
        "codecs.decode",
        "binascii.unhexlify",
        "binascii.a2b_base64",
    ):
        return [
            text for text in (_decoded(name, value) for value in (arguments[0] if arguments else [])) if text
        ]
    return _method_of(node, known, arguments)


def _method_of(node: ast.Call, known: Names, arguments: list[list[str]]) -> list[str]:
    if not isinstance(node.func, ast.Attribute):
        return []
    method, owner = node.func.attr, values_of(node.func.value, known)
    if method in ("expanduser",):
        return [_home(text, known) for text in owner]
    if method in ("resolve", "absolute", "strip", "decode", "encode", "as_posix", "read_text") or not owner:
        return owner if method != "read_text" else []
    if method in ("glob", "rglob", "iterdir", "joinpath"):
        tails = arguments[0] if arguments and arguments[0] else ["*"]
        return [os.path.join(path, tail) for path in owner for tail in tails]
    if method == "format" and "{}" in owner[0] and arguments and arguments[0]:
        return [owner[0].replace("{}", arguments[0][0], 1)]
    if method == "join" and len(arguments) == 1:
        return [owner[0].join(arguments[0][0].split("\0"))] if arguments[0] else []
    if method == "split":
        return ["\0".join(owner[0].split())]
    if method == "replace" and len(arguments) == 2 and all(arguments):
        return [owner[0].replace(arguments[0][0], arguments[1][0])]
    return []


def _each_of(node: ast.expr, known: Names) -> list[str]:
    """The values that a loop runs through."""
    if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
        return [value for element in node.elts for value in values_of(element, known)][:_MANY]
    if isinstance(node, ast.Call):
        name = known.full(node.func)
        found = values_of(node.args[0], known) if node.args else [known.cwd]
        if name in ("os.walk", "os.scandir"):
            return [f"{path}/*" for path in found]
        if name == "os.listdir":
            return ["*"] if found == [known.cwd] else [f"{path}/*" for path in found]
        return values_of(node, known)
    return values_of(node, known)


def _home(text: str, known: Names) -> str:
    if text == "~" or text.startswith("~/"):
        return known.home + text[1:]
    return text.replace("$HOME", known.home)


def _decoded(name: str, text: str) -> str:
    import base64
    import binascii

    try:
        if "hex" in name:
            return bytes.fromhex(text).decode()
        if name == "codecs.decode":
            import codecs

            return codecs.decode(text, "rot13")
        return base64.b64decode(text).decode()
    except (ValueError, binascii.Error):
        return ""
