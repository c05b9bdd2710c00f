"""Reading and writing of bundles and keys for the commands."""

from __future__ import annotations

import os

import click

from fairlead.doors.cli.given.click_types import TextParameter
from fairlead.doors.cli.given.folders import FILE
from fairlead.errors import FairleadError, UsageError
from fairlead.fleet.bundles.archive import MAX_PACKED
from fairlead.fleet.bundles.durable import write_file
from fairlead.fleet.bundles.roles import key_bytes
from fairlead.fleet.bundles.signing import PrivateKey, read_key
from fairlead.fleet.documents import NAME
from fairlead.policy.find import read_file

PRIVATE_KEYS = click.option(
    "--key",
    "keys",
    type=FILE,
    metavar="FILE",
    multiple=True,
    help="A private key of `keygen`; may be repeated.",
)


def bytes_of(path: str) -> bytes:
    """Of a bundle, or of anything else that is no larger. Raises FairleadError."""
    try:
        return read_file(path, MAX_PACKED)
    except OSError as error:
        raise FairleadError(f"{path} cannot be read: {error.strerror}") from error


def write_bytes(path: str, content: bytes) -> None:
    """In one step. Raises FairleadError."""
    try:
        write_file(os.path.abspath(path), content, mode=0o644)
    except OSError as error:
        raise FairleadError(f"{path} cannot be written: {error.strerror}") from error


def keys_in(paths: tuple[str, ...]) -> list[PrivateKey]:
    return [read_key(path) for path in paths]


class PublicKey(TextParameter):
    """`ed25519:...` itself, or a file that holds it."""

    name = "key"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> str:
        text = str(value)
        if os.path.isfile(text):
            text = bytes_of(text)[:256].decode("ascii", "replace").strip()
        try:
            key_bytes(text)
        except ValueError as error:
            hint = "the line that `fairlead bundle keygen` prints, or a file with it"
            raise UsageError(str(error), hint=hint) from error
        return text


class GroupName(TextParameter):
    name = "group"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if value and not NAME.fullmatch(str(value)):
            hint = "small letters, digits, '-' and '_', at most 63"
            raise UsageError(f"{str(value)!r} is no name of a group", hint=hint)
        return str(value)


PUBLIC_KEY = PublicKey()
GROUP = GroupName()
