"""What install, uninstall, status and doctor share: whose settings, which client, what was done."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
from collections.abc import Sequence

from fairlead.dialects.agent_registry import canonical_agent
from fairlead.dialects.setup.description import SECONDS
from fairlead.dialects.setup.installs import INSTALLS, found_agents
from fairlead.dialects.setup.site import Client, Site
from fairlead.doors.cli.installation.package_build import build_of
from fairlead.doors.cli.installation.private_environment import ensure_environment
from fairlead.doors.cli.output import Session
from fairlead.doors.cli.presentation.progress import progress
from fairlead.doors.hook.root import git_root
from fairlead.errors import FairleadError, UsageError
from fairlead.policy.installed import CLIENT, client_path, environments_folder
from fairlead.policy.places import Places, home_of_user, make_private
from fairlead.policy.record import change_record, seal
from fairlead.settings.ledger import Ledger


def site_of(scope: str) -> Site:
    """Agents look up their settings by $HOME, so we do too."""
    home = os.environ.get("HOME") or home_of_user()
    return Site(home, git_root(os.getcwd()), dict(os.environ), scope)


def ledger_of(session: Session) -> Ledger:
    return Ledger(session.places.installed)


def client_of(session: Session) -> Client:
    home = os.path.abspath(session.home) if session.home else ""
    return Client(client_path(session.places), home)


def chosen_agents(names: Sequence[str], site: Site) -> list[str]:
    """Those that were named, else those that are used on this machine."""
    if not names:
        return found_agents(site, shutil.which)
    agents = [canonical_agent(name) for name in names]
    without = [agent for agent in agents if agent not in INSTALLS]
    if without:
        raise UsageError(f"{without[0]} is not an agent that hooks can be installed for")
    return agents


def came_with_us() -> str:
    """The client that came with this package; empty when it is not where it should be."""
    beside = os.path.join(os.path.dirname(sys.executable), CLIENT)
    return beside if os.path.isfile(beside) else shutil.which(CLIENT) or ""


def built_client() -> str:
    found = came_with_us()
    if not found:
        raise FairleadError(
            f"{CLIENT} is not installed beside {sys.executable}", hint="install fairlead again"
        )
    return found


def place_client(session: Session, *, in_place: bool = False) -> str:
    """Copies the client to its stable path, outside any virtual environment, with what it has to know.

    Who answers comes first: a client that is there names one that works.
    """
    places = session.places
    client = client_path(places)
    make_private(os.path.dirname(client))
    known = _known(places, in_place=in_place)
    change_record(places, known)
    seal(places)
    place_command(os.path.join(os.path.dirname(client), "fairlead"), str(known["interpreter"]))
    with open(built_client(), "rb") as file:
        replace_program(client, file.read(), 0o755)
    return client


_LONGEST_FIRST_LINE = 250


def place_command(path: str, interpreter: str) -> None:
    """`fairlead` beside the client, for a person whose package is gone. The client, too, finds its
    interpreter by the first line of it, if it has lost its record; where a path fits no such line, there is
    no command."""
    first = f"#!{interpreter} -I\n"
    if " " in interpreter or len(first) > _LONGEST_FIRST_LINE:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)
        return
    replace_program(path, f"{first}from fairlead.__main__ import main\n\nmain()\n".encode(), 0o755)


def _known(places: Places, *, in_place: bool) -> dict[str, str | None]:
    """`interpreter`, `home` and `timeout` are read by the client itself; the rest is for people: which build
    of the package answers, and which interpreter it was made from."""
    with progress("making an environment for the agents"):
        interpreter = sys.executable if in_place else ensure_environment(environments_folder(places))
    return {
        "interpreter": interpreter,
        "home": home_of_user(),
        "timeout": str(SECONDS),
        "build": None if in_place else build_of(),
        "origin": sys.executable,
    }


def replace_program(path: str, content: bytes, mode: int) -> None:
    """In one step, and on the disk before it counts: an empty client after a crash would be no client."""
    try:
        with open(path, "rb") as file:
            if file.read() == content and os.stat(path).st_mode & 0o777 == mode:
                return
    except OSError:
        pass  # it is not there yet, or nothing that can be kept
    draft = f"{path}.{os.getpid()}.new"
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, mode)
    with os.fdopen(descriptor, "wb") as file:
        os.fchmod(descriptor, mode)
        file.write(content)
        file.flush()
        os.fsync(descriptor)
    os.replace(draft, path)
