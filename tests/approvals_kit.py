"""A machine of a fleet whose bundle says who may answer its questions, and the keys of everybody."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from fairlead.fleet.bundles.building import build_bundle, sign_bundle
from fairlead.fleet.bundles.manifest import Manifest
from fairlead.fleet.bundles.roles import Role, Roles
from fairlead.fleet.bundles.signing import PrivateKey, new_key, write_key
from fairlead.fleet.bundles.store import Store
from fairlead.fleet.enrolment import Enrolment, write_enrolment
from fairlead.policy.places import Places, find_places

DAY = 86_400
POLICY = """\
event: PreToolUse
middleware:
  - {id: block-dangerous-commands, enabled: true}
"""


class People:
    """Keys by name, as files and as a role."""

    def __init__(self, folder: Path, *names: str) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.keys: dict[str, PrivateKey] = {}
        for name in names:
            self.keys[name] = key = new_key()
            write_key(str(folder / name), key)

    def path(self, name: str) -> str:
        return str(self.folder / name)

    def role(self, *names: str) -> Role:
        return Role(tuple(self.keys[name].public for name in names or self.keys))

    def row(self, name: str, **more: object) -> dict[str, object]:
        return {"name": name, "key": self.keys[name].public, **more}


def join_fleet(
    home: Path,
    people: People,
    approvals: dict[str, Any],
    *,
    machine: str = "m1",
    group: str = "web",
    source: str = "folder:/nowhere",
    credentials: str = "",
) -> Places:
    """Enrols a home, and puts a signed bundle in force there."""
    places = find_places(str(home))
    signer = new_key()
    roles = Roles(1, Role((signer.public,)), approval=people.role())
    enrolment = Enrolment(machine, group, source, roles, credentials)
    os.makedirs(places.config, exist_ok=True)
    write_enrolment(places.user_enrolment, enrolment)
    now = int(time.time())
    manifest = Manifest(group, 1, now, now + DAY, {}, approvals=approvals)
    content = sign_bundle(build_bundle(manifest, {"hooks/web/hook.meta.yaml": POLICY.encode()}), signer)
    refusal = Store(places.fleet).take(content, group=group, anchor=roles, loads=lambda folder: ())
    assert refusal is None, refusal
    return places


class AgentProcess:
    """`fairlead fleet agent` of a home."""

    def __init__(self, home: Path) -> None:
        words = ["--home", str(home), "fleet", "agent", "--spread", "0"]
        self.process = subprocess.Popen(
            [sys.executable, "-I", "-m", "fairlead", *words], stderr=subprocess.PIPE, text=True
        )
        assert self.process.stderr is not None
        line = self.process.stderr.readline()
        assert "following" in line, line

    def __enter__(self) -> AgentProcess:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.terminate()
        self.process.wait(30)
        assert self.process.stderr is not None
        self.process.stderr.close()
