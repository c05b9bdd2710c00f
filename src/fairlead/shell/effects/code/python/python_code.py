"""Python code, read as a tree: names are followed through imports, and paths through constants."""

from __future__ import annotations

import ast
import re
import shlex
from collections.abc import Iterator
from itertools import chain, islice, product

from fairlead.shell.effects.code.act import Act, on_path
from fairlead.shell.effects.code.python.conditions import conditions_in, narrowed
from fairlead.shell.effects.code.python.exhausting_loops import taking_the_machine
from fairlead.shell.effects.code.python.expression_values import MANY, dotted, nodes_of, shell_text, values_of
from fairlead.shell.effects.code.python.imported_names import Names
from fairlead.shell.effects.code.python.library_services import service_acts
from fairlead.shell.effects.code.python.library_trees import opened_archives, tree_acts
from fairlead.shell.effects.code.text.given_from_outside import NOTHING_GIVEN, Given
from fairlead.shell.effects.effect import Action
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.word_sets import names

_NODES = 20_001
_TREE = names("shutil.rmtree os.removedirs distutils.dir_util.remove_tree send2trash.send2trash")
_FILE = names("os.remove os.unlink os.rmdir os.truncate")
_SHELL = names(
    """
    os.system os.popen subprocess.getoutput subprocess.getstatusoutput commands.getoutput os.popen2 os.popen3
    asyncio.create_subprocess_shell pexpect.spawn pexpect.run sh.bash
    """
)
_PROCESS = names(
    """
    subprocess.run subprocess.call subprocess.check_call subprocess.check_output subprocess.Popen pty.spawn
    asyncio.create_subprocess_exec
    """
)
_EXEC = names(
    """
    os.execv os.execve os.execvp os.execvpe os.execl os.execlp os.spawnv os.spawnvp os.spawnl os.spawnlp
    os.posix_spawn
    """
)
_MOVES = names("shutil.move os.rename os.replace os.renames")
_COPIES = names("shutil.copy shutil.copy2 shutil.copyfile os.symlink os.link")
_METHODS = {
    "unlink": (Action.DELETE, False),
    "rmdir": (Action.DELETE, False),
    "rmtree": (Action.DELETE, True),
    "read_text": (Action.READ, False),
    "read_bytes": (Action.READ, False),
    "write_text": (Action.OVERWRITE, False),
    "write_bytes": (Action.OVERWRITE, False),
    "touch": (Action.WRITE, False),
}
_OPENING = names(
    """
    open io.open codecs.open pathlib.Path.open os.open fileinput.input fileinput.FileInput linecache.getlines
    linecache.getline tokenize.open gzip.open bz2.open lzma.open
    """
)
_UPLOADING = ("put", "upload", "upload_file", "upload_from_filename", "send_file", "attach")
_NOTHING = ("''", "b''", "str()", "bytes()")
_SHELL_INPUT = lazy(r"\b(?:input|stdin)\s*=|\.communicate\(|\.stdin\.write\(")
_DOWNLOADS = ("urlopen", "requests.get", "httpx.get", "urlretrieve", "http.client", "requests.request")


def python_acts(text: str, home: str, cwd: str, given: Given = NOTHING_GIVEN) -> Iterator[Act]:
    """What the code does. Text that is no Python is reported by SyntaxError to the caller."""
    for line in text.splitlines():
        if line.lstrip().startswith(("!", "%sx ", "%system ")):
            yield Act("shell", line.lstrip().lstrip("!"))
    tree = ast.parse(
        "\n".join(line for line in text.splitlines() if not line.lstrip().startswith(("!", "%")))
    )
    nodes = nodes_of(tree, enough=_NODES)
    known = Names(home, cwd, given)
    for each in nodes[:_NODES]:
        known.learn(each)
    if len(nodes) > _NODES:
        yield Act("unknown", detail="the code is too long to follow")
        return
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    for node in calls:
        known.learn_call(node)
    conditions = conditions_in(nodes) if calls else {}
    archives = opened_archives(calls, known)
    for node in sorted(calls, key=lambda call: (call.lineno, call.col_offset)):
        found = chain(_call(node, known, text), tree_acts(node, known, archives))
        for act in _placed(found, node, known):
            yield from narrowed(act, conditions.get(id(node), ()), trees=act.name in _TREE)
    yield from taking_the_machine(nodes)
    for other in nodes:
        if isinstance(other, ast.Expr) and isinstance(other.value, ast.Call):
            yield from _emptied(other.value, known)


