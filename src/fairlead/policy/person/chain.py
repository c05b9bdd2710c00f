"""Does the chain of parents lead to a person? What is not known to do so does not.

A person's command runs in the foreground of a terminal, below shells that wait for input, and these below a
login: a remote one, a console, a terminal program, an editor's terminal, a container that was entered from
outside. Whoever makes a terminal of their own (`script`, `expect`, a few lines of Python), starts a session
of their own (`setsid`) or outlives their parents (`nohup`, `at`, `systemd-run`) has no such chain.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Sequence

from fairlead.policy.person.processes import Process
from fairlead.policy.person.programs import (
    AGENT_VARIABLES,
    AGENTS,
    CONTAINER_INITS,
    ELEVATORS,
    IDE_HOSTS,
    IDES,
    INITS,
    KEEPERS,
    LAUNCHERS,
    LOGINS,
    REMOTE,
    SHELL_OPTIONS_WITH_VALUE,
    SHELLS,
    WSL_INIT,
    Login,
)

Viewers = Callable[[Process, Process], Iterable[Sequence[Process]]]
"""The lineages of those who look at a terminal that a server keeps: the server, and the process below it."""
_NESTED = 3
_TEMPORARY = ("/tmp/", "/var/tmp/", "/dev/shm/")  # noqa: S108 - where anybody can put a program of any name
_ENDS = "the chain of its parents ends at init, and no login of a person is in it"
_COMMAND = re.compile(r"-[A-Za-z]*c")
_LOOPBACK = ("127.", "::1", "::ffff:127.")


def why_no_person(chain: Sequence[Process], viewers: Viewers, *, nested: int = 0) -> str:
    """What speaks against a person at the terminal of the first process; empty when nothing does."""
    if not chain:
        return "its own process cannot be seen"
    own = chain[0]
    if not own.foreground or own.foreground != own.group:
        return "it does not run in the foreground of a terminal"
    if own.group not in [process.id for process in chain]:
        return f"its process group {own.group} was begun by a program that is not among its parents"
    for place, process in enumerate(chain):
        if place:
            answer = _reached(process, chain, place, viewers, nested)
            if answer is not None:
                return answer
        if process.parent == 0:
            return _entered(process)
    return f"process {chain[-1].parent}, one of its parents, cannot be seen"


def _reached(
    process: Process, chain: Sequence[Process], place: int, viewers: Viewers, nested: int
) -> str | None:
    """What is known once this parent is reached; None when its own parents have to be looked at."""
    child = chain[place - 1]
    login = _login(process, chain[place + 1 : place + 2])
    if login is not None:
        if login is REMOTE and _from_here(child, own=chain[0]):
            return "it came in from this machine itself"
        return "" if login.direct or waits_for_input(child) else _unattended(child)
    if process.name in KEEPERS:
        return _looked_at(process, child, viewers, nested)
    if process.name in INITS or (process.id == 1 and not _passes(process)):
        return _ENDS
    if not _passes(process):
        return f"it was started by {process.name or 'a program without a name'} (process {process.id})"
    if child.session != process.session and not _is_elevated(child):
        return f"process {child.id} ({child.name}) began a session of its own"
    return None


def _login(process: Process, above: Sequence[Process]) -> Login | None:
    for login in LOGINS:
        if process.name in login.names or _script(process) in login.names:
            if not login.root:
                return login if _is_no_guise(process) else None
            same = [each for each in above if each.name in login.names]
            return login if any(each.user == 0 for each in (process, *same)) else None
    if process.name == "su" and process.user == 0 and process.started_by > 0:
        return Login(frozenset())  # whoever is not root has given a password
    hosts = process.name in IDES or process.name.split(" ")[0] in IDES
    if hosts and any(word in IDE_HOSTS for word in process.words):
        return Login(frozenset())
    if process.words[:1] == (WSL_INIT,) and process.user == 0 and process.id != 1:
        return Login(frozenset())
    return None


def _script(process: Process) -> str:
    """Some terminal programs are scripts of the system: `python3 /usr/bin/terminator`."""
    word = process.words[1] if len(process.words) > 1 and process.name.startswith("python") else ""
    return os.path.basename(word) if word.startswith("/usr/") else ""


def _is_no_guise(process: Process) -> bool:
    """A shell can be copied to a file with any name."""
    return not process.program.startswith(_TEMPORARY)


def _from_here(child: Process, *, own: Process) -> bool:
    """An `ssh localhost` proves nothing that the agent could not do. What came in has the two addresses with
    it, unless somebody has taken care that it has not."""
    addresses = child.variables.get("SSH_CONNECTION", "").split()[::2]
    if len(addresses) != 2:
        return child.user == own.user
    return addresses[0].startswith(_LOOPBACK) or addresses[0] == addresses[1]


def _looked_at(server: Process, child: Process, viewers: Viewers, nested: int) -> str:
    if not waits_for_input(child):
        return _unattended(child)
    if nested < _NESTED:
        for lineage in viewers(server, child):
            if not why_no_person(lineage, viewers, nested=nested + 1):
                return ""
    return f"no person is seen to look at this terminal of {server.name}"


def _unattended(process: Process) -> str:
    return f"{process.name} (process {process.id}) is no shell that waits for what a person types"


def _entered(process: Process) -> str:
    """A process without a parent came from outside, as by `docker exec -it`, or is the container's first."""
    known = process.name in SHELLS or process.name in CONTAINER_INITS or process.id != 1
    if known and process.terminal and process.session == process.id:
        return ""
    return _ENDS


def _passes(process: Process) -> bool:
    if process.name in SHELLS:
        return waits_for_input(process)
    if process.name in ELEVATORS:
        return process.user == 0
    return process.name in LAUNCHERS or (process.id == 1 and process.name in CONTAINER_INITS)


def _is_elevated(process: Process) -> bool:
    return process.name in ELEVATORS and process.user == 0


def waits_for_input(process: Process) -> bool:
    """A shell that was given neither a command nor a script, but for another such shell: `sh -c zsh`."""
    if process.name not in SHELLS:
        return False
    if process.words[1:2] == ("-c",) and len(process.words) == 3:
        inner = process.words[2].removeprefix("exec ").split()
        return bool(inner) and waits_for_input(Process(0, 0, tuple(inner)))
    words = iter(process.words[1:])
    if process.name == "busybox" and process.words[:1] == ("busybox",):
        next(words, None)
    for word in words:
        if word.lower() == "-noexit":
            return True
        if word in SHELL_OPTIONS_WITH_VALUE:
            next(words, None)
        elif not word.startswith(("-", "+")) or word == "--command" or _COMMAND.match(word):
            return False
    return True


def find_agent(chain: Iterable[Process]) -> str:
    """The first sign of an agent among these processes; empty when there is none."""
    for process in chain:
        program = agent_among(process.words)
        if program:
            return f"{program} (process {process.id})"
        marker = next((name for name in process.variables if name in AGENT_VARIABLES), "")
        if marker:
            return f"an agent ({marker} is set for process {process.id})"
    return ""


def agent_among(words: tuple[str, ...]) -> str:
    """The program itself, or the script that an interpreter runs: `node /usr/bin/gemini`."""
    named = [word for word in words[:4] if not word.startswith("-")][:2]
    for word in named:
        name = os.path.basename(word).lower()
        stem = name.removesuffix(".exe").removesuffix(".js").removesuffix(".mjs").removesuffix(".py")
        if stem in AGENTS:
            return stem
    return ""
