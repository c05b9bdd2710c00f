"""Where Fairlead keeps things. `~` is the home of the uid: an agent's settings can set `$HOME` for hooks."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping

from fairlead.errors import FairleadError
from fairlead.model.value import Value
from fairlead.platforms import here

SYSTEM = "/etc/fairlead"
SYSTEM_FLEET = "/var/lib/fairlead/fleet"
ENROLMENT = "fleet.yaml"
"""In a folder of policies: which fleet this machine belongs to."""
MANAGED = "/opt/fairlead"
"""Not below /usr/local, which on some systems a group, or a package manager without root, can write."""
PROJECT_FOLDER = ".fairlead"


class Places(Value):
    """Folders by what they hold; none has to exist. `config` and `system` are policy roots."""

    config: str
    state: str
    run: str
    share: str
    system: str = SYSTEM
    system_fleet: str = SYSTEM_FLEET
    managed: str = ""
    """What `install --system` places for every user; empty where `--home` moved everything."""

    @property
    def fleet(self) -> str:
        """What was taken up from the fleet: root's, where root has enrolled this machine, else the user's."""
        return self.system_fleet if os.path.lexists(self.system_enrolment) else f"{self.state}/fleet"

    @property
    def system_enrolment(self) -> str:
        return f"{self.system}/{ENROLMENT}"

    @property
    def user_enrolment(self) -> str:
        return f"{self.config}/{ENROLMENT}"

    @property
    def of_machine(self) -> Places:
        """The same for the client that the machine's managed settings start."""
        return self.replace(share=self.managed)

    @property
    def trust(self) -> str:
        return os.path.join(self.state, "trust")

    @property
    def off_marker(self) -> str:
        return f"{self.state}/off"  # asked for at every call

    @property
    def client_record(self) -> str:
        """What the installed client knows: above all, which interpreter to start."""
        return os.path.join(self.share, "bin", "fairlead-hook.record")

    @property
    def mcp_doors(self) -> str:
        """What hooks leave for the doors of MCP servers."""
        return f"{self.state}/mcp/doors"  # asked for at every call of an MCP tool

    @property
    def installed(self) -> str:
        """The ledger of what was done to which file of an agent."""
        return os.path.join(self.state, "installed.json")

    @property
    def wrapped(self) -> str:
        """The ledger of the files of MCP clients that have the door before their servers."""
        return os.path.join(self.state, "mcp-servers.json")

    @property
    def passphrase(self) -> str:
        return os.path.join(self.state, "passphrase")

    @property
    def record(self) -> str:
        """What the installed client has to know."""
        return f"{self.share}/bin/fairlead-hook.record"


def find_places(
    home: str = "", *, environment: Mapping[str, str] | None = None, hook_mode: bool = True
) -> Places:
    """`home` is `--home`. `FAIRLEAD_HOME` counts outside hook mode only: no variable moves a guard."""
    if not home and not hook_mode and environment:
        home = environment.get("FAIRLEAD_HOME", "")
    if home:
        top = os.path.normpath(os.path.join(os.getcwd(), home))
        return Places(*(os.path.join(top, name) for name in ("config", "state", "run", "share")))
    user = home_of_user()
    return Places(
        config=os.path.join(user, ".config/fairlead"),
        state=os.path.join(user, ".local/state/fairlead"),
        run=_runtime_folder(),
        share=os.path.join(user, ".local/share/fairlead"),
        managed=MANAGED,
    )


def home_of_user() -> str:
    home = here.home_of_user()
    if not home:
        raise FairleadError(
            f"user {os.getuid()} has no home folder", hint="give one: fairlead --home DIR ..."
        )
    return home


def _runtime_folder() -> str:
    """Under the session's own runtime folder if it is truly ours, else under /tmp, by uid."""
    uid = os.getuid()
    own = f"/run/user/{uid}"
    try:
        info = os.lstat(own)
    except OSError:
        return f"/tmp/fairlead-{uid}"  # noqa: S108 - made 0700, owner and type checked before use
    if stat.S_ISDIR(info.st_mode) and info.st_uid == uid:
        return f"{own}/fairlead"
    return f"/tmp/fairlead-{uid}"  # noqa: S108 - as above


def make_private(folder: str) -> None:
    """Make `folder` for this user alone, and refuse one that somebody else prepared."""
    os.makedirs(folder, mode=0o700, exist_ok=True)
    info = os.lstat(folder)
    if not stat.S_ISDIR(info.st_mode) or info.st_uid != os.getuid():
        raise FairleadError(f"{folder} is not a folder of this user", hint="remove it, and try again")
    if stat.S_IMODE(info.st_mode) & 0o077:
        os.chmod(folder, 0o700)


def write_private(path: str, content: bytes) -> None:
    """Replace the file in one step: readers see the old content or the new, never a part."""
    make_private(os.path.dirname(path))
    draft = f"{path}.{os.getpid()}.new"
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, path)
    except OSError:
        os.unlink(draft)
        raise


def read_own(path: str, limit: int) -> bytes | None:
    """A small file that nobody but its owner (we, or root) can have written; None for anything else."""
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
    try:
        descriptor = os.open(path, flags)
    except OSError:
        return None
    try:
        found = os.fstat(descriptor)
        others_write = stat.S_IMODE(found.st_mode) & 0o022
        if not stat.S_ISREG(found.st_mode) or others_write or found.st_uid not in (os.getuid(), 0):
            return None
        return os.read(descriptor, limit)
    except OSError:
        return None
    finally:
        os.close(descriptor)