def _emptied(node: ast.Call, known: Names) -> Iterator[Act]:
    """`open(path, 'w')` alone, or closed at once: the file is there, and empty."""
    closed = isinstance(node.func, ast.Attribute) and node.func.attr in ("close", "truncate")
    opened = node.func.value if closed and isinstance(node.func, ast.Attribute) else node
    if isinstance(opened, ast.Call) and dotted(opened.func) == "open":
        for act in _opens(opened, known):
            if act.kind == Action.OVERWRITE:
                yield act.replace(kind=str(Action.TRUNCATE))


def printed_texts(text: str, home: str, cwd: str) -> list[str]:
    """What the calls of `print` are given, where that can be told; nothing for what is no Python."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    known = Names(home, cwd)
    nodes = list(ast.walk(tree))
    for node in nodes:
        known.learn(node)
    calls = [node for node in nodes if isinstance(node, ast.Call) and dotted(node.func) == "print"]
    return [value for call in calls[:8] for argument in call.args for value in values_of(argument, known)]


def _placed(acts: Iterator[Act], node: ast.Call, known: Names) -> Iterator[Act]:
    """Acts in the directory that `os.chdir` or the call's own `cwd` names."""
    given = _keyword(node, "cwd")
    folders = values_of(given, known) if given is not None else []
    if known.full(node.func) == "os.chdir" and node.args:
        known.folder = (values_of(node.args[0], known) or [""])[0]
    folder = folders[0] if folders else known.folder
    for act in acts:
        if not folder:
            yield act
        elif act.kind == "shell":
            yield act.replace(text=f"cd {shlex.quote(folder)} && {act.text}")
        elif act.kind == "argv":
            words = " ".join(word if word == "$UNKNOWN" else shlex.quote(word) for word in act.words)
            yield Act("shell", f"cd {shlex.quote(folder)} && {words}")
        elif act.text and not act.text.startswith(("/", "~")) and act.kind in _ON_PATHS:
            yield act.replace(text=f"{folder}/{act.text}")
        else:
            yield act


_ON_PATHS = frozenset(str(action) for action in (Action.DELETE, Action.READ, Action.OVERWRITE, Action.WRITE,
                                                 Action.MOVE_AWAY, Action.TRUNCATE))  # fmt: skip


def _call(node: ast.Call, known: Names, text: str) -> Iterator[Act]:
    name = _starred(known.full(node.func), known)
    first = node.args[0] if node.args else _keyword(node, "path")
    if name in ("map", "filter", "list", "any", "all") and len(node.args) > 1:
        yield from _mapped(node, known, text)
    elif name in _TREE or name in _FILE:
        yield from _deletes(name, first, known)
    elif name in _SHELL:
        yield from _shell(first, known)
    elif name in _PROCESS:
        yield from _process(node, known)
        if (
            _downloads(text)
            and _SHELL_INPUT.search(text)
            and re.search(r"['\"](?:/bin/)?(?:ba|z)?sh['\"]", text)
        ):
            yield Act(str(Action.RUN_NETWORK_CODE), name="download")
    elif name in _EXEC:
        yield from _execs(node, known)
    elif name in _MOVES or name in _COPIES:
        yield from _pairs(name, node, known)
    elif name in _OPENING:
        yield from _opens(node, known)
    elif name in ("exec", "eval", "timeit.timeit") or name.rsplit(".", 1)[-1] in _RUNNING_CODE:
        yield from _evaluates(name, first, known, text)
    else:
        yield from _other(name, node, known, text)


_RUNNING_CODE = names("exec runcode runsource run_path run_cell runctx")


def _mapped(node: ast.Call, known: Names, text: str) -> Iterator[Act]:
    """`map(os.remove, paths)` calls it for each of them."""
    function, items = node.args[0], node.args[1]
    for item in items.elts if isinstance(items, (ast.List, ast.Tuple)) else [items]:
        yield from _call(ast.Call(function, [item], []), known, text)


def _starred(name: str, known: Names) -> str:
    """`from subprocess import *` brings names without their module."""
    every = _TREE | _FILE | _SHELL | _PROCESS | _EXEC | _MOVES | _COPIES
    return next((f"{module}.{name}" for module in known.stars if f"{module}.{name}" in every), name)


def _deletes(name: str, first: ast.expr | None, known: Names) -> Iterator[Act]:
    action = Action.TRUNCATE if name.endswith("truncate") else Action.DELETE
    found = values_of(first, known) if first is not None else []
    for path in found:
        recursive = name in _TREE or "*" in path
        yield on_path(action, path, name=name, recursive=recursive)
    if not found and name in _TREE:
        yield Act("unknown-target", name=name, recursive=True)


