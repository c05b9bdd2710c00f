"""Starts the agent where nothing else does. A hook call never does: it is the daemon, or a person.

A unit of systemd is the better way, since it starts with the machine and begins again after a crash; this is
for where there is none. Two agents never run: the second finds the lock taken, and ends.
"""

from __future__ import annotations

import os
import sys

from fairlead.doors.daemon.lifecycle import environment
from fairlead.doors.fleet.running.lock import running_agent
from fairlead.platforms import here
from fairlead.policy.installed import recorded_interpreter
from fairlead.policy.places import Places, make_private

LOG = "fleet-agent.log"


def our_words(places: Places) -> list[str]:
    """The beginning of a command of ours for these places: with an interpreter that lasts."""
    words = [recorded_interpreter(places) or sys.executable, "-I", "-m", "fairlead"]
    top, name = os.path.split(places.state)
    own_home = name == "state" and places.config == os.path.join(top, "config")
    return [*words, "--home", top] if own_home else words


def agent_words(places: Places) -> list[str]:
    return [*our_words(places), "fleet", "agent"]


def ensure_agent(places: Places) -> bool:
    """Starts it unless there is one; whether it did. Root's is root's to start. Raises OSError."""
    by_us = os.path.lexists(places.user_enrolment) and not os.path.lexists(places.system_enrolment)
    as_root = os.path.lexists(places.system_enrolment) and os.geteuid() == 0
    if not here.HAS_DAEMON or not (by_us or as_root) or running_agent(places.fleet):
        return False
    make_private(places.run)
    log_flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, os.path.join(places.run, LOG), log_flags, 0o600),
        (os.POSIX_SPAWN_DUP2, 1, 2),
    ]
    words = agent_words(places)
    os.posix_spawn(words[0], words, environment(), file_actions=actions, setsid=True)
    return True
