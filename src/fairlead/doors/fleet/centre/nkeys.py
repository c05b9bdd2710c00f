"""Keys by which a broker knows a machine: it keeps the public half, the machine the seed."""

from __future__ import annotations

import os
from importlib import import_module
from types import ModuleType

from fairlead.errors import FairleadError


def new_seed() -> str:
    nkeys = _nkeys()
    return bytes(nkeys.encode_seed(os.urandom(32), nkeys.PREFIX_BYTE_USER)).decode("ascii")


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
