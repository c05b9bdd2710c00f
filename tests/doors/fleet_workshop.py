"""A fleet for tests: who signs, what is published, and machines with agents in processes of their own."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

from fairlead.doors.fleet.centre.publishing import (
    first_rollout,
    pointer_to,
    published,
    require_next,
    say_anew,
)
from fairlead.doors.fleet.publishers import Target, open_publisher
from fairlead.doors.fleet.running.lock import running_agent
from fairlead.doors.fleet.standing import read_standing
from fairlead.fleet.bundles.building import build_bundle, open_unchecked, sign_bundle
from fairlead.fleet.bundles.freshness import Release
from fairlead.fleet.bundles.manifest import Manifest
from fairlead.fleet.bundles.roles import Role, Roles
from fairlead.fleet.bundles.signing import new_key
from fairlead.fleet.bundles.store import Store
from fairlead.fleet.enrolment import Enrolment, write_enrolment
from fairlead.fleet.moments import DAY
from fairlead.policy.places import find_places

POLICY = """\
id: fleet-{version}
event: PreToolUse
rules:
  - id: no-fleet-word
    program: forbidden-{version}
    reason: Version {version} of the fleet says no.
    stops: ["forbidden-{version} now"]
"""


class Publishing:
    """One who signs and publishes at one address."""

    def __init__(self, address: str, credentials: str = "", ca: str = "") -> None:
        self.bundle_key, self.online_key = new_key(), new_key()
        self.roles = Roles(1, Role((self.bundle_key.public,)), Role((self.online_key.public,)))
        self.target = Target(address, credentials, ca)

    def bundle(self, version: int, group="web", *, key=None, padding: int = 0, managed: str = "") -> bytes:
        files = {"hooks/fleet/hook.meta.yaml": POLICY.format(version=version).encode()}
        files |= {"hooks/managed.yaml": managed.encode()} if managed else {}
        for number in range(padding // 100_000):
            lines = (f"# {os.urandom(30).hex()}\n" for _ in range(1_600))
            files[f"programs/padding-{number}.toml"] = "".join(lines).encode()
        now = int(time.time())
        manifest = Manifest(group, version, now, now + 90 * DAY, {})
        return sign_bundle(build_bundle(manifest, files), key or self.bundle_key)

    def release(self, content: bytes) -> Release:
        opened, _ = open_unchecked(content)
        return Release(opened.manifest.version, opened.sha256, opened.bundle_sha256, len(content))

    def publish(
        self, version: int, group: str = "web", *, percent: int = 100, content: bytes = b"", seconds=DAY
    ):
        content = content or self.bundle(version, group)
        release = self.release(content)
        with open_publisher(self.target) as publisher:
            before = published(publisher, group)
            require_next(before, release)
            pointer = pointer_to(
                release,
                group,
                key=self.online_key,
                seconds=seconds,
                rollout=first_rollout(before, release, percent, self.online_key),
                roles_version=1,
                before=before,
            )
            publisher.put_bundle(group, release.bundle_sha256, content)
            publisher.put_pointer(group, pointer.written())
        return pointer

    def put(self, pointer, content: bytes = b"") -> None:
        """Whatever it is, as somebody does who can write there."""
        with open_publisher(self.target) as publisher:
            publisher.pointer(pointer.group)
            if content:
                publisher.put_bundle(pointer.group, pointer.release.bundle_sha256, content)
            publisher.put_pointer(pointer.group, pointer.written())

    def pointer(self, group: str = "web"):
        with open_publisher(self.target) as publisher:
            return published(publisher, group)

    def say(self, change, group: str = "web", seconds=DAY):
        with open_publisher(self.target) as publisher:
            return say_anew(publisher, group, change, key=self.online_key, seconds=seconds)


class Member:
    """A machine of the fleet, in a home of its own."""

    def __init__(self, folder: Path, name: str, publishing: Publishing, *, source: str, **more) -> None:
        self.name = name
        self.home = folder / name
        self.places = find_places(str(self.home))
        group = more.pop("group", "web")
        enrolment = Enrolment(name, group, source, publishing.roles, **more)
        write_enrolment(self.places.user_enrolment, enrolment)
        self.group = group
        self.store = Store(self.places.fleet)
        self._agent: subprocess.Popen | None = None

    def fairlead(self, *words: str) -> subprocess.CompletedProcess:
        command = [sys.executable, "-I", "-m", "fairlead", "--home", str(self.home), *words]
        return subprocess.run(command, capture_output=True, timeout=120, check=False, text=True)

    def start(self, *options: str) -> None:
        words = ["fleet", "agent", "--spread", "0", *options]
        self._agent = subprocess.Popen(
            [sys.executable, "-I", "-m", "fairlead", "--home", str(self.home), *words],
            stderr=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )

    @property
    def process(self) -> int:
        assert self._agent is not None
        return self._agent.pid

    def kill(self) -> None:
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        return self._end(signal.SIGTERM)

    def _end(self, number: int) -> int:
        if self._agent is None:
            return 0
        with suppress(ProcessLookupError):
            self._agent.send_signal(number)
        code = self._agent.wait(60)
        self._agent = None
        return code

    @property
    def version(self) -> int:
        now = self.store.in_force()
        return now.manifest.version if now is not None else 0

    @property
    def facts(self) -> dict:
        return read_standing(self.places.fleet).get("bundle", {})

    @property
    def refusal(self) -> str:
        return (self.facts.get("refusal") or {}).get("code", "")

    @property
    def running(self) -> int:
        return running_agent(self.places.fleet)


def eventually(holds, seconds: float = 90) -> None:
    """Waits for it, as long as a busy machine may take."""
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "it did not come to be"
        time.sleep(0.02)
