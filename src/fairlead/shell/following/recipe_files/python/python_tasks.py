"""Tasks that are functions of Python: nox, invoke, fabric, doit. What they tell their runner to run is found
in the calls; the rest of the file is code like any other."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from shlex import quote

from fairlead.shell.following.recipe_files.project import File, Project
from fairlead.shell.following.recipe_files.step import Step
from fairlead.shell.lazy_pattern import lazy

_LINES = ("run", "sudo", "local")
"""Methods whose first argument is a line for a shell."""
_WORDS = ("run", "run_always", "run_install")
"""Methods of a session of nox, whose arguments are the words of a command."""
_ADDED = lazy(r"\(.*|-\d[\d.]*\Z")
_MOST_CALLS = 300
_DEEPEST = 20
_LONGEST_NAME = 100
_NAMED = {"nox": ("-s", "-e", "--session", "--sessions")}


def read_python_tasks(project: Project) -> Iterator[Step]:
    file = project.recipe(above=True)
    if file is None or project.given.has("-l", "--list", "--list-sessions", "--help", "-h", "--version"):
        return
    options = _NAMED.get(project.name)
    named = [word for option in options for word in project.given.values.get(option, ())] if options else []
    named += project.operands
    tree = parsed(file.text)
    wanted = _needed(tree, {_plain(word.text) for word in named}) if tree is not None else set()
    if any(word.opaque for word in named):
        wanted = set()
    via = f"{project.name} {file.path.rsplit('/', 1)[-1]}"
    text = file.text if tree is None or not wanted else _told(file.text, tree, wanted)
    yield Step(text, via, "python", file.folder, path=file.path, line=1)
    if tree is not None:
        yield from _calls(project, file, tree, wanted)


def parsed(text: str) -> ast.Module | None:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _plain(name: str) -> str:
    """The name of a function, without what its runner adds: `tests-3.11`, `tests(db='x')`, `ns.clean-all`."""
    return _ADDED.sub("", name).rsplit(".", 1)[-1].replace("-", "_")


def _needed(tree: ast.Module, names: set[str]) -> set[str]:
    """The functions that are called so, by their own names or by those that they are given, and all functions
    that are named in them; none where nothing is called so, which stands for all."""
    functions = {
        node.name: {_plain(text) for text in _said(node)}
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    given = {node.name: _given_names(node) for node in tree.body if isinstance(node, ast.FunctionDef)}
    found = {name for name in functions if name in names or given.get(name, set()) & names}
    for _ in range(_DEEPEST if found else 0):
        more = {name for each in found for name in functions[each] if name in functions}
        if more <= found:
            break
        found |= more
    return found


def _given_names(node: ast.FunctionDef) -> set[str]:
    decorators = [each for call in node.decorator_list for each in ast.walk(call)]
    return {
        _plain(each.value)
        for each in decorators
        if isinstance(each, ast.Constant) and isinstance(each.value, str)
    }


def _said(node: ast.AST) -> Iterator[str]:
    for each in ast.walk(node):
        if isinstance(each, ast.Name):
            yield each.id
        elif (
            isinstance(each, ast.Constant) and isinstance(each.value, str) and len(each.value) < _LONGEST_NAME
        ):
            yield each.value


def _is_other_task(node: ast.stmt, wanted: set[str]) -> bool:
    if not wanted or not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return False
    return bool(node.decorator_list) and node.name not in wanted


def _told(text: str, tree: ast.Module, wanted: set[str]) -> str:
    """The file, with the tasks left empty that are not run."""
    lines = text.split("\n")
    for node in tree.body:
        if _is_other_task(node, wanted):
            end = node.end_lineno or node.lineno
            lines[node.lineno - 1 : end] = ["def _(*_): ...", *[""] * (end - node.lineno)]
    return "\n".join(lines)


def _calls(project: Project, file: File, tree: ast.Module, wanted: set[str]) -> Iterator[Step]:
    """Of the functions that are named, and of those that are no tasks themselves; of all, where none is."""
    found = 0
    for node in tree.body:
        name = getattr(node, "name", "")
        if _is_other_task(node, wanted):
            continue
        for each in ast.walk(node):
            text = _text(project, each) if isinstance(each, ast.Call) else ""
            if isinstance(each, ast.Dict) and project.name == "doit":
                yield from _actions(project, file, each)
            if text and found < _MOST_CALLS:
                found += 1
                yield Step(
                    text,
                    f"{project.name} {name}".strip(),
                    folder=file.folder,
                    path=file.path,
                    line=getattr(each, "lineno", 0),
                )


def _text(project: Project, call: ast.Call) -> str:
    """What a call tells the runner to run."""
    method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    owner = call.func.value if isinstance(call.func, ast.Attribute) else None
    if isinstance(owner, ast.Name) and owner.id in ("subprocess", "os", "asyncio", "sh"):
        return ""
    if project.name == "nox" and method in _WORDS:
        return " ".join(_word(project, each, quoted=True) for each in call.args)
    if project.name != "nox" and method in _LINES and call.args:
        return _word(project, call.args[0], quoted=False)
    return ""


def _word(project: Project, node: ast.expr, *, quoted: bool) -> str:
    """A text as it is, with marks for what is put into it."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return quote(node.value) if quoted else node.value
    if isinstance(node, ast.JoinedStr):
        pieces = [
            each.value
            if isinstance(each, ast.Constant) and isinstance(each.value, str)
            else project.unknown("{…}")
            for each in node.values
        ]
        return "".join(pieces)
    return project.unknown("…")


def _actions(project: Project, file: File, node: ast.Dict) -> Iterator[Step]:
    """`{"actions": ["rm -f x"]}`."""
    for key, value in zip(node.keys, node.values, strict=True):
        if (
            isinstance(key, ast.Constant)
            and key.value == "actions"
            and isinstance(value, ast.List | ast.Tuple)
        ):
            for each in value.elts[:50]:
                if isinstance(each, ast.Constant) and isinstance(each.value, str):
                    yield Step(each.value, "doit", folder=file.folder, path=file.path, line=each.lineno)
                elif isinstance(each, ast.List):
                    text = " ".join(_word(project, word, quoted=True) for word in each.elts)
                    yield Step(text, "doit", folder=file.folder, path=file.path, line=each.lineno)
