"""`fairlead bundle keygen`: a pair of keys."""

from __future__ import annotations

import click

from fairlead.doors.cli.output import note, say, show_json
from fairlead.fleet.bundles.roles import key_id
from fairlead.fleet.bundles.signing import new_key, write_key


@click.command()
@click.argument("file", metavar="FILE", type=click.Path(dir_okay=False))
@click.option("--json", "as_json", is_flag=True, help="Print the public key as JSON.")
def command(file: str, *, as_json: bool) -> int:
    """Make a private key in FILE, readable by you alone, and print the public one.

    Keep the key that signs bundles away from the network: whoever has it decides what every machine does. The
    one that says what is current (`freshness`) is used every hour, so it lies where it is used.

    \b
    Examples:
      fairlead bundle keygen bundle.key > bundle.pub
      fairlead bundle keygen freshness.key
    """
    key = new_key()
    public = key.public
    write_key(file, key)
    if as_json:
        show_json({"key": public, "id": key_id(public), "file": file})
    else:
        say(public)
        note(f"the private key is in {file}; its id is {key_id(public)}")
    return 0
