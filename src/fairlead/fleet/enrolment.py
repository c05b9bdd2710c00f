"""`fleet.yaml`: which machine this is, to which group it belongs, where it looks, and whom it believes.

Root's file in the system's policy folder wins over the user's own. Both are read strictly: a mistake in
them is an error with its line, because a machine that half believes is worse than one that does not.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from urllib.parse import urlsplit

from fairlead.errors import FairleadError, PolicyError
from fairlead.fleet.bundles.roles import APPROVAL, BUNDLE, FRESHNESS, ROLE_NAMES, Role, Roles
from fairlead.fleet.documents import NAME
from fairlead.model.value import Value
from fairlead.policy.places import Places, read_own
from fairlead.policy.reading.document import Marked, UnreadableFileError, parse_document
from fairlead.policy.reading.problem import Problem
from fairlead.policy.reading.report import Fields, Report, read_fields
from fairlead.policy.reading.schema import FLAG, LIST, MAPPING, NUMBER, TEXT, Key

MAX_BYTES = 64 * 1024
_LOOPBACK = ("127.0.0.1", "::1", "localhost")
ENROLMENT_KEYS: Mapping[str, Key] = {
    "machine": Key((TEXT,), "machine: m-4f2a91c07be3d855", meaning="the name of this machine in the fleet"),
    "group": Key((TEXT,), "group: web", meaning="whose bundles it takes"),
    "source": Key((TEXT,), "source: tls://broker.example:4222", meaning="where they are published"),
    "credentials": Key((TEXT,), "credentials: /etc/fairlead/fleet.creds", meaning="for the broker"),
    "tls_ca": Key((TEXT,), "tls_ca: /etc/fairlead/ca.pem", meaning="who vouches for the source"),
    "proxy": Key((TEXT,), "proxy: http://proxy.example:3128", meaning="on the way to an https source"),
    "roles": Key((MAPPING,), "roles: {version: 1, bundle: ...}", meaning="whose signatures count"),
    "decisions": Key((FLAG,), "decisions: true", meaning="whether decisions are sent"),
}
_ROLES_KEYS: Mapping[str, Key] = {
    "version": Key((NUMBER,), "version: 1", meaning="of the roles"),
    BUNDLE: Key((MAPPING,), "bundle: {keys: [...], threshold: 1}", meaning="sign bundles and roles"),
    FRESHNESS: Key((MAPPING,), "freshness: {keys: [...], threshold: 1}", meaning="say what is current"),
    APPROVAL: Key((MAPPING,), "approval: {keys: [...], threshold: 1}", meaning="sign answers of people"),
}
_ROLE_KEYS: Mapping[str, Key] = {
    "keys": Key((LIST,), "keys: ['ed25519:...']", meaning="public keys"),
    "threshold": Key((NUMBER,), "threshold: 1", meaning="how many of them it takes"),
}


class Enrolment(Value):
    """`roles` are what was believed at enrolment; later ones are kept beside the bundles."""

    machine: str
    group: str
    source: str
    roles: Roles
    credentials: str = ""
    tls_ca: str = ""
    decisions: bool = False
    proxy: str = ""
    path: str = ""
    """Where it was read."""


def new_machine() -> str:
    return f"m-{os.urandom(8).hex()}"


def is_enrolled(places: Places) -> bool:
    return any(map(os.path.lexists, (places.system_enrolment, places.user_enrolment)))


def read_enrolment(places: Places) -> Enrolment | None:
    """None where this machine belongs to no fleet. Raises PolicyError for a file that cannot be believed."""
    for path in (places.system_enrolment, places.user_enrolment):
        if os.path.lexists(path):
            return _read(path)
    return None


def _read(path: str) -> Enrolment:
    content = read_own(path, MAX_BYTES + 1)
    if content is None:
        hint = "it must be a plain file of this user or of root that nobody else can write"
        raise PolicyError(f"{path} cannot be believed", hint=hint)
    if len(content) > MAX_BYTES:
        raise PolicyError(f"{path} is larger than {MAX_BYTES // 1024} KiB", hint="it is not an enrolment")
    return parse_enrolment(content, path)


def parse_enrolment(content: bytes, path: str) -> Enrolment:
    """Raises PolicyError with the first problem and its place."""
    report = Report(path)
    try:
        document = parse_document(content, path)
    except UnreadableFileError as error:
        raise _failed(error.problem) from error
    if document.kind != MAPPING:
        raise _failed(Problem(path, document.line, document.column, "an enrolment is a mapping"))
    made = _Reading(document, report).enrolment()
    if report.problems or made is None:
        raise _failed(report.problems[0])
    return made.replace(path=path)


def _failed(problem: Problem) -> PolicyError:
    return PolicyError(f"{problem.place}: {problem.message}", hint=problem.hint)


class _Reading:
    def __init__(self, document: Marked, report: Report) -> None:
        self.document, self.report = document, report
        self.fields = read_fields(document, ENROLMENT_KEYS, report)[0]

    def enrolment(self) -> Enrolment | None:
        roles = self._roles()
        machine, group = self._name("machine"), self._name("group")
        source = self._source()
        credentials, ca = self._path("credentials"), self._path("tls_ca")
        proxy = self._proxy(source)
        decisions = bool(self.fields["decisions"].value) if "decisions" in self.fields else False
        if roles is None or self.report.problems:
            return None
        return Enrolment(machine, group, source, roles, credentials, ca, decisions, proxy)

    def _text(self, name: str, *, needed: bool = True) -> str:
        if name in self.fields:
            return str(self.fields[name].value)
        if needed:
            self.report.add(self.document, f"missing key {name!r}", ENROLMENT_KEYS[name].example)
        return ""

    def _name(self, name: str) -> str:
        text = self._text(name)
        if text and not NAME.fullmatch(text):
            message = f"{text!r} is no name: small letters, digits, '-' and '_', at most 63"
            self.report.add(self.fields[name], message, ENROLMENT_KEYS[name].example)
        return text

    def _source(self) -> str:
        text = self._text("source")
        wrong = source_fault(text) if text else ""
        if wrong:
            self.report.add(self.fields["source"], wrong, ENROLMENT_KEYS["source"].example)
        return text

    def _proxy(self, source: str) -> str:
        text = self._text("proxy", needed=False)
        wrong = proxy_fault(text, source) if text else ""
        if wrong:
            self.report.add(self.fields["proxy"], wrong, ENROLMENT_KEYS["proxy"].example)
        return text

    def _path(self, name: str) -> str:
        text = self._text(name, needed=False)
        if text and not os.path.isabs(text):
            message = f"{name!r} must be an absolute path"
            self.report.add(self.fields[name], message, ENROLMENT_KEYS[name].example)
        return text

    def _roles(self) -> Roles | None:
        given = self.fields.get("roles")
        if given is None:
            self._text("roles")
            return None
        fields = read_fields(given, _ROLES_KEYS, self.report)[0]
        for name in ("version", BUNDLE):
            if name not in fields:
                self.report.add(given, f"missing key {name!r}", _ROLES_KEYS[name].example)
                return None
        version = fields["version"].value
        roles = {name: self._role(fields[name]) for name in ROLE_NAMES if name in fields}
        try:
            if not isinstance(version, int) or version < 1:
                raise ValueError("'version' must be a whole number from 1 on")
            return Roles(version, **roles).checked()
        except ValueError as error:
            self.report.add(given, str(error), "`fairlead bundle keygen` makes keys")
            return None

    def _role(self, marked: Marked) -> Role:
        fields: Fields = read_fields(marked, _ROLE_KEYS, self.report)[0]
        keys = tuple(str(item.value) for item in fields["keys"].items) if "keys" in fields else ()
        threshold = fields["threshold"].value if "threshold" in fields else 1
        return Role(keys, threshold if isinstance(threshold, int) else 0)


def source_fault(source: str) -> str:
    """What is wrong with an address of a source, or nothing. Across a network policy comes through TLS."""
    try:
        parts = urlsplit(source)
        host = parts.hostname or ""
    except ValueError:
        return f"{source!r} is no address"
    if not source.isprintable() or " " in source:
        return f"{source!r} is no address"
    if parts.scheme == "folder":
        return "" if source.startswith("folder:/") else "a folder is given by its absolute path"
    if parts.scheme not in ("nats", "tls", "https", "http"):
        return (
            f"{parts.scheme or source!r} is no kind of source: nats, tls, https, http on this machine, folder"
        )
    if not host or "@" in parts.netloc:
        return "an address names a host, and no password"
    return "http is for this machine alone" if parts.scheme == "http" and host not in _LOOPBACK else ""


def proxy_fault(proxy: str, source: str) -> str:
    """What is wrong with the address of a proxy, or nothing. A password would stand in everybody's sight."""
    try:
        parts = urlsplit(proxy)
        well = parts.scheme == "http" and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        well = False
    if not well or "@" in proxy or not proxy.isprintable():
        return f"{proxy!r} is no proxy"
    return "" if source.startswith("https:") else "only an https source has a proxy"


