"""The call of a client that found no daemon: answered in this process, which then starts one for the next."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress

from fairlead.doors.daemon.lifecycle import ensure_daemon
from fairlead.doors.daemon.wire import reply_frame
from fairlead.doors.hook.call import answer
from fairlead.doors.hook.cold import call_of, finish, parse, write
from fairlead.doors.hook.systems import Systems
from fairlead.errors import FairleadError
from fairlead.policy.places import Places, find_places

_KEPT = "FAIRLEAD_KEPT_"
"""How the client names the variables of its caller, which it kept away from this interpreter."""


def main(words: list[str]) -> int:
    """The client takes the reply from its own descriptor, and nothing from stdout or the exit code."""
    arguments = parse(words)
    environment = callers(os.environ)
    places = find_places(arguments.home)
    systems = Systems(places, saving=True)
    answered = answer(call_of(arguments, environment), systems)
    write(arguments.reply_fd, reply_frame(answered.reply))
    os.close(arguments.reply_fd)
    _let_go()
    finish(answered, systems)
    _start_daemon(places, arguments.home)
    return 0


def callers(environment: Mapping[str, str]) -> dict[str, str]:
    """The caller's environment as it was, for the hooks that run in it."""
    return {name[len(_KEPT) :]: value for name, value in environment.items() if name.startswith(_KEPT)}


def _let_go() -> None:
    """Nobody waits for this process any more, and an agent waits for whoever holds its streams."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)


def _start_daemon(places: Places, home: str) -> None:
    with suppress(OSError, FairleadError):  # the answer is out, and the next call will try again
        ensure_daemon(places, home)
