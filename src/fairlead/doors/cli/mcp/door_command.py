"""What install, uninstall, status and doctor share: whose files, and which command stands in them."""

from __future__ import annotations

import os

from fairlead.doors.cli.installation.installing import place_client
from fairlead.doors.cli.output import Session, note
from fairlead.doors.hook.root import git_root
from fairlead.doors.mcp.setup.clients import Site
from fairlead.errors import FairleadError
from fairlead.policy.installed import client_path
from fairlead.policy.places import home_of_user


def mcp_site() -> Site:
    """Clients look up their files by $HOME, so we do too."""
    home = os.environ.get("HOME") or home_of_user()
    return Site(home, git_root(os.getcwd()), dict(os.environ))


def door_command(session: Session) -> list[str]:
    """What the files name: the command of the build in force, at a place that no upgrade moves.

    It is started by its path, and no shell stands between: where it is missing, the client cannot start the
    server, and nothing is called past the door.
    """
    program = os.path.join(os.path.dirname(client_path(session.places)), "fairlead")
    return [program, *(["--home", os.path.abspath(session.home)] if session.home else [])]


def place_door(session: Session, *, in_place: bool) -> None:
    """Puts it there, as `fairlead install` does; one that is there stays as it is."""
    program = door_command(session)[0]
    if not os.access(program, os.X_OK):
        note(f"client  {place_client(session, in_place=in_place)}")
    if not os.access(program, os.X_OK):
        raise FairleadError(
            f"there is no command at {program}: its folder has a blank in it, or too long a name",
            hint="keep Fairlead elsewhere: fairlead --home DIR mcp install",
        )
