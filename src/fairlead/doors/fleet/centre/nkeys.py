"""Keys by which a broker knows a machine: it keeps the public half, the machine the seed."""

from __future__ import annotations

import os
from importlib import import_module
from types import ModuleType

from fairlead.errors import FairleadError


def new_seed() -> str:
    nkeys = _nkeys()
    return bytes(nkeys.encode_seed(os.urandom(32), nkeys.PREFIX_BYTE_USER)).decode("ascii")


def write_seed(path: str, seed: str) -> None:
    """For its owner alone. Raises FairleadError."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise FairleadError(f"{path} cannot be written: {error.strerror}") from error
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(f"{seed}\n")


def public_of(path: str) -> str:
    """`U...`, of the seed in this file. Raises FairleadError."""
    try:
        with open(path, "rb") as file:
            return str(_nkeys().from_seed(bytearray(file.read(256).strip())).public_key.decode("ascii"))
    except (OSError, ValueError) as error:
        raise FairleadError(f"{path} holds no seed of a user") from error


def _nkeys() -> ModuleType:
    try:
        return import_module("nkeys")
    except ImportError as error:
        hint = "pip install 'fairlead[fleet]'"
        raise FairleadError("a broker needs the package nkeys", hint=hint) from error
