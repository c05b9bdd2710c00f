"""`fairlead bundle sign`: one more signature on a bundle, or on a version of the roles."""

from __future__ import annotations

import click

from fairlead.doors.cli.bundle.files import PRIVATE_KEYS, bytes_of, keys_in, write_bytes
from fairlead.doors.cli.bundle.rehearsal import require_rehearsed, unpacked
from fairlead.doors.cli.given.folders import FILE
from fairlead.doors.cli.output import Session, note, say, show_json
from fairlead.errors import UsageError
from fairlead.fleet.bundles.building import open_unchecked, sign_bundle
from fairlead.fleet.bundles.roles import read_roles
from fairlead.fleet.bundles.rotation import read_signed_roles, with_signature, write_signed_roles
from fairlead.fleet.bundles.signatures import Signature
from fairlead.fleet.bundles.signing import FOR_ROLES, PrivateKey


@click.command()
@click.argument("file", metavar="FILE", type=FILE)
@PRIVATE_KEYS
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
@click.pass_obj
def command(session: Session, file: str, *, keys: tuple[str, ...], as_json: bool) -> int:
    """Sign a bundle, or a version of the roles that `rotate` made, with your key.

    A bundle is read and its tests run first: what fails is not signed. Where a role wants several
    signatures, each person signs the same file in turn.

    \b
    Examples:
      fairlead bundle sign web-7.fairlead --key bundle.key
      fairlead bundle sign roles.json --key bundle.key
    """
    if not keys:
        raise UsageError("with which key?", hint="--key bundle.key; `fairlead bundle keygen` makes one")
    content = bytes_of(file)
    made, signatures = (_roles if content.startswith(b"{") else _bundle)(content, keys_in(keys))
    write_bytes(file, made)
    ids = [each.keyid for each in signatures]
    if as_json:
        show_json({"file": file, "signatures": ids})
    else:
        say(file)
        note(f"signed by {', '.join(ids)}")
    return 0


def _bundle(content: bytes, keys: list[PrivateKey]) -> tuple[bytes, tuple[Signature, ...]]:
    bundle, _ = open_unchecked(content)
    with unpacked(bundle) as folder:
        require_rehearsed(folder)
    for key in keys:
        content = sign_bundle(content, key)
    return content, open_unchecked(content)[1]


def _roles(content: bytes, keys: list[PrivateKey]) -> tuple[bytes, tuple[Signature, ...]]:
    signed = read_signed_roles(content)
    read_roles(signed.content)
    for key in keys:
        signed = with_signature(signed, key.sign(signed.content, purpose=FOR_ROLES))
    return write_signed_roles(signed), signed.signatures
