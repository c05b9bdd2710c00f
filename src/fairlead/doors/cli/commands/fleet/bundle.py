"""`fairlead bundle`: a policy folder as one signed file."""

from __future__ import annotations

import click

from fairlead.doors.cli.subcommands import Subcommands

SUBCOMMANDS: dict[str, str] = {
    "codes": "Make one-time codes that break the glass.",
    "answer-keys": "Make keys that break the glass by telephone.",
    "keygen": "Make a pair of keys.",
    "build": "Make a policy folder one file.",
    "sign": "Put your signature on a bundle.",
    "verify": "Ask what a machine asks before it takes a bundle.",
    "inspect": "Show what is in a bundle.",
    "publish": "Put a bundle where machines look for it.",
    "freshness": "Say again that what is published is current.",
    "rotate": "Change who may sign.",
}
"""Name and one line of help; the file is `cli/bundle/NAME.py`, with dashes as underscores."""


class BundleCommands(Subcommands):
    table = SUBCOMMANDS
    package = "fairlead.doors.cli.bundle"


@click.group(name="bundle", cls=BundleCommands)
def command() -> None:
    """Make a policy folder one signed file, and check such files.

    A machine that belongs to a fleet takes a bundle only with the signatures that it was told to believe, for
    its own group, never an older one, never an expired one, and only if it can read every policy in it. What
    was in force before stays in force until then.

    \b
    Examples:
      fairlead bundle build policy --group web --version 7 --key bundle.key
      fairlead bundle verify web-7.fairlead --public bundle.pub
    """
