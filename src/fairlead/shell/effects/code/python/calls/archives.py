"""Trees that Python code copies, and archives that it unpacks: as the commands that do the same."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product
from typing import TYPE_CHECKING

from fairlead.shell.effects.code.act import Act
from fairlead.shell.effects.code.python.calls.call import Call
from fairlead.shell.effects.code.python.running.thing import MANY
from fairlead.shell.word_sets import names

if TYPE_CHECKING:
    from fairlead.shell.effects.code.python.running.run import Run

_TREES = names("shutil.copytree distutils.dir_util.copy_tree shutil.move")
_TAR, _ZIP = ("tar", "-Pxf", "-C"), ("unzip", "-o", "-d")
ARCHIVES = {
    "tarfile.open": _TAR,
    "tarfile.TarFile": _TAR,
    "tarfile.TarFile.open": _TAR,
    "zipfile.ZipFile": _ZIP,
}
"""How an archive is opened, and the command that unpacks it alike: names in a tar lead where they say."""
_UNKNOWN = ["$UNKNOWN"]


def archive_acts(call: Call, run: Run) -> Iterator[Act]:
    if call.name in _TREES:
        command = ("mv",) if call.name == "shutil.move" else ("cp", "-rT")
        sources, aims = call.paths(0, "src") or _UNKNOWN, call.paths(1, "dst") or _UNKNOWN
        for source, aim in islice(product(sources, aims), MANY):
            yield Act("argv", words=(*command, source, aim))
    elif call.method == "unpack_archive":
        sources, aims = call.paths(0, "filename") or _UNKNOWN, _folder(call, 1, "extract_dir")
        for source, aim in islice(product(sources, aims), MANY):
            yield Act("argv", words=("tar", "-Pxf", source, "-C", aim))
    elif call.method in ("extractall", "extract"):
        opened = call.owner.name.removesuffix(".__enter__")
        if call.method == "extract" and opened not in ARCHIVES:
            return
        program, unpacks, into = ARCHIVES.get(opened, _TAR)
        sources = list(call.owner.texts) or _UNKNOWN
        for source, aim in islice(product(sources, _folder(call, call.method == "extract", "path")), MANY):
            yield Act("argv", words=(program, unpacks, source, into, aim))


def _folder(call: Call, index: int, keyword: str) -> list[str]:
    """Without one it is where the code runs."""
    return (call.paths(index, keyword) or _UNKNOWN) if call.has(index, keyword) else ["."]
