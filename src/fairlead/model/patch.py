"""Which files a patch touches, and how: the `*** Begin Patch` form of Codex, and unified diffs."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.model.value import Value


class PatchedFile(Value):
    """One file of a patch; `operation` is write or delete, `added` what the patch puts into it."""

    path: str
    operation: str
    added: str = ""


_ENVELOPE = {
    "*** Add File: ": "write",
    "*** Update File: ": "write",
    "*** Delete File: ": "delete",
    "*** Move to: ": "write",
}


def files_of(patch: str) -> tuple[PatchedFile, ...]:
    """Every file that applying the patch would write or delete, in order. A moved file is both."""
    lines = patch.splitlines()
    found = _enveloped(lines) if any(_envelope(line) for line in lines) else _unified(lines)
    return tuple(found)


def _envelope(line: str) -> tuple[str, str] | None:
    """The form is read leniently, as the tools that apply it do: indented, with blanks at the end."""
    stripped = line.strip()
    for head, operation in _ENVELOPE.items():
        if stripped.startswith(head.rstrip()):
            return stripped[len(head.rstrip()) :].strip(), operation
    return None


def _enveloped(lines: list[str]) -> Iterator[PatchedFile]:
    path, operation, added = "", "", list[str]()
    for line in lines:
        header = _envelope(line)
        if header is None:
            if line.startswith("+"):
                added.append(line[1:])
            continue
        moved = line.strip().startswith("*** Move to:")
        if path:
            yield PatchedFile(path, "delete" if moved else operation, "\n".join(added))
        path, operation = header
        added = []
    if path:
        yield PatchedFile(path, operation, "\n".join(added))


def _unified(lines: list[str]) -> Iterator[PatchedFile]:
    old, new, added = "", "", list[str]()
    in_hunk = False
    for line in lines:
        if line.startswith("@@"):
            in_hunk = True
        elif line.startswith("diff --git ") or (line.startswith("--- ") and not _is_content(line, in_hunk)):
            if line.startswith("diff --git ") or new:
                yield from _touched(old, new, added)
                old, new, added = "", "", []
            in_hunk = False
            if line.startswith("--- "):
                old = _diff_path(line[4:])
        elif line.startswith("+++ ") and not new:
            new, in_hunk = _diff_path(line[4:]), False
        elif line.startswith(("rename from ", "copy from ")) and not in_hunk:
            old = "" if line.startswith("copy") else line.partition(" from ")[2]
        elif line.startswith(("rename to ", "copy to ")) and not in_hunk:
            new = line.partition(" to ")[2]
        elif line.startswith("+") and new:
            added.append(line[1:])
    yield from _touched(old, new, added)


def _is_content(line: str, in_hunk: bool) -> bool:
    """Inside a hunk `--- x` may be a removed line `-- x`; taking it for a header only names one path more."""
    return in_hunk and not line.startswith(("--- a/", "--- /"))


def _touched(old: str, new: str, added: list[str]) -> Iterator[PatchedFile]:
    if old and old != new and old != "/dev/null":
        yield PatchedFile(old, "delete")
    if new and new != "/dev/null":
        yield PatchedFile(new, "write", "\n".join(added))


def _diff_path(words: str) -> str:
    """`a/src/x.py\\t2026-01-01` is src/x.py: the prefix and the time are git's and diff's, not the file's."""
    path = words.split("\t")[0].strip().strip('"')
    return path[2:] if path[:2] in ("a/", "b/") else path
