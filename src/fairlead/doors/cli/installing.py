"""What install, uninstall, status and doctor share: whose settings, which client, what was done."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence

from fairlead.dialects.installs import INSTALLS, SECONDS, Client, Site, found_agents
from fairlead.dialects.table import canonical_agent
from fairlead.doors.cli.output import Session
from fairlead.doors.hook.root import git_root
from fairlead.errors import FairleadError, UsageError
from fairlead.policy.places import home_of_user, make_private
from fairlead.policy.record import change_record, seal
from fairlead.settings.ledger import Ledger

NAME = "fairlead-hook"


def site_of(scope: str) -> Site:
    """Agents look up their settings by $HOME, so we do too."""
    home = os.environ.get("HOME") or home_of_user()
    return Site(home, git_root(os.getcwd()), dict(os.environ), scope)


def ledger_of(session: Session) -> Ledger:
    return Ledger(session.places.installed)


def client_of(session: Session) -> Client:
    home = os.path.abspath(session.home) if session.home else ""
    return Client(os.path.join(session.places.share, "bin", NAME), home)


def chosen_agents(names: Sequence[str], site: Site) -> list[str]:
    """Those that were named, else those that are used on this machine."""
    if not names:
        return found_agents(site, shutil.which)
    agents = [canonical_agent(name) for name in names]
    without = [agent for agent in agents if agent not in INSTALLS]
    if without:
        raise UsageError(f"{without[0]} is not an agent that hooks can be installed for")
    return agents


def built_client() -> str:
    """The client that came with this package."""
    beside = os.path.join(os.path.dirname(sys.executable), NAME)
    found = beside if os.path.isfile(beside) else shutil.which(NAME)
    if not found:
        raise FairleadError(f"{NAME} is not installed beside {sys.executable}", hint="install fairlead again")
    return found


def place_client(session: Session) -> str:
    """Copies the client to its stable path, outside any virtual environment, with what it has to know."""
    client = client_of(session).path
    make_private(os.path.dirname(client))
    known = {"interpreter": sys.executable, "home": home_of_user(), "timeout": f"{SECONDS}"}
    change_record(session.places, known)
    seal(session.places)
    with open(built_client(), "rb") as file:
        content = file.read()
    _replace(client, content, 0o755)
    return client


def _replace(path: str, content: bytes, mode: int) -> None:
    try:
        with open(path, "rb") as file:
            if file.read() == content:
                return
    except OSError:
        pass  # it is not there yet, or nothing that can be kept
    draft = f"{path}.{os.getpid()}.new"
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, mode)
    with os.fdopen(descriptor, "wb") as file:
        os.fchmod(descriptor, mode)
        file.write(content)
    os.replace(draft, path)
