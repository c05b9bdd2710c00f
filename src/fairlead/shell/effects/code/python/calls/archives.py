"""Trees that Python code copies, and archives that it unpacks: as the commands that do the same."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product
from typing import TYPE_CHECKING

from fairlead.shell.effects.code.act import Act
from fairlead.shell.effects.code.python.calls.call import Call, is_elsewhere
from fairlead.shell.effects.code.python.calls.files import keep
from fairlead.shell.effects.code.python.running.thing import MANY, unknown
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
_PACKING = ("add", "write")
"""What they put into an archive that is written to a connection leaves this machine."""
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
    elif call.method in _PACKING and call.owner.peers and is_elsewhere(call.owner.peers):
        for path in call.paths(0, "name", "filename"):
            yield Act("argv", words=("scp", "-r", path, "elsewhere.example:x"))
    elif call.method in ("extractall", "extract"):
        opened = call.owner.name.removesuffix(".__enter__")
        if call.method == "extract" and opened not in ARCHIVES:
            return
        program, unpacks, into = ARCHIVES.get(opened, _TAR)
        sources = list(call.owner.texts) or _UNKNOWN
        if any(kind == "network" for kind, _ in call.owner.origins):
            for aim in _folder(call, call.method == "extract", "path"):
                keep(f"{aim.rstrip('/')}/", unknown(origins=call.owner.origins), run)
        for source, aim in islice(product(sources, _folder(call, call.method == "extract", "path")), MANY):
            yield Act("argv", words=(program, unpacks, source, into, aim))


def _folder(call: Call, index: int, keyword: str) -> list[str]:
    """Without one it is where the code runs."""
    return (call.paths(index, keyword) or _UNKNOWN) if call.has(index, keyword) else ["."]
