"""`fairlead bundle codes`: one-time codes to print, and what a policy says of them."""

from __future__ import annotations

import os

import click

from fairlead.doors.cli.bundle.files import GROUP
from fairlead.doors.cli.output import Session, note, say, show_json
from fairlead.errors import UsageError
from fairlead.fleet.documents import NAME
from fairlead.policy.glass.codes import SALT, Entry, entry_of, new_code


@click.command(name="codes")
@click.option(
    "--count",
    "number",
    type=click.IntRange(1, 200),
    default=10,
    show_default=True,
    metavar="N",
    help="How many.",
)
@click.option(
    "--group", type=GROUP, metavar="G", help="For every machine of this group, each code once on each."
)
@click.option("--machine", metavar="M", help="For this machine alone.")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@click.pass_obj
def command(session: Session, *, number: int, group: str | None, machine: str | None, as_json: bool) -> int:
    """Make one-time codes that break the glass, and the lines that `hooks/managed.yaml` needs to know them.

    The codes are shown once and kept nowhere: print them, and put them where a person finds them when all
    else is down. The lines go into the bundle of the group; nobody gets a code out of them.

    \b
    Examples:
      fairlead bundle codes --group web
      fairlead bundle codes --machine m-4f2a91c07be3d855 --count 3
    """
    if bool(group) == bool(machine):
        raise UsageError("a code is for a group or for one machine", hint="--group G, or --machine M")
    if machine and not NAME.fullmatch(machine):
        raise UsageError(
            f"{machine!r} is no name of a machine", hint="`fairlead fleet status` shows it there"
        )
    codes = _made(number, machine or "")
    if as_json:
        shown = [{"code": code, "name": entry.name, "entry": entry.text} for code, entry in codes]
        show_json({"group": group, "machine": machine, "codes": shown})
    else:
        _say(codes, f"group {group}" if group else f"machine {machine}")
    return 0


def _made(number: int, machine: str) -> list[tuple[str, Entry]]:
    salt = os.urandom(SALT)
    codes = [new_code() for _ in range(number)]
    return [(code, entry_of(code, salt, machine)) for code in codes]


def _say(codes: list[tuple[str, Entry]], whose: str) -> None:
    note(f"To print, and to keep apart from every machine; for {whose}:")
    for code, entry in codes:
        say(f"{code}  {entry.name}")
    note("For hooks/managed.yaml:")
    say("break_glass:")
    say("  codes:")
    for _, entry in codes:
        say(f"    - {entry.text}")
