"""What an ordinary user of this machine can do, found out as one."""

from __future__ import annotations

import os
import pwd
import subprocess
from collections.abc import Sequence

from fairlead.errors import FairleadError, UsageError
from fairlead.model.value import Value

NOBODY = 65534
_SECONDS = 60
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


class User(Value):
    name: str
    uid: int
    gid: int
    home: str


def require_root(action: str) -> None:
    if os.geteuid() != 0:
        raise FairleadError(f"to {action}, root is needed", hint="run it with sudo")


def ordinary_user(name: str = "") -> User:
    """The one of that name, else whoever called sudo, else the first person, else nobody at all."""
    if name:
        try:
            return _user(pwd.getpwnam(name))
        except KeyError:
            raise UsageError(f"there is no user {name!r}", hint="getent passwd lists them") from None
    caller = os.environ.get("SUDO_USER", "")
    people = [each for each in pwd.getpwall() if 1000 <= each.pw_uid < NOBODY]
    named = [each for each in people if each.pw_name == caller]
    found = next(iter((*named, *people)), None)
    return _user(found) if found is not None else User("nobody", NOBODY, NOBODY, "/nonexistent")


def _user(found: pwd.struct_passwd) -> User:
    if found.pw_uid == 0:
        raise UsageError("root is no ordinary user", hint="name another with --as")
    return User(found.pw_name, found.pw_uid, found.pw_gid, found.pw_dir)


def run_as(
    user: User, words: Sequence[str], given: bytes = b"", *, cwd: str = "/", seconds: int = _SECONDS
) -> tuple[int, bytes, bytes]:
    """With nothing of root's: neither its groups nor its variables. Exit code -1: it could not be run."""
    surroundings = {"PATH": PATH, "HOME": user.home, "USER": user.name, "LANG": "C.UTF-8"}
    try:
        done = subprocess.run(
            list(words),
            input=given,
            capture_output=True,
            cwd=cwd,
            env=surroundings,
            timeout=seconds,
            check=False,
            user=user.uid,
            group=user.gid,
            extra_groups=[],
            umask=0o022,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return -1, b"", str(error).encode()
    return done.returncode, done.stdout, done.stderr


def reads_same(user: User, path: str, content: bytes) -> bool:
    """Whether the user reads from there what root wrote."""
    code, read, _ = run_as(user, ["/bin/cat", "--", path])
    return code == 0 and read == content
