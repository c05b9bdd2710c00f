"""An environment that belongs to Fairlead alone, with copies of what it needs.

What agents call must not go with a cache, a clone or a `pip uninstall`, must not change under a running agent
while a person upgrades, and must not be where an agent installs packages. So `install` copies the package and
what it needs into a virtual environment of its own. Each has the name of what is in it; the client's record
names the one in force, so that one rename of the record is the whole switch.
"""

from __future__ import annotations

import compileall
import contextlib
import hashlib
import json
import os
import shutil
import site
import stat
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Sequence
from importlib.util import cache_from_source

from fairlead.doors.cli.installation.distributions import Distribution, needed_distributions
from fairlead.doors.cli.installation.lasting import who_else_writes, why_it_goes
from fairlead.doors.cli.installation.package_build import PACKAGE, build_of, package_files
from fairlead.errors import FairleadError
from fairlead.executors.workers import MIDDLEWARE_PACKAGES
from fairlead.policy.places import make_private

_SECONDS = 120
_STALE_SECONDS = 3600
_PROGRAMS = ("fairlead-hook", "fairlead-recorder")


def ensure_environment(folder: str, *, for_all: bool = False) -> str:
    """The interpreter of the environment under `folder` that holds this very package; made if need be.

    `for_all`: every user of the machine reads it, and it looks into no folder of packages that is a person's.
    """
    _refuse_what_goes()
    if for_all:
        os.makedirs(folder, mode=0o755, exist_ok=True)
    else:
        make_private(folder)
    outside = () if for_all else tuple(_middleware_packages())
    wanted = os.path.join(folder, _name(outside))
    if not _is_good(wanted):
        _make(wanted, outside, for_all=for_all)
    os.utime(wanted)
    _remove_older(folder, wanted)
    return interpreter_of(wanted)


def interpreter_of(environment: str) -> str:
    return os.path.join(environment, "bin", "python3")


def packages_of(environment: str) -> str:
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    return os.path.join(environment, "lib", version, "site-packages")


def base_interpreter() -> str:
    """The one that virtual environments are made of."""
    return os.path.realpath(getattr(sys, "_base_executable", "") or sys.executable)


def _refuse_what_goes() -> None:
    base = base_interpreter()
    why = why_it_goes(base)
    open_to_all = who_else_writes(base)
    if open_to_all:
        why = f"everybody can write {open_to_all}"
    if why:
        raise FairleadError(
            f"agents would depend on {base}, and {why}",
            hint="use a Python that stays, such as: pipx install --python /usr/bin/python3 fairlead",
        )


def _name(outside: Sequence[str]) -> str:
    """Of the package, of what it needs, and of the interpreter."""
    parts = [build_of(), base_interpreter(), sys.version, *outside]
    parts += [f"{one.name} {one.version}" for one in needed_distributions()]
    return f"{build_of()}-{hashlib.sha256(chr(0).join(parts).encode()).hexdigest()[:8]}"


def _middleware_packages() -> list[str]:
    """Where the person keeps packages for hooks of their own, if that stays: workers look there last."""
    inherited = os.path.join(sys.prefix, MIDDLEWARE_PACKAGES)
    if os.path.exists(inherited):
        with open(inherited, encoding="utf-8") as file:
            return file.read().splitlines()
    places = [*site.getsitepackages(), *([site.getusersitepackages()] if site.ENABLE_USER_SITE else [])]
    return [place for place in places if os.path.isdir(place) and not why_it_goes(place)]


def _is_good(environment: str) -> bool:
    copied = os.path.join(packages_of(environment), "fairlead")
    return build_of(copied) == build_of() and not _complaint(environment)


def _make(wanted: str, outside: Sequence[str], *, for_all: bool) -> None:
    draft = tempfile.mkdtemp(prefix=".new-", dir=os.path.dirname(wanted))
    try:
        _fill(draft, outside)
        if for_all:
            _open_to_all(draft)
        complaint = _complaint(draft)
        if complaint:
            raise FairleadError(f"the environment for the agents does not work: {complaint}")
        _put_in_place(draft, wanted)
    except OSError as error:
        raise FairleadError(f"the environment for the agents cannot be made: {error}") from error
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _put_in_place(draft: str, wanted: str) -> None:
    """Somebody else may have made it meanwhile; one that was there and is damaged goes first."""
    if os.path.lexists(wanted):
        if _is_good(wanted):
            return
        os.rename(wanted, f"{draft}.old")
        shutil.rmtree(f"{draft}.old", ignore_errors=True)
    os.rename(draft, wanted)


