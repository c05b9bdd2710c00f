"""`fairlead bundle answer-keys`: keys for answers that are read out, and what a policy says of them."""

from __future__ import annotations

import click

from fairlead.doors.cli.bundle.files import GROUP
from fairlead.doors.cli.output import Session, note, say, show_json
from fairlead.fleet.glass.answer_keys import MOST, new_keys, write_keys


@click.command(name="answer-keys")
@click.option("--group", type=GROUP, required=True, metavar="G", help="Whose machines they answer.")
@click.option(
    "--count",
    "number",
    type=click.IntRange(1, MOST),
    default=10,
    show_default=True,
    metavar="N",
    help="How many answers.",
)
@click.option("--out", required=True, metavar="FILE", help="Where the keys are written.")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@click.pass_obj
def command(session: Session, *, group: str, number: int, out: str, as_json: bool) -> int:
    """Make keys that answer challenges by telephone, and the lines that `hooks/managed.yaml` needs.

    Each key answers one challenge of one machine, and is used up. The file is for one person, who answers by
    `fairlead fleet answer-challenge`: it remembers what each key has answered, so it is never copied. The
    lines go into the bundle of the group; nobody gets a key out of them.

    \b
    Example:
      fairlead bundle answer-keys --group web --out ana.answers
    """
    keys = new_keys(group, number)
    entries = [keys.entry(place) for place in range(number)]
    write_keys(out, keys)
    if as_json:
        show_json({"group": group, "file": out, "answers": [entry.text for entry in entries]})
        return 0
    note(f"{out} holds {number} keys, each for one answer; make another file for another person")
    note("For hooks/managed.yaml:")
    say("break_glass:")
    say("  answers:")
    for entry in entries:
        say(f"    - {entry.text}")
    return 0
