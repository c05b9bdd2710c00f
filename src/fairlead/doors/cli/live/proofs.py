"""Which agents have proved themselves: by a call of their own that was refused, and one that ran.

A proof holds as long as what it rests on is as it was: the agent's program, its settings, and what answers.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import time
from collections.abc import Iterator, Mapping

from fairlead.dialects.setup.installs import INSTALLS, changes_for
from fairlead.dialects.setup.off_switches import switch_files
from fairlead.dialects.setup.site import Site
from fairlead.doors.cli.installation.installing import client_of, site_of
from fairlead.doors.cli.live.agents import RECIPES
from fairlead.doors.cli.output import Session
from fairlead.errors import FairleadError, SettingsError
from fairlead.model.value import Value
from fairlead.policy.places import make_private
from fairlead.policy.record import read_record
from fairlead.settings import files


class Standing(Value):
    """`proved` is the day of the proof that holds now; without one, `why` says why there is none."""

    proved: str = ""
    why: str = ""


def standing_of(session: Session, agent: str) -> Standing:
    if agent not in RECIPES:
        return Standing(why="only its documentation stands behind it, nobody has driven it")
    kept = _read(_file(session)).get(agent)
    if not isinstance(kept, dict) or not isinstance(kept.get("day"), str):
        return Standing(why="it has not made a call for `fairlead doctor` yet")
    if kept.get("rests_on") != _rests_on(session, agent):
        return Standing(why=f"its program, its settings or Fairlead changed since {kept['day']}")
    return Standing(kept["day"])


def keep_proof(session: Session, agent: str) -> None:
    day = time.strftime("%Y-%m-%d")
    _write(session, {**_read(_file(session)), agent: {"day": day, "rests_on": _rests_on(session, agent)}})


def drop_proof(session: Session, agent: str) -> None:
    kept = _read(_file(session))
    if agent in kept:
        _write(session, {name: proof for name, proof in kept.items() if name != agent})


def _rests_on(session: Session, agent: str) -> str:
    """A mark of all of it. A file that is not there counts for nothing, so that a proof holds in every
    project that has no settings of its own."""
    digest = hashlib.sha256()
    for part in (*_program(agent), *_answering(session), *_settings(session, agent)):
        digest.update(f"{len(part)} ".encode() + part)
    return digest.hexdigest()


def _program(agent: str) -> Iterator[bytes]:
    program = next((found for name in INSTALLS[agent].programs if (found := shutil.which(name))), None)
    if program is not None:
        real = os.path.realpath(program)
        with contextlib.suppress(OSError):
            facts = os.stat(real)
            yield f"{real} {facts.st_size} {facts.st_mtime_ns}".encode()


def _answering(session: Session) -> Iterator[bytes]:
    record = read_record(session.places)
    yield json.dumps([record.get("interpreter", ""), record.get("build", "")]).encode()
    yield _content(client_of(session).path) or b""


def _settings(session: Session, agent: str) -> Iterator[bytes]:
    user = site_of("user")
    paths = [
        path for scope in ("user", "project") for path in _paths(session, agent, user.replace(scope=scope))
    ]
    paths += [os.path.join(user.project, name) for name in switch_files(agent)]
    for path in dict.fromkeys(paths):
        content = _content(path)
        if content is not None:
            yield path.encode()
            yield content


def _paths(session: Session, agent: str, site: Site) -> list[str]:
    try:
        return [change.path for change in changes_for(agent, site, client_of(session))]
    except SettingsError:
        return []


def _content(path: str) -> bytes | None:
    try:
        return files.read(path)
    except SettingsError:
        return b"cannot be read"


def _file(session: Session) -> str:
    return os.path.join(session.places.state, "proofs.json")


def _read(path: str) -> Mapping[str, object]:
    """What cannot be read proves nothing."""
    try:
        found = json.loads(_content(path) or b"{}")
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _write(session: Session, proofs: Mapping[str, object]) -> None:
    path = _file(session)
    with contextlib.suppress(FairleadError, OSError):  # then there is no proof, which is what is said
        make_private(os.path.dirname(path))
        files.replace(path, files.read(path), json.dumps(proofs, indent=1).encode() + b"\n")
