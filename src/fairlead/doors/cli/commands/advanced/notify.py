"""`fairlead notify`: of what you are told at once, and whether that works."""

from __future__ import annotations

import os

import click

from fairlead.doors.cli.output import Session, note, show_json, tell
from fairlead.doors.hook.notices import Notice
from fairlead.doors.hook.notifiers import notify
from fairlead.errors import PolicyError
from fairlead.policy.notices import OCCASIONS, TERMINAL, notices_path, read_notice_settings


@click.command(name="notify")
@click.option("--try", "tried", is_flag=True, help="Send a notice now.")
@click.option("--json", "as_json", is_flag=True, help="Print the settings as JSON.")
@click.pass_obj
def command(session: Session, *, tried: bool, as_json: bool) -> int:
    """Show of what you are told at once: questions, refusals, and what ran although it was refused.

    Off until there is a file `notify.yaml` in your own folder, ~/.config/fairlead: no project can set it.

    \b
    Example of the file:
      on: [ask, block, ran]      # would: what audit mode kept back
      with: notify-send          # terminal, or [/home/me/bin/tell, --flag], which reads JSON
      at_most: 6                 # a minute

    \b
    Examples:
      fairlead notify
      fairlead notify --try
    """
    path = notices_path(session.places)
    settings, problems = read_notice_settings(path)
    if problems:
        first = problems[0]
        hint = first.hint or "`fairlead notify --help` shows how"
        raise PolicyError(f"{first.place}: {first.message}", hint=hint)
    on = [word for word in OCCASIONS if word in settings.on]
    way = settings.way or " ".join(settings.command)
    if as_json:
        show_json({"file": path, "on": on, "with": way, "at_most": settings.at_most})
    elif on:
        tell(f"{', '.join(on)} with {way}, at most {settings.at_most} a minute ({path})")
    else:
        tell(f"nothing: there is no {path}" if not os.path.exists(path) else f"nothing, says {path}")
    if tried:
        words = "in the terminal that SSH_TTY, GPG_TTY or TTY names" if settings.way == TERMINAL else "now"
        notify(settings, Notice("ask", "Fairlead: a try", "This is how you are told."), os.environ)
        note(f"sent; you should see it {words}")
    return 0
