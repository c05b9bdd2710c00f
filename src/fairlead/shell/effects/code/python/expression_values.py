"""What a Python expression is, where that can be told without running it."""

from __future__ import annotations

import ast
import os.path
import re
from functools import reduce
from typing import TYPE_CHECKING

from fairlead.shell.word_sets import names

if TYPE_CHECKING:
    from fairlead.shell.effects.code.python.imported_names import Names

_SAME = names(
    "glob.glob glob.iglob os.path.abspath os.path.realpath str pathlib.Path pathlib.PosixPath os.fspath"
)
_CONSTANTS = {
    "os.sep": "/",
    "os.path.sep": "/",
    "os.pardir": "..",
    "os.curdir": ".",
    "sys.executable": "python3",
}
MANY = 16
"""Values that one name may have before it counts as unknown."""
IMPORTING = ("__import__", "importlib.import_module", "import_module")


def nodes_of(tree: ast.AST, *, enough: int) -> list[ast.AST]:
    """As `ast.walk`, in one call and to be walked often; no further once there are more than enough."""
    nodes = [tree]
    for node in nodes:
        for field in node._fields:
            value = getattr(node, field, None)
            if isinstance(value, ast.AST):
                nodes.append(value)
            elif type(value) is list:
                nodes += [each for each in value if isinstance(each, ast.AST)]
        if len(nodes) > enough:
            break
    return nodes