class _Bare(venv.EnvBuilder):
    """Without scripts to activate it, which would name the folder that it was made in."""

    def setup_scripts(self, context: object) -> None: ...


def _open_to_all(environment: str) -> None:
    """Everybody reads it, its owner alone writes; and it is compiled, which no other user could do later."""
    compileall.compile_dir(packages_of(environment), quiet=2)
    os.chmod(environment, 0o755)  # noqa: S103 - that is what it is for
    for folder, inner, files in os.walk(environment):
        for path in (os.path.join(folder, name) for name in (*inner, *files)):
            mode = os.lstat(path).st_mode
            if not stat.S_ISLNK(mode):
                runs = 0o111 if stat.S_ISDIR(mode) or mode & 0o100 else 0
                os.chmod(path, 0o644 | runs)


def _fill(environment: str, outside: Sequence[str]) -> None:
    _Bare(symlinks=True, with_pip=False).create(environment)
    packages = packages_of(environment)
    os.makedirs(packages, exist_ok=True)
    for path in package_files(PACKAGE):
        _copy(path, os.path.join(packages, "fairlead", os.path.relpath(path, PACKAGE)))
    for one in needed_distributions():
        _copy_distribution(one, packages)
    for program in _PROGRAMS:
        beside = os.path.join(os.path.dirname(sys.executable), program)
        found = beside if os.path.isfile(beside) else shutil.which(program)
        if found:
            shutil.copy2(found, os.path.join(environment, "bin", program))
    with open(os.path.join(environment, MIDDLEWARE_PACKAGES), "w", encoding="utf-8") as file:
        file.write("\n".join(outside))


def _copy_distribution(one: Distribution, packages: str) -> None:
    for path, relative in one.files:
        _copy(path, os.path.join(packages, relative))


def _copy(path: str, target: str) -> None:
    """With its times, so that what Python compiled of it still fits."""
    os.makedirs(os.path.dirname(target), exist_ok=True)
    shutil.copy2(path, target)
    if path.endswith(".py"):
        with contextlib.suppress(OSError):  # it was not compiled yet
            compiled = cache_from_source(path)
            os.makedirs(os.path.dirname(cache_from_source(target)), exist_ok=True)
            shutil.copy2(compiled, cache_from_source(target))


def _complaint(environment: str) -> str:
    """Asks it for its version, and for its opinion of a forbidden call; empty when both are right."""
    words = [interpreter_of(environment), "-I", "-m", "fairlead"]
    call = {"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "rm -rf /"}}
    call |= {"session_id": "fairlead-install", "cwd": "/"}
    with tempfile.TemporaryDirectory(prefix="fairlead-trial-") as home:
        hook = [*words, "--home", home, "hook", "claude", "PreToolUse"]
        return _wrong([*words, "--version"], "", code=0) or _wrong(hook, json.dumps(call), code=2)


def _wrong(words: list[str], given: str, *, code: int) -> str:
    surroundings = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}
    try:
        done = subprocess.run(
            words,
            input=given,
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            cwd="/",
            env=surroundings,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    said = done.stderr.strip()[-300:]
    return "" if done.returncode == code else f"`{' '.join(words)}` ended with {done.returncode}: {said}"


def _remove_older(folder: str, kept: str) -> None:
    """All but the one that was in force before: calls that began with it may still need a module of it."""
    others = sorted((path for path in _inside(folder) if path != kept), key=_used)
    drafts = [path for path in others if os.path.basename(path).startswith(".")]
    finished = [path for path in others if path not in drafts]
    stale = [path for path in drafts if time.time() - _used(path) > _STALE_SECONDS]
    for path in (*finished[:-1], *stale):
        shutil.rmtree(path, ignore_errors=True)


def _inside(folder: str) -> list[str]:
    return [os.path.join(folder, name) for name in os.listdir(folder)]


def _used(path: str) -> float:
    """When it was last put in force; somebody else may have removed it."""
    try:
        return os.stat(path).st_mtime
    except OSError:
        return 0.0
