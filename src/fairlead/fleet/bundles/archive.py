"""The one form that a bundle has as a file: a tar of which every byte follows from the files in it.

A reader of tar in general accepts links, devices, sparse files, two names for one file, and headers that two
programs read in two ways. This one makes the header that a file must have, and compares: what is not equal to
it is refused. So nothing of an archive is interpreted but the names and sizes of its first two files.
"""

from __future__ import annotations

import gzip
import io
import re
import zlib
from collections.abc import Callable, Iterable, Mapping

from fairlead.fleet.bundles.manifest import MAX_FILES, MAX_MANIFEST, MAX_UNPACKED, FileMark
from fairlead.fleet.documents import unreadable
from fairlead.fleet.refusal import RefusalCode, RefusedError
from fairlead.model.digest import sha256_hex

MAX_PACKED = 16 * 1024 * 1024
MANIFEST, SIGNATURES, TAKEN = "manifest.json", "signatures.json", "taken.json"
OWN_NAMES = frozenset((MANIFEST, SIGNATURES, TAKEN))
_ROOTS = frozenset(("hooks", "programs"))
_BLOCK = 512
_END = bytes(2 * _BLOCK)
MAX_DEPTH = 12
_MAX_SIGNATURES = 32 * 1024
_GZIP = b"\x1f\x8b"
_PART = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+@=-]{0,99}", re.ASCII)
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?", re.ASCII | re.IGNORECASE)


def path_fault(path: str) -> str:
    """Why a file cannot be called so in a bundle; empty where it can. Whatever passes means the same file on
    every system, inside the folder that it is unpacked to."""
    parts = path.split("/")
    if not all(map(_PART.fullmatch, parts)):
        return "a part of it is empty, hidden, or has other letters than A-Z a-z 0-9 _ . + @ = -"
    if any(part.endswith(".") or _RESERVED.fullmatch(part) for part in parts):
        return "some systems take a part of it for something else"
    if len(parts) > MAX_DEPTH or _split(path) is None:
        return "it is too long, or too deep"
    if path.casefold() in OWN_NAMES:
        return "that name is the bundle's own"
    if parts[0].casefold() in _ROOTS and parts[0] not in _ROOTS:
        return f"write {parts[0].casefold()}/"
    return ""


def check_paths(paths: Iterable[str]) -> None:
    """Raises RefusedError for a name that cannot be, for one that is a file and a folder, and for two that
    differ in nothing but capitals."""
    known: dict[str, str] = {}
    for path in sorted(paths):
        fault = path_fault(path)
        parts = path.split("/")
        for end in range(1, len(parts) + 1) if not fault else ():
            name = "/".join(parts[:end]) + ("/" if end < len(parts) else "")
            twin = known.setdefault(name.casefold().rstrip("/"), name)
            if twin != name:
                fault = f"{twin!r} is there too"
        if fault:
            raise RefusedError(
                RefusalCode.UNSAFE_PATH, f"{path[:200]!r} cannot be a file of a bundle: {fault}"
            )


def _split(path: str) -> tuple[str, str] | None:
    """Name and prefix, as a header has them: the whole path in the name if it fits, else the longest name."""
    if len(path) <= 100:
        return path, ""
    for at in (place for place, letter in enumerate(path) if letter == "/"):
        if len(path) - at - 1 <= 100:
            return (path[at + 1 :], path[:at]) if at <= 155 else None
    return None


def _header(path: str, size: int) -> bytes:
    """The only one that a file of this name and size can have."""
    name, prefix = _split(path) or ("", "")
    block = bytearray(_BLOCK)
    fields = (
        (0, name.encode("ascii")),
        (100, b"0000644\0"),
        (108, b"0000000\0"),
        (116, b"0000000\0"),
        (124, b"%011o\0" % size),
        (136, b"00000000000\0"),
        (148, b" " * 8),
        (156, b"0"),
        (257, b"ustar\x0000"),
        (345, prefix.encode("ascii")),
    )
    for place, content in fields:
        block[place : place + len(content)] = content
    block[148:156] = b"%06o\0 " % sum(block)
    return bytes(block)


def write_archive(
    manifest: bytes, signatures: bytes, files: Mapping[str, bytes], *, packed: bool = False
) -> bytes:
    """Raises RefusedError for what could not be read again."""
    check_paths(files)
    out = io.BytesIO()
    for path, content in [(MANIFEST, manifest), (SIGNATURES, signatures), *sorted(files.items())]:
        out.write(_header(path, len(content)) + content + bytes(-len(content) % _BLOCK))
    out.write(_END)
    made = out.getvalue()
    if len(files) > MAX_FILES or len(made) > MAX_UNPACKED:
        raise RefusedError(RefusalCode.TOO_LARGE, "there is too much for a bundle", hint=BOUNDS)
    made = gzip.compress(made, 9, mtime=0) if packed else made
    if len(made) > MAX_PACKED:
        raise RefusedError(RefusalCode.TOO_LARGE, "the bundle is too large", hint=BOUNDS)
    return made


