"""The files of a bundle in a folder: how they get there, and which of them somebody changed since."""

from __future__ import annotations

import os
from collections.abc import Iterator

from fairlead.fleet.bundles.archive import MANIFEST, OWN_NAMES, SIGNATURES, TAKEN
from fairlead.fleet.bundles.checking import Opened
from fairlead.fleet.bundles.durable import sync_folder, write_file
from fairlead.fleet.bundles.manifest import MAX_UNPACKED, Manifest
from fairlead.fleet.documents import write_document
from fairlead.fleet.moments import write_moment
from fairlead.model.digest import sha256_hex
from fairlead.policy.find import read_file


def write_bundle(draft: str, bundle: Opened, *, private: bool, now: float) -> None:
    taken = {
        "group": bundle.manifest.group,
        "version": bundle.manifest.version,
        "manifest_sha256": bundle.sha256,
        "bundle_sha256": bundle.bundle_sha256,
        "taken": write_moment(now),
    }
    own = {MANIFEST: bundle.manifest_bytes, SIGNATURES: bundle.signature_bytes, TAKEN: write_document(taken)}
    hidden = 0o077 if private else 0o022
    for path, content in {**bundle.files, **own}.items():
        whole = os.path.join(draft, path)
        os.makedirs(os.path.dirname(whole), mode=0o777 & ~hidden, exist_ok=True)
        runs = content.startswith(b"#!")  # the archive has no modes: nobody has signed them
        write_file(whole, content, mode=(0o777 if runs else 0o666) & ~hidden)
    for folder, _, _ in os.walk(draft):
        os.chmod(folder, 0o777 & ~hidden)
        sync_folder(folder)


def damaged_files(folder: str, manifest: Manifest, sha256: str) -> Iterator[str]:
    """Changed, missing, and added: a file more could be one more hook."""
    hashes = {path: mark.sha256 for path, mark in manifest.files.items()} | {MANIFEST: sha256}
    for path, wanted in hashes.items():
        try:
            content = read_file(os.path.join(folder, path), MAX_UNPACKED)
        except OSError:
            content = None
        if content is None or sha256_hex(content) != wanted:
            yield path
    for above, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != "__pycache__"]  # of Python, for hooks that it runs
        for name in names:
            path = os.path.relpath(os.path.join(above, name), folder)
            if path not in manifest.files and path not in OWN_NAMES:
                yield path
