"""Python code, read as a tree and followed: what each call does with what is known of its arguments."""

from __future__ import annotations

import ast
import re
import shlex
from collections.abc import Iterator

from fairlead.shell.effects.code.act import Act
from fairlead.shell.effects.code.python.calls.files import TREES
from fairlead.shell.effects.code.python.conditions import conditions_in, narrowed
from fairlead.shell.effects.code.python.exhausting_loops import taking_the_machine
from fairlead.shell.effects.code.python.running.package_paths import PACKAGES
from fairlead.shell.effects.code.python.running.run import Run, World
from fairlead.shell.effects.code.python.running.thing import HOLE, elements_of
from fairlead.shell.effects.code.python.tree_nodes import nodes_of
from fairlead.shell.effects.code.text.given_from_outside import NOTHING_GIVEN, Given
from fairlead.shell.effects.effect import Action
from fairlead.shell.word_sets import names

_NODES = 20_001


_ATTEMPTS = 8


def parsable(text: str) -> str:
    """The code without lines that this Python cannot parse: another version may run them, or those before."""
    lines = text.splitlines()
    for _ in range(_ATTEMPTS):
        try:
            ast.parse("\n".join(lines))
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            index = _unreadable_line(error, lines)
            if not 0 <= index < len(lines):
                break
            indent = len(lines[index]) - len(lines[index].lstrip())
            lines[index] = " " * indent + "pass"
        else:
            return "\n".join(lines)
    return ""


def _unreadable_line(error: Exception, lines: list[str]) -> int:
    """Where the parser gave up; what is nested too deeply for it is taken to stand in the longest line."""
    if isinstance(error, SyntaxError):
        return (error.lineno or 1) - 1
    return max(range(len(lines)), key=lambda index: len(lines[index]), default=-1)


_SHELL_CELLS = ("%%bash", "%%sh", "%%script bash", "%%script sh", "%%system", "%%!")
"""What the first line of a notebook's cell says that is all for a shell."""


def python_acts(text: str, home: str, cwd: str, given: Given = NOTHING_GIVEN) -> Iterator[Act]:
    """What the code does. Text that is no Python is reported by SyntaxError to the caller."""
    if text.lstrip().startswith(_SHELL_CELLS):
        yield Act("shell", text.lstrip().partition("\n")[2])
        return
    for line in text.splitlines():
        if line.lstrip().startswith(("!", "%sx ", "%system ")):
            yield Act("shell", line.lstrip().lstrip("!"))
    tree = ast.parse(
        "\n".join(line for line in text.splitlines() if not line.lstrip().startswith(("!", "%")))
    )
    nodes = nodes_of(tree, enough=_NODES)
    if len(nodes) > _NODES:
        yield Act("unknown", detail="the code is too long to follow")
        return
    if not any(isinstance(node, ast.Call) for node in nodes):
        yield from taking_the_machine(nodes)
        return
    conditions = conditions_in(nodes)
    emptied = _left_empty(nodes)

    def placed(act: Act, node: ast.Call, run: Run) -> Iterator[Act]:
        if act.text in run.links and act.kind in _ON_PATHS and act.name not in _LINKING:
            yield from placed(act.replace(text=run.links[act.text]), node, run)
        if act.text.startswith(PACKAGES) and act.kind in _CHANGING:
            yield Act(str(Action.CHANGE_GUARD), name="guard-packages-by-name", text="python code")
            return
        for each in _in_folder(act, node, run):
            yield from narrowed(each, conditions.get(id(node), ()), trees=each.name in TREES)
            if id(node) in emptied and act.kind == Action.OVERWRITE:
                yield each.replace(kind=str(Action.TRUNCATE))

    run = Run(World(home, cwd, given, text), placed)
    run.module(tree.body)
    yield from (act for act in run.acts if not _is_only_used(act, run))
    yield from _as_one_script(run)
    if run.is_too_deep:
        yield Act("unknown", detail="the code is nested too deep to follow")
    yield from taking_the_machine(nodes)


_FETCHING = re.compile(r"\b(?:curl|wget|aria2c|git clone|scp|rsync|aws|gsutil)\b")
_MANY_LINES = 32


def _as_one_script(run: Run) -> Iterator[Act]:
    """Commands that fetch something, with those before and after them: one may run what another fetched."""
    lines = [act.text for act in run.acts if act.kind == "shell"]
    if 1 < len(lines) <= _MANY_LINES and any(map(_FETCHING.search, lines)):
        yield Act("shell", "\n".join(lines))


_SETTINGS = re.compile(r"(?:^|/)\.env(?:\.[\w.-]+)?$")
_READING = frozenset(("open", "read_text", "read_bytes", "dotenv_values"))


def _is_only_used(act: Act, run: Run) -> bool:
    """A file of settings whose content the code takes, and shows to nobody."""
    reads = act.kind == Action.READ and act.name in _READING
    if not reads or not _SETTINGS.search(act.text):
        return False
    return act.text.rpartition("/")[2] not in {path.rpartition("/")[2] for path in run.shown}


def _left_empty(nodes: list[ast.AST]) -> set[int]:
    """`open(path, 'w')` alone, or closed at once: the file is there, and empty."""
    found: set[int] = set()
    for node in nodes:
        opened = node.value if isinstance(node, ast.Expr) else None
        if isinstance(opened, ast.Call):
            if isinstance(opened.func, ast.Attribute) and opened.func.attr in ("close", "truncate"):
                opened = opened.func.value
            if (
                isinstance(opened, ast.Call)
                and isinstance(opened.func, ast.Name)
                and opened.func.id == "open"
            ):
                found.add(id(opened))
        elif isinstance(node, ast.With) and all(isinstance(each, ast.Pass) for each in node.body):
            found.update(id(item.context_expr) for item in node.items)
    return found


def _in_folder(act: Act, node: ast.Call, run: Run) -> Iterator[Act]:
    """Acts in the directory that `os.chdir` or the call's own `cwd` names."""
    given = next((keyword.value for keyword in node.keywords if keyword.arg == "cwd"), None)
    told = run.evaluate(given).texts if given is not None else ()
    folder = told[0] if told and HOLE not in told[0] else run.folder
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
_CHANGING = _ON_PATHS - {str(Action.READ)}
_LINKING = names("os.symlink os.link symlink_to hardlink_to os.remove os.unlink unlink")
"""They make or remove the link itself."""
_PRINTED = 8


def printed_texts(text: str, home: str, cwd: str) -> list[str]:
    """What the calls of `print` are given, where that can be told; nothing for what is no Python."""
    try:
        tree = ast.parse(text)
        run = Run(World(home, cwd), lambda act, node, run: iter((act,)))
        run.module(tree.body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    each = [
        item
        for thing in run.printed[:_PRINTED]
        for item in (elements_of(thing) if thing.items else [thing]) or []
    ]
    return [said for thing in each for said in thing.texts if HOLE not in said]
