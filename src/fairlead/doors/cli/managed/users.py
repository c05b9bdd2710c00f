"""What an ordinary user of this machine can do, found out as one."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence

from fairlead.errors import FairleadError, TrustError, UsageError
from fairlead.platforms import here
from fairlead.platforms.shapes import Account
from fairlead.policy.human import require_human
from fairlead.policy.person.chain import find_agent
from fairlead.policy.person.processes import lineage
from fairlead.policy.person.programs import AGENT_VARIABLES
from fairlead.policy.places import Places
from fairlead.policy.reading.schema import suggestion

NOBODY = 65534
_SECONDS = 60
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


User = Account


def require_root(action: str) -> None:
    if os.geteuid() != 0:
        raise FairleadError(f"to {action}, root is needed", hint="run it with sudo")


def require_administrator(places: Places, action: str, *, yes: bool) -> None:
    """Root at a terminal, or root's own automation with `yes`; not an agent that runs as root."""
    require_root(action)
    if not yes:
        require_human(places, action)
        return
    marker = next((name for name in os.environ if name in AGENT_VARIABLES), "")
    agent = f"an agent ({marker} is set)" if marker else find_agent(list(lineage())[1:])
    if agent:
        raise TrustError(f"to {action}, this runs inside {agent}", hint="run it outside the agent")


def ordinary_user(name: str = "") -> User:
    """The one of that name, else whoever called sudo, else the first person, else nobody at all."""
    if name:
        account = here.account_named(name)
        if account is None:
            hint = suggestion(name, [each.name for each in here.accounts()], otherwise="getent passwd")
            raise UsageError(f"there is no user {name!r}", hint=hint)
        return _user(account)
    caller = os.environ.get("SUDO_USER", "")
    people = [each for each in here.accounts() if 1000 <= each.uid < NOBODY]
    named = [each for each in people if each.name == caller]
    found = next(iter((*named, *people)), None)
    return _user(found) if found is not None else User("nobody", NOBODY, NOBODY, "/nonexistent")


def _user(found: Account) -> User:
    if found.uid == 0:
        raise UsageError("root is no ordinary user", hint="name another with --as")
    return found


def run_as(
    user: User, words: Sequence[str], given: bytes = b"", *, seconds: int = _SECONDS, path: str = PATH
) -> subprocess.CompletedProcess[bytes]:
    """With nothing of root's: neither its groups nor its variables. Exit code -1: it could not be run."""
    surroundings = {"PATH": path, "HOME": user.home, "USER": user.name, "LANG": "C.UTF-8"}
    try:
        return subprocess.run(
            list(words),
            input=given,
            capture_output=True,
            cwd="/",
            env=surroundings,
            timeout=seconds,
            check=False,
            user=user.uid,
            group=user.gid,
            extra_groups=[],
            umask=0o022,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return subprocess.CompletedProcess(words, -1, b"", str(error).encode())


def path_of(user: User) -> str:
    """Where the user's own shell looks for programs, such as those that npm put below the home."""
    done = run_as(user, ["/bin/bash", "-lc", 'printf %s "$PATH"'])
    found = done.stdout.decode(errors="replace")
    return found if done.returncode == 0 and found else PATH


def reads_same(user: User, path: str, content: bytes) -> bool:
    """Whether the user reads from there what root wrote."""
    done = run_as(user, ["/bin/cat", "--", path])
    return done.returncode == 0 and done.stdout == content