def _shell(first: ast.expr | None, known: Names) -> Iterator[Act]:
    found = shell_text(first, known) if first is not None else []
    yield from (Act("shell", line) for line in found)
    if not found and first is not None:
        yield from _unknown_text("shell", ast.unparse(first))


def _unknown_text(name: str, shown: str) -> Iterator[Act]:
    """Text that would run and cannot be told; only where it comes from outside or out of a decoder."""
    if _downloads(shown):
        yield Act(str(Action.RUN_NETWORK_CODE), name="download")
    elif any(word in shown for word in _FOREIGN):
        yield Act("unknown", detail=f"{name}({shown[:60]})")


_FOREIGN = ("decode", "b64", "zlib", "argv", "environ", "read(", "input(", "stdin", "fromhex")


def _process(node: ast.Call, known: Names) -> Iterator[Act]:
    arguments = node.args[0] if node.args else _keyword(node, "args")
    if arguments is None:
        return
    if isinstance(arguments, (ast.List, ast.Tuple)):
        yield from _words([_element(element, known) for element in arguments.elts])
        return
    shell = _keyword(node, "shell")
    found = shell_text(arguments, known)
    if not found:
        yield from _unknown_text("subprocess", ast.unparse(arguments))
    for line in found:
        if isinstance(shell, ast.Constant) and shell.value:
            yield Act("shell", line)
        else:
            yield Act("argv", words=tuple(line.split("\0")) if "\0" in line else (line,))


def _words(parts: list[list[str]]) -> Iterator[Act]:
    """A command for each way in which its words may be."""
    for words in islice(product(*parts), MANY if parts else 0):
        yield Act("argv", words=tuple(word for part in words for word in part.split("\0") if word))


def _element(node: ast.expr, known: Names) -> list[str]:
    """What an element of a command's words may be; `*rest` is several at once."""
    return values_of(node.value if isinstance(node, ast.Starred) else node, known) or ["$UNKNOWN"]


def _execs(node: ast.Call, known: Names) -> Iterator[Act]:
    """`execv(path, argv)`, `execl(path, *argv)`; the ones of `spawn` have a mode before that."""
    rest = node.args[2:] if ".spawn" in known.full(node.func) else node.args[1:]
    given = next((each for each in rest if isinstance(each, (ast.List, ast.Tuple))), None)
    elements = given.elts if given is not None else rest
    yield from _words([_element(element, known) for element in elements])


def _pairs(name: str, node: ast.Call, known: Names) -> Iterator[Act]:
    sources = values_of(node.args[0], known) if node.args else []
    aims = values_of(node.args[1], known) if len(node.args) > 1 else []
    action = Action.MOVE_AWAY if name in _MOVES else Action.READ
    for path in sources:
        yield on_path(action, path, name=name, recursive=True, detail=aims[0] if aims else "")
    for path in aims:
        yield on_path(Action.OVERWRITE, path, name=name)


def _opens(node: ast.Call, known: Names) -> Iterator[Act]:
    mode_node = node.args[1] if len(node.args) > 1 else _keyword(node, "mode")
    mode = (
        mode_node.value if isinstance(mode_node, ast.Constant) and isinstance(mode_node.value, str) else "r"
    )
    action = (
        Action.OVERWRITE
        if "w" in mode or "x" in mode
        else Action.WRITE
        if "a" in mode or "+" in mode
        else Action.READ
    )
    if mode_node is not None and re.search(r"\bO_(?:WRONLY|RDWR|TRUNC)\b", ast.unparse(mode_node)):
        action = Action.OVERWRITE
    for path in values_of(node.args[0], known) if node.args else []:
        yield on_path(action, path, name="open")


_SCRIPT_TEXT = lazy(
    r"open\('[\w./-]{1,200}\.py'(?:, [\w ='-]{1,40})?\)\.read\(\)"
    r"|(?:pathlib\.)?Path\('[\w./-]{1,200}\.py'\)\.read_text\(\)"
)
"""`exec(open('version.py').read())` is `python version.py`."""