BOUNDS = (
    f"a bundle has at most {MAX_FILES} files, {MAX_PACKED >> 20} MiB as a file and {MAX_UNPACKED >> 20} MiB "
    "when it is unpacked"
)


class Archive:
    """A bundle as it came. The manifest is taken first and judged; only then the files that it names."""

    def __init__(self, content: bytes) -> None:
        if len(content) > MAX_PACKED:
            raise RefusedError(RefusalCode.TOO_LARGE, "the bundle is too large", hint=BOUNDS)
        self.packed = content.startswith(_GZIP)
        self._take: Callable[[int], bytes] = (
            _Unpacking(content).read if self.packed else io.BytesIO(content).read
        )
        self.manifest = self._first(MANIFEST, MAX_MANIFEST)
        self.signatures = self._first(SIGNATURES, _MAX_SIGNATURES)

    def _first(self, name: str, limit: int) -> bytes:
        header = self._take(_BLOCK)
        size = int(header[124:135], 8) if re.fullmatch(rb"[0-7]{11}", header[124:135]) else -1
        if size < 0 or header != _header(name, size):
            raise unreadable("the bundle", f"{name} is not where it belongs")
        if size > limit:
            raise RefusedError(RefusalCode.TOO_LARGE, f"{name} is larger than {limit} bytes")
        return self._content(name, size)

    def _content(self, name: str, size: int) -> bytes:
        content, rest = self._take(size), self._take(-size % _BLOCK)
        if len(content) != size or rest != bytes(-size % _BLOCK):
            raise unreadable("the bundle", f"it ends, or goes on, within {name}")
        return content

    def files(self, marks: Mapping[str, FileMark]) -> Mapping[str, bytes]:
        """Exactly those that the manifest names, in order, and nothing after them. Raises RefusedError."""
        found: dict[str, bytes] = {}
        for path, mark in sorted(marks.items()):
            header = self._take(_BLOCK)
            if header != _header(path, mark.size):
                raise _differs(path, header)
            found[path] = self._content(path, mark.size)
            if sha256_hex(found[path]) != mark.sha256:
                message = f"{path} is not what the manifest says"
                raise RefusedError(RefusalCode.FILES_DIFFER, message)
        end = self._take(_BLOCK)
        if end != bytes(_BLOCK):
            raise _differs("the end", end)
        if self._take(_BLOCK) != bytes(_BLOCK) or self._take(1):
            raise RefusedError(
                RefusalCode.FILES_DIFFER, "something stands behind the last file of the bundle"
            )
        return found


def _differs(wanted: str, header: bytes) -> RefusedError:
    """The header is only read for these words."""
    name = header[:100].partition(b"\0")[0].decode("ascii", "replace")
    kind = header[156:157]
    unsafe = (
        kind not in (b"0", b"\0", b"") or bool(name and name.split("/")[0] in ("", "..")) or "/../" in name
    )
    if not header or header == bytes(_BLOCK):
        return RefusedError(RefusalCode.FILES_DIFFER, f"the bundle ends where {wanted} should be")
    message = f"{name[:120]!r} stands in the bundle where {wanted} should be"
    return RefusedError(RefusalCode.UNSAFE_PATH if unsafe else RefusalCode.FILES_DIFFER, message)


class _Unpacking:
    """Gzip, unpacked only as far as somebody asks, and never beyond the bound."""

    def __init__(self, content: bytes) -> None:
        self._engine = zlib.decompressobj(wbits=31)
        self._rest = content
        self._given = 0

    def read(self, size: int) -> bytes:
        out = bytearray()
        while len(out) < size:
            try:
                part = self._engine.decompress(self._rest, size - len(out))
            except zlib.error as error:
                raise unreadable("the bundle", "it is no gzip") from error
            self._rest = self._engine.unconsumed_tail
            if not part:
                if not self._engine.eof or self._engine.unused_data:
                    raise unreadable("the bundle", "it ends too early, or something stands behind its end")
                break
            out += part
        self._given += len(out)
        if self._given > MAX_UNPACKED + _BLOCK * (2 * MAX_FILES):
            raise RefusedError(RefusalCode.TOO_LARGE, "the bundle is too large when unpacked", hint=BOUNDS)
        return bytes(out)
