"""Trees that Python code copies, and archives that it unpacks: as the commands that do the same."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from itertools import islice, product

from fairlead.shell.effects.code.act import Act
from fairlead.shell.effects.code.python.expression_values import MANY, values_of
from fairlead.shell.effects.code.python.imported_names import Names
from fairlead.shell.word_sets import names

_TREES = names("shutil.copytree distutils.dir_util.copy_tree shutil.move")
_OPENING = {
    "tarfile.open": ("tar", "-Pxf", "-C"),
    "tarfile.TarFile": ("tar", "-Pxf", "-C"),
    "tarfile.TarFile.open": ("tar", "-Pxf", "-C"),
    "zipfile.ZipFile": ("unzip", "-o", "-d"),
}
"""How an archive is opened, and the command that unpacks it alike: names in a tar lead where they say."""
_UNKNOWN = ["$UNKNOWN"]


def opened_archives(calls: Sequence[ast.Call], known: Names) -> list[tuple[tuple[str, str, str], str]]:
    """The archives that the code opens anywhere, each with the command for it."""
    found = []
    for node in calls:
        command = _OPENING.get(known.full(node.func))
        if command is not None:
            found += [(command, path) for path in _given(node, 0, "name", "file", known=known)]
    return found[:MANY]


def tree_acts(
    node: ast.Call, known: Names, archives: Sequence[tuple[tuple[str, str, str], str]]
) -> Iterator[Act]:
    name = known.full(node.func)
    method = name.rpartition(".")[2]
    if name in _TREES:
        command = ("mv",) if name == "shutil.move" else ("cp", "-rT")
        sources, aims = _given(node, 0, "src", known=known), _given(node, 1, "dst", known=known)
        for source, aim in islice(product(sources, aims), MANY):
            yield Act("argv", words=(*command, source, aim))
    elif method == "unpack_archive":
        sources, aims = _given(node, 0, "filename", known=known), _folder(node, 1, "extract_dir", known)
        for source, aim in islice(product(sources, aims), MANY):
            yield Act("argv", words=("tar", "-Pxf", source, "-C", aim))
    elif method == "extractall" or (method == "extract" and archives):
        aims = _folder(node, 0 if method == "extractall" else 1, "path", known)
        opened = archives or ((_OPENING["tarfile.open"], "$UNKNOWN"),)
        for ((program, unpacks, into), source), aim in islice(product(opened, aims), MANY):
            yield Act("argv", words=(program, unpacks, source, into, aim))


def _given(node: ast.Call, index: int, *keywords: str, known: Names) -> list[str]:
    if index < len(node.args):
        return values_of(node.args[index], known) or _UNKNOWN
    named = next((keyword.value for keyword in node.keywords if keyword.arg in keywords), None)
    return values_of(named, known) or _UNKNOWN


def _folder(node: ast.Call, index: int, keyword: str, known: Names) -> list[str]:
    """Without one it is where the code runs."""
    is_told = index < len(node.args) or any(each.arg == keyword for each in node.keywords)
    return _given(node, index, keyword, known=known) if is_told else ["."]