def _evaluates(name: str, first: ast.expr | None, known: Names, text: str) -> Iterator[Act]:
    if first is None:
        return
    if isinstance(first, ast.Call) and dotted(first.func) == "compile" and first.args:
        first = first.args[0]
    found = values_of(first, known)
    yield from (Act("code", code) for code in found)
    if found:
        return
    shown = ast.unparse(first)
    if _downloads(shown) or (_downloads(text) and name == "exec"):
        yield Act(str(Action.RUN_NETWORK_CODE), name="download")
    elif _SCRIPT_TEXT.fullmatch(shown):
        return
    elif name == "exec" or any(word in shown for word in _FOREIGN):
        yield Act("unknown", detail=f"{name}({shown[:60]})")


def _downloads(text: str) -> bool:
    return any(word in text for word in _DOWNLOADS)


def _programs(name: str, method: str, node: ast.Call, known: Names) -> Iterator[Act]:
    """The module `sh` has every program as a function: `sh.git.reset('--hard')`."""
    if name.startswith("sh.") and method not in ("Command", "bake"):
        parts = [[part] for part in name.split(".")[1:]]
        yield from _words(parts + [_element(each, known) for each in node.args])


def _number(node: ast.expr, *, octal: bool) -> str:
    """A mode as chmod is given it, whatever base it was written in."""
    value = node.value if isinstance(node, ast.Constant) else None
    return f"{value:o}" if octal and isinstance(value, int) else ast.unparse(node)


def _other(name: str, node: ast.Call, known: Names, text: str) -> Iterator[Act]:
    method = name.rsplit(".", 1)[-1]
    yield from _method(method, node, known)
    yield from _programs(name, method, node, known)
    if ".git." in name or name.endswith("head.reset"):
        yield from _git(name, method, node, known)
    if method in ("system", "popen") and node.args:
        yield from _shell(node.args[0], known)
    if name in ("os.chmod", "os.chown", "os.lchown") and node.args:
        action = Action.CHANGE_PERMISSIONS if name == "os.chmod" else Action.CHANGE_OWNER
        mode = "".join(_number(each, octal=name == "os.chmod") for each in node.args[1:2])
        for path in values_of(node.args[0], known):
            yield on_path(action, path, name="chmod", detail=mode, recursive="*" in path)
    elif (name in ("os.kill", "os.killpg") and node.args and ast.unparse(node.args[0]) in ("-1", "1")) or (
        method in ("kill", "terminate", "send_signal")
        and re.search(r"process_iter\(\)|psutil\.pids\(\)|listdir\(['\"]/proc|glob\(['\"]/proc", text)
        and " if p.name" not in text
    ):
        yield Act(str(Action.KILL), name="kill-everything")
    elif (
        name in ("os.setuid", "os.seteuid", "os.setreuid") and node.args and ast.unparse(node.args[0]) == "0"
    ):
        yield Act(str(Action.GAIN_PRIVILEGE), name="root-shell", text=name)
    elif method in _UPLOADING and node.args:
        yield from (on_path(Action.READ, path, name=method) for path in values_of(node.args[0], known))
    elif method == "dotenv_values" and not node.args:
        yield on_path(Action.READ, ".env", name=method)
    elif (method == "dotenv_values" or (method == "read" and "ConfigParser" in text)) and node.args:
        yield from (on_path(Action.READ, path, name=method) for path in values_of(node.args[0], known))
    else:
        yield from service_acts(name, method, node, known, text)


def _git(name: str, method: str, node: ast.Call, known: Names) -> Iterator[Act]:
    """GitPython: `repo.git.reset('--hard')`, `repo.head.reset(working_tree=True)`."""
    if ".git." in name:
        words = [(values_of(argument, known) or ["$UNKNOWN"])[0] for argument in node.args]
        flags = [f"--{keyword.arg.replace('_', '-')}" for keyword in node.keywords if keyword.arg]
        yield Act("argv", words=("git", method.replace("_", "-"), *words, *flags))
    elif _keyword(node, "working_tree") is not None:
        yield Act("argv", words=("git", "reset", "--hard"))


def _method(method: str, node: ast.Call, known: Names) -> Iterator[Act]:
    """Methods of paths: `Path(x).unlink()`."""
    if not isinstance(node.func, ast.Attribute):
        return
    if method not in _METHODS:
        return
    action, recursive = _METHODS[method]
    if action is Action.OVERWRITE and node.args and ast.unparse(node.args[0]) in _NOTHING:
        action = Action.TRUNCATE
    for path in values_of(node.func.value, known):
        yield on_path(
            action, path, name=method, recursive=recursive or ("*" in path and action is Action.DELETE)
        )


def _keyword(node: ast.Call, name: str) -> ast.expr | None:
    return next((keyword.value for keyword in node.keywords if keyword.arg == name), None)