def dotted(node: ast.expr) -> str:
    """`a.b.c` of an expression; `__import__('os').system`, `getattr(os, 'system')` are `os.system`."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return f"{dotted(node.value)}.{node.attr}"
    if isinstance(node, ast.Call):
        callee = dotted(node.func)
        literals = [a.value for a in node.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
        if callee in IMPORTING and literals:
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
    if isinstance(node, ast.Subscript):
        return _part(node, known)
    if isinstance(node, ast.Attribute):
        return _parent(node, known)
    if isinstance(node, (ast.List, ast.Tuple)) and node.elts:
        parts = [values_of(element, known) for element in node.elts]
        nested = any("\0" in part[0] for part in parts if part)
        return [("\1" if nested else "\0").join(part[0] for part in parts)] if all(parts) else []
    return []


def _part(node: ast.Subscript, known: Names) -> list[str]:
    """`environ['HOME']`, an element of a list, a text read backwards."""
    if dotted(node.value).endswith("environ"):
        return _variable(values_of(node.slice, known), known)
    if known.full(node.value) in ("sys.argv", "argv") and known.given.arguments:
        return _argument(node.slice, known.given.arguments)
    if isinstance(node.value, (ast.List, ast.Tuple)) and isinstance(node.slice, ast.Constant):
        index, count = node.slice.value, len(node.value.elts)
        if isinstance(index, int) and -count <= index < count:
            return values_of(node.value.elts[index], known)
        return []
    if isinstance(node.value, ast.Attribute) and node.value.attr == "parents":
        number = node.slice.value if isinstance(node.slice, ast.Constant) else 0
        steps = min(number, MANY) + 1 if isinstance(number, int) and number >= 0 else 1
        return [
            reduce(lambda path, _: os.path.dirname(path), range(steps), path)
            for path in values_of(node.value.value, known)
        ]
    if isinstance(node.slice, ast.Slice) and ast.unparse(node.slice) == "::-1":
        return [text[::-1] for text in values_of(node.value, known)]
    return []


def _variable(found: list[str], known: Names) -> list[str]:
    """A variable of the environment, where the line sets it."""
    name = found[0] if found else ""
    if name in known.given.variables:
        return [known.given.variables[name]]
    return [known.home] if name == "HOME" else []


def _argument(index: ast.expr, arguments: tuple[str, ...]) -> list[str]:
    """`sys.argv[1]`, `sys.argv[1:]`."""
    if isinstance(index, ast.Constant) and isinstance(index.value, int):
        number = index.value - 1 if index.value > 0 else len(arguments) + index.value
        return [arguments[number]] if 0 <= number < len(arguments) else []
    lower = index.lower if isinstance(index, ast.Slice) and index.upper is None else None
    if isinstance(lower, ast.Constant) and isinstance(lower.value, int):
        return ["\0".join(arguments[max(lower.value - 1, 0) :])]
    return []


def _parent(node: ast.Attribute, known: Names) -> list[str]:
    constant = _CONSTANTS.get(dotted(node))
    if constant:
        return [constant]
    if node.attr in ("parent", "absolute", "resolve", "path"):
        found = values_of(node.value, known)
        return [os.path.dirname(path) for path in found] if node.attr == "parent" else found
    return []


def _named(node: ast.expr, known: Names) -> list[str]:
    """As `values_of`, for what is put behind a folder: there, an entry of a listing is a name alone."""
    if isinstance(node, ast.Name) and node.id in known.entries:
        return ["*"]
    return values_of(node, known)


def _joined(node: ast.BinOp, known: Names) -> list[str]:
    left, right = values_of(node.left, known), _named(node.right, known)
    if isinstance(node.op, ast.Div):
        return [os.path.join(a, b) for a in left for b in right or ["*"]][:MANY]
    if isinstance(node.op, ast.Add):
        return [a + b for a in left for b in right][:MANY]
    if isinstance(node.op, ast.Mod) and right:
        return [_filled(text, right[0].split("\0")) for text in left]
    if (
        isinstance(node.op, ast.Mult)
        and isinstance(node.right, ast.Constant)
        and isinstance(node.right.value, int)
    ):
        return [text * min(node.right.value, 100) for text in left]
    return []


def _filled(text: str, pieces: list[str]) -> str:
    """`'%s -rf %s' % (…)`."""
    left = iter(pieces)
    return re.sub(r"%[sdr]", lambda match: next(left, match[0]), text)


def _formatted(node: ast.JoinedStr, known: Names) -> list[str]:
    texts = [""]
    for part in node.values:
        inner = part.value if isinstance(part, ast.FormattedValue) else part
        found = _named(inner, known) if texts != [""] else values_of(inner, known)
        if not found:
            return []
        texts = [text + value for text in texts for value in found][:MANY]
    return texts


_TEMPORARY = names("tempfile.mkdtemp tempfile.mkstemp tempfile.gettempdir tempfile.TemporaryDirectory")


def _from_outside(name: str, arguments: list[list[str]], known: Names) -> list[str]:
    """What the code finds around it: folders, variables, its input."""
    if name in _TEMPORARY:
        return ["/tmp/tmpXXXXXXXX"]  # noqa: S108 - a name that it could have
    if name in ("os.getcwd", "pathlib.Path.cwd", "os.getcwdb"):
        return [known.cwd]
    if name in ("pathlib.Path.home", "Path.home"):
        return [known.home]
    if name in ("os.getenv", "os.environ.get") and arguments:
        return _variable(arguments[0], known)
    stdin = known.given.stdin
    if name == "sys.stdin.read" and stdin:
        return [stdin.strip("\n")]
    return [stdin.split("\n")[0]] if stdin and name in ("input", "sys.stdin.readline") else []


def _called(node: ast.Call, known: Names) -> list[str]:
    name = known.full(node.func)
    joins = name == "os.path.join"
    arguments = [
        _named(argument, known) if joins and index else values_of(argument, known)
        for index, argument in enumerate(node.args)
    ]
    outside = _from_outside(name, arguments, known)
    if outside:
        return outside
    if joins and arguments and arguments[0]:
        parts = [found or [_wild(part, known)] for part, found in zip(node.args, arguments, strict=True)]
        return reduce(lambda made, more: [os.path.join(a, b) for a in made for b in more][:MANY], parts)
    if (
        name == "chr"
        and node.args
        and isinstance(node.args[0], ast.Constant)
        and isinstance(node.args[0].value, int)
    ):
        return [chr(node.args[0].value % 0x110000)]
    if name in ("bytes", "bytearray") and node.args and isinstance(node.args[0], (ast.List, ast.Tuple)):
        codes = [element.value for element in node.args[0].elts if isinstance(element, ast.Constant)]
        return ["".join(chr(code % 256) for code in codes if isinstance(code, int))]
    if name == "shlex.split" and arguments and arguments[0]:
        return ["\0".join(arguments[0][0].split())]
    if name == "os.path.dirname" and arguments:
        return [os.path.dirname(path) for path in arguments[0]]
    if name == "os.scandir":
        return [os.path.join(path, "*") for path in (arguments[0] if arguments else [known.cwd])]
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


def _wild(node: ast.expr, known: Names) -> str:
    """A text with a star for what is not known of it: `f"report-{day}.json"` is `report-*.json`."""
    if not isinstance(node, ast.JoinedStr):
        return "*"
    parts = [part.value if isinstance(part, ast.FormattedValue) else part for part in node.values]
    return "".join((values_of(part, known) or ["*"])[0] for part in parts)


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
        deep = "**/" if method == "rglob" else ""
        return [os.path.join(path, deep + tail) for path in owner for tail in tails]
    if method == "format" and arguments and all(arguments):
        return [_placed(owner[0], [found[0] for found in arguments])]
    if method == "join" and len(arguments) == 1:
        return [owner[0].join(arguments[0][0].split("\0"))] if arguments[0] else []
    if method == "split":
        return ["\0".join(owner[0].split())]
    if method == "replace" and len(arguments) == 2 and all(arguments):
        return [owner[0].replace(arguments[0][0], arguments[1][0])]
    return []


def _placed(text: str, pieces: list[str]) -> str:
    """`'{} -rf {1}'.format(…)`."""
    left = iter(pieces)

    def piece(match: re.Match[str]) -> str:
        if match[1]:
            return pieces[int(match[1])] if int(match[1]) < len(pieces) else match[0]
        return next(left, match[0])

    return re.sub(r"\{(\d{0,2})\}", piece, text)


def shell_text(node: ast.expr, known: Names) -> list[str]:
    """As `values_of`, with a variable of the shell in the place of each part that cannot be told."""
    found = values_of(node, known)
    if found:
        return found
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = shell_text(node.left, known), shell_text(node.right, known)
        return (
            [a + b for a in left or ["$UNKNOWN"] for b in right or ["$UNKNOWN"]][:MANY]
            if left or right
            else []
        )
    if isinstance(node, ast.JoinedStr):
        parts = [part.value if isinstance(part, ast.FormattedValue) else part for part in node.values]
        return ["".join((values_of(part, known) or ["$UNKNOWN"])[0] for part in parts)]
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
        return [re.sub(r"%[sdr]", "$UNKNOWN", text) for text in values_of(node.left, known)]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "format":
        return [re.sub(r"\{\w*\}", "$UNKNOWN", text) for text in values_of(node.func.value, known)]
    return []


def each_of(node: ast.expr, known: Names) -> list[str]:
    """The values that a loop runs through."""
    if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
        return [value for element in node.elts for value in values_of(element, known)][:MANY]
    if isinstance(node, ast.Call):
        name = known.full(node.func)
        found = values_of(node.args[0], known) if node.args else [known.cwd]
        if name == "os.walk":
            return [each for path in found for each in (path, f"{path}/*")]
        if name == "os.scandir":
            return [f"{path}/*" for path in found]
        if name == "os.listdir":
            return ["*"] if found == [known.cwd] else [f"{path}/*" for path in found]
        return values_of(node, known)
    return [
        item for value in values_of(node, known) for item in re.split("\1" if "\1" in value else "\0", value)
    ]


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
