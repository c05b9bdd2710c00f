"""Options of the commands that publish, or say anew what is current."""

from __future__ import annotations

import click

from fairlead.doors.cli.given.folders import FILE

TO = click.option(
    "--to", "address", required=True, metavar="ADDRESS", help="Where: folder:DIR, nats://... or tls://..."
)
CREDENTIALS = click.option(
    "--credentials", type=FILE, default="", metavar="FILE", help="What lets us in there."
)
TLS_CA = click.option(
    "--tls-ca", type=FILE, default="", metavar="FILE", help="The authority that the address is checked by."
)
FRESHNESS_KEY = click.option(
    "--freshness-key", type=FILE, required=True, metavar="FILE", help="The online private key."
)
FRESH_FOR = click.option(
    "--fresh-for", default="24h", metavar="LENGTH", help="How long the word holds: 24h unless you say so."
)
