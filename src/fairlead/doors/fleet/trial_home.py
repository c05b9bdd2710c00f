"""A policy folder as machines will read it: in force as the layer of the fleet, in a home of its own."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from fairlead.assembly import build, policy_for
from fairlead.doors.fleet.bundle_faults import files_from_elsewhere
from fairlead.policy.layering.fleet_layer import BUNDLES, CURRENT, FLEET, FRESHNESS_FILE
from fairlead.policy.places import Places, find_places
from fairlead.policy.reading.problem import Problem

_NAME = "0" * 64
_OF_TODAY = {"group": "trial", "version": 0, "at": 0, "until": 9e11, "expires": 9e11, "asks": 0}


@contextmanager
def home_with(folder: str) -> Iterator[Places]:
    """Places in which nothing else has a say: no user, no system, no project."""
    with tempfile.TemporaryDirectory(prefix="fairlead-trial-") as top:
        places = find_places(top).replace(system=f"{top}/system", system_fleet=f"{top}/system-{FLEET}")
        os.makedirs(f"{places.fleet}/{BUNDLES}", mode=0o700)
        os.symlink(os.path.abspath(folder), f"{places.fleet}/{BUNDLES}/{_NAME}")
        os.symlink(f"{BUNDLES}/{_NAME}", f"{places.fleet}/{CURRENT}")
        with open(f"{places.fleet}/{FRESHNESS_FILE}", "w", encoding="ascii", opener=_private) as file:
            json.dump({_NAME: _OF_TODAY}, file)
        yield places


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def policy_problems(folder: str) -> Sequence[Problem]:
    """What is wrong with a bundle in a folder, as far as this machine can tell. Nothing of it runs."""
    with home_with(folder) as places:
        policy = policy_for(places, "", "")
        hooks = build(policy).get_all_hooks()
        broken = [
            entry.problem("id", hook.broken.message, hint="mend the entry")
            for entry, hook in zip(policy.entries, hooks, strict=True)
            if hook.broken is not None and entry.broken is None
        ]
        foreign = files_from_elsewhere(policy.entries, folder)
        return [as_in(folder, each, places) for each in (*policy.problems, *broken, *foreign)]


def as_in(folder: str, problem: Problem, places: Places) -> Problem:
    """With the place where the people who wrote the policy know it."""
    return problem.replace(path=problem.path.replace(f"{places.fleet}/{BUNDLES}/{_NAME}", folder, 1))
