"""Keys, bundles and stores, as the tests of the fleet need them."""

import os
import tarfile
import time
from io import BytesIO
from pathlib import Path

from fairlead.doors.fleet.trial_home import policy_problems
from fairlead.fleet.bundles.building import build_bundle, sign_bundle
from fairlead.fleet.bundles.freshness import Rollout, Statement
from fairlead.fleet.bundles.manifest import Manifest
from fairlead.fleet.bundles.roles import Role, Roles
from fairlead.fleet.bundles.rotation import with_signature
from fairlead.fleet.bundles.signatures import Signed
from fairlead.fleet.bundles.signing import FOR_FRESHNESS, FOR_ROLES, PrivateKey
from fairlead.fleet.bundles.store import Store
from fairlead.fleet.moments import DAY

NOW = 1_800_000_000
GROUP = "web"
RULE = """\
id: pre-{name}
event: PreToolUse
rules:
  - id: {name}
    program: {program}
    reason: {program} is not for here.
    stops: ["{program} up"]
    passes: ["ls"]
    {locked}
"""
TEST = "tests:\n  - command: {program} up\n    expect: block\n"


def key(number: int) -> PrivateKey:
    """Always the same one."""
    return PrivateKey(bytes([number]) * 32)


SIGNING, ONLINE, FOREIGN, SECOND, THIRD = (key(number) for number in range(1, 6))


def roles_of(*keys: PrivateKey, threshold: int = 1, version: int = 1, online: PrivateKey = ONLINE) -> Roles:
    return Roles(version, Role(tuple(each.public for each in keys), threshold), Role((online.public,)))


ROLES = roles_of(SIGNING)


def policy(program: str = "tilt", *, locked: bool = False) -> dict[str, bytes]:
    """Files that stop one program, and a test that says so."""
    words = {"name": f"no-{program}", "program": program, "locked": "locked: true" if locked else ""}
    return {
        f"hooks/{program}/hook.meta.yaml": RULE.format(**words).encode(),
        f"hooks/{program}/hook.test.yaml": TEST.format(**words).encode(),
    }


def manifest(version: int = 5, *, group: str = GROUP, created: int = NOW, **fields) -> Manifest:
    return Manifest(group, version, created, fields.pop("expires", created + 90 * DAY), {}, **fields)


def bundle(version: int = 5, *, files=None, signers=(SIGNING,), packed: bool = False, **fields) -> bytes:
    content = build_bundle(manifest(version, **fields), files or policy(), packed=packed)
    for each in signers:
        content = sign_bundle(content, each)
    return content


def statement(version: int, sha256: str, *, at: int = NOW, signer: PrivateKey = ONLINE, **fields) -> Signed:
    said = Statement(
        fields.pop("group", GROUP), version, sha256, at, fields.pop("expires", at + DAY), Rollout(**fields)
    ).written()
    return Signed(said, (signer.sign(said, purpose=FOR_FRESHNESS),))


def signed_roles(roles: Roles, *signers: PrivateKey) -> Signed:
    signed = Signed(roles.written())
    for each in signers:
        signed = with_signature(signed, each.sign(signed.content, purpose=FOR_ROLES))
    return signed


def no_problems(folder: str) -> list:
    return []


class Kept:
    """A store in a folder, with a clock that a test sets."""

    def __init__(self, folder: Path, *, now: float = NOW + 60) -> None:
        self.folder, self.now = folder, now
        self.store = Store(str(folder), clock=lambda: self.now)

    def take(self, content: bytes, *, group: str = GROUP, anchor: Roles = ROLES, loads=no_problems):
        return self.store.take(content, group=group, anchor=anchor, loads=loads)

    def take_checked(self, content: bytes, **options):
        """With a real look at the policy in it."""
        return self.take(content, loads=policy_problems, **options)

    def hear(self, signed: Signed, *, anchor: Roles = ROLES):
        return self.store.hear(signed, group=GROUP, anchor=anchor)

    @property
    def version(self) -> int:
        found = self.store.in_force()
        return found.manifest.version if found else 0

    @property
    def sha256(self) -> str:
        found = self.store.in_force()
        return found.sha256 if found else ""

    def snapshot(self) -> dict[str, object]:
        """Every name below the store with what it holds, but for times of access."""
        return tree(self.folder)


def tree(folder: Path) -> dict[str, object]:
    found: dict[str, object] = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if path.is_symlink():
            found[name] = os.readlink(path)
        elif path.is_file():
            found[name] = path.read_bytes()
        else:
            found[name] = "folder"
    return found


def enrolled(config: Path, source: str = "folder:/nowhere", roles: Roles = ROLES, group: str = GROUP) -> Path:
    """Write `fleet.yaml` below a config folder."""
    from fairlead.fleet.enrolment import Enrolment, write_enrolment

    path = config / "fleet.yaml"
    write_enrolment(str(path), Enrolment("m-0123456789abcdef", group, source, roles))
    return path


def put_in_force(home: Path, files=None, *, version: int = 1, **fields) -> Kept:
    """Take a bundle up in the home of a `Machine`, made and fresh as of now."""
    now = int(time.time())
    kept = Kept(home / "state" / "fleet", now=now)
    refused = kept.take_checked(bundle(version, files=files, created=now - 60, **fields))
    assert refused is None, refused
    assert kept.hear(statement(version, kept.sha256, at=now - 30)) is None
    return kept


def tar_of(*members: tuple[tarfile.TarInfo, bytes], form: int = tarfile.USTAR_FORMAT) -> bytes:
    """An archive as any program may write one."""
    out = BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=form) as archive:
        for member, content in members:
            archive.addfile(member, BytesIO(content))
    return out.getvalue()


def member(name: str, content: bytes = b"", **fields) -> tuple[tarfile.TarInfo, bytes]:
    made = tarfile.TarInfo(name)
    made.size = len(content)
    for field, value in fields.items():
        setattr(made, field, value)
    return made, content