def written(enrolment: Enrolment) -> bytes:
    """As `fleet.yaml`."""
    lines = ["# Written when this machine joined a fleet; `fairlead fleet status` shows what is in force."]
    for name in ("machine", "group", "source", "credentials", "tls_ca", "proxy"):
        value = getattr(enrolment, name)
        lines += [f"{name}: {json.dumps(value)}"] if value else []
    lines += ["roles:", f"  version: {enrolment.roles.version}"]
    for name in ROLE_NAMES:
        role: Role = getattr(enrolment.roles, name)
        keys = ", ".join(json.dumps(key) for key in role.keys)
        lines += [f"  {name}: {{keys: [{keys}], threshold: {role.threshold}}}"] if role.keys else []
    lines += [f"decisions: {'true' if enrolment.decisions else 'false'}"]
    return ("\n".join(lines) + "\n").encode("utf-8")


def write_enrolment(path: str, enrolment: Enrolment) -> None:
    """Everybody may read it; only its owner writes it, in one step."""
    parse_enrolment(written(enrolment), path)  # what we could not read again is not written
    os.makedirs(os.path.dirname(path), exist_ok=True)
    draft = f"{path}.{os.getpid()}.new"
    try:
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o644)
        with os.fdopen(descriptor, "wb") as file:
            os.fchmod(file.fileno(), 0o644)
            file.write(written(enrolment))
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, path)
    except OSError as error:
        if os.path.lexists(draft):
            os.unlink(draft)
        raise FairleadError(
            f"{path} cannot be written: {error.strerror}", hint="who may write it?"
        ) from error
