"""Files that code for the Java machine reads, writes and deletes."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.shell.effects.code.act import Act, on_path
from fairlead.shell.effects.effect import Action
from fairlead.shell.lazy_pattern import lazy

_JAVA_FILES = lazy(
    r"\bFiles\.(?P<does>\w+)\s*\(\s*(?:[\w.]*\.)?(?:Paths?|File)\.(?:of|get)\(\s*[\"'](?P<path>[^\"']+)[\"']"
    r"|\bnew\s+(?:[\w.]*\.)?(?P<made>File(?:Writer|OutputStream|Reader|InputStream)|PrintWriter|RandomAccessFile)"
    r"\(\s*(?:new\s+(?:[\w.]*\.)?File\(\s*)?[\"'](?P<other>[^\"']+)[\"']"
)


def java_file_acts(text: str) -> Iterator[Act]:
    """`Files.writeString(Path.of("/etc/x"), …)`, `new FileWriter("/etc/x")`."""
    for found in _JAVA_FILES.finditer(text):
        does = (found["does"] or found["made"]).lower()
        action = (
            Action.READ if does.startswith(("read", "lines", "filereader", "fileinput")) else Action.OVERWRITE
        )
        action = Action.DELETE if does.startswith("delete") else action
        if does.startswith(("exists", "is", "size", "list", "walk", "get")):
            continue
        yield on_path(action, found["path"] or found["other"], name=found["does"] or found["made"])
