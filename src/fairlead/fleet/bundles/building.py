"""From a policy folder to a bundle, and from a bundle to the same with one more signature."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping

from fairlead.errors import FairleadError
from fairlead.fleet.bundles.archive import BOUNDS, MAX_DEPTH, Archive, check_paths, write_archive
from fairlead.fleet.bundles.checking import Opened, opened
from fairlead.fleet.bundles.manifest import (
    MAX_FILES,
    MAX_UNPACKED,
    FileMark,
    Manifest,
    read_manifest,
    require_readable,
)
from fairlead.fleet.bundles.signatures import Signature, read_signatures, write_signatures
from fairlead.fleet.bundles.signing import FOR_BUNDLES, PrivateKey
from fairlead.model.digest import sha256_hex
from fairlead.model.value import Value
from fairlead.policy.find import read_file

SETTINGS = "bundle.yaml"
"""Beside `hooks/`: what the manifest says besides the files; it is not in the bundle itself."""
_MAX_FILE = 16 * 1024 * 1024
_LEFT_OUT = ("__pycache__",)
_MOST_LEFT_OUT = 10_000


class Gathered(Value):
    """The files of a folder, and what was not taken: hidden names and what Python leaves."""

    files: Mapping[str, bytes]
    left_out: tuple[str, ...] = ()


def gather(folder: str) -> Gathered:
    """Raises FairleadError for what a bundle cannot hold, such as links."""
    files: dict[str, bytes] = {}
    left_out: list[str] = []
    size = 0
    for name, path in _walk(folder, ""):
        base = name.rsplit("/", 1)[-1]
        if base.startswith(".") or base in _LEFT_OUT:
            left_out.append(name)
        elif name != SETTINGS:
            files[name] = _read(path)
            size += len(files[name])
        if len(files) > MAX_FILES or size > MAX_UNPACKED or len(left_out) > _MOST_LEFT_OUT:
            raise FairleadError(f"{folder} holds too much for a bundle", hint=BOUNDS)
    if not files:
        raise FairleadError(f"there is no policy in {folder}", hint="it holds hooks/ and programs/")
    check_paths(files)
    return Gathered(files, tuple(left_out))


def _walk(folder: str, below: str) -> Iterator[tuple[str, str]]:
    if below.count("/") > MAX_DEPTH:
        raise FairleadError(f"{folder[:200]} is too deep for a bundle", hint=f"at most {MAX_DEPTH} folders")
    try:
        names = sorted(os.listdir(folder))
    except OSError as error:
        raise FairleadError(f"{folder} cannot be read: {error.strerror}") from error
    for name in names:
        path, inner = os.path.join(folder, name), f"{below}{name}"
        hidden = name.startswith(".") or name in _LEFT_OUT
        if not hidden and stat.S_ISDIR(os.lstat(path).st_mode):
            yield from _walk(path, f"{inner}/")
        else:
            yield inner, path


def _read(path: str) -> bytes:
    if not stat.S_ISREG(os.lstat(path).st_mode):
        raise FairleadError(f"{path} is no plain file", hint="a bundle holds the files themselves, no links")
    try:
        content = read_file(path, _MAX_FILE)
    except OSError as error:
        raise FairleadError(f"{path} cannot be read: {error.strerror}") from error
    if len(content) > _MAX_FILE:
        raise FairleadError(f"{path} is too large for a bundle")
    return content


def build_bundle(manifest: Manifest, files: Mapping[str, bytes], *, packed: bool = False) -> bytes:
    """Without signatures. The same manifest and files make the same bytes. Raises RefusedError."""
    marks = {path: FileMark(sha256_hex(content), len(content)) for path, content in sorted(files.items())}
    require_readable(marks)
    written = manifest.replace(files=marks).written()
    read_manifest(written)  # what nobody could read is not made
    return write_archive(written, write_signatures(()), files, packed=packed)


def open_unchecked(content: bytes) -> tuple[Opened, tuple[Signature, ...]]:
    """For those who sign or look: the files are those of the manifest, but nobody asked whose it is.
    Raises RefusedError."""
    archive = Archive(content)
    manifest = read_manifest(archive.manifest)
    return opened(archive, manifest, content), read_signatures(archive.signatures)


def sign_bundle(content: bytes, key: PrivateKey) -> bytes:
    """One signature of the key, in the place of an earlier one. Raises RefusedError."""
    bundle, signatures = open_unchecked(content)
    made = key.sign(bundle.manifest_bytes, purpose=FOR_BUNDLES)
    kept = [each for each in signatures if each.keyid != made.keyid]
    packed = Archive(content).packed
    written = write_signatures([*kept, made])
    return write_archive(bundle.manifest_bytes, written, bundle.files, packed=packed)
